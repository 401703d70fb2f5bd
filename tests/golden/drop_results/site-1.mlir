util.func private @pair(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>) -> (tensor<2xf32>, %arg1) {
  %0 = math.exp %arg0 : tensor<2xf32>
  %1 = math.absf %arg1 : tensor<2xf32>
  util.return %0, %1 : tensor<2xf32>, tensor<2xf32>
}
util.func public @main(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>) -> (tensor<2xf32> {iree.abi.output = 0 : index}, tensor<2xf32>) {
  %0:2 = util.call @pair(%arg0, %arg1) : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, %arg1)
  %1 = math.sin %arg0 : tensor<2xf32>
  util.return %1, %0#1 : tensor<2xf32>, tensor<2xf32>
}
