"""What the oracles share: which fault is wanted, what rules an observation out, where in the program a fault stands.

Owns no failure mode. Verdicts that mean the same are made here, so that they read the same whoever gives them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from oracles.diagnostics import is_usage_error
from oracles.experiment import Experiment, Location, Observation, Observe, Status
from oracles.mlir_text import Op, read
from oracles.signature import SERIALIZATION, Fault, Level, faults
from oracles.verdict import Evidence, Outcome, Verdict

DEBUG_INFO = "--mlir-print-debuginfo"
PHASES = ("input", "flow", "executable-targets", "hal")
_NOTHING_TO_COMPILE = "outer module does not contain a vm.module op"
_FUNCTIONS = frozenset({"func.func", "util.func", "func", "module", "builtin.module"})
_OP_IN_MESSAGE = re.compile(r"for operation: (?P<named>[\w.$]+)|'(?P<quoted>[\w$]+(?:\.[\w$]+)+)'")


@dataclass(frozen=True)
class Wanted:
    """Which fault an oracle is after.

    signature: the one that is held; None before the first verdict, when any fault of the oracle's kind will do.
    match: a regular expression searched in what was said, raw; it takes the signature's place.
    level: how much of a signature must stay the same.
    """

    signature: str | None = None
    match: str | None = None
    level: Level = "message"

    def select(self, found: Iterable[Fault]) -> Fault | None:
        """The first fault that is wanted."""
        return next((fault for fault in found if self.accepts(fault)), None)

    def accepts(self, fault: Fault) -> bool:
        """Whether this fault is wanted."""
        if self.match is not None:
            return re.search(self.match, fault.raw) is not None
        return self.signature is None or fault.signature == self.signature

    def hold(self, verdict: Verdict) -> Wanted:
        """From now on only the fault of `verdict`."""
        return replace(self, signature=verdict.signature)

    def describe(self, kind: str) -> str:
        """For people: which fault of `kind` ("crash") is looked for."""
        if self.match is not None:
            return f"{kind} that matches {self.match!r}"
        return kind if self.signature is None else f"{kind} ({self.signature})"


ANY = Wanted()


def refusal(observation: Observation) -> Verdict | None:
    """The verdict on an observation that answers nothing: a rejected program or command line, a limit that was hit."""
    usage = next((d.message for d in observation.errors if d.location is None and is_usage_error(d.message)), "")
    if observation.status is Status.FAILED and usage:
        return Verdict(
            Outcome.INVALID, f"IREE rejects the command line: {_first_line(usage)}", advice="check the flags after --"
        )
    if observation.status is Status.FAILED and any(_NOTHING_TO_COMPILE in d.message for d in observation.errors):
        return Verdict(Outcome.INVALID, "the program holds nothing to compile")
    if observation.status is Status.FAILED and not observation.parsed:
        said = observation.errors[0] if observation.errors else None
        where = f"{said.location.line}:{said.location.column}: " if said and said.location else ""
        words = _first_line(said.message) if said else "no reason given"
        return Verdict(Outcome.INVALID, f"the program does not parse: {where}{words}")
    if observation.status in (Status.TIMED_OUT, Status.OUT_OF_MEMORY):
        limit = f"after {observation.seconds:.1f} s" if observation.status is Status.TIMED_OUT else "of memory"
        return Verdict(
            Outcome.UNRESOLVED,
            f"compilation {observation.status.value} {limit}".replace("out of memory of memory", "ran out of memory"),
            advice="the hang oracle reduces compilations without end; --timeout and --memory raise the limits",
        )
    return None


def absent(observation: Observation, wanted: Wanted, looked_for: str, advice: str) -> Verdict:
    """Not interesting: what was seen instead, and as a slip if that is a fault of its own."""
    seen = faults(observation, wanted.level)
    what = seen[0].message if seen else _status_words(observation)
    signature = seen[0].signature if seen else ""
    return Verdict(
        Outcome.NOT_INTERESTING,
        f"{looked_for} not seen: {_first_line(what)}",
        signature,
        comparison=(("looked for", looked_for), ("seen", _first_line(what))),
        advice=advice,
    )


def present(program: str, fault: Fault, phase: str, evidence: tuple[Evidence, ...] = ()) -> Verdict:
    """Interesting: `fault` is there."""
    return Verdict(
        Outcome.INTERESTING,
        _first_line(fault.message),
        fault.signature,
        evidence or places_in(program, fault.locations, "the op that the error names"),
        phase=phase,
    )


def earliest_phase(observe: Observe, fault: Fault, wanted: Wanted, last: str) -> str:
    """The first of PHASES, up to `last`, at which `fault` shows: a held oracle then compiles no further."""
    for phase in PHASES:
        if phase == last:
            break
        observation = observe(Experiment(phase=phase))
        if any(f.signature == fault.signature for f in faults(observation, wanted.level)):
            return phase
    return last


def places_in(program: str, places: Iterable[Location], part: str) -> tuple[Evidence, ...]:
    """The ops of the program that start at these places; functions only if there is nothing else."""
    text = read(program)
    ops = [op for place in dict.fromkeys(places) if (op := text.at(place)) is not None]
    inner = [op for op in ops if op.name not in _FUNCTIONS]
    return tuple(evidence(op, part) for op in (inner or ops))


def evidence(op: Op, part: str) -> Evidence:
    """An op of the program's text as evidence."""
    return Evidence(op.name, op.location, part)


def locate(program: str, observe: Observe, fault: Fault) -> tuple[Evidence, ...]:
    """Evidence for a failure to serialise that IREE reports without a place.

    The op that the message names is looked up in the translated executables, printed with their locations; the
    executable around it says which ops of the program it was made from. One experiment.
    """
    match = _OP_IN_MESSAGE.search(fault.message)
    if match is None or fault.kind != SERIALIZATION:
        return ()
    observation = observe(Experiment(phase="executable-targets", ir=True, add=(DEBUG_INFO,), drop=(DEBUG_INFO,)))
    text = read(observation.ir)
    for op in text.named(match["named"] or match["quoted"]):
        executable = op.ancestor("hal.executable")
        if executable is not None:
            places = (*executable.places, *(place for inner in executable.walk() for place in inner.places))
            if found := places_in(program, places, "in the executable that fails"):
                return found
    return ()


def _status_words(observation: Observation) -> str:
    if observation.status is Status.OK:
        return "it compiles"
    return f"compilation {observation.status.value}"


def _first_line(text: str) -> str:
    line = text.strip().split("\n", 1)[0]
    return line if len(line) <= 240 else line[:237] + "…"
