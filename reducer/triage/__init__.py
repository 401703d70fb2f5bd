"""What flags do to a program, and why: a table of facts, and reasons found by trying."""
