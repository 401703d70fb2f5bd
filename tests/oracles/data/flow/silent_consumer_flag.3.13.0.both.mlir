module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
  util.global private @__device_0 = #hal.device.target<"local", [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>]> : !hal.device loc("silent_consumer_flag.mlir":0:0)
  flow.executable private @main_dispatch_0 {
    flow.executable.export public @main_dispatch_0 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice() loc(callsite("silent_consumer_flag.mlir":3:8 at "silent_consumer_flag.mlir":1:1))
      flow.return %x, %y, %z : index, index, index loc(callsite("silent_consumer_flag.mlir":3:8 at "silent_consumer_flag.mlir":1:1))
    } loc(callsite("silent_consumer_flag.mlir":3:8 at "silent_consumer_flag.mlir":1:1))
    builtin.module {
      func.func @main_dispatch_0(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<2xf32>> loc("silent_consumer_flag.mlir":1:1), %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<3xf32>> loc(callsite("silent_consumer_flag.mlir":3:8 at "silent_consumer_flag.mlir":1:1))) {
        %cst = arith.constant 0.000000e+00 : f32 loc(callsite("silent_consumer_flag.mlir":2:8 at "silent_consumer_flag.mlir":1:1))
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [2], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2xf32>> -> tensor<2xf32> loc(callsite("silent_consumer_flag.mlir":3:8 at "silent_consumer_flag.mlir":1:1))
        %padded = tensor.pad %0 low[1] high[0] {
        ^bb0(%arg2: index loc(callsite("silent_consumer_flag.mlir":4:8 at "silent_consumer_flag.mlir":1:1))):
          tensor.yield %cst : f32 loc(callsite("silent_consumer_flag.mlir":5:5 at "silent_consumer_flag.mlir":1:1))
        } : tensor<2xf32> to tensor<3xf32> loc(callsite("silent_consumer_flag.mlir":3:8 at "silent_consumer_flag.mlir":1:1))
        iree_tensor_ext.dispatch.tensor.store %padded, %arg1, offsets = [0], sizes = [3], strides = [1] : tensor<3xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<3xf32>> loc(callsite("silent_consumer_flag.mlir":3:8 at "silent_consumer_flag.mlir":1:1))
        return loc(callsite("silent_consumer_flag.mlir":3:8 at "silent_consumer_flag.mlir":1:1))
      } loc(callsite("silent_consumer_flag.mlir":3:8 at "silent_consumer_flag.mlir":1:1))
    } loc(callsite("silent_consumer_flag.mlir":3:8 at "silent_consumer_flag.mlir":1:1))
  } loc(callsite("silent_consumer_flag.mlir":3:8 at "silent_consumer_flag.mlir":1:1))
  flow.executable private @main_dispatch_1 {
    flow.executable.export public @main_dispatch_1_elementwise_3_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice() loc(callsite("silent_consumer_flag.mlir":9:8 at "silent_consumer_flag.mlir":1:1))
      flow.return %x, %y, %z : index, index, index loc(callsite("silent_consumer_flag.mlir":9:8 at "silent_consumer_flag.mlir":1:1))
    } loc(callsite("silent_consumer_flag.mlir":9:8 at "silent_consumer_flag.mlir":1:1))
    builtin.module {
      func.func @main_dispatch_1_elementwise_3_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<3xf32>> loc(callsite("silent_consumer_flag.mlir":3:8 at "silent_consumer_flag.mlir":1:1)), %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<f32>> loc(callsite("silent_consumer_flag.mlir":9:8 at "silent_consumer_flag.mlir":1:1)), %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<3xf32>> loc(callsite("silent_consumer_flag.mlir":9:8 at "silent_consumer_flag.mlir":1:1))) {
        %cst = arith.constant 0.000000e+00 : f32 loc(callsite("silent_consumer_flag.mlir":2:8 at "silent_consumer_flag.mlir":1:1))
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0], sizes = [3], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<3xf32>> -> tensor<3xf32> loc(callsite("silent_consumer_flag.mlir":9:8 at "silent_consumer_flag.mlir":1:1))
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [], sizes = [], strides = [] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<f32>> -> tensor<f32> loc(callsite("silent_consumer_flag.mlir":9:8 at "silent_consumer_flag.mlir":1:1))
        %2 = tensor.empty() : tensor<3xf32> loc(callsite("silent_consumer_flag.mlir":7:8 at "silent_consumer_flag.mlir":1:1))
        %3 = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%0, %1 : tensor<3xf32>, tensor<f32>) outs(%2 : tensor<3xf32>) {
        ^bb0(%in: f32 loc(callsite("silent_consumer_flag.mlir":3:8 at "silent_consumer_flag.mlir":1:1)), %in_0: f32 loc("silent_consumer_flag.mlir":1:1), %out: f32 loc(callsite("silent_consumer_flag.mlir":7:8 at "silent_consumer_flag.mlir":1:1))):
          %4 = arith.mulf %in, %in_0 : f32 loc(callsite(unknown at "silent_consumer_flag.mlir":1:1))
          %5 = arith.addf %4, %cst : f32 loc(callsite(unknown at "silent_consumer_flag.mlir":1:1))
          linalg.yield %5 : f32 loc(callsite(unknown at "silent_consumer_flag.mlir":1:1))
        } -> tensor<3xf32> loc(callsite("silent_consumer_flag.mlir":9:8 at "silent_consumer_flag.mlir":1:1))
        iree_tensor_ext.dispatch.tensor.store %3, %arg2, offsets = [0], sizes = [3], strides = [1] : tensor<3xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<3xf32>> loc(callsite("silent_consumer_flag.mlir":9:8 at "silent_consumer_flag.mlir":1:1))
        return loc(callsite("silent_consumer_flag.mlir":9:8 at "silent_consumer_flag.mlir":1:1))
      } loc(callsite("silent_consumer_flag.mlir":9:8 at "silent_consumer_flag.mlir":1:1))
    } loc(callsite("silent_consumer_flag.mlir":9:8 at "silent_consumer_flag.mlir":1:1))
  } loc(callsite("silent_consumer_flag.mlir":9:8 at "silent_consumer_flag.mlir":1:1))
  util.func public @main(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @main(%input0: tensor<2xf32>, %input1: tensor<1xf32>) -> (%output0: tensor<3xf32>)"}} {
    %0 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<2xf32> loc("silent_consumer_flag.mlir":1:1)
    %1 = hal.tensor.import %arg1 "input1" : !hal.buffer_view -> tensor<1xf32> loc("silent_consumer_flag.mlir":1:1)
    %2 = flow.dispatch @main_dispatch_0::@main_dispatch_0(%0) : (tensor<2xf32>) -> tensor<3xf32> loc(callsite("silent_consumer_flag.mlir":3:8 at "silent_consumer_flag.mlir":1:1))
    %3 = flow.tensor.reshape %1 : tensor<1xf32> -> tensor<f32> loc(callsite("silent_consumer_flag.mlir":9:8 at "silent_consumer_flag.mlir":1:1))
    %4 = flow.dispatch @main_dispatch_1::@main_dispatch_1_elementwise_3_f32(%2, %3) : (tensor<3xf32>, tensor<f32>) -> tensor<3xf32> loc(callsite("silent_consumer_flag.mlir":9:8 at "silent_consumer_flag.mlir":1:1))
    %5 = hal.tensor.export %4 "output0" : tensor<3xf32> -> !hal.buffer_view loc("silent_consumer_flag.mlir":1:1)
    util.return %5 : !hal.buffer_view loc("silent_consumer_flag.mlir":1:1)
  } loc("silent_consumer_flag.mlir":1:1)
} loc("silent_consumer_flag.mlir":0:0)
