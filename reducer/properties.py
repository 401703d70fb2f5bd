"""A property of a compiler as an assertion: an oracle judges a program, and a fault fails the test.

Owns `Iree`, one release with warm workers, and what a failure says. Nothing is reduced here: Hypothesis shrinks what it
draws. Warm workers nominate, as everywhere: a fault that a fresh stock `iree-compile` does not show fails no test. What
was seen of a program once is remembered, so that a fault that comes and goes does not look like a flaky test.
"""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

from hypothesis import currently_in_test_context, event, reject

from oracles.experiment import NUMPY, Experiment, Observation
from oracles.registry import runs_programs
from oracles.run_fault import RunFault
from oracles.verdict import Oracle, Outcome, Verdict
from oracles.wrong_result import WrongResult
from reducer.case import Case
from reducer.errors import ReducerError
from reducer.experiments import Experimenter
from reducer.report.asking import directive_of
from reducer.report.lit import write_repro
from reducer.report.repro import Repro
from reducer.runnable import check_runnable, other_way
from reducer.strategies import Program
from reducer.toolchain.flags import check_flags
from reducer.toolchain.oneshot import never
from reducer.toolchain.pool import Limits, Slot
from reducer.toolchain.releases import Toolchain
from reducer.wire import Edited, InputsRequest, MeasureRequest

FILE_NAME = "program.mlir"
_PLACES = {"%%": "%", "%s": FILE_NAME, "%t": "program"}


class UnusableError(ValueError):
    """A program that the release does not parse or verify."""


class Fault(str):
    """What a failed assertion says. program: as it was given, for whoever shows it and wants to show it once."""

    program: str


@dataclass(frozen=True)
class Judged:
    """A verdict, and the case that it is about."""

    verdict: Verdict
    case: Case


class Iree:
    """One release with warm workers, for one target. Safe in one thread.

    toolchain: the release; target: as `reduce --target` takes it; target_flags: how the release spells it.
    """

    def __init__(self, toolchain: Toolchain, target: str, target_flags: tuple[str, ...], timeout_s: float) -> None:
        self.toolchain = toolchain
        self.target = target
        self.target_flags = target_flags
        self._limits = Limits(timeout_s, 0)
        self._slot = Slot(toolchain, self._limits)
        self._cases: dict[tuple[Oracle, tuple[str, ...]], Case | ReducerError] = {}
        self._faults: dict[Case, Judged] = {}
        self.not_counted = ""
        """Why the last program was not counted that was not."""

    def __repr__(self) -> str:
        return f"<IREE {self.toolchain.release} for {self.target}>"

    def judge(self, oracle: Oracle, program: object, flags: tuple[str, ...] = ()) -> Judged:
        """The oracle's verdict on a program.

        program: MLIR text, or a `reducer.strategies.Program`, whose inputs it is run on. flags: for iree-compile,
        besides the target's and the oracle's own. Raises UnusableError if the release cannot parse the program,
        ReducerError for what it is never asked: a flag that it does not know, running what runs elsewhere.
        """
        __tracebackhide__ = True
        case = replace(
            self._case(oracle, flags), program=str(program), inputs=tuple(getattr(program, "inputs", ()))
        )  # fmt: skip
        if case in self._faults:
            return self._faults[case]
        finished = False
        try:
            verdict = self._verdict(case)
            finished = True
        finally:
            if not finished:  # interrupted: the answer that is still to come must not pass for the next one's
                self.close()
                self._slot = Slot(self.toolchain, self._limits)
        judged = Judged(verdict, case)
        if verdict.interesting:
            self._faults[case] = judged
        return judged

    def close(self) -> None:
        """End its workers."""
        self._slot.retire()
        self._slot.close()

    def _case(self, oracle: Oracle, flags: tuple[str, ...]) -> Case:
        """A case without a program. What can be refused is: once, and the same each time."""
        key = (oracle, flags)
        if key not in self._cases:
            try:
                self._cases[key] = self._new_case(oracle, flags)
            except ReducerError as error:
                self._cases[key] = error
        known = self._cases[key]
        if isinstance(known, ReducerError):
            raise known
        return known

    def _new_case(self, oracle: Oracle, flags: tuple[str, ...]) -> Case:
        case = Case("program", "", oracle, self.toolchain, self.target, self.target_flags, flags)
        if isinstance(oracle, WrongResult | RunFault):
            if oracle.run.reference != NUMPY:
                other = other_way(oracle.run.reference, self.toolchain, self.target_flags, lambda line: None)
                case = replace(case, other=other)
            check_runnable(case)
        check_flags(self.toolchain, case.command())
        return case

    def _verdict(self, case: Case) -> Verdict:
        """By warm workers; a fault by stock processes too."""
        __tracebackhide__ = True
        runs = runs_programs(case.oracle)
        request = InputsRequest(case.program, case.inputs, 0) if runs else MeasureRequest(case.program)
        edited = self._slot.edit(request)
        if not isinstance(edited, Edited) or edited.invalid:
            why = edited.invalid if isinstance(edited, Edited) else edited.message
            raise UnusableError(f"IREE {self.toolchain.release} cannot use this program: {why}\n{case.program}")
        verdict = self._ask(case, edited.program, None)
        if not verdict.interesting:
            return verdict
        with tempfile.TemporaryDirectory(prefix="iree-reduce-") as folder:
            file = Path(folder) / FILE_NAME
            file.write_text(case.program, "utf-8")
            return self._ask(case, edited.program if runs else case.program, file)

    def _ask(self, case: Case, program: str, file: Path | None) -> Verdict:
        """file: what is compiled to be run, by stock processes; None to ask the warm workers."""
        experimenter = Experimenter(case, self._limits, never)

        def observe(experiment: Experiment) -> Observation:
            candidate = (program, case.flags)
            return experimenter.observe(self._slot, candidate, experiment, cold=file is not None, file=file)

        return case.oracle.judge(program, observe)


