func.func @main(%arg0: tensor<4xf32>, %arg1: i1, %arg2: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  cf.cond_br %arg1, ^bb1(%arg0, %c0 : tensor<4xf32>, index), ^bb2(%arg2 : index)
^bb1(%0: tensor<4xf32>, %1: index):  // pred: ^bb0
  %2 = math.exp %0 : tensor<4xf32>
  cf.br ^bb3(%2 : tensor<4xf32>)
^bb2(%3: index):  // pred: ^bb0
  %4 = math.absf %arg0 : tensor<4xf32>
  cf.br ^bb3(%4 : tensor<4xf32>)
^bb3(%5: tensor<4xf32>):  // 2 preds: ^bb1, ^bb2
  return %5 : tensor<4xf32>
}
