func.func @main(%arg0: tensor<4xf32>, %arg1: i1, %arg2: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  cf.cond_br %arg1, ^bb1(%arg0, %c0 : tensor<4xf32>, index), ^bb2(%arg2 : index)
^bb1(%0: tensor<4xf32>, %1: index):  // 2 preds: ^bb0, ^bb1
  %2 = math.exp %0 : tensor<4xf32>
  %c1 = arith.constant 1 : index
  %3 = arith.addi %1, %c1 : index
  cf.br ^bb1(%2, %3 : tensor<4xf32>, index)
^bb2(%4: index):  // pred: ^bb0
  %5 = math.absf %arg0 : tensor<4xf32>
  return %5 : tensor<4xf32>
}
