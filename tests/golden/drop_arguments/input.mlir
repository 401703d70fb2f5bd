// Arguments with attributes, tied storage, a call.
util.func private @callee(%x: tensor<2xf32>, %n: index, %y: tensor<2xf32>) -> %y as tensor<2xf32> {
  %0 = math.exp %y : tensor<2xf32>
  util.return %0 : tensor<2xf32>
}
util.func public @main(%x: tensor<2xf32>, %unused: f32 {iree.abi.encoding = 1 : i32}, %z: tensor<2xf32>) -> tensor<2xf32> {
  %n = arith.constant 3 : index
  %0 = math.absf %x : tensor<2xf32>
  %1 = util.call @callee(%0, %n, %z) : (tensor<2xf32>, index, tensor<2xf32>) -> %z as tensor<2xf32>
  util.return %1 : tensor<2xf32>
}
