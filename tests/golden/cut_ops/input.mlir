// A chain of ops, one in a body, one of two results, one with no result; an unused op stays.
util.global private mutable @state : tensor<2xf32>
util.func public @main(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  %unused = math.sin %x : tensor<2xf32>
  %0 = math.exp %x : tensor<2xf32>
  %e = tensor.empty() : tensor<2xf32>
  %1:2 = linalg.generic {
    indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]
  } ins(%0 : tensor<2xf32>) outs(%e, %x : tensor<2xf32>, tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.negf %a : f32
    linalg.yield %s, %a : f32, f32
  } -> (tensor<2xf32>, tensor<2xf32>)
  util.global.store %1#0, @state : tensor<2xf32>
  %2 = math.absf %1#1 : tensor<2xf32>
  util.return %2, %1#1 : tensor<2xf32>, tensor<2xf32>
}
