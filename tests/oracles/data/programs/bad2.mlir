func.func @f(%a: tensor<2xf32>) -> tensor<3xf32> {
  %0 = tensor.pad %a low[0] high[5] {
  ^bb0(%i: index):
   %z = arith.constant 0.0 : f32
  tensor.yield %z : f32
 } : tensor<2xf32> to tensor<3xf32>
  return %0 : tensor<3xf32>
}
