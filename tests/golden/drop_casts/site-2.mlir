// invalid: 'math.exp' op requires the same type for all operands and results
