func.func @main(%arg0: tensor<2xf32>, %arg1: i1) -> (tensor<2xf32>, tensor<2xf32>, f32) {
  %cst = arith.constant 1.000000e+00 : f32
  %c1_i32 = arith.constant 1 : i32
  %0 = scf.if %arg1 -> (f32) {
    %cst_1 = arith.constant 1.000000e+00 : f32
    scf.yield %cst_1 : f32
  } else {
    %cst_1 = arith.constant 2.000000e+00 : f32
    scf.yield %cst_1 : f32
  }
  %cst_0 = arith.constant 2.000000e+00 : f32
  %1 = tensor.empty() : tensor<2xf32>
  %2 = tensor.empty() : tensor<2xf32>
  %3 = linalg.fill ins(%cst : f32) outs(%1 : tensor<2xf32>) -> tensor<2xf32>
  %4 = linalg.fill ins(%cst : f32) outs(%2 : tensor<2xf32>) -> tensor<2xf32>
  %5 = arith.addf %0, %cst_0 : f32
  return %3, %4, %5 : tensor<2xf32>, tensor<2xf32>, f32
}
