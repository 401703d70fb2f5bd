// A pad and a convolution whose second dimension is 1: EliminateEmptyTensors dies of a segmentation fault (3.13.0).
//
// reduce: oracle=crash flags=--iree-dispatch-creation-enable-fuse-padding-into-linalg-consumer-ops

func.func @main(%arg0: tensor<1x1xf32>, %arg1: tensor<1x1xf32>) -> (tensor<3x1xf32>) {
  %cst0 = arith.constant 0.000000e+00 : f32
  %c3 = arith.constant 3 : index
  %c1 = arith.constant 1 : index
  %pad1 = tensor.pad %arg0 low[1, 0] high[1, 0] {
  ^bb0(%i0: index, %i1: index):
    tensor.yield %cst0 : f32
  } : tensor<1x1xf32> to tensor<3x1xf32>
  %e2 = tensor.empty() : tensor<3x1xf32>
  %f3 = linalg.fill ins(%cst0 : f32) outs(%e2 : tensor<3x1xf32>) -> tensor<3x1xf32>
  %conv4 = linalg.conv_2d ins(%pad1, %arg1 : tensor<3x1xf32>, tensor<1x1xf32>) outs(%f3 : tensor<3x1xf32>) -> tensor<3x1xf32>
  return %conv4 : tensor<3x1xf32>
}
