func.func @main(%arg0: !torch.vtensor<[1,4,8],f32>, %arg1: !torch.vtensor<[4,4,3],f32>) -> !torch.vtensor<[1,4,6],f32> {
  %0 = torch.operator "onnx.Conv"(%arg0, %arg1) {torch.onnx.kernel_shape = [3 : si64]} : (!torch.vtensor<[1,4,8],f32>, !torch.vtensor<[4,4,3],f32>) -> !torch.vtensor<[1,4,6],f32> 
  return %0 : !torch.vtensor<[1,4,6],f32>
}
