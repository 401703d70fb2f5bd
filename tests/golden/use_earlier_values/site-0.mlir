func.func @main(%arg0: tensor<2xf32>, %arg1: tensor<2xi32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = math.exp %arg0 : tensor<2xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg1 : tensor<2xi32>) outs(%0 : tensor<2xf32>) {
  ^bb0(%in: i32, %out: f32):
    %2 = arith.sitofp %in : i32 to f32
    linalg.yield %2 : f32
  } -> tensor<2xf32>
  return %0, %1 : tensor<2xf32>, tensor<2xf32>
}
