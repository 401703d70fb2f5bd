"""Looking for faults without a seed: programs are drawn and judged in every way asked for; what is new is reduced."""
