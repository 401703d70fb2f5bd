module @name attributes {some.thing = 1 : i32} {
  func.func public @main(%x: tensor<1x3xf32> {jax.arg = "x"}, %k: tensor<1xf32>, %y: tensor<3xf32>) -> (tensor<3xf32> {jax.result = "r"}, tensor<1x4xf32>) attributes {noinline} {
    %zero = arith.constant 0.0 : f32
    %0 = linalg.conv_1d {iree.hint = "a"} ins(%y, %k : tensor<3xf32>, tensor<1xf32>) outs(%y : tensor<3xf32>) -> tensor<3xf32>
    %1 = tensor.pad %x nofold low[0, 0] high[0, 1] {
    ^bb0(%i: index, %j: index):
      tensor.yield %zero : f32
    } : tensor<1x3xf32> to tensor<1x4xf32>
    %2 = arith.addf %0, %y fastmath<fast> : tensor<3xf32>
    return %2, %1 : tensor<3xf32>, tensor<1x4xf32>
  }
}
