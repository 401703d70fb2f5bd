"""The values of a program: what they hold, what of it is undefined, and how far off a right computation may be.

Owns the one rule of broadcasting: a value's arrays have one shape; a rank-0 value is a scalar, and inside
the body of a `linalg.generic` a scalar is an array over the loops.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, eq=False)
class Value:
    """A tensor, or a scalar as an array of rank 0, as the program holds it.

    data: of the element type's NumPy type; signless integers are signed, i1 is bool, index is int64.
    undefined: bool array of the same shape, None: nothing is.
    error: float64 array of the same shape, how far a right computation may be off; None: exact; inf: nothing is known.
    """

    data: Array
    undefined: Array | None = None
    error: Array | None = None

    @property
    def shape(self) -> tuple[int, ...]:
        """The sizes of the dimensions."""
        return tuple(self.data.shape)


def union(masks: Sequence[Array | None]) -> Array | None:
    """Where any of the masks is set; they are broadcast together."""
    found: Array | None = None
    for mask in masks:
        if mask is not None:
            found = mask if found is None else found | mask
    return found


def undefined_of(values: Sequence[Value]) -> Array | None:
    """Where any of the values is undefined."""
    return union([v.undefined for v in values])


def settle(data: Array, undefined: Array | None, error: Array | None) -> Value:
    """A value of these arrays, each of the data's shape, and None where they say nothing."""
    data = np.asarray(data)
    shapes = [a.shape for a in (undefined, error) if a is not None and np.ndim(a)]
    if any(s != data.shape for s in shapes):
        data = np.broadcast_to(data, np.broadcast_shapes(data.shape, *shapes))
    if undefined is not None:
        undefined = np.broadcast_to(undefined, data.shape) if np.any(undefined) else None
    if error is not None:
        error = np.broadcast_to(error, data.shape) if np.any(error) else None
    return Value(data, undefined, error)


def each(value: Value, change: Callable[[Array], Array]) -> Value:
    """The value with the same rearrangement done to all of its arrays."""
    return settle(
        change(value.data),
        None if value.undefined is None else change(value.undefined),
        None if value.error is None else change(value.error),
    )


def together(values: Sequence[Value], join: Callable[[list[Array]], Array]) -> Value:
    """One value put together of several: `join` gets their data, then their masks, then their errors."""
    undefined = error = None
    if any(v.undefined is not None for v in values):
        undefined = join([np.zeros(v.shape, bool) if v.undefined is None else v.undefined for v in values])
    if any(v.error is not None for v in values):
        error = join([np.zeros(v.shape) if v.error is None else v.error for v in values])
    return Value(join([v.data for v in values]), undefined, error)


def unknown(value: Value) -> Value:
    """The value, of which nothing may be said any more because an inexact number decided on it."""
    return Value(value.data, value.undefined, np.full(value.shape, np.inf))


def undefined(shape: Sequence[int], dtype: np.dtype[Any]) -> Value:
    """A value of which every element is undefined."""
    return Value(np.zeros(tuple(shape), dtype), np.ones(tuple(shape), bool))


def scalar(number: Any, dtype: Any) -> Value:
    """An exact scalar."""
    return Value(np.asarray(number, dtype))


def index(number: Any) -> Value:
    """An exact scalar, or array of scalars, of type index."""
    return Value(np.asarray(number, np.int64))
