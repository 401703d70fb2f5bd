func.func @main(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>, %arg2: tensor<2xi32>) -> tensor<2xi32> {
  %0:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<2xf32>) outs(%arg2, %arg1 : tensor<2xi32>, tensor<2xf32>) {
  ^bb0(%in: f32, %out: i32, %out_0: f32):
    %1 = arith.fptosi %out_0 : f32 to i32
    linalg.yield %1, %in : i32, f32
  } -> (tensor<2xi32>, tensor<2xf32>)
  return %0#0 : tensor<2xi32>
}
