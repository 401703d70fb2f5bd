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
util.func private @middle(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  %0 = util.call @leaf(%arg0) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = util.call @outside(%0) : (tensor<2xf32>) -> tensor<2xf32>
  util.return %1 : tensor<2xf32>
}
util.func public @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  %weights = util.global.load @weights : tensor<2xf32>
  %0 = arith.mulf %arg0, %weights : tensor<2xf32>
  %1 = util.call @middle(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %2 = math.absf %1 : tensor<2xf32>
  util.return %2 : tensor<2xf32>
}
