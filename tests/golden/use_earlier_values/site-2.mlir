func.func @main(%arg0: tensor<2xf32>, %arg1: tensor<2xi32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = arith.sitofp %arg1 : tensor<2xi32> to tensor<2xf32>
  %1 = math.exp %0 : tensor<2xf32>
  return %1, %arg0 : tensor<2xf32>, tensor<2xf32>
}
