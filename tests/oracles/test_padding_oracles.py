from __future__ import annotations

import pytest

from oracles.dispatch_count import DispatchCount
from oracles.dispatches import FLAG_CONSUMER, FLAG_PRODUCER
from oracles.experiment import Experiment, Location, Observation, Status
from oracles.judging import Wanted
from oracles.no_op_flag import ONLY_MEMCPY, UNCHANGED, NoOpFlag
from oracles.two_dispatches import TwoDispatches
from oracles.unsupported_fusion import UnsupportedFusion
from oracles.verdict import Outcome, Verdict
from tests.oracles.canned import Observer, always, crashed, failed, program

SEED_PAIR = [("tensor.pad", Location(9, 18)), ("linalg.conv_2d_nchw_fchw", Location(15, 8))]


def pair(verdict: Verdict) -> list[tuple[str, Location | None]]:
    return [(e.op, e.location) for e in verdict.evidence]


# no-op-flag


@pytest.mark.parametrize(
    ("name", "release", "signature"),
    [
        ("pad_conv", "3.3.0", UNCHANGED),
        ("pad_used_twice", "3.13.0", UNCHANGED),
        ("quantised_conv", "3.13.0", UNCHANGED),
        ("strided_1x1_conv", "3.13.0", ONLY_MEMCPY),
    ],
)
def test_no_op_flag(name: str, release: str, signature: str) -> None:
    observer = Observer(name, release)
    verdict = NoOpFlag().judge(program(name), observer)
    assert (verdict.outcome, verdict.signature) == (Outcome.INTERESTING, signature)
    first, second = verdict.evidence
    assert first.op == "tensor.pad"
    assert second.op.startswith("linalg.conv_2d_")
    assert len(observer.asked) == 2
    assert all(e.phase == "flow" and e.ir for e in observer.asked)
    assert NoOpFlag().hold(verdict).judge(program(name), observer).interesting


def test_no_op_flag_evidence() -> None:
    assert pair(NoOpFlag().judge(program("pad_conv"), Observer("pad_conv", "3.3.0"))) == SEED_PAIR


def test_no_op_flag_that_works() -> None:
    """3.13.0 fuses the pad; the verdict shows both sides."""
    verdict = NoOpFlag().judge(program("pad_conv"), Observer("pad_conv", "3.13.0"))
    assert verdict.outcome is Outcome.NOT_INTERESTING
    assert not verdict.slip
    assert verdict.comparison == (
        ("with the flag", "1 dispatch, `tensor.pad` inside the convolution's"),
        ("without", "2 dispatches, `tensor.pad` done by a slow memcpy outside the convolution's"),
    )
    assert verdict.advice != ""


def test_no_op_flag_held_stops_as_soon_as_it_knows() -> None:
    observer = Observer("pad_conv", "3.13.0")
    assert not NoOpFlag(wanted=Wanted(UNCHANGED)).judge(program("pad_conv"), observer).interesting
    assert len(observer.asked) == 1


def test_no_op_flag_does_not_slide_into_the_lesser_fault() -> None:
    verdict = NoOpFlag(wanted=Wanted(UNCHANGED)).judge(
        program("strided_1x1_conv"), Observer("strided_1x1_conv", "3.13.0")
    )
    assert verdict.slip
    assert verdict.signature == ONLY_MEMCPY
    greater = NoOpFlag(wanted=Wanted(ONLY_MEMCPY)).judge(
        program("pad_used_twice"), Observer("pad_used_twice", "3.13.0")
    )
    assert (greater.interesting, greater.signature) == (True, ONLY_MEMCPY)


def test_matmul_is_beside_the_point() -> None:
    observer = Observer("matmul", "3.13.0")
    verdict = NoOpFlag().judge(program("matmul"), observer)
    assert verdict.outcome is Outcome.NOT_INTERESTING
    assert observer.asked == []


def test_a_pad_of_irees_own_does_not_count() -> None:
    """The pad at the flow phase stems from 9:18, where the program has an op that is neither pad nor higher-level."""
    lines = program("pad_conv").splitlines()
    (pad,) = [n for n, line in enumerate(lines) if "tensor.pad" in line]
    lines[pad] = lines[pad].replace("tensor.pad", "test.other")
    lines.insert(
        len(lines) - 1, "  %again = tensor.pad %0 low[0] high[0] {\n    tensor.yield %cst : f32\n  } : !O_T to !O_T"
    )
    observer = Observer("pad_conv", "3.3.0")
    verdict = NoOpFlag().judge("\n".join(lines), observer)
    assert verdict.outcome is Outcome.NOT_INTERESTING
    assert len(observer.asked) == 2


@pytest.mark.parametrize("text", ["", "module {}\n", "func.func @main() {\n  return\n}\n"])
def test_empty_programs(text: str) -> None:
    observer = Observer("pad_conv", "3.3.0")
    for oracle in (NoOpFlag(), TwoDispatches(), UnsupportedFusion()):
        assert not oracle.judge(text, observer).interesting
    assert observer.asked == []


def test_flags_by_definition() -> None:
    assert NoOpFlag("--x").flags == ("--x",)
    assert TwoDispatches().flags == (FLAG_PRODUCER,)
    assert UnsupportedFusion().flags == (FLAG_CONSUMER, FLAG_PRODUCER)
    assert DispatchCount(1).flags == ()


# two-dispatches


