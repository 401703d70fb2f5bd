"""What a reduction hands over, as text. Pure: nothing here runs, reads or writes anything."""
