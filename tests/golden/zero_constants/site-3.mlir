func.func @main(%arg0: tensor<2xf32>) -> (f32, i1, index, tensor<2xbf16>, tensor<2xcomplex<f32>>, f32, tensor<4xf32>) {
  %cst = arith.constant 0x7FC00000 : f32
  %true = arith.constant true
  %c5 = arith.constant 5 : index
  %cst_0 = arith.constant dense<0.000000e+00> : tensor<2xbf16>
  %cst_1 = arith.constant dense<(1.000000e+00,2.000000e+00)> : tensor<2xcomplex<f32>>
  %cst_2 = arith.constant 0.000000e+00 : f32
  %cst_3 = arith.constant sparse<[[0], [3]], [1.000000e+00, 2.000000e+00]> : tensor<4xf32>
  return %cst, %true, %c5, %cst_0, %cst_1, %cst_2, %cst_3 : f32, i1, index, tensor<2xbf16>, tensor<2xcomplex<f32>>, f32, tensor<4xf32>
}
