"""Where each pad of a program went at the flow phase: into which dispatch, and beside what. Pure.

Owns the reading of one flow phase for every pad, whatever uses it. (The oracles ask for less: which pads feed a
convolution.) What the flow phase holds is traced back to the program by the places that its ops carry.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from oracles.dispatches import Dispatch, Executable, Flow
from oracles.experiment import Location
from oracles.mlir_text import NOWHERE, Op, Text
from oracles.padding import pads_something

TENSOR_PAD = "tensor.pad"

Where = Literal["consumer", "producer", "packed", "alone", "slow memcpy", "update", "splat", "gone"]

_STRUCTURED = re.compile(r"linalg\.|iree_linalg_ext\.")
_LAYOUT = re.compile(r"(linalg|tensor|iree_linalg_ext)\.(pack|unpack)|\w+\.(set|unset)_encoding")
_NO_WORK = frozenset({"linalg.fill", "linalg.yield", "linalg.index"})
RESHAPES = frozenset({"tensor.cast", "tensor.collapse_shape", "tensor.expand_shape", "tensor.extract_slice"})
_NOT_MADE_FROM = frozenset({TENSOR_PAD, "func.func", "util.func"})
_INSERTS = frozenset({"flow.tensor.update", "tensor.insert_slice", TENSOR_PAD})

_WORDS = {
    "alone": "a dispatch of its own", "update": "an update of a filled buffer",
    "splat": "a filled buffer that its producer writes into", "gone": "no op is left of it",
}  # fmt: skip


@dataclass(frozen=True)
class Place:
    """One place where a pad is computed.

    where: with its "consumer" or its "producer" in one dispatch; "packed" with what only lays out the data of such an
        op, which is in another; "alone" in one; by a "slow memcpy", or by an "update"
        of a buffer that holds the padding; "splat" if what produces its source writes into such a buffer;
        "gone" if nothing at the flow phase was made from it.
    op: what it is fused with, as the program calls it; "" if nothing.
    """

    where: Where
    op: str = ""

    def __str__(self) -> str:
        if self.where == "consumer":
            return f"fused into {self.op}"
        if self.where == "producer":
            return f"fused with its producer {self.op}"
        if self.where == "packed":
            return f"fused with the packing for {self.op}, outside its dispatch"
        return _WORDS.get(self.where, self.where)


@dataclass(frozen=True)
class Pad:
    """A pad of the program, and where it went. name: `%padded`; op: `tensor.pad`, or what pads on a higher level."""

    name: str
    op: str
    location: Location
    places: tuple[Place, ...]

    @property
    def wheres(self) -> frozenset[str]:
        """The kinds of places."""
        return frozenset(place.where for place in self.places)

    def describe(self) -> str:
        """All its places, for people."""
        return ", ".join(map(str, self.places))


def place_pads(program: Text, flow: Flow) -> tuple[Pad, ...]:
    """Every pad of the program, in order. Ops of a higher level, which may pad, are left out if they do not."""
    by_place = {op.location: op for op in program.ops}
    found = []
    for op in program.ops:
        if pads_something(op):
            around = {op.location, *(near.location for near in reshapes(op, program))}
            places = tuple(dict.fromkeys(_places(around, flow, by_place))) or _splat(around, flow)
            if places or op.name == TENSOR_PAD:
                name = op.results[0] if op.results else ""
                found.append(Pad(name, op.name, op.location, places or (Place("gone"),)))
    return tuple(found)


def _places(around: set[Location], flow: Flow, by_place: dict[Location, Op]) -> Iterator[Place]:
    """around: where the pad stands, and the reshapes beside it: a pad that IREE moves past one takes its place on."""
    for executable in _launched(flow):
        for op in executable.ops:
            if op.name == TENSOR_PAD and around.intersection(op.places):
                yield _in_dispatch(op, executable, by_place)
    for dispatch in flow.slow_memcpys:
        if around.intersection(dispatch.op.places) and dispatch.into:
            yield Place("slow memcpy")
    for op in flow.text.ops:
        outside = op.ancestor("flow.executable", "stream.executable") is None
        if op.name in _INSERTS and outside and around.intersection(op.places):
            yield Place("update")


def _splat(around: set[Location], flow: Flow) -> tuple[Place, ...]:
    """Of a pad that is left in nothing but the buffer that holds the padding."""
    return (Place("splat"),) if any(around.intersection(op.places) for op in flow.splats) else ()


def reshapes(pad: Op, text: Text) -> list[Op]:
    """The casts and reshapes of a program that the pad's source comes through, and those of its result."""
    found: list[Op] = []
    ours, theirs = set(pad.results), set(pad.operands[:1])
    for op in text.ops:
        if op.name in RESHAPES and ours.intersection(op.operands[:1]):
            ours.update(op.results)
            found.append(op)
    for op in reversed(text.ops):
        if op.name in RESHAPES and theirs.intersection(op.results):
            theirs.update(op.operands[:1])
            found.append(op)
    return found


