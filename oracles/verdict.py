"""What an oracle says of a program, and the protocol that every oracle follows."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from oracles.experiment import FunctionRun, Location, Observe


class Outcome(StrEnum):
    """The four answers of an oracle."""

    INTERESTING = "interesting"
    NOT_INTERESTING = "not interesting"
    INVALID = "invalid"
    UNRESOLVED = "unresolved"


@dataclass(frozen=True)
class Evidence:
    """An op of the program that the verdict rests on: its name, where it stands in the program's text, and its part."""

    op: str
    location: Location | None
    part: str = ""


@dataclass(frozen=True)
class Verdict:
    """An oracle's answer.

    reason: one line, for people: what was seen.
    signature: the stable identity of the fault that was seen; "" if none. A verdict that is not interesting and yet has
        a signature saw *another* fault: a slip.
    evidence: the ops that matter, most important first.
    comparison: what was seen, side by side, one (label, description) a row, e.g. ("with the flag", "1 dispatch, …").
    advice: what to try next if the fault is not there; "" if nothing sensible.
    phase: the earliest phase known to show the fault, so that a held oracle need not compile further; "" if unknown.
    run: the run that shows the fault, of an oracle that runs programs; runs: of every entry function.
    """

    outcome: Outcome
    reason: str
    signature: str = ""
    evidence: tuple[Evidence, ...] = ()
    comparison: tuple[tuple[str, str], ...] = ()
    advice: str = ""
    phase: str = ""
    run: FunctionRun | None = None
    runs: tuple[FunctionRun, ...] = ()

    @property
    def interesting(self) -> bool:
        """Whether the program shows the fault."""
        return self.outcome is Outcome.INTERESTING

    @property
    def slip(self) -> bool:
        """Whether the program shows a different fault."""
        return not self.interesting and self.signature != ""


class Oracle(Protocol):
    """One failure mode. Oracles are frozen dataclasses: pure, comparable, cheap to copy.

    name: as on the command line (`translation-error`).
    flags: compiler flags that belong to the fault by definition; the case carries them, the reducer never drops them.
    """

    @property
    def name(self) -> str:
        """The oracle's name."""
        ...

    @property
    def flags(self) -> tuple[str, ...]:
        """The flags that the fault needs by definition."""
        ...

    def judge(self, program: str, observe: Observe) -> Verdict:
        """Decide whether `program` (MLIR text) shows the fault, asking for as little as possible."""
        ...

    def hold(self, verdict: Verdict) -> Oracle:
        """Return the same oracle, from now on interested only in the fault of this (interesting) verdict."""
        ...
