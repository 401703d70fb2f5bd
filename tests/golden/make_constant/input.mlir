// A tensor, an i1, a size; not for sizes that are open.
func.func @main(%x: tensor<?xf32>, %y: tensor<2xf32>) -> (tensor<?xf32>, tensor<2xf32>, i1) {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  %0 = math.exp %y : tensor<2xf32>
  %1 = arith.cmpi eq, %d, %c0 : index
  return %e, %0, %1 : tensor<?xf32>, tensor<2xf32>, i1
}
