func.func private @inner(%arg0: tensor<2xf32>, %arg1: i1) -> tensor<2xf32> {
  cf.cond_br %arg1, ^bb1, ^bb2
^bb1:  // pred: ^bb0
  return %arg0 : tensor<2xf32>
^bb2:  // pred: ^bb0
  %0 = call @inner(%arg0, %arg1) : (tensor<2xf32>, i1) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
func.func @main(%arg0: tensor<2xf32> {iree.kept}, %arg1: i1) -> tensor<2xf32> attributes {iree.note = "kept"} {
  %0 = call @inner(%arg0, %arg1) : (tensor<2xf32>, i1) -> tensor<2xf32>
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
