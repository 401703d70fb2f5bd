"""The iteration space of a `linalg.generic`: its parts, what the body sees in a part, and where results go."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from reducer.reference.affine_maps import Map
from reducer.reference.machine import Environment, Machine
from reducer.reference.program import Block, Node
from reducer.reference.values import Array, Value, settle
from reducer.reference.views import Part, places, see, view


@dataclass
class Generic:
    """An op with its operands' values.

    sizes: of the loops; inputs, outputs: values with their maps; uses: which values the body reads.
    """

    machine: Machine
    node: Node
    env: Environment
    block: Block
    sizes: tuple[int, ...]
    inputs: list[tuple[Value, Map]]
    outputs: list[tuple[Value, Map]]
    uses: frozenset[int]

    @property
    def out_arguments(self) -> list[int]:
        """The block's arguments that stand for the outputs."""
        return self.block.arguments[len(self.inputs) :]

    def arguments(self, part: Part, outs: Sequence[Value | None]) -> None:
        """Give the block's arguments their values in this part. An output that is None is not looked at."""
        for number, (value, map_) in zip(self.block.arguments, self.inputs, strict=False):
            if number in self.uses:
                self.env[number] = see(value, map_, part)
        for number, out, (_, map_) in zip(self.out_arguments, outs, self.outputs, strict=True):
            if out is not None and number in self.uses:
                self.env[number] = see(out, map_, part)

    def body(self, part: Part, skip: frozenset[int] = frozenset()) -> None:
        """Compute the ops of the body, without those with the numbers `skip` and the terminator."""
        self.machine.indices.append([part.index(i) for i in range(len(self.sizes))])
        for number, node in enumerate(self.block.nodes[:-1]):
            if number not in skip:
                self.machine.execute(node, self.env)
        self.machine.indices.pop()


class Target:
    """An output while it is written: arrays of its own."""

    def __init__(self, value: Value) -> None:
        self.data = np.array(value.data)
        self.undefined = None if value.undefined is None else np.array(value.undefined)
        self.error = None if value.error is None else np.array(value.error)

    def value(self) -> Value:
        """What has been written so far."""
        return settle(self.data, self.undefined, self.error)

    def write(self, map_: Map, part: Part, value: Value, loops: Sequence[int]) -> None:
        """Put a value of the loops where the map says; `loops` are those that the map follows."""
        sizes = [n if i in loops else 1 for i, n in enumerate(part.sizes)]
        if value.undefined is not None and self.undefined is None:
            self.undefined = np.zeros(self.data.shape, bool)
        if value.error is not None and self.error is None:
            self.error = np.zeros(self.data.shape)
        _write(self.data, map_, part, value.data, sizes)
        if self.undefined is not None:
            mask = np.asarray(False) if value.undefined is None else value.undefined
            _write(self.undefined, map_, part, mask, sizes)
        if self.error is not None:
            _write(self.error, map_, part, np.zeros(()) if value.error is None else value.error, sizes)


def _write(array: Array, map_: Map, part: Part, new: Array, sizes: Sequence[int]) -> None:
    new = np.broadcast_to(new, sizes)
    if not map_.results:
        array[()] = new.reshape(())
        return
    target = view(array, map_, part)
    if target is not None:
        target[...] = new
    else:
        where = places(map_, part)
        array[where] = np.broadcast_to(new, np.broadcast_shapes(*(w.shape for w in where)))


def cut(starts: tuple[int, ...], sizes: tuple[int, ...], loops: Sequence[int], most: int) -> Iterator[Part]:
    """A part of the iteration space cut along `loops`, outermost first, into ones of `most` elements where possible."""
    step = list(sizes)
    for loop in loops:
        others = int(np.prod([n for i, n in enumerate(step) if i != loop], dtype=np.int64))
        if others * step[loop] <= most:
            break
        step[loop] = max(1, most // max(others, 1))
    yield from grid(starts, sizes, step)


def grid(starts: tuple[int, ...], sizes: tuple[int, ...], step: Sequence[int]) -> Iterator[Part]:
    """A part of the iteration space in parts of the sizes `step`, the last ones smaller."""
    for at in product(*(range(0, n, s) for n, s in zip(sizes, step, strict=True))):
        size = tuple(min(s, n - a) for a, s, n in zip(at, step, sizes, strict=True))
        yield Part(tuple(a + b for a, b in zip(starts, at, strict=True)), size)
