util.global private mutable @state : tensor<2xf32>
util.func public @main(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = math.sin %arg0 : tensor<2xf32>
  %1 = math.exp %arg0 : tensor<2xf32>
  %2:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%1 : tensor<2xf32>) outs(%arg1, %arg0 : tensor<2xf32>, tensor<2xf32>) {
  ^bb0(%in: f32, %out: f32, %out_0: f32):
    %4 = arith.negf %in : f32
    linalg.yield %4, %in : f32, f32
  } -> (tensor<2xf32>, tensor<2xf32>)
  util.global.store %2#0, @state : tensor<2xf32>
  %3 = math.absf %2#1 : tensor<2xf32>
  util.return %3, %2#1 : tensor<2xf32>, tensor<2xf32>
}
