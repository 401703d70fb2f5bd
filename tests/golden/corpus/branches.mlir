func.func @main(%arg0: tensor<4xf32>, %c: i1, %n: index, %dead: i32) -> (tensor<4xf32>, index) {
  %c0 = arith.constant 0 : index
  cf.cond_br %c, ^bb1(%arg0, %c0 : tensor<4xf32>, index), ^bb2(%n : index)
^bb1(%x: tensor<4xf32>, %i: index):
  %y = math.exp %x : tensor<4xf32>
  %l = arith.cmpi slt, %i, %n : index
  %c1 = arith.constant 1 : index
  %j = arith.addi %i, %c1 : index
  cf.cond_br %l, ^bb1(%y, %j : tensor<4xf32>, index), ^bb3(%y : tensor<4xf32>)
^bb2(%k: index):
  %z = math.absf %arg0 : tensor<4xf32>
  cf.br ^bb3(%z : tensor<4xf32>)
^bb3(%w: tensor<4xf32>):
  return %w, %n : tensor<4xf32>, index
}
