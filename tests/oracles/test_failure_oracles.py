from __future__ import annotations

import pytest

from oracles.crash import Crash
from oracles.diagnostic import DiagnosticError
from oracles.experiment import Experiment, Location, Observation, Status
from oracles.hang import Hang
from oracles.judging import Wanted
from oracles.script import Script
from oracles.translation_error import TranslationError
from oracles.verdict import Outcome
from tests.oracles.canned import always, crashed, failed, program

OK = Observation(Status.OK)
CAST = "LLVM Translation failed for operation: builtin.unrealized_conversion_cast"
EXECUTABLES = """
module {
  hal.executable private @main_dispatch_0 {
    hal.executable.variant public @cuda target(<"cuda">) {
      llvm.func @main_dispatch_0(%arg0: i64) {
        %0 = builtin.unrealized_conversion_cast %arg0 : i64 to index loc(unknown)
        llvm.return loc(callsite("pad_conv.mlir":9:18 at "pad_conv.mlir":6:1))
      } loc(callsite("pad_conv.mlir":9:18 at "pad_conv.mlir":6:1))
    } loc(unknown)
  } loc(callsite("pad_conv.mlir":9:18 at "pad_conv.mlir":6:1))
} loc("pad_conv.mlir":0:0)
"""


class Asked:
    """Remembers the experiments; answers by phase."""

    def __init__(self, fallback: Observation, **phases: Observation) -> None:
        self.fallback = fallback
        self.phases = {name.replace("_", "-"): seen for name, seen in phases.items()}
        self.experiments: list[Experiment] = []

    def __call__(self, experiment: Experiment) -> Observation:
        self.experiments.append(experiment)
        return self.phases.get(experiment.phase, self.fallback)

    @property
    def order(self) -> list[str]:
        return [e.phase for e in self.experiments]


# translation-error


def test_translation_error_says_what_happens_after_translation() -> None:
    asked = Asked(failed("pad_conv.3.13.0.llvm-cpu.producer"), hal=OK)
    verdict = TranslationError().judge(program("pad_conv"), asked)
    assert not verdict.interesting
    assert asked.order == ["hal", "end"]
    assert verdict.comparison[1] == ("seen", verdict.reason.split("not seen: ")[1])
    assert "it compiles" not in verdict.reason


@pytest.mark.parametrize(
    ("name", "signature", "place"),
    [
        ("pad_conv.2.9.0.llvm-cpu.producer", "silent failure of ConcretizePadResultShapePass", Location(9, 18)),
        ("pad_conv.3.13.0.llvm-cpu.producer", "silent failure of ConcretizePadResultShapePass", Location(9, 18)),
        ("pad_conv.3.3.0.vulkan.both", "failed to legalize operation 'arith.constant'", Location(15, 8)),
    ],
)
def test_translation_error(name: str, signature: str, place: Location) -> None:
    asked = Asked(failed(name))
    verdict = TranslationError().judge(program("pad_conv"), asked)
    assert (verdict.outcome, verdict.signature) == (Outcome.INTERESTING, signature)
    assert [e.location for e in verdict.evidence] == [place]
    assert asked.order == ["hal"]
    held = TranslationError().hold(verdict)
    assert held.judge(program("pad_conv"), asked).interesting
    assert asked.order[-1] == "executable-targets"


def test_translation_error_without_a_place() -> None:
    """Serialisation gives no place: the executable that holds the op leads to the pad. Once only."""
    asked = Asked(failed("pad_conv.3.3.0.cuda.producer"), executable_targets=Observation(Status.OK, ir=EXECUTABLES))
    verdict = TranslationError().judge(program("pad_conv"), asked)
    assert verdict.signature == CAST
    assert [(e.op, e.location) for e in verdict.evidence] == [("tensor.pad", Location(9, 18))]
    assert asked.order == ["hal", "executable-targets"]
    held = TranslationError().hold(verdict)
    assert held.judge(program("pad_conv"), asked).interesting
    assert asked.order[2:] == ["hal"]


def test_other_translation_error_is_a_slip() -> None:
    held = TranslationError(Wanted(CAST))
    verdict = held.judge(program("pad_conv"), always(failed("pad_conv.3.3.0.vulkan.both")))
    assert verdict.slip
    assert verdict.signature == "failed to legalize operation 'arith.constant'"


