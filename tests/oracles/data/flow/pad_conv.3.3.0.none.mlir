module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
  util.global private @__device_0 = #hal.device.target<"local", [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_layout<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>]> : !hal.device loc("pad_conv.mlir":0:0)
  flow.executable private @conv_2d_nchw_fchw_dispatch_0 {
    flow.executable.export public @conv_2d_nchw_fchw_dispatch_0_slow_memcpy workgroups() -> (index, index, index) {
      %x, %y, %z = flow.dispatch.workgroup_count_from_slice  loc(callsite("pad_conv.mlir":9:18 at "pad_conv.mlir":6:1))
      flow.return %x, %y, %z : index, index, index loc(callsite("pad_conv.mlir":9:18 at "pad_conv.mlir":6:1))
    } loc(callsite("pad_conv.mlir":9:18 at "pad_conv.mlir":6:1))
    builtin.module {
      func.func @conv_2d_nchw_fchw_dispatch_0_slow_memcpy(%arg0: !flow.dispatch.tensor<readonly:tensor<8x128x128xf32>> loc(callsite("pad_conv.mlir":9:18 at "pad_conv.mlir":6:1)), %arg1: !flow.dispatch.tensor<readwrite:tensor<8x130x130xf32>> loc(callsite("pad_conv.mlir":9:18 at "pad_conv.mlir":6:1))) {
        %0 = flow.dispatch.tensor.load %arg0, offsets = [0, 0, 0], sizes = [8, 128, 128], strides = [1, 1, 1] : !flow.dispatch.tensor<readonly:tensor<8x128x128xf32>> -> tensor<8x128x128xf32> loc(callsite("pad_conv.mlir":9:18 at "pad_conv.mlir":6:1))
        flow.dispatch.tensor.store %0, %arg1, offsets = [0, 1, 1], sizes = [8, 128, 128], strides = [1, 1, 1] : tensor<8x128x128xf32> -> !flow.dispatch.tensor<readwrite:tensor<8x130x130xf32>> loc(callsite("pad_conv.mlir":9:18 at "pad_conv.mlir":6:1))
        return loc(callsite("pad_conv.mlir":9:18 at "pad_conv.mlir":6:1))
      } loc(callsite("pad_conv.mlir":9:18 at "pad_conv.mlir":6:1))
    } loc(callsite("pad_conv.mlir":9:18 at "pad_conv.mlir":6:1))
  } loc(callsite("pad_conv.mlir":9:18 at "pad_conv.mlir":6:1))
  flow.executable private @conv_2d_nchw_fchw_dispatch_1 {
    flow.executable.export public @conv_2d_nchw_fchw_dispatch_1_conv_2d_nchw_fchw_1x16x128x128x8x3x3_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = flow.dispatch.workgroup_count_from_slice  loc(callsite("pad_conv.mlir":15:8 at "pad_conv.mlir":6:1))
      flow.return %x, %y, %z : index, index, index loc(callsite("pad_conv.mlir":15:8 at "pad_conv.mlir":6:1))
    } loc(callsite("pad_conv.mlir":15:8 at "pad_conv.mlir":6:1))
    builtin.module {
      func.func @conv_2d_nchw_fchw_dispatch_1_conv_2d_nchw_fchw_1x16x128x128x8x3x3_f32(%arg0: !flow.dispatch.tensor<readonly:tensor<1x8x130x130xf32>> loc(callsite("pad_conv.mlir":9:18 at "pad_conv.mlir":6:1)), %arg1: !flow.dispatch.tensor<readonly:tensor<16x8x3x3xf32>> loc("pad_conv.mlir":6:1), %arg2: !flow.dispatch.tensor<writeonly:tensor<1x16x128x128xf32>> loc(callsite("pad_conv.mlir":15:8 at "pad_conv.mlir":6:1))) {
        %cst = arith.constant 0.000000e+00 : f32 loc(unknown)
        %0 = flow.dispatch.tensor.load %arg0, offsets = [0, 0, 0, 0], sizes = [1, 8, 130, 130], strides = [1, 1, 1, 1] : !flow.dispatch.tensor<readonly:tensor<1x8x130x130xf32>> -> tensor<1x8x130x130xf32> loc(callsite("pad_conv.mlir":15:8 at "pad_conv.mlir":6:1))
        %1 = flow.dispatch.tensor.load %arg1, offsets = [0, 0, 0, 0], sizes = [16, 8, 3, 3], strides = [1, 1, 1, 1] : !flow.dispatch.tensor<readonly:tensor<16x8x3x3xf32>> -> tensor<16x8x3x3xf32> loc(callsite("pad_conv.mlir":15:8 at "pad_conv.mlir":6:1))
        %2 = tensor.empty() : tensor<1x16x128x128xf32> loc(callsite("pad_conv.mlir":13:12 at "pad_conv.mlir":6:1))
        %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<1x16x128x128xf32>) -> tensor<1x16x128x128xf32> loc(callsite("pad_conv.mlir":14:11 at "pad_conv.mlir":6:1))
        %4 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%0, %1 : tensor<1x8x130x130xf32>, tensor<16x8x3x3xf32>) outs(%3 : tensor<1x16x128x128xf32>) -> tensor<1x16x128x128xf32> loc(callsite("pad_conv.mlir":15:8 at "pad_conv.mlir":6:1))
        flow.dispatch.tensor.store %4, %arg2, offsets = [0, 0, 0, 0], sizes = [1, 16, 128, 128], strides = [1, 1, 1, 1] : tensor<1x16x128x128xf32> -> !flow.dispatch.tensor<writeonly:tensor<1x16x128x128xf32>> loc(callsite("pad_conv.mlir":15:8 at "pad_conv.mlir":6:1))
        return loc(callsite("pad_conv.mlir":15:8 at "pad_conv.mlir":6:1))
      } loc(callsite("pad_conv.mlir":15:8 at "pad_conv.mlir":6:1))
    } loc(callsite("pad_conv.mlir":15:8 at "pad_conv.mlir":6:1))
  } loc(callsite("pad_conv.mlir":15:8 at "pad_conv.mlir":6:1))
  util.func public @conv_2d_nchw_fchw(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @conv_2d_nchw_fchw(%input0: tensor<1x8x128x128xf32>, %input1: tensor<16x8x3x3xf32>) -> (%output0: tensor<1x16x128x128xf32>)"}} {
    %cst = arith.constant 0.000000e+00 : f32 loc(unknown)
    %0 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<1x8x128x128xf32> loc("pad_conv.mlir":6:1)
    %1 = hal.tensor.import %arg1 "input1" : !hal.buffer_view -> tensor<16x8x3x3xf32> loc("pad_conv.mlir":6:1)
    %2 = flow.tensor.reshape %0 : tensor<1x8x128x128xf32> -> tensor<8x128x128xf32> loc(callsite("pad_conv.mlir":9:18 at "pad_conv.mlir":6:1))
    %3 = flow.tensor.splat %cst : tensor<8x130x130xf32> loc(callsite("pad_conv.mlir":9:18 at "pad_conv.mlir":6:1))
    %4 = flow.dispatch @conv_2d_nchw_fchw_dispatch_0::@conv_2d_nchw_fchw_dispatch_0_slow_memcpy(%2, %3) : (tensor<8x128x128xf32>, tensor<8x130x130xf32>) -> %3 loc(callsite("pad_conv.mlir":9:18 at "pad_conv.mlir":6:1))
    %5 = flow.tensor.reshape %4 : tensor<8x130x130xf32> -> tensor<1x8x130x130xf32> loc(callsite("pad_conv.mlir":9:18 at "pad_conv.mlir":6:1))
    %6 = flow.dispatch @conv_2d_nchw_fchw_dispatch_1::@conv_2d_nchw_fchw_dispatch_1_conv_2d_nchw_fchw_1x16x128x128x8x3x3_f32(%5, %1) : (tensor<1x8x130x130xf32>, tensor<16x8x3x3xf32>) -> tensor<1x16x128x128xf32> loc(callsite("pad_conv.mlir":15:8 at "pad_conv.mlir":6:1))
    %7 = hal.tensor.export %6 "output0" : tensor<1x16x128x128xf32> -> !hal.buffer_view loc("pad_conv.mlir":6:1)
    util.return %7 : !hal.buffer_view loc("pad_conv.mlir":6:1)
  } loc("pad_conv.mlir":6:1)
} loc("pad_conv.mlir":0:0)
