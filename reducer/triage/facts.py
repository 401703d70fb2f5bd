"""What was seen of a program under each set of flags: values, and what they say. Pure.

Owns what counts as wrong: a compilation that does not end well, a wrong number, a padding-fusion flag without effect.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property

from oracles.dispatches import FLAG_CONSUMER, FLAG_PRODUCER, Flow, read_flow
from oracles.experiment import Observation, Status
from oracles.mlir_text import Text, read
from oracles.no_op_flag import ONLY_MEMCPY, UNCHANGED, sameness
from oracles.runs import faults_of
from oracles.signature import faults
from reducer.toolchain.flags import split_flag
from reducer.triage.places import Pad, Where, holds, place_pads

PADDING_FLAGS = (FLAG_CONSUMER, FLAG_PRODUCER)
WRONG_NUMBERS = ("wrong", "failed", "crashed", "timed out")


@dataclass(frozen=True)
class FlagSet:
    """A set of the user's flags to look at. name: `consumer`, or the flags; flags: all of them."""

    name: str
    flags: tuple[str, ...]

    @property
    def padding(self) -> tuple[str, ...]:
        """The padding-fusion flags among them that are on."""
        on = [split_flag(flag) for flag in self.flags]
        return tuple(f for f in PADDING_FLAGS if any(name == f and v not in ("false", "0") for name, v in on))

    @property
    def wanted(self) -> Where:
        """Beside what the padding-fusion flags of the set are to put a pad."""
        return "consumer" if FLAG_CONSUMER in self.padding else "producer"

    def is_met(self, pad: Pad) -> bool:
        """Whether a pad is where one of the padding-fusion flags of the set is to put it."""
        return "consumer" in pad.wheres or (FLAG_PRODUCER in self.padding and "producer" in pad.wheres)


@dataclass(frozen=True, eq=False)
class FlowFacts:
    """A program at the flow phase, or why it does not get there.

    flow: None if it does not; failure: what was said instead. pads: of the program, in order.
    """

    program: Text
    flow: Flow | None
    failure: str = ""
    pads: tuple[Pad, ...] = ()

    @cached_property
    def dispatches(self) -> tuple[tuple[str, ...], ...]:
        """What each dispatch holds; () for a slow memcpy."""
        by_place = {op.location: op for op in self.program.ops}
        return tuple(holds(d, by_place) for d in self.flow.dispatches) if self.flow is not None else ()


def flow_facts(program: str, observation: Observation) -> FlowFacts:
    """What a compilation to the flow phase, printed with its places, shows."""
    text = read(program)
    if observation.status is not Status.OK:
        return FlowFacts(text, None, what_failed(observation))
    flow = read_flow(observation.ir)
    return FlowFacts(text, flow, pads=place_pads(text, flow))


@dataclass(frozen=True)
class Numbers:
    """What running it showed. kind: "right", "wrong", "failed", "crashed", "timed out", "undefined", "unknown"."""

    kind: str
    said: str = ""


@dataclass(frozen=True)
class TargetFacts:
    """One target. status: of the compilation; signature, failing_pass: of its first fault; seconds: it took.

    numbers: None where it was not run.
    """

    target: str
    status: Status
    signature: str = ""
    failing_pass: str = ""
    seconds: float = 0.0
    numbers: Numbers | None = None

    @property
    def is_wrong(self) -> bool:
        """Whether it shows a fault."""
        return self.status is not Status.OK or (self.numbers is not None and self.numbers.kind in WRONG_NUMBERS)


def target_facts(target: str, observation: Observation, *, ran: bool) -> TargetFacts:
    """What a whole compilation shows. ran: whether the program was to be run."""
    seen = faults(observation, "message")
    numbers = numbers_of(observation) if ran and observation.status is Status.OK else None
    return TargetFacts(
        target, observation.status, what_failed(observation), seen[0].failing_pass if seen else "",
        observation.seconds, numbers,
    )  # fmt: skip


def what_failed(observation: Observation) -> str:
    """The signature of an observation's first fault, or which limit was hit; "" if it ended well."""
    seen = faults(observation, "message")
    if seen:
        return seen[0].signature
    return "" if observation.status is Status.OK else f"compilation {observation.status.value}"


