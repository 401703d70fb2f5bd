module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
  util.global private @__device_0 = #hal.device.target<"local", [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>]> : !hal.device loc("pad_conv.mlir":0:0)
  flow.executable private @conv_2d_nchw_fchw_dispatch_0 {
    flow.executable.export public @conv_2d_nchw_fchw_dispatch_0_conv_16x128x128x8x3x3_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice() loc(callsite("pad_conv.mlir":15:8 at "pad_conv.mlir":6:1))
      flow.return %x, %y, %z : index, index, index loc(callsite("pad_conv.mlir":15:8 at "pad_conv.mlir":6:1))
    } loc(callsite("pad_conv.mlir":15:8 at "pad_conv.mlir":6:1))
    builtin.module {
      func.func @conv_2d_nchw_fchw_dispatch_0_conv_16x128x128x8x3x3_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x128x128xf32>> loc(callsite("pad_conv.mlir":9:18 at "pad_conv.mlir":6:1)), %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x8x3x3xf32>> loc("pad_conv.mlir":6:1), %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16x128x128xf32>> loc(callsite("pad_conv.mlir":15:8 at "pad_conv.mlir":6:1))) {
        %cst = arith.constant 0.000000e+00 : f32 loc(callsite("pad_conv.mlir":7:10 at "pad_conv.mlir":6:1))
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0, 0], sizes = [8, 128, 128], strides = [1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x128x128xf32>> -> tensor<8x128x128xf32> loc(callsite("pad_conv.mlir":15:8 at "pad_conv.mlir":6:1))
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0, 0, 0], sizes = [16, 8, 3, 3], strides = [1, 1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x8x3x3xf32>> -> tensor<16x8x3x3xf32> loc(callsite("pad_conv.mlir":15:8 at "pad_conv.mlir":6:1))
        %2 = tensor.empty() : tensor<16x128x128xf32> loc(callsite("pad_conv.mlir":14:11 at "pad_conv.mlir":6:1))
        %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<16x128x128xf32>) -> tensor<16x128x128xf32> loc(callsite("pad_conv.mlir":15:8 at "pad_conv.mlir":6:1))
        %padded = tensor.pad %0 low[0, 1, 1] high[0, 1, 1] {
        ^bb0(%arg3: index loc(callsite("pad_conv.mlir":9:18 at "pad_conv.mlir":6:1)), %arg4: index loc(callsite("pad_conv.mlir":9:18 at "pad_conv.mlir":6:1)), %arg5: index loc(callsite("pad_conv.mlir":9:18 at "pad_conv.mlir":6:1))):
          tensor.yield %cst : f32 loc(callsite("pad_conv.mlir":9:18 at "pad_conv.mlir":6:1))
        } : tensor<8x128x128xf32> to tensor<8x130x130xf32> loc(callsite("pad_conv.mlir":9:18 at "pad_conv.mlir":6:1))
        %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d1 + d4, d2 + d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d3, d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%padded, %1 : tensor<8x130x130xf32>, tensor<16x8x3x3xf32>) outs(%3 : tensor<16x128x128xf32>) {
        ^bb0(%in: f32 loc(callsite(unknown at "pad_conv.mlir":6:1)), %in_0: f32 loc(callsite(unknown at "pad_conv.mlir":6:1)), %out: f32 loc(callsite(unknown at "pad_conv.mlir":6:1))):
          %5 = arith.mulf %in, %in_0 : f32 loc(callsite(unknown at "pad_conv.mlir":6:1))
          %6 = arith.addf %out, %5 : f32 loc(callsite(unknown at "pad_conv.mlir":6:1))
          linalg.yield %6 : f32 loc(callsite(unknown at "pad_conv.mlir":6:1))
        } -> tensor<16x128x128xf32> loc(callsite("pad_conv.mlir":15:8 at "pad_conv.mlir":6:1))
        iree_tensor_ext.dispatch.tensor.store %4, %arg2, offsets = [0, 0, 0], sizes = [16, 128, 128], strides = [1, 1, 1] : tensor<16x128x128xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<16x128x128xf32>> loc(callsite("pad_conv.mlir":15:8 at "pad_conv.mlir":6:1))
        return loc(callsite("pad_conv.mlir":15:8 at "pad_conv.mlir":6:1))
      } loc(callsite("pad_conv.mlir":15:8 at "pad_conv.mlir":6:1))
    } loc(callsite("pad_conv.mlir":15:8 at "pad_conv.mlir":6:1))
  } loc(callsite("pad_conv.mlir":15:8 at "pad_conv.mlir":6:1))
  util.func public @conv_2d_nchw_fchw(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @conv_2d_nchw_fchw(%input0: tensor<1x8x128x128xf32>, %input1: tensor<16x8x3x3xf32>) -> (%output0: tensor<1x16x128x128xf32>)"}} {
    %0 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<1x8x128x128xf32> loc("pad_conv.mlir":6:1)
    %1 = hal.tensor.import %arg1 "input1" : !hal.buffer_view -> tensor<16x8x3x3xf32> loc("pad_conv.mlir":6:1)
    %2 = flow.tensor.reshape %0 : tensor<1x8x128x128xf32> -> tensor<8x128x128xf32> loc(callsite("pad_conv.mlir":9:18 at "pad_conv.mlir":6:1))
    %3 = flow.dispatch @conv_2d_nchw_fchw_dispatch_0::@conv_2d_nchw_fchw_dispatch_0_conv_16x128x128x8x3x3_f32(%2, %1) : (tensor<8x128x128xf32>, tensor<16x8x3x3xf32>) -> tensor<16x128x128xf32> loc(callsite("pad_conv.mlir":15:8 at "pad_conv.mlir":6:1))
    %4 = flow.tensor.reshape %3 : tensor<16x128x128xf32> -> tensor<1x16x128x128xf32> loc(callsite("pad_conv.mlir":15:8 at "pad_conv.mlir":6:1))
    %5 = hal.tensor.export %4 "output0" : tensor<1x16x128x128xf32> -> !hal.buffer_view loc("pad_conv.mlir":6:1)
    util.return %5 : !hal.buffer_view loc("pad_conv.mlir":6:1)
  } loc("pad_conv.mlir":6:1)
} loc("pad_conv.mlir":0:0)