def test_wanted_error_behind_another() -> None:
    held = TranslationError(Wanted("'func.func' op tile and fuse greedily failed"))
    assert held.judge("", always(failed("p5081.3.6.0.llvm-cpu.pad_handling"))).interesting


def test_failure_before_translation_is_a_slip() -> None:
    verdict = TranslationError().judge("", always(failed("strided_unit_conv.3.13.0.llvm-cpu.none")))
    assert verdict.slip
    assert "'linalg.generic' op inferred" in verdict.reason


def test_crash_is_a_slip_of_translation_error() -> None:
    assert TranslationError().judge("", always(crashed("pad_conv.3.4.0.rocm.producer"))).slip


@pytest.mark.parametrize(
    ("pattern", "interesting"), [("shared memory", True), (r"\d{6} bytes", True), ("cast$", False)]
)
def test_match_looks_at_what_was_said(pattern: str, interesting: bool) -> None:
    oracle = TranslationError(Wanted(match=pattern))
    verdict = oracle.judge("", always(failed("pad_conv.3.7.0.vulkan.both")))
    assert verdict.interesting is interesting
    if interesting:
        assert oracle.hold(verdict).judge("", always(failed("pad_conv.2.9.0.cuda.both"))).interesting


def test_class_level() -> None:
    first = TranslationError(Wanted(level="class")).judge("", always(failed("pad_conv.2.9.0.cuda.both")))
    held = TranslationError(Wanted(level="class")).hold(first)
    assert held.judge("", always(failed("pad_conv.3.3.0.vulkan.both"))).interesting
    assert not held.judge("", always(failed("strided_unit_conv.3.13.0.llvm-cpu.none"))).interesting


# diagnostic


def test_diagnostic_finds_the_first_phase_that_shows_it() -> None:
    seen = failed("strided_unit_conv.3.13.0.llvm-cpu.none")
    asked = Asked(seen, input=OK)
    verdict = DiagnosticError().judge(program("strided_unit_conv"), asked)
    assert [(e.op, e.location) for e in verdict.evidence] == [("linalg.conv_1d_nwc_wcf", Location(5, 8))]
    assert (asked.order, verdict.phase) == (["end", "input", "flow"], "flow")
    asked.experiments.clear()
    assert DiagnosticError().hold(verdict).judge(program("strided_unit_conv"), asked).interesting
    assert asked.order == ["flow"]


def test_diagnostic_takes_translation_errors_too() -> None:
    verdict = DiagnosticError(Wanted(CAST)).judge("", always(failed("pad_conv.3.3.0.cuda.producer")))
    assert verdict.interesting


def test_diagnostic_of_a_program_that_compiles() -> None:
    verdict = DiagnosticError(Wanted(match="never said")).judge("", always(OK))
    assert verdict.outcome is Outcome.NOT_INTERESTING
    assert verdict.comparison == (("looked for", "error that matches 'never said'"), ("seen", "it compiles"))


@pytest.mark.parametrize(
    "oracle", [DiagnosticError(), TranslationError(), Crash(), DiagnosticError(Wanted(level="class"))]
)
@pytest.mark.parametrize("release", ["2.9.0", "3.13.0"])
def test_rejected_and_empty_programs_are_invalid(
    oracle: DiagnosticError | TranslationError | Crash, release: str
) -> None:
    for name in ("bad1", "bad2", "bad3", "bad4", "bad5", "empty"):
        assert oracle.judge("", always(failed(f"{name}.{release}.llvm-cpu.none"))).outcome is Outcome.INVALID


def test_a_rejected_flag_is_invalid_in_irees_own_words() -> None:
    verdict = DiagnosticError().judge("", always(failed("pad_conv.3.13.0.llvm-cpu.bad_value")))
    assert verdict.outcome is Outcome.INVALID
    assert "'O9' value not a valid optimization level" in verdict.reason


# crash


def test_crash() -> None:
    seen = crashed("column_pad_conv.3.13.0.llvm-cpu.plain1")
    asked = Asked(seen, input=OK, flow=OK)
    verdict = Crash().judge("", asked)
    assert verdict.signature.startswith("crash: signal 11 in libIREECompiler.so+0x53fba21")
    assert (asked.order, verdict.phase) == (["end", "input", "flow", "executable-targets"], "executable-targets")
    held = Crash().hold(verdict)
    assert held.judge("", always(crashed("column_pad_conv.3.13.0.llvm-cpu.plain2"))).interesting
    other = held.judge("", always(crashed("p8119.3.13.0.llvm-cpu.plain")))
    assert other.slip
    assert "--signature class" in other.advice


