func.func @main(%arg0: tensor<2xf32>, %arg1: tensor<2xi32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg1 : tensor<2xi32>) outs(%arg0 : tensor<2xf32>) {
  ^bb0(%in: i32, %out: f32):
    %1 = arith.sitofp %in : i32 to f32
    linalg.yield %1 : f32
  } -> tensor<2xf32>
  return %arg0, %0 : tensor<2xf32>, tensor<2xf32>
}
