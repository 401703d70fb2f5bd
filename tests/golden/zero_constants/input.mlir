func.func @main(%x: tensor<2xf32>) -> (f32, i1, index, tensor<2xbf16>, tensor<2xcomplex<f32>>, f32, tensor<4xf32>) {
  %0 = arith.constant 0x7FC00000 : f32
  %1 = arith.constant true
  %2 = arith.constant 5 : index
  %3 = arith.constant dense<[1.0, 2.0]> : tensor<2xbf16>
  %4 = arith.constant dense<(1.0, 2.0)> : tensor<2xcomplex<f32>>
  %5 = arith.constant 0.0 : f32
  %6 = arith.constant sparse<[[0], [3]], [1.0, 2.0]> : tensor<4xf32>
  return %0, %1, %2, %3, %4, %5, %6 : f32, i1, index, tensor<2xbf16>, tensor<2xcomplex<f32>>, f32, tensor<4xf32>
}
