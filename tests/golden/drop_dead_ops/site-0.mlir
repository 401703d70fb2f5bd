func.func @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  %0 = math.exp %arg0 : tensor<2xf32>
  %c3 = arith.constant 3 : index
  return %0 : tensor<2xf32>
}
