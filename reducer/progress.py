"""The state of a reduction: the best program so far and how it came about, what was counted, what was refused.

Owns the history, the journal and the budget. The steps (`steps.py`) propose candidates; here each is recorded,
announced and, if it is smaller and shows the fault, becomes the best.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from oracles.verdict import Outcome, Verdict
from reducer import events, order, wire
from reducer.case import Case, Limits, Refusal
from reducer.evaluator import Candidate, Evaluator, Tested
from reducer.journal import Journal, digest


class BudgetSpentError(Exception):
    """The tests or the time that the user allowed are used up."""


@dataclass(frozen=True)
class Best:
    """A program that shows the fault, its size, and the user's flags that it needs; label: the step that led to it."""

    program: str
    size: wire.Size
    flags: tuple[str, ...]
    verdict: Verdict
    label: str

    @property
    def key(self) -> order.Key:
        """What it is compared by."""
        return order.key(self.size, self.flags)


class Progress:
    """Where a reduction stands.

    refusals: simplifications of the best program, by label. gaps: what could not be tried on
    it, because of a defect of ours; without any, the best program is 1-minimal when a whole round changes nothing.
    """

    def __init__(self, case: Case, limits: Limits, evaluator: Evaluator, journal: Journal, emit: events.Emit) -> None:
        self.case = case
        self.evaluator = evaluator
        self.history: list[Best] = []
        self.refusals: dict[str, Refusal] = {}
        self.gaps: list[str] = []
        self.notes: list[str] = []
        self.tests = 0
        self._limits = limits
        self._journal = journal
        self._emit = emit
        self._started = time.monotonic()

    @property
    def best(self) -> Best:
        """The smallest program so far that shows the fault."""
        return self.history[-1]

    @property
    def seconds(self) -> float:
        """Since the start."""
        return time.monotonic() - self._started

    def begin(self, name: str, sites: int) -> None:
        """Announce a pass."""
        self._emit(events.PassStarted(name, sites))

    def first(self, candidates: Iterable[Candidate], pass_name: str) -> int | None:
        """Try candidates in order until one is smaller and shows the fault; its number, or None."""
        bar = self.best.key
        consumed = self.evaluator.consume(candidates, lambda size, flags: order.key(size, flags) < bar)
        for number, tested in enumerate(consumed):
            self.record(tested, pass_name, accept=tested.interesting)
            if tested.interesting:
                return number
            self.refusals[tested.candidate.label] = refused(tested.candidate.label, tested)
        return None

    def record(self, tested: Tested, pass_name: str, *, accept: bool) -> None:
        """Count, journal and announce what became of a candidate; make it the best if accepted.

        Raises BudgetSpentError.
        """
        verdict, label, flags = tested.verdict, tested.candidate.label, tested.candidate.flags
        if tested.asked and verdict is not None:
            self.tests += 1
            self._journal.judged(digest(tested.program, flags), label, verdict)
            if verdict.slip:
                self._slip(tested, verdict)
        if accept and verdict is not None and tested.size is not None:
            self.history.append(Best(tested.program, tested.size, flags, verdict, label))
            self._journal.improved(tested.program, label, self._step(tested.size, pass_name))
            self._emit(events.Improved(tested.size, flags, pass_name, self.tests))
        self._emit(events.Tested(label, accept, refused(label, tested).instead, tested.asked, self.tests))
        self.check_budget()

    def _step(self, size: wire.Size, pass_name: str) -> dict[str, Any]:
        """A step for the journal."""
        return {
            "pass": pass_name, "tests": self.tests, "seconds": round(self.seconds, 2), "ops": size.ops,
            "elements": size.elements,
        }  # fmt: skip

    def _slip(self, tested: Tested, verdict: Verdict) -> None:
        command = self.case.command(tested.candidate.flags)
        path = self._journal.slipped(tested.program, verdict, command)
        if path is not None:
            self._emit(events.SlipSaved(verdict.signature, path))

    def check_budget(self) -> None:
        """Raise BudgetSpentError if the user's tests or time are used up."""
        if self._limits.tests is not None and self.tests >= self._limits.tests:
            raise BudgetSpentError(f"stopped after {self.tests} tests, as --limit-tests says")
        if self._limits.total_s is not None and self.seconds >= self._limits.total_s:
            raise BudgetSpentError(f"stopped after {self._limits.total_s:g} s, as --limit-time says")

    def gap(self, text: str) -> None:
        """Something could not be tried."""
        self.gaps.append(text)
        self.note(text)

    def note(self, text: str) -> None:
        """Tell the user something, once."""
        if text not in self.notes:
            self.notes.append(text)
            self._emit(events.Note(text))


def refused(label: str, tested: Tested) -> Refusal:
    """A simplification, and what happened to it."""
    if tested.verdict is None:
        return Refusal(label, tested.rejected, judged=False)
    if tested.verdict.outcome in (Outcome.INVALID, Outcome.UNRESOLVED):
        return Refusal(label, f"{tested.verdict.outcome.value}: {tested.verdict.reason}", judged=False)
    return Refusal(label, tested.verdict.reason, judged=True)
