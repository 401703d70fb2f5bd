func.func @main(%x: tensor<2xf32>, %y: tensor<2xf32>, %z: tensor<2xi32>) -> tensor<2xi32> {
  %0:3 = linalg.generic {
    indexing_maps = [
      affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>
    ],
    iterator_types = ["parallel"]
  } ins(%x : tensor<2xf32>) outs(%y, %z, %y : tensor<2xf32>, tensor<2xi32>, tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32, %c: i32, %d: f32):
    %1 = arith.negf %a : f32
    %2 = arith.fptosi %d : f32 to i32
    linalg.yield %1, %2, %a : f32, i32, f32
  } -> (tensor<2xf32>, tensor<2xi32>, tensor<2xf32>)
  return %0#1 : tensor<2xi32>
}
