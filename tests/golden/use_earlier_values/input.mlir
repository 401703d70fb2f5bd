func.func @main(%x: tensor<2xf32>, %y: tensor<2xi32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %0 = arith.sitofp %y : tensor<2xi32> to tensor<2xf32>
  %1 = math.exp %0 : tensor<2xf32>
  %2 = linalg.generic {
    indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]
  } ins(%y : tensor<2xi32>) outs(%1 : tensor<2xf32>) {
  ^bb0(%a: i32, %b: f32):
    %3 = arith.sitofp %a : i32 to f32
    linalg.yield %3 : f32
  } -> tensor<2xf32>
  return %1, %2 : tensor<2xf32>, tensor<2xf32>
}
