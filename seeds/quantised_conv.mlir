// A quantised convolution with strides and dilations, whose pad the consumer flag does not fuse (3.13.0).
//
// reduce: oracle=no-op-flag
// reduce: oracle=two-dispatches

func.func @main(%arg0: tensor<1x16x16x8xi8>, %arg1: tensor<3x3x8x3xi8>, %arg2: tensor<1x7x15x3xi32>) -> (tensor<1x7x15x3xi32>) {
  %cst0 = arith.constant 2 : i8
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %c15 = arith.constant 15 : index
  %c3 = arith.constant 3 : index
  %cst5 = arith.constant 2 : i32
  %cst6 = arith.constant -1 : i32
  %pad1 = tensor.pad %arg0 nofold low[0, 0, 0, 0] high[0, 2, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %cst0 : i8
  } : tensor<1x16x16x8xi8> to tensor<1x18x17x8xi8>
  %conv2 = linalg.conv_2d_nhwc_hwcf_q {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>} ins(%pad1, %arg1, %cst5, %cst6 : tensor<1x18x17x8xi8>, tensor<3x3x8x3xi8>, i32, i32) outs(%arg2 : tensor<1x7x15x3xi32>) -> tensor<1x7x15x3xi32>
  return %conv2 : tensor<1x7x15x3xi32>
}
