func.func @main(%arg0: tensor<4xf32>, %arg1: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  cf.br ^bb1(%arg0, %c0 : tensor<4xf32>, index)
^bb1(%0: tensor<4xf32>, %1: index):  // 2 preds: ^bb0, ^bb1
  %2 = math.exp %0 : tensor<4xf32>
  %3 = arith.cmpi slt, %1, %arg1 : index
  %c1 = arith.constant 1 : index
  %4 = arith.addi %1, %c1 : index
  cf.cond_br %3, ^bb1(%2, %4 : tensor<4xf32>, index), ^bb2(%2 : tensor<4xf32>)
^bb2(%5: tensor<4xf32>):  // pred: ^bb1
  return %5 : tensor<4xf32>
}
