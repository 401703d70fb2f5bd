// Constants in a function and in a body; that of the `tensor.dim` stays.
func.func @main(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<2xf32>) {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %weights = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %c1 = arith.constant 1 : index
  %unused = arith.addi %c1, %c1 : index
  %d = tensor.dim %x, %c0 : tensor<?xf32>
  %e = tensor.empty(%d) : tensor<?xf32>
  %0 = linalg.fill ins(%zero : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  %1 = linalg.generic {
    indexing_maps = [affine_map<(d) -> (d)>], iterator_types = ["parallel"]
  } outs(%weights : tensor<2xf32>) {
  ^bb0(%a: f32):
    %2 = arith.constant 3.0 : f32
    linalg.yield %2 : f32
  } -> tensor<2xf32>
  return %0, %1 : tensor<?xf32>, tensor<2xf32>
}
