"""Whole searches over programs of which it is known what they show."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import strategies as st

from reducer.finding.coverage import kinds
from reducer.finding.finder import Find, Finder, Hunt, Tally
from reducer.finding.ways import ways
from reducer.strategies import Program
from reducer.toolchain.releases import Toolchain
from tests.finding.test_trial import RIGHT, SILENT

PRODUCER = "--iree-dispatch-creation-enable-fuse-padding-into-linalg-producer-ops"
CONSUMER = "--iree-dispatch-creation-enable-fuse-padding-into-linalg-consumer-ops"
WRONG = Program(
    """\
func.func @main(%x: tensor<2xf32>, %v: f32, %w: f32) -> tensor<3xf32> {
  %e = tensor.empty() : tensor<2xf32>
  %f = linalg.fill ins(%w : f32) outs(%e : tensor<2xf32>) -> tensor<2xf32>
  %g = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x : tensor<2xf32>) outs(%f : tensor<2xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = arith.addf %a, %o : f32
    linalg.yield %s : f32
  } -> tensor<2xf32>
  %p = tensor.pad %g low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<2xf32> to tensor<3xf32>
  return %p : tensor<3xf32>
}
""",
    ("2xf32=1 2", "3", "5"),
)
"""With the producer flag, 3.13.0 pads with 0 what is the last op's result."""


def hunt(toolchain: Toolchain, out: Path, programs: list[Program], oracles: tuple[str, ...], **more: object) -> Hunt:
    tried = ways(["llvm-cpu"], toolchain.release, ())
    made = Hunt(toolchain, oracles, tried, st.sampled_from(programs), out, 0, 2, None, len(programs))
    return Hunt(**{**made.__dict__, **more})


def search(what: Hunt) -> tuple[list[Find], Tally]:
    finder = Finder(what, lambda tally, find: None)
    return finder.run(), finder.tally


def test_each_fault_once_reduced_and_confirmed(installed: Toolchain, tmp_path: Path) -> None:
    what = hunt(installed, tmp_path, [RIGHT, SILENT, WRONG], ("translation-error", "wrong-result"))
    finds, tally = search(what)
    by_flags = {find.result.flags: find for find in finds}
    assert len(by_flags) == len(finds)
    assert all(find.result.confirmed for find in finds)
    silent = by_flags[CONSUMER,]
    assert silent.program == SILENT
    assert silent.result.verdict.signature == "silent failure of ConcretizePadResultShapePass"
    assert (silent.result.after.ops, silent.result.after.elements) == (5, 10)
    assert tally.programs == 3
    assert tally.times[silent.key] == 1
    assert set(tally.settled) >= {find.key for find in finds}


def test_a_wrong_result_is_small_enough_to_be_recomputed_by_hand(installed: Toolchain, tmp_path: Path) -> None:
    finds, _ = search(hunt(installed, tmp_path, [WRONG], ("wrong-result",)))
    (find,) = finds
    result = find.result
    assert result.flags == (PRODUCER,)
    assert (result.after.ops, result.after.elements) == (6, 7)
    assert "tensor.pad" in result.program
    assert "low[1] high[0]" in result.program
    run = result.verdict.run
    assert run is not None
    expected, got = (np.array(text[0].split("=")[1].split(), float) for text in (run.expected, run.got))
    (value, *rest) = expected
    np.testing.assert_array_equal(expected, np.pad(np.array(rest), (1, 0), constant_values=value))
    assert np.any(expected != got)


def test_what_is_known_is_passed_over(installed: Toolchain, tmp_path: Path) -> None:
    finds, tally = search(hunt(installed, tmp_path, [WRONG], ("wrong-result",)))
    (find,) = finds
    again = {"known": frozenset(tally.settled), "families": ((find.key, kinds(Program(find.result.program))),)}
    finds, tally = search(hunt(installed, tmp_path, [WRONG], ("wrong-result",), **again))
    assert finds == []
    assert tally.times == {find.key: 1}
    other = {**again, "families": ((find.key, frozenset({"linalg.matmul"})),)}
    finds, _ = search(hunt(installed, tmp_path, [WRONG], ("wrong-result",), **other))
    assert len(finds) == 1  # another family of what has the same signature


def test_a_signature_alone_is_known_for_all_flags(installed: Toolchain, tmp_path: Path) -> None:
    known = frozenset({"silent failure of ConcretizePadResultShapePass"})
    finds, tally = search(hunt(installed, tmp_path, [SILENT], ("translation-error",), known=known))
    assert [find for find in finds if "Concretize" in find.key] == []
    assert any("Concretize" in key for key in tally.times)


def test_an_interrupt_ends_it_and_keeps_what_was_found(installed: Toolchain, tmp_path: Path) -> None:
    def tell(tally: Tally, find: Find | None) -> None:
        if find is not None:
            raise KeyboardInterrupt

    finder = Finder(hunt(installed, tmp_path, [SILENT, WRONG], ("translation-error", "wrong-result")), tell)
    with pytest.raises(KeyboardInterrupt):
        finder.run()
    assert len(finder.finds) == 1
    assert finder.finds[0].result.confirmed