def numbers_of(observation: Observation) -> Numbers:
    """Whether what a program returned is right."""
    if seen := faults_of(observation):
        kind = "wrong" if seen[0].kind.startswith("wrong") else seen[0].kind
        return Numbers(kind, f"@{seen[0].run.function}: {seen[0].said}")
    if not observation.runs:
        return Numbers("unknown", "there is no function to run")
    for run in observation.runs:
        if run.reference != "defined":
            return Numbers(run.reference, f"@{run.function}: {run.why}")
        for number, result in enumerate(run.results):
            if result.kind == "unknown":
                return Numbers("unknown", f"@{run.function}: how far result {number} may be off is not known")
    return Numbers("right", ", ".join(dict.fromkeys(r.how for run in observation.runs for r in run.results)))


@dataclass(frozen=True, eq=False)
class Row:
    """One set of flags. refused: why the release does not take it, "" if it does; then there is nothing else."""

    flags: FlagSet
    refused: str = ""
    flow: FlowFacts | None = None
    targets: tuple[TargetFacts, ...] = ()


@dataclass(frozen=True, eq=False)
class Facts:
    """The table. base: the flags that are in every set; flow_target: whose flow phase was looked at."""

    release: str
    rows: tuple[Row, ...]
    flow_target: str
    base: tuple[str, ...] = ()
    notes: tuple[str, ...] = field(default=())

    @property
    def baseline(self) -> Row:
        """The first set: what the others are held against."""
        return self.rows[0]

    def effect(self, row: Row) -> str:
        """What a set does to the dispatches that the first set does not; "" for the first, and where there is none."""
        if row is self.baseline or row.flow is None or self.baseline.flow is None:
            return ""
        ours, theirs = row.flow.flow, self.baseline.flow.flow
        if ours is None or theirs is None:
            return ""
        same = sameness(ours, theirs)
        if same == UNCHANGED:
            return f"changes no dispatch of {self.baseline.flags.name}"
        if same == ONLY_MEMCPY:
            return "only makes the slow memcpy a dispatch of its own"
        before, after = len(theirs.dispatches), len(ours.dispatches)
        return f"{before} → {after} dispatches" if before != after else "other dispatches"

    def without_effect(self, row: Row) -> tuple[Pad, ...]:
        """The pads that a set's padding-fusion flags leave as they were, or as good as; () where they do something."""
        added = set(row.flags.padding) - set(self.baseline.flags.padding)
        if not added or row.flow is None or row.flow.flow is None or self.baseline.flow is None:
            return ()
        theirs = self.baseline.flow.flow
        if theirs is None or not sameness(row.flow.flow, theirs):
            return ()
        return unmet(row.flags, row.flow)

    def is_wrong(self, row: Row) -> bool:
        """Whether a set shows a fault, has a flag without effect, or is not taken."""
        failing = row.flow is not None and row.flow.flow is None
        return bool(row.refused or failing or self.without_effect(row) or any(t.is_wrong for t in row.targets))

    @property
    def any_wrong(self) -> bool:
        """Whether any set does."""
        return any(map(self.is_wrong, self.rows))


def unmet(flags: FlagSet, flow: FlowFacts) -> tuple[Pad, ...]:
    """The pads that are not where the padding-fusion flags are to put them; none without such a flag."""
    return tuple(_open(flags, flow.pads)) if flags.padding else ()


def _open(flags: FlagSet, pads: Iterable[Pad]) -> Iterable[Pad]:
    return (pad for pad in pads if pad.wheres != {"gone"} and not flags.is_met(pad))


def default_sets(base: tuple[str, ...]) -> tuple[FlagSet, ...]:
    """None, consumer, producer and both, each with `base`, which loses the padding-fusion flags that it has."""
    rest = tuple(flag for flag in base if split_flag(flag)[0] not in PADDING_FLAGS)
    sets = {"none": (), "consumer": (FLAG_CONSUMER,), "producer": (FLAG_PRODUCER,), "both": PADDING_FLAGS}
    return tuple(FlagSet(name, (*rest, *flags)) for name, flags in sets.items())
