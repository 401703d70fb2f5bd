// A body with an argument of the type; a pad, whose block's arguments are indices; a body that is simple already.
func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>) -> tensor<3xf32> {
  %0 = linalg.generic {
    indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]
  } ins(%x : tensor<2xf32>) outs(%y : tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32):
    %1 = arith.negf %b : f32
    %2 = arith.mulf %a, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2xf32>
  %3 = tensor.pad %0 low[0] high[1] {
  ^bb0(%i: index):
    %4 = arith.index_cast %i : index to i32
    %5 = arith.sitofp %4 : i32 to f32
    tensor.yield %5 : f32
  } : tensor<2xf32> to tensor<3xf32>
  return %3 : tensor<3xf32>
}