def test_crash_by_signal_alone() -> None:
    oracle = Crash(Wanted(level="class"))
    held = oracle.hold(oracle.judge("", always(crashed("column_pad_conv.3.13.0.llvm-cpu.plain1"))))
    assert held.judge("", always(crashed("p8119.3.13.0.llvm-cpu.plain"))).interesting
    assert not held.judge("", always(crashed("p8119.3.13.0.llvm-cpu.plain", signal=8))).interesting


def test_error_is_a_slip_of_crash() -> None:
    assert Crash().judge("", always(failed("pad_conv.3.3.0.vulkan.both"))).slip


@pytest.mark.parametrize("status", [Status.TIMED_OUT, Status.OUT_OF_MEMORY])
@pytest.mark.parametrize("oracle", [Crash(), DiagnosticError(), TranslationError()])
def test_limits_are_no_answer(oracle: Crash | DiagnosticError | TranslationError, status: Status) -> None:
    assert oracle.judge("", always(Observation(status))).outcome is Outcome.UNRESOLVED


# hang


def test_hang_is_confirmed_by_a_new_process() -> None:
    asked = Asked(Observation(Status.TIMED_OUT, 2.0), input=OK, flow=OK)
    verdict = Hang(2.0).judge("", asked)
    assert verdict.interesting
    assert asked.order == ["end", "input", "flow", "executable-targets", "executable-targets"]
    assert [e.fresh for e in asked.experiments] == [False] * 4 + [True]
    assert [e.timeout_s for e in asked.experiments] == [2.0] * 4 + [4.0]
    asked.experiments.clear()
    assert Hang(2.0).hold(verdict).judge("", asked).interesting
    assert asked.order == ["executable-targets"] * 2


def test_hang_is_not_confirmed_near_the_limit() -> None:
    """The program takes 2.5 s: the noise of the machine could make it 1.9 or 2.1."""

    def observe(experiment: Experiment) -> Observation:
        over = experiment.timeout_s is not None and experiment.timeout_s < 2.5
        return Observation(Status.TIMED_OUT if over else Status.OK, 2.5)

    verdict = Hang(2.0).judge("", observe)
    assert verdict.outcome is Outcome.NOT_INTERESTING
    assert verdict.reason == "compilation ends after 2.50 s in a new process, the limit is 4 s"


def test_hang_that_a_new_process_does_not_confirm() -> None:
    def observe(experiment: Experiment) -> Observation:
        return Observation(Status.OK, 0.5) if experiment.fresh else Observation(Status.TIMED_OUT, 2.0)

    verdict = Hang(2.0).judge("", observe)
    assert verdict.outcome is Outcome.NOT_INTERESTING
    assert "in a new process" in verdict.reason


@pytest.mark.parametrize(
    ("seen", "outcome"),
    [
        (Observation(Status.OK, 0.7), Outcome.NOT_INTERESTING),
        (Observation(Status.OUT_OF_MEMORY), Outcome.UNRESOLVED),
        (failed("bad1.3.13.0.llvm-cpu.none"), Outcome.INVALID),
        (failed("pad_conv.3.3.0.vulkan.both"), Outcome.NOT_INTERESTING),
    ],
)
def test_no_hang(seen: Observation, outcome: Outcome) -> None:
    assert Hang(2.0).judge("", always(seen)).outcome is outcome


# script


@pytest.mark.parametrize(
    ("code", "convention", "interesting"),
    [(0, "zero", True), (1, "zero", False), (0, "nonzero", False), (3, "nonzero", True)],
)
def test_script(code: int, convention: str, interesting: bool) -> None:
    asked = Asked(Observation(Status.FAILED if code else Status.OK, exit_code=code))
    oracle = Script(("./t.sh", "-x"), "zero" if convention == "zero" else "nonzero")
    assert oracle.judge("", asked).interesting is interesting
    assert [e.command for e in asked.experiments] == [("./t.sh", "-x")]


@pytest.mark.parametrize("convention", ["zero", "nonzero"])
@pytest.mark.parametrize("status", [Status.TIMED_OUT, Status.CRASHED])
def test_script_without_an_answer(status: Status, convention: str) -> None:
    oracle = Script(("./t.sh",), "zero" if convention == "zero" else "nonzero")
    assert oracle.judge("", always(Observation(status, exit_code=1))).outcome is Outcome.UNRESOLVED
