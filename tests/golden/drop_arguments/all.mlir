util.func private @callee(%arg0: tensor<2xf32>) -> %arg0 {
  %0 = math.exp %arg0 : tensor<2xf32>
  util.return %0 : tensor<2xf32>
}
util.func public @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  %0 = util.call @callee(%arg0) : (tensor<2xf32>) -> %arg0
  util.return %0 : tensor<2xf32>
}
