// Tied storage, attributes of results, a call that uses one of two results.
util.func private @pair(%x: tensor<2xf32>, %y: tensor<2xf32>) -> (tensor<2xf32>, %y as tensor<2xf32>) {
  %0 = math.exp %x : tensor<2xf32>
  %1 = math.absf %y : tensor<2xf32>
  util.return %0, %1 : tensor<2xf32>, tensor<2xf32>
}
util.func public @main(%x: tensor<2xf32>, %z: tensor<2xf32>) -> (tensor<2xf32> {iree.abi.output = 0 : index}, tensor<2xf32>) {
  %0:2 = util.call @pair(%x, %z) : (tensor<2xf32>, tensor<2xf32>) -> (tensor<2xf32>, %z as tensor<2xf32>)
  %1 = math.sin %x : tensor<2xf32>
  util.return %1, %0#1 : tensor<2xf32>, tensor<2xf32>
}
