"""Programs judged together show what each shows by itself; what is shared is not asked twice."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import pytest

from reducer.cli.find import SEARCHED
from reducer.finding.examples import rounds
from reducer.finding.inspector import Inspector
from reducer.finding.trial import Seen, Trial
from reducer.finding.ways import ways
from reducer.strategies import Program, programs
from reducer.toolchain import pool
from reducer.toolchain.releases import Toolchain

SILENT = Program(
    """\
func.func @main(%x: tensor<2xf32>, %v: f32) -> tensor<1xf32> {
  %e = tensor.empty() : tensor<1xf32>
  %z = arith.constant 0.0 : f32
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
  %p = tensor.pad %x low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %v : f32
  } : tensor<2xf32> to tensor<3xf32>
  %k = arith.constant dense<1.0> : tensor<3xf32>
  %c = linalg.conv_1d ins(%p, %k : tensor<3xf32>, tensor<3xf32>) outs(%f : tensor<1xf32>) -> tensor<1xf32>
  return %c : tensor<1xf32>
}
""",
    ("2xf32=1 2", "3"),
)
IDENTITY = "func.func @main(%x: tensor<2xf32>) -> tensor<{}xf32> {{\n  return %x : tensor<2xf32>\n}}\n"
RIGHT = Program(IDENTITY.format(2), ("2xf32=1 2",))
BROKEN = Program(IDENTITY.format(3), ("2xf32=1 2",))
UNDEFINED = Program(
    "func.func @main(%x: i32) -> i32 {\n  %z = arith.constant 0 : i32\n  %y = arith.divsi %x, %z : i32\n"
    "  return %y : i32\n}\n", ("1",),
)  # fmt: skip


@pytest.fixture(scope="module")
def trial(installed: Toolchain) -> Iterator[Trial]:
    slot = pool.Slot(installed, pool.Limits(60.0, 0), warm=10)
    yield Trial(installed, SEARCHED, ways(["llvm-cpu"], installed.release, ())[0], slot, lambda: False)
    slot.close()


def shown(seen: Seen) -> tuple[Program, list[tuple[str, str, str]], int]:
    return seen.program, [(s.oracle, s.way.name, s.signature) for s in seen.sightings], seen.verdicts


def test_together_is_as_apart(trial: Trial) -> None:
    _, some = next(rounds(programs(), 5, 0))
    some = some[:16]
    apart = [shown(seen) for program in some for seen in trial.judge([program])]
    together = [shown(seen) for at in range(0, len(some), 8) for seen in trial.judge(some[at : at + 8])]
    assert together == apart
    assert any(faults for _, faults, _ in apart)
    assert any(not faults for _, faults, _ in apart)


def test_one_that_is_no_program_or_has_no_value_does_not_spoil_the_others(trial: Trial) -> None:
    found = [shown(seen) for seen in trial.judge([SILENT, BROKEN, RIGHT, UNDEFINED])]
    silent = found[0][1]
    assert ("translation-error", "consumer", "silent failure of ConcretizePadResultShapePass") in silent
    assert found[1] == (BROKEN, [], 0)
    assert found[2][1] == []
    assert found[3][1] == []
    assert found[2][2] == 2 + 4  # two oracles of the flow phase, four sets of flags


def test_the_users_own_flags_are_one_way_more_and_what_failed_with_fewer_is_left_alone(installed: Toolchain) -> None:
    inspector = Inspector(installed, ["translation-error"], 1, pool.Limits(60.0, 0))
    try:
        tried = ways(["llvm-cpu", "vmvx"], installed.release, ("--iree-opt-level=O3",))
        found = [shown(seen) for seen in inspector.judge([SILENT, RIGHT], tried)]
    finally:
        inspector.close()
    assert [program for program, _, _ in found] == [SILENT, RIGHT] * 2
    assert [verdicts for program, _, verdicts in found if program is RIGHT] == [5, 5]
    assert [(way, verdicts) for _, faults, verdicts in found[:1] for _, way, _ in faults] == [("consumer", 2)]


def test_a_search_is_the_same_whatever_the_number_of_workers(installed: Toolchain) -> None:
    found = []
    for jobs in (1, 3):
        inspector = Inspector(installed, ["no-op-flag", "two-dispatches"], jobs, pool.Limits(60.0, 0))
        try:
            some = next(islice(rounds(programs(), 9, 0), 1))[1][:48]
            tried = ways(["llvm-cpu"], installed.release, ())
            found.append([shown(seen) for seen in inspector.judge(some, tried)])
        finally:
            inspector.close()
    assert found[0] == found[1]
    assert any(faults for _, faults, _ in found[0])
