"""`crash`: the compiler dies.

Interesting when the compiler ends by a signal, an assertion or a fatal error, with the held signature: the fatal
error's words, else the top frames, else the signal. Must still contain: nothing but what makes it die.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from oracles.experiment import Experiment, Observe, Status
from oracles.judging import ANY, Wanted, absent, earliest_phase, present, refusal
from oracles.signature import faults
from oracles.verdict import Verdict


@dataclass(frozen=True)
class Crash:
    """Oracle of a compiler that dies. phase: how far to compile."""

    wanted: Wanted = ANY
    phase: str = "end"

    name: ClassVar[str] = "crash"
    flags: ClassVar[tuple[str, ...]] = ()

    def judge(self, program: str, observe: Observe) -> Verdict:
        """One compilation; the first interesting verdict takes a few more, to learn how far compilation needs to go."""
        observation = observe(Experiment(phase=self.phase))
        if (verdict := refusal(observation)) is not None:
            return verdict
        fault = (
            self.wanted.select(faults(observation, self.wanted.level)) if observation.status is Status.CRASHED else None
        )
        if fault is None:
            advice = "try the translation-error or diagnostic oracle if it fails with an error"
            if observation.status is Status.CRASHED:
                advice = "frames that change from run to run call for --signature class"
            return absent(observation, self.wanted, self.wanted.describe("crash"), advice)
        if self.wanted.signature is not None:
            return present(program, fault, self.phase)
        return present(program, fault, earliest_phase(observe, fault, self.wanted, self.phase))

    def hold(self, verdict: Verdict) -> Crash:
        """Accept only this signature (or the match), and compile only as far as it needs."""
        return replace(self, wanted=self.wanted.hold(verdict), phase=verdict.phase or self.phase)
