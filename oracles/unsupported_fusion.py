"""`unsupported-fusion`: a pad is fused into its convolution's dispatch, which then fails to translate.

Interesting when, with both padding-fusion flags, the pad is inside the convolution's dispatch at the flow phase and
that dispatch fails to translate with the held signature. Must still contain: pad and convolution, in that dispatch.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from oracles.dispatches import FLAG_CONSUMER, FLAG_PRODUCER
from oracles.experiment import Experiment, Location, Observe
from oracles.judging import ANY, Wanted, absent, present, refusal
from oracles.padding import FlowPhase, Pair, ask_flow, nothing_to_see
from oracles.signature import SERIALIZATION, TRANSLATION, Fault, faults
from oracles.verdict import Outcome, Verdict

BOTH_FLAGS = (FLAG_CONSUMER, FLAG_PRODUCER)


@dataclass(frozen=True)
class UnsupportedFusion:
    """Oracle of fused dispatches that do not translate. phase: how far to compile."""

    wanted: Wanted = ANY
    phase: str = "hal"

    name: ClassVar[str] = "unsupported-fusion"
    flags: ClassVar[tuple[str, ...]] = BOTH_FLAGS

    def judge(self, program: str, observe: Observe) -> Verdict:
        """A compilation to the flow phase and, if the pad is fused, one to the executables."""
        if (verdict := nothing_to_see(program)) is not None:
            return verdict
        flow = ask_flow(program, observe, BOTH_FLAGS, ())
        if isinstance(flow, Verdict):
            return flow
        if not flow.inside:
            return Verdict(
                Outcome.NOT_INTERESTING,
                f"with both flags the pad is not fused: {flow.describe()}",
                comparison=(
                    ("looked for", "tensor.pad inside the convolution's dispatch"),
                    ("with both flags", flow.describe()),
                ),
                advice="try the two-dispatches oracle, or another release with --iree",
            )
        observation = observe(Experiment(phase=self.phase, add=BOTH_FLAGS, drop=BOTH_FLAGS))
        if (verdict := refusal(observation)) is not None:
            return verdict
        seen = [f for f in faults(observation, self.wanted.level) if f.kind in (TRANSLATION, SERIALIZATION)]
        for fault in seen:
            pair = _failing_pair(flow, fault)
            if pair is not None and self.wanted.accepts(fault):
                phase = "executable-targets" if fault.kind == TRANSLATION else "hal"
                return replace(
                    present(program, fault, phase, pair.evidence),
                    comparison=(("with both flags", flow.describe()), ("translation", fault.message)),
                )
        return absent(
            observation,
            self.wanted,
            self.wanted.describe("failing translation of the fused dispatch"),
            "try another target or release",
        )

    def hold(self, verdict: Verdict) -> UnsupportedFusion:
        """Accept only this signature (or the match), and compile only as far as it needs."""
        return replace(self, wanted=self.wanted.hold(verdict), phase=verdict.phase or self.phase)


def _failing_pair(flow: FlowPhase, fault: Fault) -> Pair | None:
    """The fused pair in whose dispatch the fault is: an error names a place in it; without one, the only dispatch."""
    for pair in flow.inside:
        places = _places(flow, pair)
        if places.intersection(fault.locations):
            return pair
    if not fault.locations and len(flow.flow.dispatches) == 1:
        return flow.inside[0]
    return None


def _places(flow: FlowPhase, pair: Pair) -> set[Location]:
    executable = pair.feed.executable
    places = {place for op in executable.ops for place in op.places}
    places.update(p for d in flow.flow.dispatches if d.executable is executable for p in d.op.places)
    places.update(e.location for e in (pair.pad, pair.convolution) if e.location is not None)
    return places
