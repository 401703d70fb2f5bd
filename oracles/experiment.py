"""The questions put to IREE and the answers that come back.

Owns the value types on both ends of the wire, between an oracle that asks and whatever process answers. Holds no
logic: who runs an experiment is the evaluator's business, what an answer means is the oracle's.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum


class Status(Enum):
    """How an experiment ended."""

    OK = "ok"
    FAILED = "failed"
    CRASHED = "crashed"
    TIMED_OUT = "timed out"
    OUT_OF_MEMORY = "out of memory"


@dataclass(frozen=True)
class Experiment:
    """Compile the program to a phase; or, with `command`, run the user's script on it.

    The flags are the case's own (target flags, then the user's), without those that `drop` names (by option name, with
    or without a value: `--iree-foo` drops `--iree-foo=1` too), followed by `add`.

    phase: a name that `iree-compile --compile-to=` accepts ("input", "flow", "executable-targets", "end" …).
    ir: whether the IR at that phase is wanted (only for phases before "vm").
    fresh: ask a stock `iree-compile` in a new process instead of a warm worker.
    timeout_s: seconds; None is the session's own limit.
    command: argv of a script; the candidate's path is appended. Everything but `timeout_s` is ignored then.
    """

    phase: str = "end"
    add: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    ir: bool = False
    fresh: bool = False
    timeout_s: float | None = None
    command: tuple[str, ...] = ()


@dataclass(frozen=True)
class Location:
    """A place in the program's text; line and column count from 1, 0 where unknown."""

    line: int
    column: int


@dataclass(frozen=True)
class Diagnostic:
    """One message of the compiler, as printed (`error: …`), with the notes that hang on it."""

    severity: str
    message: str
    location: Location | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Observation:
    """What an experiment showed.

    parsed: False if the program was rejected before any pass ran (syntax, unknown op, verifier on the input).
    diagnostics: in the order printed.
    failing_passes: class names of the passes that failed, innermost first (`ConcretizePadResultShapePass`).
    frames: of a crash, innermost first, without addresses: a demangled function, or `library+0x1234` where no symbol is
        known.
    signal: the signal's number that ended the process, for CRASHED.
    ir: the IR at the phase, when asked for and reached.
    stderr: what else was printed, bounded; for people, not for decisions.
    command: the stock command line that asks the same, without the program's path.
    """

    status: Status
    seconds: float = 0.0
    parsed: bool = True
    exit_code: int | None = None
    signal: int | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    failing_passes: tuple[str, ...] = ()
    frames: tuple[str, ...] = ()
    ir: str = ""
    stderr: str = ""
    command: tuple[str, ...] = ()

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The diagnostics of severity "error"."""
        return tuple(d for d in self.diagnostics if d.severity == "error")


Observe = Callable[[Experiment], Observation]
