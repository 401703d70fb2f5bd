util.func private @callee(%arg0: index, %arg1: tensor<2xf32>) -> %arg1 {
  %0 = math.exp %arg1 : tensor<2xf32>
  util.return %0 : tensor<2xf32>
}
util.func public @main(%arg0: f32 {iree.abi.encoding = 1 : i32}, %arg1: tensor<2xf32>) -> tensor<2xf32> {
  %c3 = arith.constant 3 : index
  %0 = util.call @callee(%c3, %arg1) : (index, tensor<2xf32>) -> %arg1
  util.return %0 : tensor<2xf32>
}
