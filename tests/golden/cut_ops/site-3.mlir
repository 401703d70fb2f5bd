util.global private mutable @state : tensor<2xf32>
util.func public @main(%arg0: tensor<2xf32>, %arg1: f32) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = math.sin %arg0 : tensor<2xf32>
  %1 = math.exp %arg0 : tensor<2xf32>
  %2 = tensor.empty() : tensor<2xf32>
  %3:2 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%1 : tensor<2xf32>) outs(%2, %arg0 : tensor<2xf32>, tensor<2xf32>) {
  ^bb0(%in: f32, %out: f32, %out_0: f32):
    linalg.yield %arg1, %in : f32, f32
  } -> (tensor<2xf32>, tensor<2xf32>)
  util.global.store %3#0, @state : tensor<2xf32>
  %4 = math.absf %3#1 : tensor<2xf32>
  util.return %4, %3#1 : tensor<2xf32>, tensor<2xf32>
}
