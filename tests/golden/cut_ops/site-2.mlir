util.global private mutable @state : tensor<2xf32>
util.func public @main(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>, %arg2: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = math.sin %arg0 : tensor<2xf32>
  %1 = math.exp %arg0 : tensor<2xf32>
  util.global.store %arg1, @state : tensor<2xf32>
  %2 = math.absf %arg2 : tensor<2xf32>
  util.return %2, %1 : tensor<2xf32>, tensor<2xf32>
}
