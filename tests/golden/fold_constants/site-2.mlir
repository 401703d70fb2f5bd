func.func @main(%arg0: tensor<4x?xf32>, %arg1: index) -> (tensor<?x?xf32>, tensor<?x?xf32>) {
  %cst = arith.constant 0.000000e+00 : f32
  %c2 = arith.constant 2 : index
  %padded = tensor.pad %arg0 low[%c2, 0] high[%arg1, 2] {
  ^bb0(%arg2: index, %arg3: index):
    tensor.yield %cst : f32
  } : tensor<4x?xf32> to tensor<?x?xf32>
  %padded_0 = tensor.pad %padded low[1, 0] high[1, 0] {
  ^bb0(%arg2: index, %arg3: index):
    tensor.yield %cst : f32
  } : tensor<?x?xf32> to tensor<?x?xf32>
  %extracted_slice = tensor.extract_slice %padded[%arg1, 0] [%c2, %arg1] [1, 1] : tensor<?x?xf32> to tensor<?x?xf32>
  return %padded_0, %extracted_slice : tensor<?x?xf32>, tensor<?x?xf32>
}
