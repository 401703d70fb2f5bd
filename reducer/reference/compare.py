"""Is what was computed right? The first element that is not, and how many are not.

An element is right if it is within the expected value's bound and half a unit of its own last place, or, where the
bound is zero, if it is the same: any NaN is the same as any other, and 0.0 as -0.0, whose sign the order of a sum
decides.
Elements that are expected to be undefined, or of which nothing is known, are right whatever they are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reducer.reference.values import Array, Value


@dataclass(frozen=True)
class Difference:
    """How a value differs from what it should be.

    kind: `value`, `nan`, `shape` or `type`; index: the first element that differs; wrong, total: how many elements do.
    """

    kind: str
    index: tuple[int, ...]
    expected: str
    got: str
    wrong: int
    total: int


@dataclass(frozen=True)
class Margin:
    """What a tool that has one tolerance for all elements needs to know to see what is wrong, and only that.

    allowed: the most that an element of which something is known may be off; apart: by how much the element is off that
    is wrong most, 0.0 if none is; size: the absolute value that was expected there.
    """

    allowed: float
    apart: float = 0.0
    size: float = 0.0


def compare(expected: Value, got: Array, *, rtol: float | None = None, atol: float | None = None) -> Difference | None:
    """The difference, None if there is none.

    rtol, atol: if either is given, they take the place of the bounds: |got - expected| <= atol + rtol * |expected|.
    """
    if expected.data.shape != got.shape:
        return Difference("shape", (), str(list(expected.data.shape)), str(list(got.shape)), got.size, got.size)
    if expected.data.dtype != got.dtype:
        return Difference("type", (), str(expected.data.dtype), str(got.dtype), got.size, got.size)
    bad = _wrong(expected, got, rtol, atol)
    if not bad.any():
        return None
    first = tuple(int(i) for i in np.unravel_index(int(np.argmax(bad)), bad.shape))
    with np.errstate(all="ignore"):
        nan = bool(np.isnan(_float(expected.data[first])) != np.isnan(_float(got[first])))
    return Difference(
        "nan" if nan else "value", first, str(expected.data[first]), str(got[first]), int(bad.sum()), got.size
    )


def _float(x: Array) -> Array:
    return np.asarray(x).astype(np.float64)


def margin(expected: Value, got: Array, *, rtol: float | None = None, atol: float | None = None) -> Margin:
    """The margin of a result that has the right shape and type."""
    with np.errstate(all="ignore"):
        bad, bound = _wrong(expected, got, rtol, atol), _bound(expected, got, rtol, atol)
        a, b = _float(expected.data), _float(got)
        allowed = float(np.max(bound, where=np.isfinite(bound), initial=0.0))
        if not bad.any():
            return Margin(allowed)
        apart = np.where(np.isfinite(a) & np.isfinite(b), np.abs(a - b), np.inf)
        worst = int(np.argmax(np.where(bad, apart, -1.0)))
        return Margin(allowed, float(apart.flat[worst]), float(np.abs(a).flat[worst]))


def _wrong(expected: Value, got: Array, rtol: float | None, atol: float | None) -> Array:
    with np.errstate(all="ignore"):
        a, b = _float(expected.data), _float(got)
        same = np.asarray((expected.data == got) | (np.isnan(a) & np.isnan(b)))
        bound = _bound(expected, got, rtol, atol)
        ignored = np.isinf(bound)
        if expected.undefined is not None:
            ignored = ignored | expected.undefined
        return np.asarray(~(same | (np.abs(a - b) <= bound) | ignored))


def _bound(expected: Value, got: Array, rtol: float | None, atol: float | None) -> Array:
    """How far each element may be off; infinity where nothing is known."""
    if rtol is not None or atol is not None:
        allowed = (atol or 0.0) + (rtol or 0.0) * np.abs(_float(expected.data))
        return np.asarray(np.where(np.isfinite(allowed), allowed, 0.0))
    error = np.zeros(got.shape) if expected.error is None else expected.error
    return np.asarray(np.where(np.isinf(error), np.inf, np.where(error > 0, error + _half_unit(got), 0.0)))


def _half_unit(x: Array) -> Array:
    """Half of the last place of each float; 0 for integers."""
    if x.dtype.kind in "iub" or "int" in x.dtype.name:
        return np.zeros(x.shape)
    with np.errstate(all="ignore"):
        size = np.abs(x)
        return np.asarray(np.abs(_float(np.nextafter(size, np.asarray(np.inf, x.dtype))) - _float(size)) / 2)
