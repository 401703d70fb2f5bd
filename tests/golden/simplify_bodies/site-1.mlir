func.func @main(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>) -> tensor<3xf32> {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%arg0 : tensor<2xf32>) outs(%arg1 : tensor<2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %1 = arith.negf %out : f32
    %2 = arith.mulf %in, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2xf32>
  %cst = arith.constant 0.000000e+00 : f32
  %padded = tensor.pad %0 low[0] high[1] {
  ^bb0(%arg2: index):
    tensor.yield %cst : f32
  } : tensor<2xf32> to tensor<3xf32>
  return %padded : tensor<3xf32>
}
