"""`translation-error`: an executable fails to translate for the target.

Interesting when an executable fails in code generation or in serialisation to the target's format with the held
signature. Must still contain: nothing but what makes that signature.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from oracles.experiment import Experiment, Observe, Status
from oracles.judging import ANY, Wanted, absent, locate, places_in, present, refusal
from oracles.signature import SERIALIZATION, TRANSLATION, faults
from oracles.verdict import Verdict


@dataclass(frozen=True)
class TranslationError:
    """Oracle of executables that do not translate.

    phase: how far to compile; "hal" is the first that serialises executables, where some translations to LLVM fail.
    """

    wanted: Wanted = ANY
    phase: str = "hal"

    name: ClassVar[str] = "translation-error"
    flags: ClassVar[tuple[str, ...]] = ()

    def judge(self, program: str, observe: Observe) -> Verdict:
        """One compilation; two if the fault is new and IREE gives no place for it."""
        observation = observe(Experiment(phase=self.phase))
        if (verdict := refusal(observation)) is not None:
            return verdict
        seen = faults(observation, self.wanted.level)
        fault = self.wanted.select(f for f in seen if f.kind in (TRANSLATION, SERIALIZATION))
        if fault is None:
            if self.wanted.signature is None and observation.status is Status.OK:
                observation = observe(Experiment())  # to say what happens instead, perhaps after translation
            return absent(
                observation,
                self.wanted,
                self.wanted.describe("failing translation"),
                "try another target or release, or the diagnostic or crash oracle if it fails in another way",
            )
        evidence = places_in(program, fault.locations, "the op that the error names")
        if not evidence and self.wanted.signature is None:
            evidence = locate(program, observe, fault)
        return present(program, fault, "executable-targets" if fault.kind == TRANSLATION else "hal", evidence)

    def hold(self, verdict: Verdict) -> TranslationError:
        """Accept only this signature (or the match), and compile only as far as it needs."""
        return replace(self, wanted=self.wanted.hold(verdict), phase=verdict.phase or self.phase)
