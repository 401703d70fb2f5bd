func.func @main(%arg0: tensor<2xf32>, %arg1: i1, %arg2: index) -> (tensor<2xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %arg3 = %c0 to %arg2 step %c1 iter_args(%arg4 = %arg0) -> (tensor<2xf32>) {
    %2 = scf.if %arg1 -> (tensor<2xf32>) {
      %3 = math.exp %arg4 : tensor<2xf32>
      scf.yield %3 : tensor<2xf32>
    } else {
      scf.yield %arg4 : tensor<2xf32>
    }
    scf.yield %2 : tensor<2xf32>
  }
  %1 = arith.addi %c0, %c1 : index
  return %0, %1 : tensor<2xf32>, index
}
