// A depthwise convolution on an image padded with a number that is an argument: the consumer flag, on llvm-cpu, takes the
// rows of the padding for the next rows of the image (3.12.0, 3.13.0; not 3.11.0).
//
// reduce: oracle=wrong-result inputs="2x1x3x1xf32=1 2 3 4 5 6; 7; 1x2x1xf32=10 1" flags=--iree-dispatch-creation-enable-fuse-padding-into-linalg-consumer-ops

func.func @main(%arg0: tensor<2x1x3x1xf32>, %arg1: f32, %arg2: tensor<1x2x1xf32>) -> (tensor<2x2x2x1xf32>) {
  %c2 = arith.constant 2 : index
  %c1 = arith.constant 1 : index
  %cst2 = arith.constant 0.000000e+00 : f32
  %pad1 = tensor.pad %arg0 low[0, 0, 0, 0] high[0, 1, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %arg1 : f32
  } : tensor<2x1x3x1xf32> to tensor<2x2x3x1xf32>
  %e2 = tensor.empty() : tensor<2x2x2x1xf32>
  %f3 = linalg.fill ins(%cst2 : f32) outs(%e2 : tensor<2x2x2x1xf32>) -> tensor<2x2x2x1xf32>
  %conv4 = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<[1, 1]> : tensor<2xi64>, strides = dense<[1, 1]> : tensor<2xi64>} ins(%pad1, %arg2 : tensor<2x2x3x1xf32>, tensor<1x2x1xf32>) outs(%f3 : tensor<2x2x2x1xf32>) -> tensor<2x2x2x1xf32>
  return %conv4 : tensor<2x2x2x1xf32>
}
