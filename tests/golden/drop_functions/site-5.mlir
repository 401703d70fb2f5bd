util.global private mutable @weights : tensor<2xf32>
util.initializer {
  %cst = arith.constant dense<1.000000e+00> : tensor<2xf32>
  util.global.store %cst, @weights : tensor<2xf32>
  util.return
}
util.func private @outside(%arg0: tensor<2xf32>) -> tensor<2xf32>
util.func private @leaf(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  %0 = math.exp %arg0 : tensor<2xf32>
  util.return %0 : tensor<2xf32>
}
util.func public @middle(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  %0 = util.call @leaf(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = util.call @outside(%0) : (tensor<2xf32>) -> tensor<2xf32>
  util.return %1 : tensor<2xf32>
}
