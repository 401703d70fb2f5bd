// The bias of a convolution, and the elements of a list; a permutation's length is fixed.
func.func @main(%x: !torch.vtensor<[1,4,8],f32>, %w: !torch.vtensor<[4,4,3],f32>, %b: !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,4,6],f32> {
  %0 = torch.operator "onnx.Conv"(%x, %w, %b) {torch.onnx.kernel_shape = [3 : si64]} : (!torch.vtensor<[1,4,8],f32>, !torch.vtensor<[4,4,3],f32>, !torch.vtensor<[4],f32>) -> !torch.vtensor<[1,4,6],f32>
  return %0 : !torch.vtensor<[1,4,6],f32>
}
