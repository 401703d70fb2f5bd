func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = arith.constant 2.0 : f32
  %e = tensor.splat %c : tensor<2xf32>
  %0 = arith.addf %x, %e : tensor<2xf32>
  %1 = math.exp %x : tensor<2xf32>
  %2 = arith.constant 3 : index
  return %1 : tensor<2xf32>
}
