func.func @main(%arg0: tensor<2xf32>) -> (index, tensor<?xf32>, tensor<2xf16>) {
  %c0 = arith.constant 0 : index
  %dim = tensor.dim %arg0, %c0 : tensor<2xf32>
  %cast = tensor.cast %arg0 : tensor<2xf32> to tensor<?xf32>
  %0 = arith.truncf %arg0 : tensor<2xf32> to tensor<2xf16>
  %1 = math.exp %0 : tensor<2xf16>
  return %dim, %cast, %1 : index, tensor<?xf32>, tensor<2xf16>
}
