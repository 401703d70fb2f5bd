// One operand, two, one twice; several results; a body; a named op's init.
func.func @main(%x: tensor<2x2xf32>, %y: tensor<2x2xf32>, %c: i1) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
  %0 = math.exp %x : tensor<2x2xf32>
  %1 = arith.addf %0, %y : tensor<2x2xf32>
  %2 = arith.mulf %1, %1 : tensor<2x2xf32>
  %3 = linalg.matmul ins(%2, %x : tensor<2x2xf32>, tensor<2x2xf32>) outs(%y : tensor<2x2xf32>) -> tensor<2x2xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %4:2 = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %3, %b = %0) -> (tensor<2x2xf32>, tensor<2x2xf32>) {
    %5 = math.absf %a : tensor<2x2xf32>
    scf.yield %b, %5 : tensor<2x2xf32>, tensor<2x2xf32>
  }
  return %4#0, %4#1 : tensor<2x2xf32>, tensor<2x2xf32>
}
