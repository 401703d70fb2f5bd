"""`two-dispatches`: the producer flag leaves a pad and the convolution that it feeds in different dispatches.

Interesting when, at the flow phase with the producer flag, the pad is computed outside the convolution's dispatch. Must
still contain: that pad and that convolution, one feeding the other. The signature tells a pad in a dispatch from one
that is done by a slow memcpy or an update.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from oracles.dispatches import FLAG_PRODUCER
from oracles.experiment import Observe
from oracles.judging import ANY, Wanted
from oracles.padding import FlowPhase, Pair, ask_flow, nothing_to_see
from oracles.verdict import Outcome, Verdict


@dataclass(frozen=True)
class TwoDispatches:
    """Oracle of a pad and a convolution that stay apart."""

    flag: str = FLAG_PRODUCER
    wanted: Wanted = ANY

    name: ClassVar[str] = "two-dispatches"

    @property
    def flags(self) -> tuple[str, ...]:
        """The producer flag."""
        return (self.flag,)

    def judge(self, program: str, observe: Observe) -> Verdict:
        """One compilation to the flow phase."""
        if (verdict := nothing_to_see(program)) is not None:
            return verdict
        phase = ask_flow(program, observe, (self.flag,), ())
        if isinstance(phase, Verdict):
            return phase
        pair = next((p for p in phase.outside if self.wanted.signature in (None, _signature(p))), None)
        if pair is None:
            return _together(phase)
        return Verdict(
            Outcome.INTERESTING,
            f"with the producer flag: {phase.describe()}",
            _signature(pair),
            pair.evidence,
            (("with the flag", phase.describe()),),
            phase="flow",
        )

    def hold(self, verdict: Verdict) -> TwoDispatches:
        """Accept only a pad that is computed in the same way."""
        return replace(self, wanted=self.wanted.hold(verdict))


def _signature(pair: Pair) -> str:
    where = {
        "dispatch": "in another dispatch than",
        "slow memcpy": "by a slow memcpy before",
        "update": "by an update before",
    }
    return f"pad {where[pair.feed.where]} its convolution"


def _together(phase: FlowPhase) -> Verdict:
    other = _signature(phase.outside[0]) if phase.outside else ""
    reason = other or (
        "the pad is inside the convolution's dispatch"
        if phase.pairs
        else "no pad feeds a convolution at the flow phase"
    )
    return Verdict(
        Outcome.NOT_INTERESTING,
        reason,
        other,
        comparison=(("looked for", "pad and convolution in different dispatches"), ("with the flag", phase.describe())),
        advice="see whether other flags given after -- fuse them, or whether the pad was folded away",
    )
