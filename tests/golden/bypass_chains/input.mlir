func.func @main(%x: tensor<2x3xf32>, %s: f32) -> (tensor<2x3xf32>, f32) {
  %0 = tensor.collapse_shape %x [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %1 = math.exp %0 : tensor<6xf32>
  %2 = tensor.expand_shape %1 [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  %3 = arith.truncf %s : f32 to f16
  %4 = arith.extf %3 : f16 to f32
  return %2, %4 : tensor<2x3xf32>, f32
}
