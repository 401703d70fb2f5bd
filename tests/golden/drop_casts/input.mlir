// Where the other type will do; where it will not the result does not verify.
func.func @main(%x: tensor<2xf32>) -> (index, tensor<?xf32>, tensor<2xf16>) {
  %c0 = arith.constant 0 : index
  %0 = tensor.cast %x : tensor<2xf32> to tensor<?xf32>
  %1 = tensor.dim %0, %c0 : tensor<?xf32>
  %2 = tensor.cast %x : tensor<2xf32> to tensor<?xf32>
  %3 = arith.truncf %x : tensor<2xf32> to tensor<2xf16>
  %4 = math.exp %3 : tensor<2xf16>
  return %1, %2, %4 : index, tensor<?xf32>, tensor<2xf16>
}
