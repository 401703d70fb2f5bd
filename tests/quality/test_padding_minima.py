"""The seed, for each padding fault: the exact minimum, confirmed by the stock compiler, in how many tests."""

from __future__ import annotations

from tests.quality.conftest import Reduce

PRODUCER = "--iree-dispatch-creation-enable-fuse-padding-into-linalg-producer-ops"
NEWEST = "3.13.0"


def test_translation_error(reduce: Reduce) -> None:
    """Brute force found nothing smaller: rank 1 never fails, and 1x1 with two pads in all is the smallest that does."""
    result = reduce("translation-error", "pad_conv.mlir", "3.3.0", "cuda:sm_80", (PRODUCER,))
    assert result.program == """\
func.func @conv_2d_nchw_fchw(%arg0: tensor<1x1xf32>, %arg1: f32) -> tensor<2x2xf32> {
  %padded = tensor.pad %arg0 low[1, 1] high[0, 0] {
  ^bb0(%arg2: index, %arg3: index):
    tensor.yield %arg1 : f32
  } : tensor<1x1xf32> to tensor<2x2xf32>
  return %padded : tensor<2x2xf32>
}
"""
    assert result.verdict.signature == "LLVM Translation failed for operation: builtin.unrealized_conversion_cast"
    assert result.flags == (PRODUCER,)
    assert result.tests <= 40


def test_no_op_flag(reduce: Reduce) -> None:
    """One pad feeding one convolution; a 1-D convolution is fused, as minimality.txt says."""
    result = reduce("no-op-flag", "pad_conv.mlir", "3.3.0")
    assert result.program == """\
func.func @conv_2d_nchw_fchw(%arg0: tensor<1x1xf32>, %arg1: f32) -> tensor<1x1xf32> {
  %padded = tensor.pad %arg0 low[0, 1] high[0, 0] {
  ^bb0(%arg2: index, %arg3: index):
    tensor.yield %arg1 : f32
  } : tensor<1x1xf32> to tensor<1x2xf32>
  %0 = linalg.conv_2d ins(%padded, %arg0 : tensor<1x2xf32>, tensor<1x1xf32>) \
outs(%arg0 : tensor<1x1xf32>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}
"""
    assert result.flags == ()
    assert result.tests <= 120


def test_two_dispatches(reduce: Reduce) -> None:
    result = reduce("two-dispatches", "pad_conv.mlir", NEWEST)
    assert result.program == """\
func.func @conv_2d_nchw_fchw(%arg0: tensor<1xf32>, %arg1: f32) -> tensor<1xf32> {
  %padded = tensor.pad %arg0 low[1] high[0] {
  ^bb0(%arg2: index):
    tensor.yield %arg1 : f32
  } : tensor<1xf32> to tensor<2xf32>
  %0 = linalg.conv_1d ins(%padded, %arg0 : tensor<2xf32>, tensor<1xf32>) \
outs(%arg0 : tensor<1xf32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}
"""
    assert result.tests <= 80


def test_unsupported_fusion(reduce: Reduce) -> None:
    result = reduce("unsupported-fusion", "pad_conv.mlir", "3.7.0")
    assert result.program == """\
func.func @conv_2d_nchw_fchw(%arg0: tensor<1xf32>, %arg1: tensor<2xf32>, %arg2: f32) -> tensor<2xf32> {
  %padded = tensor.pad %arg0 low[3] high[0] {
  ^bb0(%arg3: index):
    tensor.yield %arg2 : f32
  } : tensor<1xf32> to tensor<4xf32>
  %0 = linalg.conv_1d ins(%padded, %arg1 : tensor<4xf32>, tensor<2xf32>) \
outs(%arg1 : tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""
    assert result.verdict.signature == "silent failure of ConcretizePadResultShapePass"
    assert result.tests <= 150


def test_translation_error_newest(reduce: Reduce) -> None:
    result = reduce("translation-error", "pad_conv.mlir", NEWEST, flags=(PRODUCER,))
    assert result.program == """\
func.func @conv_2d_nchw_fchw(%arg0: tensor<1xf32>, %arg1: f32) -> tensor<3xf32> {
  %padded = tensor.pad %arg0 low[2] high[0] {
  ^bb0(%arg2: index):
    tensor.yield %arg1 : f32
  } : tensor<1xf32> to tensor<3xf32>
  return %padded : tensor<3xf32>
}
"""
    assert result.tests <= 150