def users(pad: Op, text: Text) -> list[Op]:
    """The ops that use a pad, through casts and reshapes, in order."""
    function = pad.ancestor("util.func", "func.func", "func")
    known = set(pad.results)
    found = []
    for op in function.walk() if function is not None else text.ops:
        if op is pad or op is function or not known.intersection(op.operands):
            continue
        if op.name in RESHAPES:
            known.update(op.results)
        elif op.parent is function:
            found.append(op)
    return found


def _launched(flow: Flow) -> list[Executable]:
    return list({id(d.executable): d.executable for d in flow.dispatches}.values())


def _in_dispatch(pad: Op, executable: Executable, by_place: dict[Location, Op]) -> Place:
    packed: Place | None = None
    sides: list[tuple[Where, Iterator[Op]]] = [
        ("consumer", _after(pad, executable.ops)), ("producer", _before(pad, executable.ops)),
    ]  # fmt: skip
    for where, ops in sides:
        for op in _structured(ops):
            written = as_written(op, by_place)
            if not _LAYOUT.fullmatch(op.name) or written == op.name:
                return Place(where, written)
            packed = packed or Place("packed", written)
    return packed or Place("alone")


def _structured(ops: Iterable[Op]) -> Iterator[Op]:
    """What computes, and what only lays out data, which the compiler has put there."""
    for op in ops:
        if _LAYOUT.fullmatch(op.name) or (_STRUCTURED.match(op.name) and op.name not in _NO_WORK):
            yield op


def _after(pad: Op, ops: tuple[Op, ...]) -> Iterator[Op]:
    """What is computed from the pad, in order."""
    known = set(pad.results)
    for op in ops:
        if op is not pad and known.intersection(op.operands):
            known.update(op.results)
            yield op


def _before(pad: Op, ops: tuple[Op, ...]) -> Iterator[Op]:
    """What the pad's source is computed from, nearest first."""
    wanted = set(pad.operands[:1])
    for op in reversed(ops[: ops.index(pad)]):
        if wanted.intersection(op.results):
            wanted.update(op.operands)
            yield op


def as_written(op: Op, by_place: dict[Location, Op]) -> str:
    """The op's name in the program that it was made from; its own where that is not known."""
    for place in op.places:
        written = by_place.get(place)
        if place != NOWHERE and written is not None and written.name not in _NOT_MADE_FROM and "." in written.name:
            return written.name
    return op.name


def holds(dispatch: Dispatch, by_place: dict[Location, Op]) -> tuple[str, ...]:
    """What a dispatch computes, op by op, and what that was in the program; () for a slow memcpy.

    `linalg.fill`, `tensor.pad`, `linalg.generic from linalg.conv_2d_nchw_fchw`.
    """
    counts: dict[str, int] = {}
    for op in dispatch.executable.ops:
        if op.name in dispatch.executable.work and not _is_inside(op):
            written = op.name if op.name in _NO_WORK else as_written(op, by_place)
            text = op.name if written == op.name else f"{op.name} from {written}"
            counts[text] = counts.get(text, 0) + 1
    return tuple(text if n == 1 else f"{n} x {text}" for text, n in counts.items())


def _is_inside(op: Op) -> bool:
    """Whether it stands in the body of a structured op or of a pad."""
    return op.parent is not None and (op.parent.name.startswith("linalg.") or op.parent.name == TENSOR_PAD)
