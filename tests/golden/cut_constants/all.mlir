func.func @main(%arg0: tensor<?xf32>, %arg1: f32, %arg2: index, %arg3: tensor<2xf32>, %arg4: f32) -> (tensor<?xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %0 = arith.addi %arg2, %arg2 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
  %1 = tensor.empty(%dim) : tensor<?xf32>
  %2 = linalg.fill ins(%arg4 : f32) outs(%1 : tensor<?xf32>) -> tensor<?xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%arg3 : tensor<2xf32>) {
  ^bb0(%out: f32):
    linalg.yield %arg1 : f32
  } -> tensor<2xf32>
  return %2, %3 : tensor<?xf32>, tensor<2xf32>
}
