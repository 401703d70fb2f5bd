func.func @main() -> !torch.vtensor<[1,4,6],f32> {
  %0 = torch.operator "onnx.Conv"() {torch.onnx.kernel_shape = [3 : si64]} : () -> !torch.vtensor<[1,4,6],f32> 
  return %0 : !torch.vtensor<[1,4,6],f32>
}
