"""A sum that goes wrong before two pads in a row: what it is added to looks like something to drop, and is not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from oracles.verdict import Outcome
from reducer.cli.stock import judge_file
from reducer.toolchain.releases import Toolchain
from tests.quality.conftest import Reduce

RELEASE = "3.6.0"
SUM = """\
func.func @main(%x: tensor<2x3xf32>) -> tensor<4xf32> {
  %five = arith.constant 5.0 : f32
  %seven = arith.constant 7.0 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %0 = linalg.generic {
    indexing_maps = [affine_map<(d, r) -> (d, r)>, affine_map<(d, r) -> (d)>],
    iterator_types = ["parallel", "reduction"]
  } ins(%x : tensor<2x3xf32>) outs(%f : tensor<2xf32>) {
  ^bb0(%u: f32, %o: f32):
    %n = arith.addf %u, %o : f32
    linalg.yield %n : f32
  } -> tensor<2xf32>
  %1 = tensor.pad %0 low[0] high[1] {
  ^bb0(%i: index):
    tensor.yield %five : f32
  } : tensor<2xf32> to tensor<3xf32>
  %2 = tensor.pad %1 low[0] high[1] {
  ^bb0(%i: index):
    tensor.yield %seven : f32
  } : tensor<3xf32> to tensor<4xf32>
  return %2 : tensor<4xf32>
}
"""


def test_a_sum_keeps_what_it_is_added_to(reduce: Reduce, toolchain: Callable[[str], Toolchain], tmp_path: Path) -> None:
    result = reduce("wrong-result", SUM, RELEASE)
    assert result.before.ops == 14
    assert result.after.ops <= 9
    assert any("has no defined value" in refusal.instead for refusal in result.refusals)
    run = result.verdict.run
    assert run is not None
    file = tmp_path / "again.mlir"
    file.write_text(result.program)
    case = replace(
        result.case, program=result.program, flags=result.flags, inputs=run.inputs, toolchain=toolchain(RELEASE)
    )
    verdict = judge_file(case, file, timeout_s=60.0, memory_bytes=0)
    assert (verdict.outcome, verdict.signature) == (Outcome.INTERESTING, "wrong value")
    assert [seen.reference for seen in verdict.runs] == ["defined"]
