func.func @main(%x: tensor<2xf32>, %c: i1, %n: index) -> (tensor<2xf32>, index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> tensor<2xf32> {
    %1 = scf.if %c -> tensor<2xf32> {
      %2 = math.exp %a : tensor<2xf32>
      scf.yield %2 : tensor<2xf32>
    } else {
      scf.yield %a : tensor<2xf32>
    }
    scf.yield %1 : tensor<2xf32>
  }
  %3:2 = scf.while (%k = %c0, %t = %0) : (index, tensor<2xf32>) -> (index, tensor<2xf32>) {
    %4 = arith.cmpi slt, %k, %n : index
    scf.condition(%4) %k, %t : index, tensor<2xf32>
  } do {
  ^bb0(%k: index, %t: tensor<2xf32>):
    %5 = arith.addi %k, %c1 : index
    scf.yield %5, %t : index, tensor<2xf32>
  }
  return %3#1, %3#0 : tensor<2xf32>, index
}
