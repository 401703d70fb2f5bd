"""`run-failure`, `run-crash`, `run-hang`: it compiles, and then its run ends otherwise than by returning.

Interesting when the program has a defined value and a run of it ends with an error of the runtime (`run-failure`), with
the death of the process (`run-crash`) or not in time (`run-hang`), with the held signature. Must still contain: nothing
but what a defined value takes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from oracles.experiment import Observe, Run
from oracles.judging import ANY, Wanted
from oracles.runs import RUN, hold, judge_run
from oracles.verdict import Verdict

ENDINGS = {"run-failure": "failed", "run-crash": "crashed", "run-hang": "timed out"}
"""How a run ends, by the name of the oracle that is after it."""

_SHOWN = {"run-failure": "run-time failure", "run-crash": "crash of the run", "run-hang": "run without end"}


@dataclass(frozen=True)
class RunFault:
    """Oracle of runs that do not return. name: a key of ENDINGS; run: what else they are held against."""

    name: str
    wanted: Wanted = ANY
    run: Run = RUN

    flags: ClassVar[tuple[str, ...]] = ()

    def judge(self, program: str, observe: Observe) -> Verdict:
        """One experiment; the first interesting verdict takes another, without the user's flags."""
        del program
        return judge_run((ENDINGS[self.name],), self.wanted, self.run, _SHOWN[self.name], observe)

    def hold(self, verdict: Verdict) -> RunFault:
        """Accept only this signature (or the match)."""
        return replace(self, wanted=hold(self.wanted, verdict))
