func.func @main(%arg0: tensor<2x3xf32>, %arg1: f32) -> (tensor<2x3xf32>, f32) {
  %collapsed = tensor.collapse_shape %arg0 [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %0 = math.exp %collapsed : tensor<6xf32>
  %expanded = tensor.expand_shape %0 [[0, 1]] output_shape [2, 3] : tensor<6xf32> into tensor<2x3xf32>
  return %expanded, %arg1 : tensor<2x3xf32>, f32
}
