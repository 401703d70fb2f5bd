module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
  util.global private @__device_0 = #hal.device.target<"local", [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>]> : !hal.device loc("matmul.mlir":0:0)
  flow.executable private @main_dispatch_0 {
    flow.executable.export public @main_dispatch_0_pack_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice() loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
      flow.return %x, %y, %z : index, index, index loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
    } loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
    builtin.module {
      func.func @main_dispatch_0_pack_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x6xf32>> loc("matmul.mlir":1:1), %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x8x4x1xf32>> loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))) {
        %cst = arith.constant 0.000000e+00 : f32 loc(unknown)
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [4, 6], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<4x6xf32>> -> tensor<4x6xf32> loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
        %1 = tensor.empty() : tensor<1x8x4x1xf32> loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
        %padded = tensor.pad %0 low[0, 0] high[0, 2] {
        ^bb0(%arg2: index loc(callsite("matmul.mlir":4:8 at "matmul.mlir":1:1)), %arg3: index loc(callsite("matmul.mlir":4:20 at "matmul.mlir":1:1))):
          tensor.yield %cst : f32 loc(callsite("matmul.mlir":5:5 at "matmul.mlir":1:1))
        } : tensor<4x6xf32> to tensor<4x8xf32> loc(callsite("matmul.mlir":3:8 at "matmul.mlir":1:1))
        %pack = linalg.pack %padded outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [4, 1] into %1 : tensor<4x8xf32> -> tensor<1x8x4x1xf32> loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
        iree_tensor_ext.dispatch.tensor.store %pack, %arg1, offsets = [0, 0, 0, 0], sizes = [1, 8, 4, 1], strides = [1, 1, 1, 1] : tensor<1x8x4x1xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x8x4x1xf32>> loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
        return loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
      } loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
    } loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
  } loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
  flow.executable private @main_dispatch_1 {
    flow.executable.export public @main_dispatch_1_pack_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice() loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
      flow.return %x, %y, %z : index, index, index loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
    } loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
    builtin.module {
      func.func @main_dispatch_1_pack_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x5xf32>> loc("matmul.mlir":1:1), %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x8x4x1xf32>> loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))) {
        %cst = arith.constant 0.000000e+00 : f32 loc(unknown)
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [8, 5], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<8x5xf32>> -> tensor<8x5xf32> loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
        %1 = tensor.empty() : tensor<2x8x4x1xf32> loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
        %pack = linalg.pack %0 padding_value(%cst : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [4, 1] into %1 : tensor<8x5xf32> -> tensor<2x8x4x1xf32> loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
        iree_tensor_ext.dispatch.tensor.store %pack, %arg1, offsets = [0, 0, 0, 0], sizes = [2, 8, 4, 1], strides = [1, 1, 1, 1] : tensor<2x8x4x1xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<2x8x4x1xf32>> loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
        return loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
      } loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
    } loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
  } loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
  flow.executable private @main_dispatch_2 {
    flow.executable.export public @main_dispatch_2_mmt4d_1x2x8x4x4x1_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice() loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
      flow.return %x, %y, %z : index, index, index loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
    } loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
    builtin.module {
      func.func @main_dispatch_2_mmt4d_1x2x8x4x4x1_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x8x4x1xf32>> loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1)), %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x8x4x1xf32>> loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1)), %arg2: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x2x4x4xf32>> loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))) {
        %cst = arith.constant 0.000000e+00 : f32 loc(unknown)
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0, 0, 0], sizes = [1, 8, 4, 1], strides = [1, 1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x8x4x1xf32>> -> tensor<1x8x4x1xf32> loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0, 0, 0], sizes = [2, 8, 4, 1], strides = [1, 1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<2x8x4x1xf32>> -> tensor<2x8x4x1xf32> loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
        %2 = tensor.empty() : tensor<1x2x4x4xf32> loc(callsite("matmul.mlir":8:8 at "matmul.mlir":1:1))
        %3 = linalg.fill ins(%cst : f32) outs(%2 : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
        %4 = linalg.mmt4d ins(%0, %1 : tensor<1x8x4x1xf32>, tensor<2x8x4x1xf32>) outs(%3 : tensor<1x2x4x4xf32>) -> tensor<1x2x4x4xf32> loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
        iree_tensor_ext.dispatch.tensor.store %4, %arg2, offsets = [0, 0, 0, 0], sizes = [1, 2, 4, 4], strides = [1, 1, 1, 1] : tensor<1x2x4x4xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<1x2x4x4xf32>> loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
        return loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
      } loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
    } loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
  } loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
  flow.executable private @main_dispatch_3 {
    flow.executable.export public @main_dispatch_3_unpack_f32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice() loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
      flow.return %x, %y, %z : index, index, index loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
    } loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
    builtin.module {
      func.func @main_dispatch_3_unpack_f32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x2x4x4xf32>> loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1)), %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x5xf32>> loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0, 0, 0], sizes = [1, 2, 4, 4], strides = [1, 1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<1x2x4x4xf32>> -> tensor<1x2x4x4xf32> loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
        %1 = tensor.empty() : tensor<4x5xf32> loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
        %unpack = linalg.unpack %0 outer_dims_perm = [0, 1] inner_dims_pos = [0, 1] inner_tiles = [4, 4] into %1 : tensor<1x2x4x4xf32> -> tensor<4x5xf32> loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
        iree_tensor_ext.dispatch.tensor.store %unpack, %arg1, offsets = [0, 0], sizes = [4, 5], strides = [1, 1] : tensor<4x5xf32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<4x5xf32>> loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
        return loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
      } loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
    } loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
  } loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
  util.func public @main(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @main(%input0: tensor<4x6xf32>, %input1: tensor<8x5xf32>) -> (%output0: tensor<4x5xf32>)"}} {
    %0 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<4x6xf32> loc("matmul.mlir":1:1)
    %1 = hal.tensor.import %arg1 "input1" : !hal.buffer_view -> tensor<8x5xf32> loc("matmul.mlir":1:1)
    %2 = flow.dispatch @main_dispatch_0::@main_dispatch_0_pack_f32(%0) : (tensor<4x6xf32>) -> tensor<1x8x4x1xf32> loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
    %3 = flow.dispatch @main_dispatch_1::@main_dispatch_1_pack_f32(%1) : (tensor<8x5xf32>) -> tensor<2x8x4x1xf32> loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
    %4 = flow.dispatch @main_dispatch_2::@main_dispatch_2_mmt4d_1x2x8x4x4x1_f32(%2, %3) : (tensor<1x8x4x1xf32>, tensor<2x8x4x1xf32>) -> tensor<1x2x4x4xf32> loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
    %5 = flow.dispatch @main_dispatch_3::@main_dispatch_3_unpack_f32(%4) : (tensor<1x2x4x4xf32>) -> tensor<4x5xf32> loc(callsite("matmul.mlir":9:8 at "matmul.mlir":1:1))
    %6 = hal.tensor.export %5 "output0" : tensor<4x5xf32> -> !hal.buffer_view loc("matmul.mlir":1:1)
    util.return %6 : !hal.buffer_view loc("matmul.mlir":1:1)
  } loc("matmul.mlir":1:1)
} loc("matmul.mlir":0:0)