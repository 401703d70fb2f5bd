"""`hang`: compilation takes longer than a limit.

Interesting when compilation exceeds `timeout_s` and a stock compiler in a new process exceeds twice that: a program
whose time is about the limit would else be confirmed or not by what else the machine does. Must still contain: nothing
but what takes so long. What a healthy compilation takes, and so which limits make sense, is the caller's business.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from oracles.experiment import Experiment, Observation, Observe, Status
from oracles.judging import ANY, PHASES, absent, refusal
from oracles.verdict import Outcome, Verdict

SIGNATURE = "compilation does not end in time"
CONFIRM_FACTOR = 2.0


@dataclass(frozen=True)
class Hang:
    """Oracle of compilations without end. timeout_s: seconds; phase: how far to compile; held: after `hold`."""

    timeout_s: float = 30.0
    phase: str = "end"
    held: bool = False

    name: ClassVar[str] = "hang"
    flags: ClassVar[tuple[str, ...]] = ()

    def judge(self, program: str, observe: Observe) -> Verdict:
        """Three limits' time at most; two more for a first verdict, which looks for the phase."""
        del program
        observation = observe(Experiment(phase=self.phase, timeout_s=self.timeout_s))
        if observation.status is not Status.TIMED_OUT:
            return refusal(observation) or self._ended(observation, "", self.timeout_s)
        phase = self.phase if self.held else self._earliest(observe)
        long_s = CONFIRM_FACTOR * self.timeout_s
        confirmed = observe(Experiment(phase=phase, timeout_s=long_s, fresh=True))
        if confirmed.status is not Status.TIMED_OUT:
            return refusal(confirmed) or self._ended(confirmed, " in a new process", long_s)
        return Verdict(
            Outcome.INTERESTING,
            f"compilation to {phase} takes longer than {self.timeout_s:g} s, in a new process than {long_s:g} s",
            SIGNATURE,
            phase=phase,
        )

    def _earliest(self, observe: Observe) -> str:
        for phase in PHASES:
            if observe(Experiment(phase=phase, timeout_s=self.timeout_s)).status is Status.TIMED_OUT:
                return phase
        return self.phase

    def _ended(self, observation: Observation, where: str, limit_s: float) -> Verdict:
        if observation.status is Status.OK:
            ended = f"compilation ends after {observation.seconds:.2f} s{where}, the limit is {limit_s:g} s"
            return Verdict(
                Outcome.NOT_INTERESTING,
                ended,
                comparison=(
                    ("looked for", f"more than {limit_s:g} s"),
                    ("seen", f"{observation.seconds:.2f} s"),
                ),
                advice=f"a lower --timeout, above what a healthy program of this size takes: now {self.timeout_s:g} s",
            )
        return absent(observation, ANY, f"compilation over {self.timeout_s:g} s", "see what fails first")

    def hold(self, verdict: Verdict) -> Hang:
        """Compile only as far as the hang needs."""
        return replace(self, phase=verdict.phase or self.phase, held=True)
