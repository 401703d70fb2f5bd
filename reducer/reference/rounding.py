"""Rounding, and how far off it may be.

Floats are computed in float64 and rounded to their element type after every op. `finish` turns the float64 result into
a value and says what a right computation may differ by:

- u|x| where rounding lost something (u: half a unit in the last place), and nothing where it lost nothing, since then a
  fused or wider computation gives the same;
- |x| where x is subnormal in f32: IREE's CPU threads flush such numbers to zero; in f16 too: its own conversions
  from and to f32, which CPUs without such instructions use, do the same;
- what the operands' errors became, computed by the op (`carried`);
- inf where x overflows, or could within the error: a wider intermediate would not have.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from reducer.reference.types import Element, element
from reducer.reference.values import Array, Value, settle

F32_SMALLEST = float(np.finfo(np.float32).tiny)


def round_to(x: Array, element: Element) -> Array:
    """Float64 numbers rounded once, to nearest, ties to even."""
    with np.errstate(all="ignore"):
        if element.name in ("f64", "f32", "f16"):
            return np.asarray(x, np.float64).astype(element.dtype)
        return _to_odd(np.asarray(x, np.float64)).astype(element.dtype)


def _to_odd(x: Array) -> Array:
    """Float32 numbers from which rounding once more gives what rounding x at once does."""
    near = x.astype(np.float32)
    wide = near.astype(np.float64)
    bits = near.view(np.int32)
    inexact = (wide != x) & np.isfinite(x) & np.isfinite(near) & (bits & 1 == 0)
    # The odd neighbour on x's side: the bits of a float grow with its magnitude.
    step = np.where(np.abs(x) > np.abs(wide), 1, -1).astype(np.int32)
    return np.where(inexact, bits + step, bits).astype(np.int32).view(np.float32)


def wide(value: Value) -> Array:
    """A float value's numbers in float64."""
    with np.errstate(all="ignore"):
        return value.data.astype(np.float64)


def error_of(value: Value) -> Array:
    """A value's error as an array that broadcasts with it."""
    return np.zeros(()) if value.error is None else value.error


def subnormal_limit(element: Element) -> float:
    """Below this, a number may be taken for zero."""
    return element.smallest if element.name in ("f64", "f16") else F32_SMALLEST


def finest(element: Element) -> float:
    """The finest step that a sum of such numbers may have and still be exact."""
    return max(subnormal_limit(element), 2 * element.unit * element.smallest)


def finish(
    x: Array,
    element: Element,
    undefined: Array | None,
    carried: Array | None = None,
    *,
    lost: Array | None = None,
    certain: Array | None = None,
) -> Value:
    """The value for the float64 result x.

    carried: what the operands' errors became. lost: where x itself is not the exact result (else told from rounding).
    certain: where the result does not depend on what is inexact (a NaN operand, say).
    """
    with np.errstate(all="ignore"):
        data = round_to(x, element)
        size = np.abs(x)
        inexact = data.astype(np.float64) != x
        if lost is not None:
            inexact = inexact | lost
        if carried is not None:
            # What is off is rounded somewhere else, and perhaps later, than here.
            inexact = inexact | (carried > 0)
        error = np.where(inexact, element.unit * size + element.smallest * element.unit, 0.0)
        least = size if carried is None else size - carried
        if (small := (least < subnormal_limit(element)) & (x != 0)).any():
            error = np.where(small, np.maximum(error, size), error)
        if carried is not None:
            error = error + carried
        special = ~np.isfinite(x)
        if special.any():
            # Of exact operands: as IEEE 754 has it. Otherwise nothing is known.
            error = np.where(special, 0.0 if carried is None else np.where(carried == 0, 0.0, np.inf), error)
        over = ~special & (size + error > element.largest)
        error = np.where(over | np.isnan(error), np.inf, error)
        if certain is not None:
            error = np.where(certain, 0.0, error)
    return settle(data, undefined, error)


def spread(x: Array, error: Array, change: Callable[[Array], Array]) -> Array:
    """How far a monotone function of x may be off, if x is off by `error`."""
    with np.errstate(all="ignore"):
        middle = change(x)
        up, down = np.abs(change(x + error) - middle), np.abs(middle - change(x - error))
        moved = np.maximum(up, down)
        return np.where(error == 0, 0.0, np.where(np.isnan(moved), np.inf, moved))


_SUBNORMAL_LIMITS = {element(name).dtype.name: subnormal_limit(element(name)) for name in ("f32", "f16", "bf16")}


def flushed(value: Value) -> Value:
    """A subnormal number of f32 and f16, and of bf16, which has the exponents of f32, may be read as zero."""
    limit = _SUBNORMAL_LIMITS.get(value.data.dtype.name)
    if limit is None:
        return value
    small = (np.abs(value.data) < value.data.dtype.type(limit)) & (value.data != 0)
    if not small.any():
        return value
    return settle(value.data, value.undefined, np.where(small, np.abs(wide(value)), 0.0) + error_of(value))
