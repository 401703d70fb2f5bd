func.func @main(%arg0: tensor<?xf32>, %arg1: f32) -> (tensor<?xf32>, tensor<2xf32>) {
  %c0 = arith.constant 0 : index
  %cst = arith.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
  %c1 = arith.constant 1 : index
  %0 = arith.addi %c1, %c1 : index
  %dim = tensor.dim %arg0, %c0 : tensor<?xf32>
  %1 = tensor.empty(%dim) : tensor<?xf32>
  %2 = linalg.fill ins(%arg1 : f32) outs(%1 : tensor<?xf32>) -> tensor<?xf32>
  %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} outs(%cst : tensor<2xf32>) {
  ^bb0(%out: f32):
    %cst_0 = arith.constant 3.000000e+00 : f32
    linalg.yield %cst_0 : f32
  } -> tensor<2xf32>
  return %2, %3 : tensor<?xf32>, tensor<2xf32>
}
