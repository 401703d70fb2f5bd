"""What is in the picture of a flow phase: boxes, the ops in them, and what feeds what. Draws nothing (`boxes.py`).

Owns the way back from the flow phase to the report's program: which of its pads and convolutions an op was made from
is told by the places that ops carry, where the IR was printed with them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from oracles.convolutions import is_convolution
from oracles.dispatches import Dispatch, Flow
from oracles.experiment import Location
from oracles.mlir_text import Op, Text, read
from oracles.padding import convolves, look, pads_something

Kind = Literal["pad", "convolution", "other"]

_TENSOR = re.compile(r"tensor<((?:[^<>]|<[^<>]*>)*)>")
_FUNCTIONS = ("util.func", "func.func", "util.initializer", "func")
_OUTSIDE = ("flow.tensor.splat", "flow.tensor.update")


@dataclass(frozen=True)
class Row:
    """An op in a box.

    line: in the report's program, of what it was made from, 0 if unknown; times: how often it is there.
    """

    name: str
    kind: Kind
    line: int = 0
    times: int = 1


@dataclass(frozen=True)
class Edge:
    """What a box takes from another. source: its number; what: the tensor that goes over; padded: by a pad there."""

    source: int
    what: str
    padded: bool = False


@dataclass(frozen=True)
class Node:
    """A box. dispatch: its number, or None for what is done in none."""

    dispatch: int | None
    rows: tuple[Row, ...]
    edges: tuple[Edge, ...] = ()

    @property
    def title(self) -> str:
        """What stands above its ops."""
        return "in no dispatch" if self.dispatch is None else f"dispatch {self.dispatch}"


@dataclass(frozen=True)
class Graph:
    """A program at the flow phase. said: the same in a few words."""

    nodes: tuple[Node, ...]
    said: str


def read_graph(ir: str, program: str) -> Graph:
    """The boxes of a program, in the order of the text: its dispatches, and what else fills or updates a tensor.

    program: the text that `ir` was compiled from.
    """
    seen = look(program, ir)
    kinds = _Kinds.of(seen.flow, read(program), {id(p.feed.pad) for p in seen.pairs})
    dispatches = {id(d.op): d for d in seen.flow.dispatches}
    nodes: list[Node] = []
    made: dict[str, Edge] = {}
    for op in seen.flow.text.ops:
        if op.name in _FUNCTIONS:
            made.clear()  # its values have the names of the last one's
        dispatch = dispatches.get(id(op))
        node = _node(op, dispatch, kinds, sum(n.dispatch is not None for n in nodes))
        names = dispatch.arguments if dispatch is not None else op.operands
        sources = [made[name] for name in names if name in made]
        if node is None:  # a reshape or the like: what it makes is what it was made from
            made.update((name, replace(sources[0], what=_made(op))) for name in op.results if sources)
            continue
        nodes.append(replace(node, edges=tuple({edge.source: edge for edge in reversed(sources)}.values())))
        padded = any(row.kind == "pad" for row in node.rows) and not any(r.kind == "convolution" for r in node.rows)
        made.update((name, Edge(len(nodes) - 1, _made(op), padded)) for name in op.results)
    return Graph(tuple(nodes), seen.describe())


def _node(op: Op, dispatch: Dispatch | None, kinds: _Kinds, number: int) -> Node | None:
    if dispatch is not None:
        inner = [o for o in dispatch.executable.ops if o.name in dispatch.executable.work]
        rows = _counted([kinds.row(o, o.name) for o in inner])
        return Node(number, rows or (kinds.row(op, "a copy into a part"),))
    if op.name in _OUTSIDE:
        return Node(None, (kinds.row(op, op.name.removeprefix("flow.")),))
    return None


def _counted(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Rows that say the same once, in the order of the text."""
    return tuple(replace(row, times=rows.count(row)) for row in dict.fromkeys(rows))


def _made(op: Op) -> str:
    """The tensor that an op makes, as `2x3xf32`: the last that it names."""
    found = _TENSOR.findall(op.head.split(" loc(", 1)[0])
    return found[-1] if found else ""


@dataclass(frozen=True, eq=False)
class _Kinds:
    """What ops of a flow phase are.

    pads, convolutions, lines: places of the program's ops; known: ids of ops that do the work of its pads.
    """

    flow: Flow
    pads: frozenset[Location]
    convolutions: frozenset[Location]
    lines: frozenset[Location]
    known: frozenset[int]

    @classmethod
    def of(cls, flow: Flow, program: Text, known: set[int]) -> _Kinds:
        pads = frozenset(op.location for op in program.ops if pads_something(op))
        convolutions = frozenset(op.location for op in program.ops if convolves(op, program))
        return cls(flow, pads, convolutions, frozenset(op.location for op in program.ops), frozenset(known))

    def row(self, op: Op, name: str) -> Row:
        kind = self.kind(op)
        own = {"pad": self.pads, "convolution": self.convolutions, "other": self.lines}[kind]
        line = next((place.line for place in op.places if place in own), 0)
        return Row(name, kind, line)

    def kind(self, op: Op) -> Kind:
        if op.name == "tensor.pad" or id(op) in self.known:
            return "pad"
        if is_convolution(op, self.flow.text):
            return "convolution"
        if op.name.startswith("linalg."):
            return "convolution" if self.convolutions.intersection(op.places) else "other"
        is_written_into = op.name in ("flow.tensor.update", "flow.dispatch")
        return "pad" if is_written_into and self.pads.intersection(op.places) else "other"
