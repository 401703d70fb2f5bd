module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
  util.global private @__device_0 = #hal.device.target<"local", [#hal.executable.target<"llvm-cpu", "embedded-elf-x86_64", {cpu = "generic", cpu_features = "", data_layout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128", iree.encoding.resolver = #iree_cpu.cpu_encoding_resolver<>, max_stack_allocation_size = 32768 : i64, native_vector_size = 16 : i64, target_triple = "x86_64-unknown-unknown-eabi-elf"}>]> : !hal.device loc("quantised_conv.mlir":0:0)
  flow.executable private @main_dispatch_0 {
    flow.executable.export public @main_dispatch_0_slow_memcpy workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice() loc(callsite("quantised_conv.mlir":9:11 at "quantised_conv.mlir":1:1))
      flow.return %x, %y, %z : index, index, index loc(callsite("quantised_conv.mlir":9:11 at "quantised_conv.mlir":1:1))
    } loc(callsite("quantised_conv.mlir":9:11 at "quantised_conv.mlir":1:1))
    builtin.module {
      func.func @main_dispatch_0_slow_memcpy(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x16x8xi8>> loc(callsite("quantised_conv.mlir":9:11 at "quantised_conv.mlir":1:1)), %arg1: !iree_tensor_ext.dispatch.tensor<readwrite:tensor<18x17x8xi8>> loc(callsite("quantised_conv.mlir":9:11 at "quantised_conv.mlir":1:1))) {
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0, 0], sizes = [16, 16, 8], strides = [1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<16x16x8xi8>> -> tensor<16x16x8xi8> loc(callsite("quantised_conv.mlir":9:11 at "quantised_conv.mlir":1:1))
        iree_tensor_ext.dispatch.tensor.store %0, %arg1, offsets = [0, 0, 0], sizes = [16, 16, 8], strides = [1, 1, 1] : tensor<16x16x8xi8> -> !iree_tensor_ext.dispatch.tensor<readwrite:tensor<18x17x8xi8>> loc(callsite("quantised_conv.mlir":9:11 at "quantised_conv.mlir":1:1))
        return loc(callsite("quantised_conv.mlir":9:11 at "quantised_conv.mlir":1:1))
      } loc(callsite("quantised_conv.mlir":9:11 at "quantised_conv.mlir":1:1))
    } loc(callsite("quantised_conv.mlir":9:11 at "quantised_conv.mlir":1:1))
  } loc(callsite("quantised_conv.mlir":9:11 at "quantised_conv.mlir":1:1))
  flow.executable private @main_dispatch_1 {
    flow.executable.export public @main_dispatch_1_reduction_3x72_i8xi32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice() loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
      flow.return %x, %y, %z : index, index, index loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
    } loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
    builtin.module {
      func.func @main_dispatch_1_reduction_3x72_i8xi32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<72x3xi8>> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1)), %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<3xi32>> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))) {
        %c0_i32 = arith.constant 0 : i32 loc(unknown)
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [72, 3], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<72x3xi8>> -> tensor<72x3xi8> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
        %1 = tensor.empty() : tensor<3xi32> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
        %2 = linalg.fill ins(%c0_i32 : i32) outs(%1 : tensor<3xi32>) -> tensor<3xi32> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
        %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<72x3xi8>) outs(%2 : tensor<3xi32>) {
        ^bb0(%in: i8 loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1)), %out: i32 loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))):
          %4 = arith.extsi %in : i8 to i32 loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
          %5 = arith.addi %4, %out : i32 loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
          linalg.yield %5 : i32 loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
        } -> tensor<3xi32> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
        iree_tensor_ext.dispatch.tensor.store %3, %arg1, offsets = [0], sizes = [3], strides = [1] : tensor<3xi32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<3xi32>> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
        return loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
      } loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
    } loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
  } loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
  flow.executable private @main_dispatch_2 {
    flow.executable.export public @main_dispatch_2_reduction_306x8_i8xi32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice() loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
      flow.return %x, %y, %z : index, index, index loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
    } loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
    builtin.module {
      func.func @main_dispatch_2_reduction_306x8_i8xi32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<306x8xi8>> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1)), %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<306xi32>> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))) {
        %c0_i32 = arith.constant 0 : i32 loc(unknown)
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [306, 8], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<306x8xi8>> -> tensor<306x8xi8> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
        %1 = tensor.empty() : tensor<306xi32> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
        %2 = linalg.fill ins(%c0_i32 : i32) outs(%1 : tensor<306xi32>) -> tensor<306xi32> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
        %3 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<306x8xi8>) outs(%2 : tensor<306xi32>) {
        ^bb0(%in: i8 loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1)), %out: i32 loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))):
          %4 = arith.extsi %in : i8 to i32 loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
          %5 = arith.addi %4, %out : i32 loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
          linalg.yield %5 : i32 loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
        } -> tensor<306xi32> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
        iree_tensor_ext.dispatch.tensor.store %3, %arg1, offsets = [0], sizes = [306], strides = [1] : tensor<306xi32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<306xi32>> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
        return loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
      } loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
    } loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
  } loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
  flow.executable private @main_dispatch_3 {
    flow.executable.export public @main_dispatch_3_conv_7x15x3x3_i32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice() loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
      flow.return %x, %y, %z : index, index, index loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
    } loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
    builtin.module {
      func.func @main_dispatch_3_conv_7x15x3x3_i32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<18x17xi32>> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1)), %arg1: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<7x15xi32>> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))) {
        %c0_i32 = arith.constant 0 : i32 loc(unknown)
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0], sizes = [18, 17], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<18x17xi32>> -> tensor<18x17xi32> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
        %1 = tensor.empty() : tensor<7x15xi32> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
        %2 = tensor.empty() : tensor<3x3xi32> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
        %3 = linalg.fill ins(%c0_i32 : i32) outs(%1 : tensor<7x15xi32>) -> tensor<7x15xi32> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
        %4 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0 * 2 + d2 * 2, d1 + d3)>, affine_map<(d0, d1, d2, d3) -> (d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1)>], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%0, %2 : tensor<18x17xi32>, tensor<3x3xi32>) outs(%3 : tensor<7x15xi32>) {
        ^bb0(%in: i32 loc(unknown), %in_0: i32 loc(unknown), %out: i32 loc(unknown)):
          %5 = arith.addi %out, %in : i32 loc(unknown)
          linalg.yield %5 : i32 loc(unknown)
        } -> tensor<7x15xi32> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
        iree_tensor_ext.dispatch.tensor.store %4, %arg1, offsets = [0, 0], sizes = [7, 15], strides = [1, 1] : tensor<7x15xi32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<7x15xi32>> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
        return loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
      } loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
    } loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
  } loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
  flow.executable private @main_dispatch_4 {
    flow.executable.export public @main_dispatch_4_conv_7x15x3x3x3x8_i8xi8xi32 workgroups() -> (index, index, index) {
      %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice() loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
      flow.return %x, %y, %z : index, index, index loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
    } loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
    builtin.module {
      func.func @main_dispatch_4_conv_7x15x3x3x3x8_i8xi8xi32(%arg0: !iree_tensor_ext.dispatch.tensor<readonly:tensor<18x17x8xi8>> loc(callsite("quantised_conv.mlir":9:11 at "quantised_conv.mlir":1:1)), %arg1: !iree_tensor_ext.dispatch.tensor<readonly:tensor<3x3x8x3xi8>> loc("quantised_conv.mlir":1:1), %arg2: !iree_tensor_ext.dispatch.tensor<readonly:tensor<7x15x3xi32>> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1)), %arg3: !iree_tensor_ext.dispatch.tensor<readonly:tensor<3xi32>> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1)), %arg4: !iree_tensor_ext.dispatch.tensor<readonly:tensor<7x15xi32>> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1)), %arg5: !iree_tensor_ext.dispatch.tensor<writeonly:tensor<7x15x3xi32>> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))) {
        %c2_i32 = arith.constant 2 : i32 loc(callsite("quantised_conv.mlir":7:11 at "quantised_conv.mlir":1:1))
        %c-1_i32 = arith.constant -1 : i32 loc(callsite("quantised_conv.mlir":8:11 at "quantised_conv.mlir":1:1))
        %c-144_i32 = arith.constant -144 : i32 loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
        %0 = iree_tensor_ext.dispatch.tensor.load %arg0, offsets = [0, 0, 0], sizes = [18, 17, 8], strides = [1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<18x17x8xi8>> -> tensor<18x17x8xi8> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
        %1 = iree_tensor_ext.dispatch.tensor.load %arg1, offsets = [0, 0, 0, 0], sizes = [3, 3, 8, 3], strides = [1, 1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<3x3x8x3xi8>> -> tensor<3x3x8x3xi8> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
        %2 = iree_tensor_ext.dispatch.tensor.load %arg2, offsets = [0, 0, 0], sizes = [7, 15, 3], strides = [1, 1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<7x15x3xi32>> -> tensor<7x15x3xi32> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
        %3 = iree_tensor_ext.dispatch.tensor.load %arg3, offsets = [0], sizes = [3], strides = [1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<3xi32>> -> tensor<3xi32> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
        %4 = iree_tensor_ext.dispatch.tensor.load %arg4, offsets = [0, 0], sizes = [7, 15], strides = [1, 1] : !iree_tensor_ext.dispatch.tensor<readonly:tensor<7x15xi32>> -> tensor<7x15xi32> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
        %5 = tensor.empty() : tensor<7x15x3xi32> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
        %6 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d0 * 2 + d3 * 2, d1 + d4, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d3, d4, d5, d2)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%0, %1 : tensor<18x17x8xi8>, tensor<3x3x8x3xi8>) outs(%2 : tensor<7x15x3xi32>) {
        ^bb0(%in: i8 loc(unknown), %in_0: i8 loc(unknown), %out: i32 loc(unknown)):
          %8 = arith.extsi %in : i8 to i32 loc(unknown)
          %9 = arith.extsi %in_0 : i8 to i32 loc(unknown)
          %10 = arith.muli %8, %9 : i32 loc(unknown)
          %11 = arith.addi %out, %10 : i32 loc(unknown)
          linalg.yield %11 : i32 loc(unknown)
        } -> tensor<7x15x3xi32> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
        %7 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d2)>, affine_map<(d0, d1, d2) -> (d0, d1)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6, %3, %4 : tensor<7x15x3xi32>, tensor<3xi32>, tensor<7x15xi32>) outs(%5 : tensor<7x15x3xi32>) {
        ^bb0(%in: i32 loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1)), %in_0: i32 loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1)), %in_1: i32 loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1)), %out: i32 loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))):
          %8 = arith.muli %in_0, %c2_i32 : i32 loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
          %9 = arith.subi %in, %8 : i32 loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
          %10 = arith.muli %in_1, %c-1_i32 : i32 loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
          %11 = arith.subi %9, %10 : i32 loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
          %12 = arith.addi %11, %c-144_i32 : i32 loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
          linalg.yield %12 : i32 loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
        } -> tensor<7x15x3xi32> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
        iree_tensor_ext.dispatch.tensor.store %7, %arg5, offsets = [0, 0, 0], sizes = [7, 15, 3], strides = [1, 1, 1] : tensor<7x15x3xi32> -> !iree_tensor_ext.dispatch.tensor<writeonly:tensor<7x15x3xi32>> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
        return loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
      } loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
    } loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
  } loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
  util.func public @main(%arg0: !hal.buffer_view, %arg1: !hal.buffer_view, %arg2: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @main(%input0: tensor<1x16x16x8xi8>, %input1: tensor<3x3x8x3xi8>, %input2: tensor<1x7x15x3xi32>) -> (%output0: tensor<1x7x15x3xi32>)"}} {
    %c2_i8 = arith.constant 2 : i8 loc(callsite("quantised_conv.mlir":2:11 at "quantised_conv.mlir":1:1))
    %0 = hal.tensor.import %arg0 "input0" : !hal.buffer_view -> tensor<1x16x16x8xi8> loc("quantised_conv.mlir":1:1)
    %1 = hal.tensor.import %arg1 "input1" : !hal.buffer_view -> tensor<3x3x8x3xi8> loc("quantised_conv.mlir":1:1)
    %2 = hal.tensor.import %arg2 "input2" : !hal.buffer_view -> tensor<1x7x15x3xi32> loc("quantised_conv.mlir":1:1)
    %3 = flow.tensor.reshape %0 : tensor<1x16x16x8xi8> -> tensor<16x16x8xi8> loc(callsite("quantised_conv.mlir":9:11 at "quantised_conv.mlir":1:1))
    %4 = flow.tensor.splat %c2_i8 : tensor<18x17x8xi8> loc(callsite("quantised_conv.mlir":9:11 at "quantised_conv.mlir":1:1))
    %5 = flow.dispatch @main_dispatch_0::@main_dispatch_0_slow_memcpy(%3, %4) : (tensor<16x16x8xi8>, tensor<18x17x8xi8>) -> %4 loc(callsite("quantised_conv.mlir":9:11 at "quantised_conv.mlir":1:1))
    %6 = flow.tensor.reshape %2 : tensor<1x7x15x3xi32> -> tensor<7x15x3xi32> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
    %7 = flow.tensor.reshape %1 : tensor<3x3x8x3xi8> -> tensor<72x3xi8> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
    %8 = flow.dispatch @main_dispatch_1::@main_dispatch_1_reduction_3x72_i8xi32(%7) : (tensor<72x3xi8>) -> tensor<3xi32> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
    %9 = flow.tensor.reshape %5 : tensor<18x17x8xi8> -> tensor<306x8xi8> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
    %10 = flow.dispatch @main_dispatch_2::@main_dispatch_2_reduction_306x8_i8xi32(%9) : (tensor<306x8xi8>) -> tensor<306xi32> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
    %11 = flow.tensor.reshape %10 : tensor<306xi32> -> tensor<18x17xi32> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
    %12 = flow.dispatch @main_dispatch_3::@main_dispatch_3_conv_7x15x3x3_i32(%11) : (tensor<18x17xi32>) -> tensor<7x15xi32> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
    %13 = flow.dispatch @main_dispatch_4::@main_dispatch_4_conv_7x15x3x3x3x8_i8xi8xi32(%5, %1, %6, %8, %12) : (tensor<18x17x8xi8>, tensor<3x3x8x3xi8>, tensor<7x15x3xi32>, tensor<3xi32>, tensor<7x15xi32>) -> tensor<7x15x3xi32> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
    %14 = flow.tensor.reshape %13 : tensor<7x15x3xi32> -> tensor<1x7x15x3xi32> loc(callsite("quantised_conv.mlir":13:12 at "quantised_conv.mlir":1:1))
    %15 = hal.tensor.export %14 "output0" : tensor<1x7x15x3xi32> -> !hal.buffer_view loc("quantised_conv.mlir":1:1)
    util.return %15 : !hal.buffer_view loc("quantised_conv.mlir":1:1)
  } loc("quantised_conv.mlir":1:1)
} loc("quantised_conv.mlir":0:0)
