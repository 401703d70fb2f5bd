"""What makes a fault that was seen *another* fault: its oracle, its signature, the target and the flags. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from oracles.experiment import Observation, Status
from oracles.judging import refusal
from oracles.no_op_flag import NoOpFlag
from oracles.run_fault import ENDINGS
from oracles.runs import fault, faults_of
from oracles.signature import COMPILATION, CRASH, faults
from oracles.two_dispatches import TwoDispatches
from oracles.verdict import Verdict
from reducer.finding.ways import Way

SLOW = "hang"
FLOW_ORACLES = (NoOpFlag.name, TwoDispatches.name)


@dataclass(frozen=True)
class Sighting:
    """A fault that one program showed in one way. oracle: whose it is; reason: one line, for people."""

    oracle: str
    way: Way
    signature: str
    reason: str

    @property
    def key(self) -> str:
        """The fault's identity."""
        return identity(self.oracle, self.way.target, self.way.flags, self.signature)


def identity(oracle: str, target: str, flags: tuple[str, ...], signature: str) -> str:
    """By which a fault is told from others: everything but the program.

    What compilers say and where they die tells faults apart for all targets; what a run shows does not. The oracles of
    the flow phase bring their own flags along.
    """
    if oracle in FLOW_ORACLES:
        return f"{oracle} | {signature}"
    shown = " ".join(sorted(flags)) or "default flags"
    return " | ".join((oracle, *([target] if is_vague(oracle) else []), shown, signature))


def is_vague(oracle: str) -> bool:
    """Whether an oracle's signatures say little, so that many faults share one ("wrong value")."""
    return oracle == "wrong-result" or oracle in ENDINGS


def of_compilation(observation: Observation, way: Way) -> Sighting | None:
    """The first fault of a compilation that did not succeed; None if it shows nothing (no memory, no program)."""
    if observation.status is Status.TIMED_OUT:
        return Sighting(SLOW, way, "compilation without end", "it was still compiling when its time was up")
    if observation.status is Status.OK or refusal(observation) is not None:
        return None
    found = faults(observation, "message")
    if not found:
        return None
    oracle = {CRASH: "crash", COMPILATION: "diagnostic"}.get(found[0].kind, "translation-error")
    return Sighting(oracle, way, found[0].signature, found[0].message.splitlines()[0])


def of_runs(observation: Observation, way: Way) -> Sighting | None:
    """The first fault of the runs of a program that compiles."""
    by_ending = {ending: oracle for oracle, ending in ENDINGS.items()}
    for seen in faults_of(observation):
        this = fault(seen)
        return Sighting(by_ending.get(seen.kind, "wrong-result"), way, this.signature, this.message)
    return None


def of_verdict(oracle: str, verdict: Verdict, way: Way) -> Sighting | None:
    """What an oracle of the flow phase saw."""
    if not verdict.interesting:
        return None
    return Sighting(oracle, way, verdict.signature, verdict.reason)
