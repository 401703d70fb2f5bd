func.func @main(%arg0: tensor<1x3xf32>, %arg1: tensor<1xf32>, %arg2: tensor<3xf32>) -> (tensor<3xf32>, tensor<1x4xf32>) {
  %cst = arith.constant 0.000000e+00 : f32
  %0 = linalg.conv_1d ins(%arg2, %arg1 : tensor<3xf32>, tensor<1xf32>) outs(%arg2 : tensor<3xf32>) -> tensor<3xf32>
  %padded = tensor.pad %arg0 low[0, 0] high[0, 1] {
  ^bb0(%arg3: index, %arg4: index):
    tensor.yield %cst : f32
  } : tensor<1x3xf32> to tensor<1x4xf32>
  %1 = arith.addf %0, %arg2 : tensor<3xf32>
  return %1, %padded : tensor<3xf32>, tensor<1x4xf32>
}
