func.func @main() -> (tensor<?xf32>, tensor<2xf32>, i1) {
  %c0 = arith.constant 0 : index
  %0 = tensor.empty(%c0) : tensor<?xf32>
  %cst = arith.constant dense<0.000000e+00> : tensor<2xf32>
  %false = arith.constant false
  return %0, %cst, %false : tensor<?xf32>, tensor<2xf32>, i1
}
