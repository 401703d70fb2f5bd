// Calls from both kinds of functions, a recursion, two blocks, attributes; @named is no site: more than calls refers to it.
util.func private @inner(%x: tensor<2xf32>, %c: i1) -> (%x) attributes {inlining_policy = #util.inline.never} {
  cf.cond_br %c, ^bb1, ^bb2
^bb1:
  util.return %x : tensor<2xf32>
^bb2:
  %0 = util.call @inner(%x, %c) : (tensor<2xf32>, i1) -> %x
  util.return %0 : tensor<2xf32>
}
util.func public @main(%x: tensor<2xf32> {iree.kept}, %c: i1) -> tensor<2xf32> attributes {iree.note = "kept"} {
  %0 = util.call @inner(%x, %c) : (tensor<2xf32>, i1) -> %x
  util.return %0 : tensor<2xf32>
}
func.func @plain(%x: tensor<2xf32>, %c: i1) -> tensor<2xf32> {
  %0 = util.call @main(%x, %c) : (tensor<2xf32>, i1) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
util.func private @named() {
  util.return
}
util.func private @declared(%x: tensor<2xf32>) -> tensor<2xf32>
module attributes {iree.entry = @named} {
}
