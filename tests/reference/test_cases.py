"""Programs that released compilers got wrong, and how much work and memory a large one takes."""

from __future__ import annotations

import tracemalloc
from pathlib import Path

import numpy as np
import pytest
from scipy import signal  # type: ignore[import-untyped]

from reducer.reference import linalg_ops, machine
from reducer.reference.program import Node
from tests.reference.running import Array, exact

GOLDEN = Path(__file__).parents[1] / "golden" / "corpus"


def test_a_chain_of_pads() -> None:
    text = (GOLDEN / "chained_pads.mlir").read_text()
    assert exact(text, np.array([1, 2], np.float32)).tolist() == [-1, -2, 5, 7]


DYNAMIC_PAD_VALUE = """func.func @main(%x: tensor<2x1x3x1xf32>, %v: f32, %w: tensor<1x2x1xf32>) -> tensor<2x2x2x1xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 0, 0] high[0, 1, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %v : f32
  } : tensor<2x1x3x1xf32> to tensor<2x2x3x1xf32>
  %e = tensor.empty() : tensor<2x2x2x1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2x2x1xf32>) -> tensor<2x2x2x1xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%p, %w : tensor<2x2x3x1xf32>, tensor<1x2x1xf32>) outs(%f : tensor<2x2x2x1xf32>) -> tensor<2x2x2x1xf32>
  return %r : tensor<2x2x2x1xf32>
}"""


def test_a_pad_value_that_is_an_argument() -> None:
    x = np.arange(1, 7, dtype=np.float32).reshape(2, 1, 3, 1)
    got = exact(DYNAMIC_PAD_VALUE, x, np.float32(7), np.array([10, 1], np.float32).reshape(1, 2, 1))
    assert got.ravel().tolist() == [12, 23, 77, 77, 45, 56, 77, 77]


CONVOLUTION = """func.func @f(%x: tensor<1x64x56x56xf32>, %w: tensor<64x64x3x3xf32>, %z: tensor<1x64x54x54xf32>)
    -> tensor<1x64x54x54xf32> {
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}
      ins(%x, %w : tensor<1x64x56x56xf32>, tensor<64x64x3x3xf32>) outs(%z : tensor<1x64x54x54xf32>)
      -> tensor<1x64x54x54xf32>
  return %r : tensor<1x64x54x54xf32>
}"""

SUM = """func.func @f(%x: tensor<200x1000x20xf32>, %z: tensor<200xf32>) -> tensor<200xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0)>],
      iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%x : tensor<200x1000x20xf32>) outs(%z : tensor<200xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i32
    %k = arith.sitofp %j : i32 to f32
    %m = arith.mulf %a, %k : f32
    %r = arith.addf %o, %m : f32
    linalg.yield %r : f32
  } -> tensor<200xf32>
  return %r : tensor<200xf32>
}"""


@pytest.fixture
def executed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the ops that are computed, each time that they are."""
    names: list[str] = []
    execute = machine.Machine.execute

    def counted(self: machine.Machine, node: Node, env: machine.Environment) -> None:
        names.append(node.name)
        execute(self, node, env)

    monkeypatch.setattr(machine.Machine, "execute", counted)
    return names


def peak_bytes() -> int:
    return tracemalloc.get_traced_memory()[1]


def test_a_large_convolution_takes_few_steps_and_little_memory(executed: list[str]) -> None:
    random = np.random.default_rng(0)
    x, w, z = (random.integers(-4, 5, s).astype(np.float32) for s in ((1, 64, 56, 56), (64, 64, 3, 3), (1, 64, 54, 54)))
    tracemalloc.start()
    got = exact(CONVOLUTION, x, w, z)
    assert peak_bytes() < 200e6
    tracemalloc.stop()
    assert len(executed) < 20
    right: Array = signal.correlate(x[0].astype(np.float64), w[5].astype(np.float64), mode="valid", method="fft")[0]
    assert got[0, 5].tolist() == (np.rint(right) + z[0, 5]).tolist()


def test_a_large_iteration_space_is_cut_into_parts(executed: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(linalg_ops, "PART", 1 << 18)
    x = np.random.default_rng(0).integers(-2, 3, (200, 1000, 20)).astype(np.float32)
    tracemalloc.start()
    got = exact(SUM, x, np.zeros(200, np.float32))
    assert peak_bytes() < 40e6, "in one part it would take more than ten times the input's 16 MB"
    tracemalloc.stop()
    parts = x.size / (1 << 18)
    assert parts < executed.count("arith.mulf") < 3 * parts
    assert got.tolist() == (x * np.arange(1000).reshape(1, 1000, 1)).sum(axis=(1, 2)).tolist()


def test_values_that_nothing_reads_any_more_are_let_go() -> None:
    steps = "\n".join(f"%v{i + 1} = arith.addf %v{i}, %v{i} : tensor<1000x100xf32>" for i in range(40))
    text = f"""func.func @f(%v0: tensor<1000x100xf32>) -> tensor<1000x100xf32> {{
      {steps}
      return %v40 : tensor<1000x100xf32> }}"""
    tracemalloc.start()
    assert exact(text, np.ones((1000, 100), np.float32))[0, 0] == 2.0**40
    assert peak_bytes() < 8e6, "forty values take 16 MB"
    tracemalloc.stop()
