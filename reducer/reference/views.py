"""An operand of a `linalg.generic` as its loops see it: an array with one axis a loop.

Where the map is linear this is a view of the operand's memory, whatever it overlaps; a loop that the map does not
mention has size 1 and broadcasts. Otherwise the elements are gathered.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.lib.stride_tricks import as_strided

from reducer.reference.affine_maps import Map
from reducer.reference.failures import UndefinedError
from reducer.reference.values import Array, Value, each


@dataclass(frozen=True)
class Part:
    """A part of the iteration space: where each loop starts and how far it goes."""

    starts: tuple[int, ...]
    sizes: tuple[int, ...]

    def index(self, loop: int) -> Array:
        """The loop's numbers, along its own axis."""
        along = [1] * len(self.sizes)
        along[loop] = self.sizes[loop]
        return np.arange(self.starts[loop], self.starts[loop] + self.sizes[loop], dtype=np.int64).reshape(along)


def view(array: Array, map_: Map, part: Part) -> Array | None:
    """The view through a linear map, None if the map is not linear. Writing to it writes to the array."""
    strides, offset = [0] * map_.loops, []
    for axis, expression in enumerate(map_.results):
        linear = expression.linear(map_.loops)
        if linear is None:
            return None
        factors, constant = linear
        offset.append(constant + sum(f * s for f, s in zip(factors, part.starts, strict=True)))
        for loop, factor in enumerate(factors):
            strides[loop] += factor * array.strides[axis]
    used = _mentioned(map_)
    sizes = [n if loop in used else 1 for loop, n in enumerate(part.sizes)]
    if array.size == 0 or 0 in sizes:
        return np.zeros(sizes, array.dtype)
    base = array[tuple(slice(o, None) for o in offset)]
    return as_strided(base, sizes, [s if n > 1 else 0 for s, n in zip(strides, sizes, strict=True)])


def _mentioned(map_: Map) -> set[int]:
    found = set()
    for expression in map_.results:
        linear = expression.linear(map_.loops)
        found |= {i for i, f in enumerate(linear[0]) if f} if linear else set(range(map_.loops))
    return found


def places(map_: Map, part: Part) -> tuple[Array, ...]:
    """The index arrays of what the map reads."""
    loops = [part.index(i) for i in range(map_.loops)]
    return tuple(np.asarray(e.at(loops), np.int64) for e in map_.results)


def look(array: Array, map_: Map, part: Part) -> Array:
    """The array as the loops of this part see it."""
    if not map_.results:
        return array.reshape((1,) * map_.loops)
    found = view(array, map_, part)
    return np.asarray(array[places(map_, part)]) if found is None else found


def see(value: Value, map_: Map, part: Part) -> Value:
    """The value as the loops of this part see it."""
    return each(value, lambda array: look(array, map_, part))


def check(name: str, shape: Sequence[int], map_: Map, sizes: tuple[int, ...]) -> None:
    """Raise UndefinedError if the map leaves the operand anywhere in the iteration space."""
    whole = Part((0,) * len(sizes), sizes)
    for axis, expression in enumerate(map_.results):
        linear = expression.linear(map_.loops)
        if linear is None:
            numbers = np.asarray(expression.at([whole.index(i) for i in range(map_.loops)]))
            low, high = int(numbers.min()), int(numbers.max())
        else:
            low = linear[1] + sum(min(0, f * (n - 1)) for f, n in zip(linear[0], sizes, strict=True))
            high = linear[1] + sum(max(0, f * (n - 1)) for f, n in zip(linear[0], sizes, strict=True))
        if low < 0 or high >= shape[axis]:
            raise UndefinedError(f"`{name}` reads from {low} to {high} along a dimension of {shape[axis]}")
