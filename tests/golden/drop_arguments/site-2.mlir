util.func private @callee(%arg0: tensor<2xf32>, %arg1: index, %arg2: tensor<2xf32>) -> %arg2 {
  %0 = math.exp %arg2 : tensor<2xf32>
  util.return %0 : tensor<2xf32>
}
util.func public @main(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>) -> tensor<2xf32> {
  %c3 = arith.constant 3 : index
  %0 = math.absf %arg0 : tensor<2xf32>
  %1 = util.call @callee(%0, %c3, %arg1) : (tensor<2xf32>, index, tensor<2xf32>) -> %arg1
  util.return %1 : tensor<2xf32>
}
