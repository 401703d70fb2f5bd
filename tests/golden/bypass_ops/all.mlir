func.func @main(%arg0: tensor<2x2xf32>, %arg1: i1) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  return %arg0, %arg0 : tensor<2x2xf32>, tensor<2x2xf32>
}
