func.func @main(%arg0: tensor<2xf32>, %arg1: index) -> (tensor<2xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %arg2 = %c0 to %arg1 step %c1 iter_args(%arg3 = %arg0) -> (tensor<2xf32>) {
    scf.yield %arg3 : tensor<2xf32>
  }
  %1:2 = scf.while (%arg2 = %c0, %arg3 = %0) : (index, tensor<2xf32>) -> (index, tensor<2xf32>) {
    %2 = arith.cmpi slt, %arg2, %arg1 : index
    scf.condition(%2) %arg2, %arg3 : index, tensor<2xf32>
  } do {
  ^bb0(%arg2: index, %arg3: tensor<2xf32>):
    %2 = arith.addi %arg2, %c1 : index
    scf.yield %2, %arg3 : index, tensor<2xf32>
  }
  return %1#1, %1#0 : tensor<2xf32>, index
}
