func.func @main(%arg0: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  return %arg0, %arg0 : tensor<2xf32>, tensor<2xf32>
}
