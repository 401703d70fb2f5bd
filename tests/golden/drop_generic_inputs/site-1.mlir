func.func @main(%arg0: tensor<2xf32>, %arg1: tensor<3xf32>, %arg2: tensor<2xf32>) -> tensor<2xf32> {
  %0 = math.exp %arg0 : tensor<2xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%0, %arg1 : tensor<2xf32>, tensor<3xf32>) outs(%arg2 : tensor<2xf32>) {
  ^bb0(%in: f32, %in_0: f32, %out: f32):
    %2 = arith.addf %out, %in_0 : f32
    linalg.yield %2 : f32
  } -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
