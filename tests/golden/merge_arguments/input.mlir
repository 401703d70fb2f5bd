func.func @main(%a: tensor<2xf32>, %b: f32, %c: tensor<2xf32>, %d: tensor<2xf32>, %unused: tensor<2xf32>) -> tensor<2xf32> {
  %0 = arith.addf %a, %c : tensor<2xf32>
  %1 = arith.mulf %0, %d : tensor<2xf32>
  %2 = tensor.splat %b : tensor<2xf32>
  %3 = arith.addf %1, %2 : tensor<2xf32>
  return %3 : tensor<2xf32>
}
