"""The oracles that are not about pads: an exact minimum each, and in how many tests."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from oracles.registry import make
from reducer.toolchain.releases import Toolchain
from tests.quality.conftest import Reduce

CONSUMER = "--iree-dispatch-creation-enable-fuse-padding-into-linalg-consumer-ops"
NEWEST = "3.13.0"
SLOW_WORKER = Path(__file__).with_name("slow_worker.py")
SLOW_OP = "linalg.conv_1d"


def test_dispatch_count(reduce: Reduce) -> None:
    """Two dispatches: a slow memcpy, and what it makes the input of."""
    result = reduce(make("dispatch-count", expect=1), "pad_conv.mlir", NEWEST)
    assert result.program == """\
func.func @conv_2d_nchw_fchw(%arg0: tensor<2x1xf32>, %arg1: tensor<1x1xf32>, \
%arg2: f32) -> tensor<1x1xf32> {
  %padded = tensor.pad %arg0 low[0, 1] high[0, 0] {
  ^bb0(%arg3: index, %arg4: index):
    tensor.yield %arg2 : f32
  } : tensor<2x1xf32> to tensor<2x2xf32>
  %0 = linalg.conv_2d ins(%padded, %arg1 : tensor<2x2xf32>, tensor<1x1xf32>) \
outs(%arg1 : tensor<1x1xf32>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}
"""
    assert result.verdict.signature == "more dispatches than expected: slow memcpy"
    assert result.flags == ()
    assert result.tests <= 100


def test_crash(reduce: Reduce) -> None:
    """By the signal alone: EliminateEmptyTensors reads freed memory, so the frames depend on what is unused besides."""
    result = reduce(make("crash", level="class"), "crash.mlir", NEWEST, flags=(CONSUMER,))
    assert result.program == """\
func.func @main(%arg0: tensor<1xf32>, %arg1: f32) -> tensor<1xf32> {
  %padded = tensor.pad %arg0 low[1] high[1] {
  ^bb0(%arg2: index):
    tensor.yield %arg1 : f32
  } : tensor<1xf32> to tensor<3xf32>
  %0 = linalg.conv_1d ins(%padded, %arg0 : tensor<3xf32>, tensor<1xf32>) \
outs(%arg0 : tensor<1xf32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}
"""
    assert result.verdict.signature == "crash: signal 11"
    assert result.flags == (CONSUMER,)
    assert result.tests <= 60


def test_diagnostic(reduce: Reduce) -> None:
    """An argsort of a dynamic size: the sort is left, its comparison is an argument."""
    result = reduce("diagnostic", "030-argsort-dynamic-alloca.mlir", "3.0.0")
    assert result.program == """\
func.func @argsort(%arg0: tensor<?xf32>, %arg1: i1) -> tensor<?xf32> {
  %0:2 = iree_linalg_ext.sort dimension(0) outs(%arg0, %arg0 : tensor<?xf32>, tensor<?xf32>) {
  ^bb0(%arg2: f32, %arg3: f32, %arg4: f32, %arg5: f32):
    iree_linalg_ext.yield %arg1 : i1
  } -> tensor<?xf32>, tensor<?xf32>
  return %0#1 : tensor<?xf32>
}
"""
    assert result.verdict.signature == "'memref.alloca' op expected no unbounded stack allocations"
    assert result.tests <= 40


def test_diagnostic_of_an_op_that_has_one(reduce: Reduce) -> None:
    """One op is all there was; the attributes that do not matter are gone, and so is all but one element a tensor."""
    result = reduce("diagnostic", "009-conv1d-groups-onnx.mlir", "3.0.0")
    assert result.program.splitlines()[1].rstrip() == (
        '  %0 = torch.operator "onnx.Conv"(%arg0, %arg1)'
        " : (!torch.vtensor<[1,1],f32>, !torch.vtensor<[],f32>) -> !torch.vtensor<[],f32>"
    )
    assert (result.before.elements, result.after.ops, result.after.elements) == (8_470_528, 3, 3)
    assert result.verdict.signature == (
        "failed to legalize operation 'torch.aten.convolution' that was explicitly marked illegal"
    )
    assert result.tests <= 60


def test_script(reduce: Reduce) -> None:
    """What a script wants is one word: an op of this name, and nothing else."""
    result = reduce(make("script", script=("grep", "-q", "tensor.pad")), "pad_conv.mlir", NEWEST)
    assert result.program == """\
func.func @conv_2d_nchw_fchw(%arg0: tensor<f32>, %arg1: f32) -> tensor<f32> {
  %padded = tensor.pad %arg0 low[] high[] {
    tensor.yield %arg1 : f32
  } : tensor<f32> to tensor<f32>
  return %padded : tensor<f32>
}
"""
    assert result.tests <= 50


@pytest.fixture
def slow(installed: Toolchain, tmp_path: Path) -> Toolchain:
    """A compiler, warm and stock, that takes for ever over any program with a SLOW_OP.

    The hangs of real releases have no exact minimum: a compilation whose time doubles with every op is over any limit
    from some op on, which one depends on the machine.
    """
    python, binary = tmp_path / "python", tmp_path / "iree-compile"
    worker = shlex.join([str(installed.python), str(SLOW_WORKER), SLOW_OP])
    python.write_text(f'#!/bin/sh\nexec {worker} "$@"\n')
    binary.write_text(f'#!/bin/sh\ngrep -q {SLOW_OP} "$1" && exec sleep 600\nexec {installed.iree_compile} "$@"\n')
    for path in (python, binary):
        path.chmod(0o755)
    return replace(installed, python=python, iree_compile=binary)


def test_hang(reduce: Reduce, slow: Toolchain) -> None:
    result = reduce(make("hang", timeout_s=2.0), "silent_consumer_flag.mlir", slow, flags=(CONSUMER,))
    assert result.program == """\
func.func @main(%arg0: tensor<1xf32>) -> tensor<1xf32> {
  %0 = linalg.conv_1d ins(%arg0, %arg0 : tensor<1xf32>, tensor<1xf32>) outs(%arg0 : tensor<1xf32>) -> tensor<1xf32>
  return %0 : tensor<1xf32>
}
"""
    assert result.flags == ()
    assert result.tests <= 40