def assert_holds(oracle: Oracle, program: object, iree: Iree, flags: tuple[str, ...] = ()) -> None:
    """Fail if the program shows the oracle's fault, with what can be pasted into a bug report.

    What the oracle cannot judge (a value that is undefined, a compilation out of time) is not counted: Hypothesis draws
    another program, and outside of Hypothesis it is a ValueError. So is text that the release does not parse.
    """
    __tracebackhide__ = True  # what pytest would show of this function says less than its message
    in_hypothesis = currently_in_test_context()
    try:
        judged = iree.judge(oracle, program, flags)
    except UnusableError as error:
        if in_hypothesis and isinstance(program, Program):  # drawn by our own strategies, and too new for the release
            _do_not_count(iree, str(error).splitlines()[0])
        raise
    verdict = judged.verdict
    if verdict.interesting:
        raise AssertionError(failure(judged))
    if verdict.outcome is Outcome.NOT_INTERESTING:
        return
    if not in_hypothesis:
        advice = f"; {verdict.advice}" if verdict.advice else ""
        raise ValueError(f"{oracle.name} cannot judge this program: {verdict.reason}{advice}\n{program}")
    _do_not_count(iree, verdict.reason)


def _do_not_count(iree: Iree, why: str) -> NoReturn:
    iree.not_counted = why
    event(f"not counted: {why}")  # for --hypothesis-show-statistics
    reject()


def failure(judged: Judged) -> Fault:
    """The reason, the command, and the program under the header that `reduce` and `reduce check` read."""
    verdict, case = judged.verdict, judged.case
    reason = f"{case.oracle.name}: {verdict.reason}"
    repro = Repro(
        program=case.program, file_name=FILE_NAME, release=case.toolchain.release, flags=case.command(),
        phase=verdict.phase or "end", directive=directive_of(case, verdict), seen=reason, run=verdict.run,
    )  # fmt: skip
    text = write_repro(repro)
    run = next((line for line in text.splitlines() if line.startswith("// RUN: ")), "").removeprefix("// RUN: ")
    command = re.sub("%[%st]", lambda place: _PLACES[place[0]], run)
    commands = [command, f"reduce check {FILE_NAME}"] if command else []
    fault = Fault("\n  ".join([reason, *commands]) + f"\n\n{text}")
    fault.program = case.program
    return fault
