func.func @main(%arg0: tensor<2xf32>, %arg1: tensor<2xi32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = arith.sitofp %arg1 : tensor<2xi32> to tensor<2xf32>
  %1 = math.exp %0 : tensor<2xf32>
  %2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg1 : tensor<2xi32>) outs(%1 : tensor<2xf32>) {
  ^bb0(%in: i32, %out: f32):
    linalg.yield %out : f32
  } -> tensor<2xf32>
  return %1, %2 : tensor<2xf32>, tensor<2xf32>
}
