util.func private @inner(%arg0: tensor<2xf32>, %arg1: i1) -> %arg0 attributes {inlining_policy = #util.inline.never} {
  cf.cond_br %arg1, ^bb1, ^bb2
^bb1:  // pred: ^bb0
  util.return %arg0 : tensor<2xf32>
^bb2:  // pred: ^bb0
  %0 = util.call @inner(%arg0, %arg1) : (tensor<2xf32>, i1) -> %arg0
  util.return %0 : tensor<2xf32>
}
func.func @main(%arg0: tensor<2xf32> {iree.kept}, %arg1: i1) -> tensor<2xf32> attributes {iree.note = "kept"} {
  %0 = util.call @inner(%arg0, %arg1) : (tensor<2xf32>, i1) -> %arg0
  return %0 : tensor<2xf32>
}
func.func @plain(%arg0: tensor<2xf32>, %arg1: i1) -> tensor<2xf32> {
  %0 = call @main(%arg0, %arg1) : (tensor<2xf32>, i1) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
util.func private @named() {
  util.return
}
util.func private @declared(%arg0: tensor<2xf32>) -> tensor<2xf32>
module attributes {iree.entry = @named} {
}
