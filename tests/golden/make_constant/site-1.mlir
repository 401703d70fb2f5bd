func.func @main(%arg0: tensor<?xf32>) -> (tensor<?xf32>, tensor<2xf32>, i1) {
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
  %0 = tensor.empty(%dim) : tensor<?xf32>
  %cst = arith.constant dense<0.000000e+00> : tensor<2xf32>
  %1 = arith.cmpi eq, %dim, %c0 : index
  return %0, %cst, %1 : tensor<?xf32>, tensor<2xf32>, i1
}
