func.func @main(%x: tensor<2xf32>, %y: tensor<3xf32>, %z: tensor<2xf32>) -> tensor<2xf32> {
  %0 = math.exp %x : tensor<2xf32>
  %1 = linalg.generic {
    indexing_maps = [
      affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>
    ],
    iterator_types = ["parallel", "reduction"]
  } ins(%0, %y, %x : tensor<2xf32>, tensor<3xf32>, tensor<2xf32>) outs(%z : tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %d: f32):
    %2 = arith.addf %d, %b : f32
    linalg.yield %2 : f32
  } -> tensor<2xf32>
  return %1 : tensor<2xf32>
}
