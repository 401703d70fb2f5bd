"""Small programs, and the two calls under test on text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from iree.compiler import ir

from reducer.parameters import assign, parameters
from reducer.wire import Parameter

CONTEXT = ir.Context()


def parse(text: str) -> Any:
    with CONTEXT:
        return ir.Module.parse(text)


def listed(text: str) -> list[Parameter]:
    return parameters(parse(text))


def names(text: str) -> list[str]:
    return [p.name for p in listed(text)]


def assigned(text: str, values: Sequence[int]) -> str:
    """The program with these values; it must verify and parse again."""
    module = parse(text)
    assign(module, values)
    assert module.operation.verify()
    printed = str(module)
    assert str(parse(printed)) == printed
    return printed


def changed(text: str, new: Mapping[str, int]) -> str:
    """The program with some parameters set by name."""
    found = listed(text)
    assert set(new) <= {p.name for p in found}
    return assigned(text, [new.get(p.name, p.value) for p in found])


def simplest(text: str) -> str:
    return assigned(text, [p.simplest for p in listed(text)])


SEED = """
util.func public @main(%arg0: tensor<1x8x128x128xf32>, %arg1: tensor<16x8x3x3xf32>) -> tensor<1x16x128x128xf32> {
  %cst = arith.constant 0.0 : f32
  %offset = arith.constant 1 : index
  %padded = tensor.pad %arg0 low[0, 0, %offset, %offset] high[0, 0, %offset, %offset] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %cst : f32
  } : tensor<1x8x128x128xf32> to tensor<1x8x130x130xf32>
  %empty = tensor.empty() : tensor<1x16x128x128xf32>
  %fill = linalg.fill ins(%cst : f32) outs(%empty : tensor<1x16x128x128xf32>) -> tensor<1x16x128x128xf32>
  %0 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%padded, %arg1 : tensor<1x8x130x130xf32>, tensor<16x8x3x3xf32>)
    outs(%fill : tensor<1x16x128x128xf32>) -> tensor<1x16x128x128xf32>
  util.return %0 : tensor<1x16x128x128xf32>
}
"""

STATIC_SEED = SEED.replace("%offset, %offset", "1, 1")

UNIT_PAD = """
util.func public @main(%x: tensor<1x1x1x1xf32>) -> tensor<1x1x2x3xf32> {
  %c = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 0, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %d: index, %e: index):
    tensor.yield %c : f32
  } : tensor<1x1x1x1xf32> to tensor<1x1x2x3xf32>
  util.return %p : tensor<1x1x2x3xf32>
}
"""

DYNAMIC = """
func.func @main(%arg0: tensor<?x1x?xf32>, %arg1: tensor<1x1x1xf32>) -> tensor<?x1x?xf32> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %nan = arith.constant 0x7FC00000 : f32
  %pad = tensor.pad %arg0 low[1, 0, 1] high[1, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index):
    tensor.yield %nan : f32
  } : tensor<?x1x?xf32> to tensor<?x1x?xf32>
  %d0 = tensor.dim %pad, %c0 : tensor<?x1x?xf32>
  %d2 = tensor.dim %pad, %c2 : tensor<?x1x?xf32>
  %half = arith.divui %d2, %c2 : index
  %e = tensor.empty(%d0, %half) : tensor<?x1x?xf32>
  %conv = linalg.conv_1d_ncw_fcw {dilations = dense<[1]> : tensor<1xi64>, strides = dense<[2]> : tensor<1xi64>}
    ins(%pad, %arg1 : tensor<?x1x?xf32>, tensor<1x1x1xf32>) outs(%e : tensor<?x1x?xf32>) -> tensor<?x1x?xf32>
  return %conv : tensor<?x1x?xf32>
}
"""

HALF_DYNAMIC = """
func.func @main(%arg0: tensor<1x8x?xf32>, %arg1: f32, %arg2: tensor<7x41x16xf32>) -> tensor<7x8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %pad = tensor.pad %arg0 low[3, 0, 17] high[3, 0, 17] {
  ^bb0(%i0: index, %i1: index, %i2: index):
    tensor.yield %arg1 : f32
  } : tensor<1x8x?xf32> to tensor<7x8x?xf32>
  %e = tensor.empty() : tensor<7x8x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<7x8x16xf32>) -> tensor<7x8x16xf32>
  %mm = linalg.batch_matmul ins(%pad, %arg2 : tensor<7x8x?xf32>, tensor<7x41x16xf32>)
    outs(%f : tensor<7x8x16xf32>) -> tensor<7x8x16xf32>
  return %mm : tensor<7x8x16xf32>
}
"""

QUANTISED = """
func.func @main(%arg0: tensor<1x16x16x8xi8>, %arg1: tensor<3x3x8x3xi8>, %arg2: tensor<1x7x15x3xi32>)
    -> tensor<1x7x15x3xi32> {
  %fill = arith.constant 2 : i8
  %zx = arith.constant 2 : i32
  %zw = arith.constant -1 : i32
  %pad = tensor.pad %arg0 nofold low[0, 0, 0, 0] high[0, 2, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %fill : i8
  } : tensor<1x16x16x8xi8> to tensor<1x18x17x8xi8>
  %conv = linalg.conv_2d_nhwc_hwcf_q
    {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>}
    ins(%pad, %arg1, %zx, %zw : tensor<1x18x17x8xi8>, tensor<3x3x8x3xi8>, i32, i32)
    outs(%arg2 : tensor<1x7x15x3xi32>) -> tensor<1x7x15x3xi32>
  return %conv : tensor<1x7x15x3xi32>
}
"""

DEPTHWISE = """
func.func @main(%arg0: tensor<1x1x1x2xf32>, %arg1: tensor<1x1x1xf32>) -> tensor<1x1x2x2xf32> {
  %z = arith.constant 0.0 : f32
  %pad = tensor.pad %arg0 low[0, 0, 0, 0] high[0, 0, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %z : f32
  } : tensor<1x1x1x2xf32> to tensor<1x1x2x2xf32>
  %e = tensor.empty() : tensor<1x1x2x2xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
  %conv = linalg.depthwise_conv_2d_nchw_chw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
    ins(%pad, %arg1 : tensor<1x1x2x2xf32>, tensor<1x1x1xf32>) outs(%f : tensor<1x1x2x2xf32>) -> tensor<1x1x2x2xf32>
  return %conv : tensor<1x1x2x2xf32>
}
"""

GENERIC = """
#in = affine_map<(d0, d1) -> (d0 * 2 + d1 * 3)>
#window = affine_map<(d0, d1) -> (d1)>
#out = affine_map<(d0, d1) -> (d0)>
func.func @main(%x: tensor<13xf16>, %w: tensor<2xf16>, %o: tensor<4xf32>) -> tensor<4xf32> {
  %0 = linalg.generic {indexing_maps = [#in, #window, #out], iterator_types = ["parallel", "reduction"]}
    ins(%x, %w : tensor<13xf16>, tensor<2xf16>) outs(%o : tensor<4xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %m = arith.mulf %a, %b : f16
    %e = arith.extf %m : f16 to f32
    %s = arith.addf %c, %e : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""

RESHAPES = """
func.func @main(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>) -> (tensor<24xf32>, tensor<3x2xf32>, tensor<8x6xf32>) {
  %c = tensor.collapse_shape %x [[0, 1]] : tensor<4x6xf32> into tensor<24xf32>
  %s = tensor.extract_slice %y[1, 0] [3, 2] [1, 2] : tensor<4x6xf32> to tensor<3x2xf32>
  %k = tensor.concat dim(0) %x, %y : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %c, %s, %k : tensor<24xf32>, tensor<3x2xf32>, tensor<8x6xf32>
}
"""

DYNAMIC_SHAPES = """
func.func @main(%x: tensor<?x4xf32>, %y: tensor<?xf32>, %n: index)
    -> (tensor<?x2x2xf32>, tensor<?xf32>, tensor<?x4xf32>) {
  %c0 = arith.constant 0 : index
  %d = tensor.dim %x, %c0 : tensor<?x4xf32>
  %e = tensor.expand_shape %x [[0], [1, 2]] output_shape [%d, 2, 2] : tensor<?x4xf32> into tensor<?x2x2xf32>
  %s = tensor.extract_slice %y[1] [%n] [2] : tensor<?xf32> to tensor<?xf32>
  %b = tensor.empty(%d) : tensor<?x4xf32>
  %i = tensor.insert_slice %x into %b[0, 0] [%d, 4] [1, 1] : tensor<?x4xf32> into tensor<?x4xf32>
  %k = tensor.concat dim(0) %i, %x : (tensor<?x4xf32>, tensor<?x4xf32>) -> tensor<?x4xf32>
  return %e, %s, %k : tensor<?x2x2xf32>, tensor<?xf32>, tensor<?x4xf32>
}
"""

UNIT_SHAPES = """
func.func @main(%x: tensor<1x4x1xf32>, %y: tensor<1x1xf32>, %i: index)
    -> (tensor<4xf32>, tensor<1x1x1xf32>, f32, index, tensor<4xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c = tensor.collapse_shape %x [[0, 1, 2]] : tensor<1x4x1xf32> into tensor<4xf32>
  %e = tensor.expand_shape %y [[0], [1, 2]] output_shape [1, 1, 1] : tensor<1x1xf32> into tensor<1x1x1xf32>
  %v = tensor.extract %x[%i, %c1, %i] : tensor<1x4x1xf32>
  %d = tensor.dim %x, %c2 : tensor<1x4x1xf32>
  %s = tensor.extract_slice %x[0, 0, 0] [1, 4, 1] [1, 1, 1] : tensor<1x4x1xf32> to tensor<4xf32>
  return %c, %e, %v, %d, %s : tensor<4xf32>, tensor<1x1x1xf32>, f32, index, tensor<4xf32>
}
"""

CALLS = """
func.func private @g(%x: tensor<7xf32>) -> tensor<7xf32> {
  %n = arith.negf %x : tensor<7xf32>
  return %n : tensor<7xf32>
}
func.func @f(%x: tensor<7xf32>, %y: tensor<5xf32>) -> (tensor<7xf32>, tensor<5xf32>) {
  %n = call @g(%x) : (tensor<7xf32>) -> tensor<7xf32>
  return %n, %y : tensor<7xf32>, tensor<5xf32>
}
"""

UNKNOWN = """
func.func @f(%x: tensor<7xf32>, %y: tensor<5xf32>, %k: tensor<3xi64>) -> (tensor<7xf32>, tensor<5xf32>) {
  %0 = tensor.reshape %x(%s) : (tensor<7xf32>, tensor<1xindex>) -> tensor<7xf32>
  %n = arith.negf %y : tensor<5xf32>
  return %0, %n : tensor<7xf32>, tensor<5xf32>
}
""".replace("%k: tensor<3xi64>", "%s: tensor<1xindex>")

MIXED = """
#row = affine_map<(d0, d1) -> (d0, d1)>
#bias = affine_map<(d0, d1) -> (d1)>
func.func @main(%x: tensor<1x4xf32>, %b: tensor<4xf32>) -> tensor<4x1xf32> {
  %k = arith.constant dense<[[1.0, 2.0, 3.0, 4.0]]> : tensor<1x4xf32>
  %s = arith.addf %x, %k : tensor<1x4xf32>
  %e = tensor.empty() : tensor<1x4xf32>
  %g = linalg.generic {indexing_maps = [#row, #bias, #row], iterator_types = ["parallel", "parallel"]}
    ins(%s, %b : tensor<1x4xf32>, tensor<4xf32>) outs(%e : tensor<1x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = linalg.index 0 : index
    %ij = arith.addi %i, %j : index
    %n = arith.index_cast %ij : index to i32
    %f = arith.sitofp %n : i32 to f32
    %r = arith.addf %p, %f : f32
    linalg.yield %r : f32
  } -> tensor<1x4xf32>
  %t = tensor.empty() : tensor<4x1xf32>
  %u = linalg.transpose ins(%g : tensor<1x4xf32>) outs(%t : tensor<4x1xf32>) permutation = [1, 0]
  return %u : tensor<4x1xf32>
}
"""

STABLEHLO = """
func.func @main(%x: tensor<1x9x3xf32>, %w: tensor<3x3x4xf32>, %b: tensor<4xf32>) -> tensor<1x5x4xf32> {
  %c = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
    window = {stride = [2], pad = [[1, 1]], rhs_dilate = [1]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<1x9x3xf32>, tensor<3x3x4xf32>) -> tensor<1x5x4xf32>
  %bb = stablehlo.broadcast_in_dim %b, dims = [2] : (tensor<4xf32>) -> tensor<1x5x4xf32>
  %s = stablehlo.add %c, %bb : tensor<1x5x4xf32>
  return %s : tensor<1x5x4xf32>
}
"""

HLO_SHAPES = """
func.func @main(%x: tensor<4x6xf32>, %y: tensor<2x5x6xf32>, %z: tensor<2x6x7xf32>, %s: tensor<f32>)
    -> (tensor<1x24xf32>, tensor<8x7xf32>, tensor<2x3xf32>, tensor<10x6xf32>, tensor<4xf32>, tensor<2x5x7xf32>,
        tensor<4x6xf32>) {
  %r = stablehlo.reshape %x : (tensor<4x6xf32>) -> tensor<1x24xf32>
  %p = stablehlo.pad %x, %s, low = [1, 0], high = [0, 1], interior = [1, 0]
    : (tensor<4x6xf32>, tensor<f32>) -> tensor<8x7xf32>
  %l = stablehlo.slice %x [1:4:2, 0:3] : (tensor<4x6xf32>) -> tensor<2x3xf32>
  %q = stablehlo.slice %x [0:2, 0:6] : (tensor<4x6xf32>) -> tensor<2x6xf32>
  %k = stablehlo.concatenate %p0, %q, dim = 0 : (tensor<8x6xf32>, tensor<2x6xf32>) -> tensor<10x6xf32>
  %m = stablehlo.reduce(%x init: %s) applies stablehlo.add across dimensions = [1]
    : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
  %d = stablehlo.dot_general %y, %z, batching_dims = [0] x [0], contracting_dims = [2] x [1]
    : (tensor<2x5x6xf32>, tensor<2x6x7xf32>) -> tensor<2x5x7xf32>
  %o = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %r, %p, %l, %k, %m, %d, %o : tensor<1x24xf32>, tensor<8x7xf32>, tensor<2x3xf32>, tensor<10x6xf32>,
    tensor<4xf32>, tensor<2x5x7xf32>, tensor<4x6xf32>
}
""".replace("%p0", "%w").replace("%s: tensor<f32>)", "%s: tensor<f32>, %w: tensor<8x6xf32>)")

HLO_WINDOWS = """
func.func @main(%x: tensor<1x1x1x3xf32>, %w: tensor<1x1x3x4xf32>, %v: tensor<1x9x2xf32>, %s: tensor<f32>)
    -> (tensor<1x1x3x4xf32>, tensor<1x4x2xf32>) {
  %c = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
    window = {stride = [1, 1], pad = [[0, 0], [1, 1]], rhs_dilate = [1, 1]}
    {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
    : (tensor<1x1x1x3xf32>, tensor<1x1x3x4xf32>) -> tensor<1x1x3x4xf32>
  %m = "stablehlo.reduce_window"(%v, %s) <{
    base_dilations = array<i64: 1, 1, 1>, padding = dense<[[0, 0], [0, 0], [0, 0]]> : tensor<3x2xi64>,
    window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 3, 1>,
    window_strides = array<i64: 1, 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %z = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %z : tensor<f32>
  }) : (tensor<1x9x2xf32>, tensor<f32>) -> tensor<1x4x2xf32>
  return %c, %m : tensor<1x1x3x4xf32>, tensor<1x4x2xf32>
}
"""

OTHER_DIALECTS = """
func.func @main(%t: !torch.vtensor<[2,3],f32>, %x: tensor<4x5xf32>, %k: tensor<3xi64>, %i: tensor<3xi64>)
    -> (!torch.vtensor<[2,3],f32>, tensor<4x5xf32>, tensor<3xi64>, tensor<3xi64>) {
  %r = torch.aten.relu %t : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>
  %o = torch.operator "onnx.Add"(%r, %t) : (!torch.vtensor<[2,3],f32>, !torch.vtensor<[2,3],f32>)
    -> !torch.vtensor<[2,3],f32>
  %y = tosa.tanh %x : (tensor<4x5xf32>) -> tensor<4x5xf32>
  %s, %p = iree_linalg_ext.sort dimension(0) outs(%k, %i : tensor<3xi64>, tensor<3xi64>) {
  ^bb0(%a: i64, %b: i64, %c: i64, %d: i64):
    %le = arith.cmpi sle, %a, %b : i64
    iree_linalg_ext.yield %le : i1
  } -> tensor<3xi64>, tensor<3xi64>
  return %o, %y, %s, %p : !torch.vtensor<[2,3],f32>, tensor<4x5xf32>, tensor<3xi64>, tensor<3xi64>
}
"""

ALL = {
    name: text
    for name, text in globals().items()
    if name.isupper() and isinstance(text, str) and name not in ("CONTEXT", "ALL")
}
