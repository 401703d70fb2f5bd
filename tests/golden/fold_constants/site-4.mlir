// invalid: expected type to be 'tensor<2x?xf32>' or a rank-reduced version. (size mismatch) 
