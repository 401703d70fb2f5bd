func.func @main(%arg0: tensor<2x2xf32>, %arg1: tensor<2x2xf32>, %arg2: i1) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %0 = math.exp %arg0 : tensor<2x2xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %1:2 = scf.for %arg3 = %c0 to %c1 step %c1 iter_args(%arg4 = %arg1, %arg5 = %0) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
    %2 = math.absf %arg4 : tensor<2x2xf32>
    scf.yield %arg5, %2 : tensor<2x2xf32>, tensor<2x2xf32>
  }
  return %1#0, %1#1 : tensor<2x2xf32>, tensor<2x2xf32>
}
