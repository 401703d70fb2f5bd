// A convolution in one dimension, padded on the low side alone: the compilation fails and does not say why (3.13.0).
//
// reduce: oracle=translation-error flags=--iree-dispatch-creation-enable-fuse-padding-into-linalg-consumer-ops

func.func @main(%x: tensor<2xf32>, %w: tensor<1xf32>) -> tensor<3xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<2xf32> to tensor<3xf32>
  %e = tensor.empty() : tensor<3xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %c = linalg.conv_1d ins(%p, %w : tensor<3xf32>, tensor<1xf32>) outs(%f : tensor<3xf32>) -> tensor<3xf32>
  return %c : tensor<3xf32>
}
