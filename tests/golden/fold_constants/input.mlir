// Constants and other values, in pads that follow each other and in a slice.
func.func @main(%x: tensor<4x?xf32>, %n: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %zero = arith.constant 0.0 : f32
  %c2 = arith.constant 2 : index
  %0 = tensor.pad %x low[%c2, 0] high[%n, %c2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<4x?xf32> to tensor<?x?xf32>
  %1 = tensor.pad %0 low[1, 0] high[1, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %zero : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  %2 = tensor.extract_slice %0[%n, 0] [%c2, %n] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  return %1, %2 : tensor<?x?xf32>, tensor<?x?xf32>
}
