func.func private @twice(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  %0 = math.absf %arg0 : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @itself(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @itself(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @main(%arg0: tensor<2xf32>) -> (tensor<2xf32>, f32) {
  %cst = arith.constant 1.000000e+00 : f32
  %0 = call @twice(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = math.exp %0 : tensor<2xf32>
  %2 = call @twice(%1) : (tensor<2xf32>) -> tensor<2xf32>
  return %2, %cst : tensor<2xf32>, f32
}
