"""`wrong-result`: it compiles, it runs, and a result is not what it should be.

Interesting when the program has a defined value by the reference, compiles and runs, and a result differs in value,
shape or type, as the held signature says. Must still contain: nothing but what a defined value takes; and a right
result that was finite stays so, or 0/0 would be the easiest number to go on with.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

from oracles.experiment import Observe, Run
from oracles.judging import ANY, Wanted
from oracles.runs import RUN, hold, is_finite, judge_run
from oracles.verdict import Verdict

KINDS = ("wrong value", "wrong NaN", "wrong shape", "wrong type")


@dataclass(frozen=True)
class WrongResult:
    """Oracle of wrong numbers. run: what they are held against; finite: whether the right ones must be finite."""

    wanted: Wanted = ANY
    run: Run = RUN
    finite: bool = False

    name: ClassVar[str] = "wrong-result"
    flags: ClassVar[tuple[str, ...]] = ()

    def judge(self, program: str, observe: Observe) -> Verdict:
        """One experiment; the first interesting verdict takes another, without the user's flags."""
        del program
        return judge_run(KINDS, self.wanted, self.run, "wrong result", observe, finite=self.finite)

    def hold(self, verdict: Verdict) -> WrongResult:
        """Accept only this signature (or the match), and finite results where they were finite."""
        finite = verdict.run is not None and is_finite(verdict.run)
        return replace(self, wanted=hold(self.wanted, verdict), finite=finite)
