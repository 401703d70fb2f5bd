util.global private mutable @state : tensor<2xf32>
util.func public @main(%arg0: tensor<2xf32>) {
  %0 = math.sin %arg0 : tensor<2xf32>
  util.return
}
