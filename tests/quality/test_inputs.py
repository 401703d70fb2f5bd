"""Programs that no one reduced by hand: of a random search, and generated networks of two sizes."""

from __future__ import annotations

from tests.benchmarks.network import network
from tests.quality.conftest import Reduce

CONSUMER = "--iree-dispatch-creation-enable-fuse-padding-into-linalg-consumer-ops"
PRODUCER = "--iree-dispatch-creation-enable-fuse-padding-into-linalg-producer-ops"


def test_a_pad_whose_value_is_computed(reduce: Reduce) -> None:
    """The compiler fails to tile a pad with any op in its region but a constant."""
    result = reduce("translation-error", "p8018.mlir", "3.3.0", flags=(CONSUMER,))
    assert result.program == """\
func.func @main(%arg0: tensor<1xf32>, %arg1: f32) -> tensor<2xf32> {
  %padded = tensor.pad %arg0 low[1] high[0] {
  ^bb0(%arg2: index):
    %0 = arith.negf %arg1 : f32
    tensor.yield %0 : f32
  } : tensor<1xf32> to tensor<2xf32>
  return %padded : tensor<2xf32>
}
"""
    assert result.verdict.signature == "'tensor.pad' op failed to tile operation"
    assert (result.flags, result.before.ops) == ((), 36)
    assert result.tests <= 60


def test_a_pad_to_a_dynamic_size(reduce: Reduce) -> None:
    result = reduce("translation-error", "p9053.mlir", "3.13.0", "vulkan:rdna3", (PRODUCER,))
    assert result.program == """\
func.func @main(%arg0: f32, %arg1: tensor<1xf32>, %arg2: index) -> tensor<?xf32> {
  %padded = tensor.pad %arg1 low[0] high[%arg2] {
  ^bb0(%arg3: index):
    tensor.yield %arg0 : f32
  } : tensor<1xf32> to tensor<?xf32>
  return %padded : tensor<?xf32>
}
"""
    assert result.verdict.signature == "failed to legalize operation 'memref.subview'"
    assert (result.flags, result.before.ops) == ((PRODUCER,), 31)
    assert result.tests <= 40


def test_a_network_ends_in_the_same_minimum_whatever_its_size(reduce: Reduce) -> None:
    """No smaller pad and 1-D convolution fail so: the row of one element is padded by two on its low side."""
    small, large = (
        reduce("translation-error", network(ops), "3.13.0", flags=(CONSUMER,)) for ops in (100, 400)
    )
    assert (small.before.ops, large.before.ops) == (107, 395)
    assert small.program == """\
func.func @network(%arg0: tensor<1xf32>, %arg1: f32) -> tensor<1xf32> {
  %padded = tensor.pad %arg0 low[2] high[0] {
  ^bb0(%arg2: index):
    tensor.yield %arg1 : f32
  } : tensor<1xf32> to tensor<3xf32>
  %0 = linalg.conv_1d ins(%padded, %arg0 : tensor<3xf32>, tensor<1xf32>) \
outs(%arg0 : tensor<1xf32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}
"""
    assert large.program == small.program
    assert small.verdict.signature == "silent failure of ConcretizePadResultShapePass"
    assert small.flags == large.flags == (CONSUMER,)
    assert small.tests <= 60
    assert large.tests < 2 * small.tests
