func.func @main(%arg0: tensor<2x2xf32>, %arg1: tensor<2x2xf32>, %arg2: i1) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %0 = math.exp %arg0 : tensor<2x2xf32>
  %1 = arith.addf %0, %arg1 : tensor<2x2xf32>
  %2 = arith.mulf %1, %1 : tensor<2x2xf32>
  %3 = linalg.matmul ins(%2, %arg0 : tensor<2x2xf32>, tensor<2x2xf32>) outs(%arg1 : tensor<2x2xf32>) -> tensor<2x2xf32>
  return %3, %0 : tensor<2x2xf32>, tensor<2x2xf32>
}
