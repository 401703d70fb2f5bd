func.func @main(%arg0: tensor<?xf32>, %arg1: tensor<2xf32>) -> (tensor<?xf32>, tensor<2xf32>, i1) {
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
  %0 = tensor.empty(%dim) : tensor<?xf32>
  %1 = math.exp %arg1 : tensor<2xf32>
  %false = arith.constant false
  return %0, %1, %false : tensor<?xf32>, tensor<2xf32>, i1
}
