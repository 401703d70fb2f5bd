func.func @main(%arg0: tensor<2xf32>, %arg1: i1, %arg2: index) -> (tensor<2xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.if %arg1 -> (tensor<2xf32>) {
    %2 = math.exp %arg0 : tensor<2xf32>
    scf.yield %2 : tensor<2xf32>
  } else {
    scf.yield %arg0 : tensor<2xf32>
  }
  %1:2 = scf.while (%arg3 = %c0, %arg4 = %0) : (index, tensor<2xf32>) -> (index, tensor<2xf32>) {
    %2 = arith.cmpi slt, %arg3, %arg2 : index
    scf.condition(%2) %arg3, %arg4 : index, tensor<2xf32>
  } do {
  ^bb0(%arg3: index, %arg4: tensor<2xf32>):
    %2 = arith.addi %arg3, %c1 : index
    scf.yield %2, %arg4 : index, tensor<2xf32>
  }
  return %1#1, %1#0 : tensor<2xf32>, index
}
