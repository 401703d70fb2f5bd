// invalid: expected type to be 'tensor<2x1xf32>' or a rank-reduced version. (size mismatch) 
