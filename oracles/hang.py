"""`hang`: compilation takes longer than a limit.

Interesting when compilation exceeds `timeout_s` and a stock compiler in a new process exceeds it too. Must still
contain: nothing but what takes so long.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from oracles.experiment import Experiment, Observation, Observe, Status
from oracles.judging import ANY, PHASES, absent, refusal
from oracles.verdict import Outcome, Verdict

SIGNATURE = "compilation does not end in time"


@dataclass(frozen=True)
class Hang:
    """Oracle of compilations without end. timeout_s: seconds; phase: how far to compile; held: after `hold`."""

    timeout_s: float = 30.0
    phase: str = "end"
    held: bool = False

    name: ClassVar[str] = "hang"
    flags: ClassVar[tuple[str, ...]] = ()

    def judge(self, program: str, observe: Observe) -> Verdict:
        """Two compilations at most, or three limits' time for a first verdict that looks for the phase."""
        del program
        observation = observe(Experiment(phase=self.phase, timeout_s=self.timeout_s))
        if observation.status is not Status.TIMED_OUT:
            return refusal(observation) or self._ended(observation, "")
        phase = self.phase if self.held else self._earliest(observe)
        confirmed = observe(Experiment(phase=phase, timeout_s=self.timeout_s, fresh=True))
        if confirmed.status is not Status.TIMED_OUT:
            return refusal(confirmed) or self._ended(confirmed, " in a new process")
        return Verdict(
            Outcome.INTERESTING,
            f"compilation to {phase} takes longer than {self.timeout_s:g} s, twice",
            SIGNATURE,
            phase=phase,
        )

    def _earliest(self, observe: Observe) -> str:
        for phase in PHASES:
            if observe(Experiment(phase=phase, timeout_s=self.timeout_s)).status is Status.TIMED_OUT:
                return phase
        return self.phase

    def _ended(self, observation: Observation, where: str) -> Verdict:
        if observation.status is Status.OK:
            ended = f"compilation ends after {observation.seconds:.2f} s{where}, the limit is {self.timeout_s:g} s"
            return Verdict(
                Outcome.NOT_INTERESTING,
                ended,
                comparison=(
                    ("looked for", f"more than {self.timeout_s:g} s"),
                    ("seen", f"{observation.seconds:.2f} s"),
                ),
                advice=f"a lower --timeout, above what a healthy program of this size takes: now {self.timeout_s:g} s",
            )
        return absent(observation, ANY, f"compilation over {self.timeout_s:g} s", "see what fails first")

    def hold(self, verdict: Verdict) -> Hang:
        """Compile only as far as the hang needs."""
        return replace(self, phase=verdict.phase or self.phase, held=True)
