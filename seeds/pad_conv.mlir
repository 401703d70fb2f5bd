// A 3x3 convolution on a padded image. One program, five faults: which of them it shows depends on the release, the target
// and the two padding-fusion flags.
//
// reduce: oracle=translation-error flags=--iree-dispatch-creation-enable-fuse-padding-into-linalg-producer-ops
// reduce: oracle=no-op-flag flags=""
// reduce: oracle=two-dispatches flags=""
// reduce: oracle=unsupported-fusion flags=""
// reduce: oracle=dispatch-count expect=1 flags=""

!unpaddedA_T=tensor<1x8x128x128xf32>
!A_T=tensor<1x8x130x130xf32>
!B_T=tensor<16x8x3x3xf32>
!O_T=tensor<1x16x128x128xf32>

util.func public @conv_2d_nchw_fchw(%arg0: !unpaddedA_T, %arg1: !B_T) -> !O_T {
  %cst = arith.constant 0.000000e+00 : f32
  %offset = arith.constant 1 : index
  %padded_arg0 = tensor.pad %arg0 low[0, 0, %offset, %offset] high[0, 0, %offset, %offset] {
  ^bb0(%arg2: index, %arg3: index, %arg4: index, %arg5: index):
    tensor.yield %cst : f32
  } : !unpaddedA_T to !A_T
  %empty = tensor.empty() : !O_T
  %fill = linalg.fill ins(%cst : f32) outs(%empty : !O_T) -> !O_T
  %0 = linalg.conv_2d_nchw_fchw
    {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64> }
     ins(%padded_arg0, %arg1: !A_T, !B_T)
    outs(%fill: !O_T) -> !O_T
  util.return %0 : !O_T
}
