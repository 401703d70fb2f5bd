"""The parts of a search that only compute: what is another fault, what comes next, what is rare, what goes together."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import strategies as st

from oracles.dispatches import FLAG_CONSUMER, FLAG_PRODUCER
from oracles.experiment import Diagnostic, FunctionRun, Observation, ResultSeen, Status
from reducer.errors import TargetError
from reducer.finding.batches import Joined, Module, chunks, names, without_places
from reducer.finding.coverage import Coverage, kinds
from reducer.finding.examples import EXAMPLES, RUNS, rounds
from reducer.finding.pending import Pending
from reducer.finding.sightings import Sighting, identity, of_compilation, of_runs
from reducer.finding.ways import Way, way_of, ways
from reducer.strategies import Program, programs

NONE, CONSUMER, PRODUCER, BOTH = ways(["llvm-cpu"], "3.13.0", ())[0]


def test_ways_are_all_sets_of_flags_for_each_target_and_the_users_own_last() -> None:
    found = ways(["llvm-cpu", "vmvx"], "3.13.0", ("--iree-opt-level=O3",))
    assert [[way.name for way in of_target] for of_target in found] == [
        ["none", "consumer", "producer", "both", "yours"]
    ] * 2
    assert [of_target[0].target for of_target in found] == ["llvm-cpu", "vmvx"]
    assert [way.is_own for way in found[0]] == [False] * 4 + [True]
    assert found[1][0].target_flags == ("--iree-hal-target-backends=vmvx",)
    with pytest.raises(TargetError):
        ways(["llvm"], "3.13.0", ())


def test_a_way_is_told_by_its_padding_flags() -> None:
    of_target = (NONE, CONSUMER, PRODUCER, BOTH)
    assert way_of(of_target, ["--mlir-print-debuginfo"]) is NONE
    assert way_of(of_target, [FLAG_PRODUCER, "--mlir-print-debuginfo"]) is PRODUCER
    assert way_of(of_target, [FLAG_PRODUCER, FLAG_CONSUMER]) is BOTH


def test_another_oracle_set_of_flags_or_signature_is_another_fault() -> None:
    one = identity("crash", "vmvx", (FLAG_CONSUMER, FLAG_PRODUCER), "crash: signal 11")
    assert one == identity("crash", "vmvx", (FLAG_PRODUCER, FLAG_CONSUMER), "crash: signal 11")
    assert one == identity("crash", "llvm-cpu", (FLAG_PRODUCER, FLAG_CONSUMER), "crash: signal 11")
    others = [
        identity("diagnostic", "vmvx", (FLAG_CONSUMER, FLAG_PRODUCER), "crash: signal 11"),
        identity("crash", "vmvx", (FLAG_CONSUMER,), "crash: signal 11"),
        identity("crash", "vmvx", (FLAG_CONSUMER, FLAG_PRODUCER), "crash: signal 8"),
    ]
    assert len({one, *others}) == 4


def test_what_a_run_shows_is_told_apart_by_target_and_the_flow_phase_by_nothing_but_the_signature() -> None:
    for oracle in ("wrong-result", "run-failure", "run-crash", "run-hang"):
        assert identity(oracle, "vmvx", (), "x") != identity(oracle, "llvm-cpu", (), "x")
    assert identity("no-op-flag", "vmvx", (FLAG_CONSUMER,), "x") == identity("no-op-flag", "llvm-cpu", (), "x")


def test_what_a_compilation_shows() -> None:
    silent = Observation(
        Status.FAILED, exit_code=1, failing_passes=("ConcretizePadResultShapePass", "TranslateAllExecutablesPass"),
        diagnostics=(Diagnostic("error", "failed to run translation of source executable to target executable"),),
    )  # fmt: skip
    seen = of_compilation(silent, CONSUMER)
    assert seen == Sighting("translation-error", CONSUMER, "silent failure of ConcretizePadResultShapePass",
                            "silent failure of ConcretizePadResultShapePass")  # fmt: skip
    crash = of_compilation(Observation(Status.CRASHED, signal=8), NONE)
    assert crash is not None
    assert (crash.oracle, crash.signature) == ("crash", "crash: signal 8")
    other = of_compilation(
        Observation(Status.FAILED, exit_code=1, diagnostics=(Diagnostic("error", "no such thing: 7"),)), NONE
    )
    assert other is not None
    assert (other.oracle, other.signature) == ("diagnostic", "no such thing: N")
    slow = of_compilation(Observation(Status.TIMED_OUT), NONE)
    assert slow is not None
    assert slow.oracle == "hang"
    for nothing in (Status.OK, Status.OUT_OF_MEMORY):
        assert of_compilation(Observation(nothing), NONE) is None
    bad = Observation(Status.FAILED, parsed=False, diagnostics=(Diagnostic("error", "expected ')'"),))
    assert of_compilation(bad, NONE) is None


def test_what_runs_show() -> None:
    wrong = FunctionRun("main", "defined", ended="returned", results=(ResultSeen("value", (0,), "1", "2", 1, 1),))
    for run, oracle in (
        (wrong, "wrong-result"),
        (FunctionRun("main", "defined", ended="failed", said="RESOURCE_EXHAUSTED"), "run-failure"),
        (FunctionRun("main", "defined", ended="crashed", said="signal 11"), "run-crash"),
        (FunctionRun("main", "defined", ended="timed out"), "run-hang"),
    ):
        seen = of_runs(Observation(Status.OK, runs=(run,)), PRODUCER)
        assert seen is not None
        assert seen.oracle == oracle
    right = FunctionRun("main", "defined", ended="returned", results=(ResultSeen("same"),))
    assert of_runs(Observation(Status.OK, runs=(right,)), PRODUCER) is None


def sighting(oracle: str, way: Way, signature: str) -> Sighting:
    return Sighting(oracle, way, signature, signature)


def test_one_of_each_kind_comes_before_a_second_of_any() -> None:
    pending = Pending()
    program = Program("")
    for at in range(3):
        pending.add(sighting("translation-error", NONE, f"a{at}"), program)
    pending.add(sighting("translation-error", CONSUMER, "b"), program)
    pending.add(sighting("crash", NONE, "c"), program)
    pending.add(sighting("wrong-result", BOTH, "d"), program)
    order = [pending.take({})[0].signature for _ in range(4)]
    pending.add(sighting("wrong-result", PRODUCER, "e"), program)
    times = {sighting("translation-error", NONE, "a2").key: 2}
    order += [pending.take(times)[0].signature for _ in range(3)]
    assert order == ["a0", "c", "d", "b", "e", "a2", "a1"]
    assert len(pending) == 0
    with pytest.raises(ValueError, match="empty"):
        pending.take({})


TEXT = """\
func.func @main(%a: tensor<2x?xf16>, %b: tensor<3xf32>) {
  %p = tensor.pad %b nofold low[0] high[1] {
  } : tensor<3xf32> to tensor<4xf32>
  %c = linalg.conv_1d {strides = dense<2> : vector<1xi64>}
}"""


def test_what_programs_hold_is_counted() -> None:
    program = Program(TEXT)
    assert kinds(program) == {"tensor.pad", "linalg.conv_1d", "f16", "f32", "nofold", "strides", "?"}
    coverage = Coverage()
    for _ in range(3):
        coverage.add(Program("tensor.pad tensor<3xf32>"))
    coverage.add(program)
    coverage.fault(program)
    assert coverage.shown(5) == [("tensor.pad", 4, 1), ("linalg.conv_1d", 1, 1)]
    assert coverage.shown(1) == [("tensor.pad", 4, 1)]


def drawn(count: int, first: int = 0, seed: int = 7) -> list[tuple[int, list[str]]]:
    found = islice(rounds(programs(), seed, first), count)
    return [(number, [program.text for program in these]) for number, these in found]


def test_the_same_seed_draws_the_same_and_can_be_gone_on_with() -> None:
    whole = drawn(3)
    assert whole == drawn(3)
    assert drawn(1, first=2) == whole[2:]
    assert drawn(1, seed=8) != whole[:1]
    texts = [text for _, these in whole for text in these]
    assert len(set(texts)) == len(texts) > 2 * EXAMPLES * RUNS
    assert [number for number, _ in whole] == [0, 1, 2]


def test_an_exhausted_strategy_ends_no_round_twice() -> None:
    found = list(islice(rounds(st.just(Program("x")), 0, 0), 3))
    assert [[p.text for p in these] for _, these in found] == [["x"], [], []]


JOINED = """\
module attributes {reduce.runs} {
  func.func @p0(%arg0: f32 {reduce.input = "1"}) -> f32 {
    return %arg0 : f32
  }
  func.func @p1(%arg0: f32 {reduce.input = "2"}) -> f32 {
    %0 = arith.negf %arg0 : f32
    return %0 : f32
  }
}
"""


def test_a_line_belongs_to_a_function_and_a_function_keeps_its_lines() -> None:
    joined = Joined(JOINED)
    assert [joined.at(line) for line in (1, 2, 4, 5, 8)] == ["", "p0", "p0", "p1", "p1"]
    lines = JOINED.splitlines()
    assert joined.only("p1").splitlines() == [""] * 4 + lines[4:8]
    assert joined.only("p0").splitlines() == ["", *lines[1:4]]


FLOW = """\
#loc1 = loc("program.mlir":3:2)
module attributes {x = @__device_0} {
  util.global private @__device_0 = #hal.device.target<"local"> : !hal.device
  flow.executable private @p0_dispatch_0 {
    flow.executable.export public @p0_dispatch_0_a
    builtin.module {
      func.func @p0_dispatch_0_a() loc(#loc1)
    }
  }
  flow.executable private @p1_dispatch_0 {
    flow.executable.export public @p1_dispatch_0_b
  }
  util.global private @hoisted : tensor<2xf32>
  util.initializer {
    %0 = flow.dispatch @p1_dispatch_0::@p1_dispatch_0_b() : () -> tensor<2xf32>
    util.global.store %0, @hoisted : tensor<2xf32>
  }
  util.func public @p0(%arg0: !hal.buffer_view) {
    %0 = flow.dispatch @p0_dispatch_0::@p0_dispatch_0_a() : () -> tensor<2xf32> loc(callsite("a":3:2 at "a":1:1))
    util.return
  } loc(#loc1)
  util.func public @p1(%arg0: !hal.buffer_view) {
    %1 = util.global.load @hoisted : tensor<2xf32>
    util.return
  }
  util.func public @p2(%arg0: !hal.buffer_view) {
    %0 = flow.dispatch @p0_dispatch_0::@p0_dispatch_0_a() : () -> tensor<2xf32>
    util.return
  }
}
"""


@pytest.mark.parametrize(
    ("name", "there", "not_there"),
    [
        ("p0", ["p0_dispatch_0_a", "util.func public @p0("], ["@p1", "@p2", "initializer", "hoisted"]),
        ("p1", ["p1_dispatch_0_b", "util.initializer", "global private @hoisted"], ["p0_dispatch", "@p2"]),
        ("p2", ["flow.executable private @p0_dispatch_0 {", "func.func @p0_dispatch_0_a"], ["@p0(", "@p1"]),
    ],
)
def test_a_part_of_a_flow_phase_is_a_function_and_what_it_is_made_of(
    name: str, there: list[str], not_there: list[str]
) -> None:
    part = Module(FLOW).part(name)
    assert part.startswith('#loc1 = loc("program.mlir":3:2)\nmodule attributes {x = @__device_0} {\n')
    assert without_places(part).endswith("    util.return\n  }\n}\n")
    assert [text for text in there if text not in part] == []
    assert [text for text in not_there if text in part] == []


def test_places_are_left_out_of_comparisons() -> None:
    assert "loc(" not in without_places(FLOW)
    assert "#loc" not in without_places(FLOW)
    assert "-> tensor<2xf32>\n    util.return" in without_places(FLOW)


def test_names_and_chunks() -> None:
    assert names(3) == ("p0", "p1", "p2")
    assert chunks([1, 3, 5, 7, 9], 2) == [(1, 3), (5, 7), (9,)]
    assert chunks([], 2) == []
