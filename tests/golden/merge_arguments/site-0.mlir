func.func @main(%arg0: tensor<2xf32>, %arg1: f32, %arg2: tensor<2xf32>, %arg3: tensor<2xf32>) -> tensor<2xf32> {
  %0 = arith.addf %arg0, %arg0 : tensor<2xf32>
  %1 = arith.mulf %0, %arg2 : tensor<2xf32>
  %splat = tensor.splat %arg1 : tensor<2xf32>
  %2 = arith.addf %1, %splat : tensor<2xf32>
  return %2 : tensor<2xf32>
}
