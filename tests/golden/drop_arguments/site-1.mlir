util.func private @callee(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>) -> %arg1 {
  %0 = math.exp %arg1 : tensor<2xf32>
  util.return %0 : tensor<2xf32>
}
util.func public @main(%arg0: tensor<2xf32>, %arg1: f32 {iree.abi.encoding = 1 : i32}, %arg2: tensor<2xf32>) -> tensor<2xf32> {
  %0 = math.absf %arg0 : tensor<2xf32>
  %1 = util.call @callee(%0, %arg2) : (tensor<2xf32>, tensor<2xf32>) -> %arg2
  util.return %1 : tensor<2xf32>
}
