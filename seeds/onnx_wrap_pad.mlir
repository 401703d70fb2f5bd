// onnx.Pad in "wrap" mode, for which torch-mlir has no lowering: the error names the op that builds its list of pads.
//
// reduce: oracle=diagnostic

// After iree-test-suites onnx_ops test_wrap_pad (listed as failing; iree-org/iree#24378): wrap padding with run-time amounts.
module {
  func.func @f(%x: !torch.vtensor<[1,3,4,5],si32>, %p: !torch.vtensor<[8],si64>) -> !torch.vtensor<[1,3,6,7],si32> attributes {torch.onnx_meta.ir_version = 10 : si64, torch.onnx_meta.opset_version = 21 : si64} {
    %r = torch.operator "onnx.Pad"(%x, %p) {torch.onnx.mode = "wrap"} : (!torch.vtensor<[1,3,4,5],si32>, !torch.vtensor<[8],si64>) -> !torch.vtensor<[1,3,6,7],si32>
    return %r : !torch.vtensor<[1,3,6,7],si32>
  }
}
