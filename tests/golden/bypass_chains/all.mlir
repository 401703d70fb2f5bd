func.func @main(%arg0: tensor<2x3xf32>, %arg1: f32) -> (tensor<2x3xf32>, f32) {
  return %arg0, %arg1 : tensor<2x3xf32>, f32
}
