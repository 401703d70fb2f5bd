func.func @main(%arg0: tensor<2xf32>) -> (tensor<?xf32>, tensor<2xf32>, i1) {
  %c0 = arith.constant 0 : index
  %c0_0 = arith.constant 0 : index
  %0 = tensor.empty(%c0_0) : tensor<?xf32>
  %1 = math.exp %arg0 : tensor<2xf32>
  %2 = arith.cmpi eq, %c0_0, %c0 : index
  return %0, %1, %2 : tensor<?xf32>, tensor<2xf32>, i1
}
