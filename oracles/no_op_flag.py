"""`no-op-flag`: a padding-fusion flag that changes nothing about where the work goes.

Interesting when, at the flow phase, with and without the flag the dispatches are the same and hold the same ops, and a
`tensor.pad` that feeds a convolution is still materialised outside the convolution's dispatch. Must still contain: that
pad and that convolution, one feeding the other.

A pad that the flag only turns from a slow memcpy into a dispatch of its own has not moved: as many dispatches still do
the same work. That is the lesser fault, with a signature of its own: a seed with the greater never slides into it.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import ClassVar

from oracles.dispatches import FLAG_CONSUMER, Dispatch, Flow
from oracles.experiment import Observe
from oracles.judging import ANY, Wanted
from oracles.padding import FlowPhase, ask_flow, nothing_to_see
from oracles.verdict import Outcome, Verdict

UNCHANGED = "the flag changes no dispatch"
ONLY_MEMCPY = "the flag only makes the slow memcpy of a pad a dispatch of its own"


@dataclass(frozen=True)
class NoOpFlag:
    """Oracle of a flag without effect. flag: the flag, as on the command line."""

    flag: str = FLAG_CONSUMER
    wanted: Wanted = ANY

    name: ClassVar[str] = "no-op-flag"

    @property
    def flags(self) -> tuple[str, ...]:
        """The flag itself."""
        return (self.flag,)

    def judge(self, program: str, observe: Observe) -> Verdict:
        """Two compilations to the flow phase; one if the flag does its work."""
        if (verdict := nothing_to_see(program)) is not None:
            return verdict
        given = ask_flow(program, observe, (self.flag,), ())
        if isinstance(given, Verdict):
            return given
        if self.wanted.signature is not None and not given.outside:
            return self._effective(given, None)
        without = ask_flow(program, observe, (), (self.flag,))
        if isinstance(without, Verdict):
            return without
        signature = sameness(given.flow, without.flow) if given.outside else ""
        if not signature:
            return self._effective(given, without)
        held = self.wanted.signature
        if held == UNCHANGED and signature != UNCHANGED:
            return replace(self._effective(given, without), reason=signature, signature=signature)
        pair = given.outside[0]
        return Verdict(
            Outcome.INTERESTING,
            f"{signature}: {given.describe()}",
            held or signature,
            pair.evidence,
            self._rows(given, without),
            phase="flow",
        )

    def _rows(self, given: FlowPhase, without: FlowPhase | None) -> tuple[tuple[str, str], ...]:
        rows = (("with the flag", given.describe()),)
        return rows if without is None else (*rows, ("without", without.describe()))

    def _effective(self, given: FlowPhase, without: FlowPhase | None) -> Verdict:
        if not given.pairs:
            reason, advice = "no tensor.pad feeds a convolution at the flow phase", "the pad may have been folded away"
        elif not given.outside:
            reason, advice = (
                "with the flag the pad is inside the convolution's dispatch",
                "try an older release with --iree",
            )
        else:
            reason, advice = "the flag changes the dispatches", "try the two-dispatches oracle, or another --flag"
        return Verdict(Outcome.NOT_INTERESTING, reason, comparison=self._rows(given, without), advice=advice)

    def hold(self, verdict: Verdict) -> NoOpFlag:
        """Accept only this way of doing nothing."""
        return replace(self, wanted=self.wanted.hold(verdict))


def sameness(ours: Flow, theirs: Flow) -> str:
    """In which way two flow phases do the same work: UNCHANGED or ONLY_MEMCPY; "" if they do not."""
    if [d.executable.everything for d in ours.dispatches] == [d.executable.everything for d in theirs.dispatches]:
        return UNCHANGED if len(ours.splats) == len(theirs.splats) else ""
    if Counter(map(_work, ours.dispatches)) == Counter(map(_work, theirs.dispatches)):
        return ONLY_MEMCPY
    return ""


def _work(dispatch: Dispatch) -> tuple[str, ...]:
    """What a dispatch computes; copying into a splat is what a pad does."""
    executable = dispatch.executable
    if executable.slow_memcpy and dispatch.into:
        return ("tensor.pad",)
    return executable.work
