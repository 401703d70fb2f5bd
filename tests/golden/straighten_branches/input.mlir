func.func @main(%x: tensor<4xf32>, %c: i1, %n: index) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  cf.cond_br %c, ^loop(%x, %c0 : tensor<4xf32>, index), ^other(%n : index)
^loop(%a: tensor<4xf32>, %i: index):
  %b = math.exp %a : tensor<4xf32>
  %more = arith.cmpi slt, %i, %n : index
  %c1 = arith.constant 1 : index
  %j = arith.addi %i, %c1 : index
  cf.cond_br %more, ^loop(%b, %j : tensor<4xf32>, index), ^end(%b : tensor<4xf32>)
^other(%k: index):
  %d = math.absf %x : tensor<4xf32>
  cf.br ^end(%d : tensor<4xf32>)
^end(%r: tensor<4xf32>):
  return %r : tensor<4xf32>
}
