"""`diagnostic`: any error of the compiler, by what it says.

Interesting when an error has the held signature, wherever it comes from: input conversion, a pass, code generation.
Must still contain: nothing but what makes that error. The program itself must parse and verify.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from oracles.experiment import Experiment, Observe
from oracles.judging import ANY, Wanted, absent, earliest_phase, locate, places_in, present, refusal
from oracles.signature import CRASH, faults
from oracles.verdict import Verdict


@dataclass(frozen=True)
class DiagnosticError:
    """Oracle of errors by their normalised text. phase: how far to compile."""

    wanted: Wanted = ANY
    phase: str = "end"

    name: ClassVar[str] = "diagnostic"
    flags: ClassVar[tuple[str, ...]] = ()

    def judge(self, program: str, observe: Observe) -> Verdict:
        """One compilation; the first interesting verdict takes a few more, to learn how far compilation needs to go."""
        observation = observe(Experiment(phase=self.phase))
        if (verdict := refusal(observation)) is not None:
            return verdict
        seen = faults(observation, self.wanted.level)
        fault = self.wanted.select(f for f in seen if f.kind != CRASH)
        if fault is None:
            return absent(
                observation, self.wanted, self.wanted.describe("error"), "try the crash oracle if the compiler dies"
            )
        if self.wanted.signature is not None:
            return present(program, fault, self.phase)
        evidence = places_in(program, fault.locations, "the op that the error names") or locate(program, observe, fault)
        return present(program, fault, earliest_phase(observe, fault, self.wanted, self.phase), evidence)

    def hold(self, verdict: Verdict) -> DiagnosticError:
        """Accept only this signature (or the match), and compile only as far as it needs."""
        return replace(self, wanted=self.wanted.hold(verdict), phase=verdict.phase or self.phase)
