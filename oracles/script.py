"""`script`: the user's own test, run with the candidate's path appended.

Interesting when the script exits with 0, the convention of C-Reduce and iree-reduce; with `exit_interesting` "nonzero",
that of mlir-reduce, when it does not. Must still contain: whatever the script demands.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from oracles.experiment import Experiment, Observe, Status
from oracles.verdict import Outcome, Verdict

SIGNATURE = "the script says so"


@dataclass(frozen=True)
class Script:
    """Oracle that asks a program of the user's. argv: its path and first arguments."""

    argv: tuple[str, ...]
    exit_interesting: Literal["zero", "nonzero"] = "zero"

    name: ClassVar[str] = "script"
    flags: ClassVar[tuple[str, ...]] = ()

    def judge(self, program: str, observe: Observe) -> Verdict:
        """One run of the script. A run that hits a limit or dies by a signal is no answer."""
        del program
        observation = observe(Experiment(command=self.argv))
        code = observation.exit_code
        if observation.status not in (Status.OK, Status.FAILED) or code is None:
            return Verdict(
                Outcome.UNRESOLVED,
                f"the script {observation.status.value}",
                advice="--timeout and --memory limit the script too",
            )
        if (code == 0) == (self.exit_interesting == "zero"):
            return Verdict(Outcome.INTERESTING, f"the script exits with {code}", SIGNATURE)
        wanted = "0" if self.exit_interesting == "zero" else "anything but 0"
        return Verdict(
            Outcome.NOT_INTERESTING,
            f"the script exits with {code}, interesting is {wanted}",
            comparison=(("looked for", f"exit code {wanted}"), ("seen", f"exit code {code}")),
            advice="run the script by hand on the seed, or turn its meaning round with --exit-interesting",
        )

    def hold(self, verdict: Verdict) -> Script:
        """A script has only one fault."""
        del verdict
        return self
