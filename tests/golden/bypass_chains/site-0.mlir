func.func @main(%arg0: tensor<2x3xf32>, %arg1: f32) -> (tensor<2x3xf32>, f32) {
  %0 = arith.truncf %arg1 : f32 to f16
  %1 = arith.extf %0 : f16 to f32
  return %arg0, %1 : tensor<2x3xf32>, f32
}
