// One function with one call, one with two, one that calls itself.
func.func private @once(%x: tensor<2xf32>, %y: f32) -> (tensor<2xf32>, f32) {
  %0 = math.exp %x : tensor<2xf32>
  return %0, %y : tensor<2xf32>, f32
}
func.func private @twice(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = math.absf %x : tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func private @itself(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = call @itself(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @main(%x: tensor<2xf32>) -> (tensor<2xf32>, f32) {
  %c = arith.constant 1.0 : f32
  %0 = call @twice(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1:2 = call @once(%0, %c) : (tensor<2xf32>, f32) -> (tensor<2xf32>, f32)
  %2 = call @twice(%1#0) : (tensor<2xf32>) -> tensor<2xf32>
  return %2, %1#1 : tensor<2xf32>, f32
}
