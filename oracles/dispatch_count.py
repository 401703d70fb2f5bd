"""`dispatch-count`: more dispatches than expected.

Interesting when the program launches more than `expect` dispatches at the flow phase. Must still contain: what an extra
dispatch does. The extra ones are those that do the least: with `expect` N all but the N that hold the most ops; among
them must be one that does what an extra dispatch of the seed did.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import ClassVar

from oracles.dispatches import Dispatch, Flow
from oracles.experiment import Observe
from oracles.judging import ANY, Wanted, places_in
from oracles.padding import ask_flow
from oracles.verdict import Outcome, Verdict

_SEPARATOR = "; "


@dataclass(frozen=True)
class DispatchCount:
    """Oracle of too many dispatches. expect: how many there should be."""

    expect: int
    wanted: Wanted = ANY

    name: ClassVar[str] = "dispatch-count"
    flags: ClassVar[tuple[str, ...]] = ()

    def judge(self, program: str, observe: Observe) -> Verdict:
        """One compilation to the flow phase."""
        phase = ask_flow(program, observe, (), ())
        if isinstance(phase, Verdict):
            return phase
        flow = phase.flow
        extra = _lightest_first(flow)[: max(len(flow.dispatches) - self.expect, 0)]
        seen = _SEPARATOR.join(f"{n} x {work}" for work, n in Counter(map(describe, flow.dispatches)).items()) or "none"
        rows = (("expected", f"at most {self.expect}"), ("seen", f"{len(flow.dispatches)}: {seen}"))
        if not extra:
            return Verdict(
                Outcome.NOT_INTERESTING,
                f"dispatches: {len(flow.dispatches)}, expected at most {self.expect}",
                comparison=rows,
                advice=f"a lower --expect, at most {max(len(flow.dispatches) - 1, 0)}",
            )
        works = dict.fromkeys(describe(d) for d in extra)
        signature = f"more dispatches than expected: {_SEPARATOR.join(works)}"
        if self.wanted.signature is not None:
            if not works.keys() & _held(self.wanted.signature):
                return Verdict(
                    Outcome.NOT_INTERESTING, f"other dispatches are too many: {seen}", signature, comparison=rows
                )
            signature = self.wanted.signature
        places = [place for d in extra for place in (*d.op.places, *(p for op in d.executable.ops for p in op.places))]
        return Verdict(
            Outcome.INTERESTING,
            f"dispatches: {len(flow.dispatches)}, expected at most {self.expect}",
            signature,
            places_in(program, places, "in a dispatch too many"),
            rows,
            phase="flow",
        )

    def hold(self, verdict: Verdict) -> DispatchCount:
        """Accept only too many dispatches among which is one that does what one of these did."""
        return replace(self, wanted=self.wanted.hold(verdict))


def describe(dispatch: Dispatch) -> str:
    """What a dispatch does, in op names: `linalg.fill + linalg.generic`."""
    if dispatch.executable.slow_memcpy:
        return "slow memcpy"
    return " + ".join(dict.fromkeys(dispatch.executable.work)) or "nothing"


def _lightest_first(flow: Flow) -> list[Dispatch]:
    return sorted(flow.dispatches, key=lambda d: len(d.executable.work))


def _held(signature: str) -> set[str]:
    return set(signature.partition(": ")[2].split(_SEPARATOR))