@pytest.mark.parametrize("release", ["3.3.0", "3.13.0"])
def test_two_dispatches(release: str) -> None:
    observer = Observer("pad_conv", release)
    verdict = TwoDispatches().judge(program("pad_conv"), observer)
    assert verdict.interesting
    assert verdict.signature == "pad in another dispatch than its convolution"
    assert pair(verdict) == SEED_PAIR
    assert [set(e.add) & {FLAG_CONSUMER, FLAG_PRODUCER} for e in observer.asked] == [{FLAG_PRODUCER}]


def test_together() -> None:
    observer = Observer("pad_conv", "3.13.0")
    verdict = TwoDispatches(FLAG_CONSUMER).judge(program("pad_conv"), observer)
    assert verdict.outcome is Outcome.NOT_INTERESTING
    assert verdict.reason == "the pad is inside the convolution's dispatch"


def test_apart_in_another_way_is_a_slip() -> None:
    oracle = TwoDispatches(FLAG_CONSUMER, Wanted("pad in another dispatch than its convolution"))
    verdict = oracle.judge(program("pad_conv"), Observer("pad_conv", "3.3.0"))
    assert verdict.slip
    assert verdict.signature == "pad by a slow memcpy before its convolution"


# dispatch-count


def test_dispatch_count() -> None:
    verdict = DispatchCount(1).judge(program("pad_conv"), Observer("pad_conv", "3.3.0"))
    assert verdict.interesting
    assert verdict.signature == "more dispatches than expected: slow memcpy"
    assert pair(verdict) == SEED_PAIR[:1]
    assert DispatchCount(1).hold(verdict).judge(program("pad_conv"), Observer("pad_conv", "3.3.0")).interesting


def test_as_many_dispatches_as_expected() -> None:
    verdict = DispatchCount(2).judge(program("pad_conv"), Observer("pad_conv", "3.3.0"))
    assert verdict.outcome is Outcome.NOT_INTERESTING
    assert verdict.comparison == (
        ("expected", "at most 2"),
        ("seen", "2: 1 x slow memcpy; 1 x linalg.conv_2d_nchw_fchw + linalg.fill"),
    )


def test_other_dispatches_too_many() -> None:
    held = DispatchCount(1, Wanted("more dispatches than expected: linalg.softmax; linalg.reduce"))
    assert held.judge(program("pad_conv"), Observer("pad_conv", "3.3.0")).slip


def test_no_dispatches_at_all() -> None:
    assert not DispatchCount(0).judge("", lambda _: Observation(Status.OK, ir="module {\n}\n")).interesting


# unsupported-fusion


def test_unsupported_fusion() -> None:
    observer = Observer("pad_conv", "3.13.0", always(failed("pad_conv.3.7.0.vulkan.both")))
    verdict = UnsupportedFusion().judge(program("pad_conv"), observer)
    assert verdict.interesting
    assert verdict.signature == "function '_' uses N bytes of shared memory; exceeded the limit of N bytes"
    assert pair(verdict) == SEED_PAIR
    assert [e.phase for e in observer.asked] == ["flow", "hal"]
    held = UnsupportedFusion().hold(verdict)
    assert held.judge(program("pad_conv"), observer).interesting
    assert observer.asked[-1].phase == "executable-targets"


def test_not_fused() -> None:
    observer = Observer("pad_conv", "3.6.0", always(failed("pad_conv.2.9.0.llvm-cpu.producer")))
    verdict = UnsupportedFusion().judge(program("pad_conv"), observer)
    assert verdict.outcome is Outcome.NOT_INTERESTING
    assert ("with both flags", "2 dispatches, `tensor.pad` in another than the convolution's") in verdict.comparison
    assert len(observer.asked) == 1


def test_fused_and_fine() -> None:
    assert not UnsupportedFusion().judge(program("pad_conv"), Observer("pad_conv", "3.3.0")).interesting


def test_another_dispatch_fails() -> None:
    """The failing executable is at a place that the fused dispatch does not hold."""
    observer = Observer("pad_conv", "3.3.0", always(failed("p5026.3.13.0.llvm-cpu.consumer")))
    verdict = UnsupportedFusion().judge(program("pad_conv"), observer)
    assert verdict.slip


# what answers nothing


def stopped(status: Status) -> Observer:
    observer = Observer("none", "0.0.0", always(Observation(status)))
    return observer


@pytest.mark.parametrize("oracle", [NoOpFlag(), TwoDispatches(), UnsupportedFusion(), DispatchCount(1)])
def test_flow_phase_not_reached(oracle: NoOpFlag | TwoDispatches | UnsupportedFusion | DispatchCount) -> None:
    text = program("pad_conv")

    def judge(observation: Observation) -> Verdict:
        return oracle.judge(text, always(observation))

    assert judge(Observation(Status.TIMED_OUT, 3.0)).outcome is Outcome.UNRESOLVED
    assert judge(Observation(Status.OUT_OF_MEMORY)).outcome is Outcome.UNRESOLVED
    assert judge(failed("bad2.3.13.0.llvm-cpu.none")).outcome is Outcome.INVALID
    assert judge(failed("pad_conv.3.13.0.llvm-cpu.unknown_flag")).outcome is Outcome.INVALID
    assert judge(failed("strided_unit_conv.3.13.0.llvm-cpu.none")).slip
    assert judge(crashed("p8119.3.13.0.llvm-cpu.plain")).signature == "crash: signal 11"


def test_the_flag_is_never_given_twice() -> None:
    """iree-compile refuses an option that occurs twice: what is added is dropped first."""
    asked: list[Experiment] = []

    def observe(experiment: Experiment) -> Observation:
        asked.append(experiment)
        return Observation(Status.TIMED_OUT)

    NoOpFlag().judge(program("pad_conv"), observe)
    assert set(asked[0].add) <= set(asked[0].drop)
