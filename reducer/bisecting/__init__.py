"""Since when: which releases show a fault, and which pass of the compiler first does."""
