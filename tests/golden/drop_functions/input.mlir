// A call chain, a global with its initialiser, and a declaration.
util.global private mutable @weights : tensor<2xf32>
util.initializer {
  %0 = arith.constant dense<1.0> : tensor<2xf32>
  util.global.store %0, @weights : tensor<2xf32>
  util.return
}
util.func private @outside(%x: tensor<2xf32>) -> tensor<2xf32>
util.func private @leaf(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = math.exp %x : tensor<2xf32>
  util.return %0 : tensor<2xf32>
}
util.func private @middle(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = util.call @leaf(%x) : (tensor<2xf32>) -> tensor<2xf32>
  %1 = util.call @outside(%0) : (tensor<2xf32>) -> tensor<2xf32>
  util.return %1 : tensor<2xf32>
}
util.func public @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %w = util.global.load @weights : tensor<2xf32>
  %0 = arith.mulf %x, %w : tensor<2xf32>
  %1 = util.call @middle(%0) : (tensor<2xf32>) -> tensor<2xf32>
  %2 = math.absf %1 : tensor<2xf32>
  util.return %2 : tensor<2xf32>
}
