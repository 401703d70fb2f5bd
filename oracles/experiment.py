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


NUMPY = "numpy"


@dataclass(frozen=True)
class Run:
    """Run the entry functions of the compiled program, and compare what they return with a reference.

    reference: "numpy", the program's own meaning, evaluated; or another way of compiling it: "vmvx", "release:3.12.0",
        "flags:none".
    rtol, atol: relative and absolute; in place of the bounds that the reference works out where both are None.
    timeout_s: seconds of one run of a function; None: as for a compilation.
    """

    reference: str = NUMPY
    rtol: float | None = None
    atol: float | None = None
    timeout_s: float | None = None


@dataclass(frozen=True)
class Experiment:
    """Compile the program to a phase, and perhaps run it; or, with `command`, run the user's script on it.

    The flags are the case's own (target flags, then the user's), without those that `drop` names (by option name, with
    or without a value: `--iree-foo` drops `--iree-foo=1` too), followed by `add`.

    phase: a name that `iree-compile --compile-to=` accepts ("input", "flow", "executable-targets", "end" …).
    ir: whether the IR at that phase is wanted (only for phases before "vm").
    fresh: ask a stock `iree-compile` in a new process instead of a warm worker.
    timeout_s: seconds; None is the session's own limit.
    command: argv of a script; the candidate's path is appended. Everything but `timeout_s` is ignored then.
    run: run the program when it is compiled (to "end").
    plain: without the flags that the user gave: the target's and the oracle's own alone.
    """

    phase: str = "end"
    add: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    ir: bool = False
    fresh: bool = False
    timeout_s: float | None = None
    command: tuple[str, ...] = ()
    run: Run | None = None
    plain: bool = False


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
class ResultSeen:
    """One result of a function, held against the reference.

    kind: how it differs: "same", "value", "nan", "shape" or "type"; "unknown" where the reference knows no bound.
    index, expected, got: the first element that differs, or both types. wrong: how many of `total` elements differ.
    how: what was compared with what ("bit for bit", "within 3e-07").
    """

    kind: str
    index: tuple[int, ...] = ()
    expected: str = ""
    got: str = ""
    wrong: int = 0
    total: int = 0
    how: str = ""


@dataclass(frozen=True)
class FunctionRun:
    """What became of one entry function.

    reference: "defined"; "undefined", `why` says what; "unknown", `why` says what cannot be evaluated.
    ended: "returned", "failed", "crashed", "timed out", or "not run"; said: what the runtime said, one line.
    inputs, expected, got: as `iree-run-module` writes them, one an argument or result.
    tolerances: flags with which `iree-run-module` sees what is wrong, where by its own tolerances it would not.
    reference_s, run_s: seconds.
    """

    function: str
    reference: str
    why: str = ""
    ended: str = "not run"
    said: str = ""
    inputs: tuple[str, ...] = ()
    expected: tuple[str, ...] = ()
    got: tuple[str, ...] = ()
    results: tuple[ResultSeen, ...] = ()
    tolerances: tuple[str, ...] = ()
    reference_s: float = 0.0
    run_s: float = 0.0


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
    runs: of an experiment that runs the program and got so far, one an entry function.
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
    runs: tuple[FunctionRun, ...] = ()

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        """The diagnostics of severity "error"."""
        return tuple(d for d in self.diagnostics if d.severity == "error")


Observe = Callable[[Experiment], Observation]
