// invalid: expected type to be 'tensor<?x1xf32>' or a rank-reduced version. (size mismatch) 
