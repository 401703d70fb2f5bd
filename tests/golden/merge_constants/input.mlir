// Equal ones only, of one type, where the earlier one is in scope.
func.func @main(%x: tensor<2xf32>, %c: i1) -> (tensor<2xf32>, tensor<2xf32>, f32) {
  %0 = arith.constant 1.0 : f32
  %1 = arith.constant 1 : i32
  %2 = scf.if %c -> f32 {
    %3 = arith.constant 1.0 : f32
    scf.yield %3 : f32
  } else {
    %4 = arith.constant 2.0 : f32
    scf.yield %4 : f32
  }
  %5 = arith.constant 2.0 : f32
  %6 = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %f = tensor.empty() : tensor<2xf32>
  %7 = linalg.fill ins(%0 : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %8 = linalg.fill ins(%6 : f32) outs(%f : tensor<2xf32>) -> tensor<2xf32>
  %9 = arith.addf %2, %5 : f32
  return %7, %8, %9 : tensor<2xf32>, tensor<2xf32>, f32
}
