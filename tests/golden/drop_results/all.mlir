util.func private @pair(%arg0: tensor<2xf32>) -> %arg0 {
  %0 = math.absf %arg0 : tensor<2xf32>
  util.return %0 : tensor<2xf32>
}
util.func public @main() {
  util.return
}
