func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  %cst = arith.constant 2.000000e+00 : f32
  %splat = tensor.splat %cst : tensor<2xf32>
  %0 = arith.addf %arg0, %splat : tensor<2xf32>
  %1 = math.exp %arg0 : tensor<2xf32>
  return %1 : tensor<2xf32>
}
