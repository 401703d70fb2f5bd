"""What each pass did: the IR that a compilation printed after every pass that changed something. Pure.

Owns the reading of the printed text, of every release from 2.9.0 on, and what can be told from it: which pass a pad
ends in, and what a flag changes first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from oracles.convolutions import is_convolution
from oracles.experiment import Location
from oracles.mlir_text import Op, Text, read
from reducer.triage.places import TENSOR_PAD, as_written, users

TRACE_FLAGS = (
    "--mlir-print-ir-after-all", "--mlir-print-ir-after-change", "--mlir-print-ir-module-scope",
    "--mlir-disable-threading", "--mlir-print-debuginfo", "--mlir-elide-elementsattrs-if-larger=16",
    "--mlir-elide-resource-strings-if-larger=16",
)  # fmt: skip
"""What makes a compilation print what is read here."""

_HEAD = re.compile(r"^// -----// IR Dump After (?P<what>.*?) \('[^']*' operation.*$", re.M)
_NAME = re.compile(r"(?:[\w]+::)*(?P<name>\w+)")
_OPTIONS = re.compile(r"\{(?P<options>.*)\}")
_REGIONS = ("flow.dispatch.region", "flow.dispatch.workgroups", "flow.executable")
_RETURNS = re.compile(r"hal\.tensor\.\w+|iree_tensor_ext\.compute_barrier\.end|(?:(?:util|func)\.)?return")


@dataclass(frozen=True)
class Step:
    """A pass that changed something. options: as printed (`fuse-pad-with-consumers=true …`), "" in older releases."""

    name: str
    options: str
    ir: str

    @cached_property
    def text(self) -> Text:
        """The module after it."""
        return read(self.ir)

    def pad(self, place: Location) -> Op | None:
        """The pad that was made from the program's op at this place."""
        return next((op for op in self.text.ops if op.name == TENSOR_PAD and place in op.places), None)


def read_trace(printed: str) -> tuple[Step, ...]:
    """The passes in the order in which they ran."""
    heads = list(_HEAD.finditer(printed))
    ends = [*(head.start() for head in heads[1:]), len(printed)]
    steps = []
    for head, end in zip(heads, ends, strict=False):
        name, options = _NAME.match(head["what"]), _OPTIONS.search(head["what"])
        if name is not None:
            steps.append(Step(name["name"], options["options"] if options else "", printed[head.end() : end]))
    return tuple(steps)


def first_difference(given: Sequence[Step], without: Sequence[Step]) -> str:
    """The first pass that runs otherwise with a flag, or leaves something else; "" if none does."""
    for number, (ours, theirs) in enumerate(zip(given, without, strict=False)):
        if ours.name != theirs.name:
            gone = theirs.name not in [step.name for step in given[number:]]
            return f"{theirs.name} does nothing any more" if gone else f"{ours.name} does something"
        if ours.options != theirs.options:
            new = [o for o in ours.options.split() if o not in theirs.options.split()]
            return f"{ours.name} runs with {' '.join(new)}"
        if ours.ir.strip() != theirs.ir.strip():
            return f"{ours.name} leaves something else"
    if len(given) == len(without):
        return ""
    if len(given) > len(without):
        return f"{given[len(without)].name} does something"
    return f"{without[len(given)].name} does nothing any more"


@dataclass(frozen=True)
class Fate:
    """What became of a pad.

    ended_by: the pass after which it is gone, "" if it got into a dispatch. uses: what used it then, as the program
        calls it. formed_by: the pass that put it into a dispatch.
    consumer: the op that was to take it, at that time; was: what that was in the program; changed_by: the pass since
        which it is no convolution, "" if it is one or never was.
    """

    ended_by: str = ""
    uses: tuple[str, ...] = ()
    formed_by: str = ""
    consumer: str = ""
    was: str = ""
    changed_by: str = ""

    def describe(self) -> str:
        """One sentence; "" if nothing is known."""
        if self.ended_by:
            number = {0: "no use", 1: "one use"}.get(len(self.uses), f"{len(self.uses)} uses")
            uses = f": {', '.join(self.uses)}" if self.uses else ""
            return f"{self.ended_by} rewrites the pad before dispatches are formed; it has {number} there{uses}"
        if not self.formed_by:
            return ""
        said = f"{self.formed_by} puts the pad in another dispatch than what uses it"
        if self.changed_by:
            return f"{said}: {self.was} is a {self.consumer} that is no convolution, since {self.changed_by}"
        return f"{said}, {self.consumer}" if self.consumer else said


def fate(steps: Sequence[Step], program: Text, place: Location) -> Fate:
    """What became of the pad at a place of the program."""
    by_place = {op.location: op for op in program.ops}
    last: Op | None = None
    at: Step | None = None
    for step in steps:
        pad = step.pad(place)
        if pad is None:
            if last is not None and at is not None:
                return Fate(step.name, tuple(_called(u, by_place) for u in users(last, at.text)))
            continue
        if pad.ancestor(*_REGIONS) is not None:
            return _formed(steps, step, last, at, by_place)
        last, at = pad, step
    return Fate()


def _formed(
    steps: Sequence[Step], step: Step, pad: Op | None, before: Step | None, by_place: dict[Location, Op]
) -> Fate:
    """The fate of a pad that a pass put into a dispatch; `before`: the step before it, with the pad outside."""
    if pad is None or before is None:
        return Fate(formed_by=step.name)
    user = next((u for u in users(pad, before.text) if u.name.startswith("linalg.")), None)
    if user is None:
        return Fate(formed_by=step.name)
    was = as_written(user, by_place)
    changed_by = ""
    if not is_convolution(user, before.text):
        changed_by = _changed_by(steps, user)
    return Fate(formed_by=step.name, consumer=user.name, was=was, changed_by=changed_by)


def _changed_by(steps: Sequence[Step], user: Op) -> str:
    """The pass after which what stands at the op's place is no convolution any more; "" if it never was one."""
    was = False
    for step in steps:
        here = [op for op in step.text.ops if op.name.startswith("linalg.") and set(op.places) & set(user.places)]
        is_one = any(is_convolution(op, step.text) for op in here)
        if was and not is_one:
            return step.name
        was = is_one
    return ""


def _called(user: Op, by_place: dict[Location, Op]) -> str:
    return "a result" if _RETURNS.fullmatch(user.name) else as_written(user, by_place)
