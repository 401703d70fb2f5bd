"""`math`: functions in float64, with the tolerance that IREE's approximations need.

IREE computes transcendental functions by polynomials of its own, so no two targets agree to the last place: those of
bf16 in f32, with one rounding at the end, and those of f16 too but for some that are expanded into other functions.
`FAMILIES` says how far off each may be: measured on llvm-cpu and vmvx (all of f16 and bf16, some 300,000 of f32), then
doubled or more. What is exact (rounding, absolute values, integer ops) has no tolerance.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from reducer.reference.failures import CannotEvaluateError
from reducer.reference.float_ops import Scalar, round_half_away, step
from reducer.reference.int_ops import signed, unsigned, wrap
from reducer.reference.program import Node
from reducer.reference.rounding import error_of, finish, spread, wide
from reducer.reference.types import Element, element
from reducer.reference.values import Array, Value, settle, undefined_of

F32_UNIT = 2.0**-24
SMALL_SQUARE = 16.0  # what is larger may overflow or vanish where it is squared


@dataclass(frozen=True)
class Family:
    """A function's tolerance.

    ulps: in units of the result's last place. floor, slope: absolute, and times |x|, in units of the last place of 1:
    in f32, or in f16 itself where f16 is `expanded` into other functions. periodic: whether the slope is that of x, of
    which only what is left of the period counts. poles: whether there are some on the way. squares: whether the
    expansion squares x. specials: whether NaN and infinity of finite numbers are the same everywhere.
    """

    change: Callable[[Array], Array]
    ulps: float = 4.0
    floor: float = 0.0
    slope: float = 0.0
    periodic: bool = False
    poles: bool = False
    expanded: bool = False
    squares: bool = False
    specials: bool = False

    def unit(self, kind: Element) -> float:
        """Half a last place of 1, as precisely as it is computed."""
        return kind.unit if kind.name == "f64" or (kind.name == "f16" and self.expanded) else F32_UNIT


def erf(x: Array) -> Array:
    """The error function, to float64's precision or nearly: `math.erf` for every number."""
    return np.asarray(np.vectorize(math.erf, otypes=[np.float64])(x), np.float64)


def _erfc(x: Array) -> Array:
    return np.asarray(np.vectorize(math.erfc, otypes=[np.float64])(x), np.float64)


FAMILIES: dict[str, Family] = {
    "math.exp": Family(np.exp, slope=2.0),
    "math.exp2": Family(np.exp2, slope=2.0, expanded=True),
    "math.expm1": Family(np.expm1, ulps=8.0, floor=8.0, slope=2.0),
    "math.log": Family(np.log, floor=4.0, specials=True),
    "math.log2": Family(np.log2, floor=4.0, specials=True),
    "math.log10": Family(np.log10, floor=4.0, specials=True),
    "math.log1p": Family(np.log1p, ulps=8.0, floor=4.0, specials=True),
    "math.sqrt": Family(np.sqrt, specials=True),
    "math.rsqrt": Family(lambda x: 1.0 / np.sqrt(x), ulps=8.0, expanded=True, specials=True),
    "math.cbrt": Family(np.cbrt, ulps=32.0),
    "math.tanh": Family(np.tanh, ulps=16.0, floor=8.0),
    "math.sinh": Family(np.sinh, ulps=16.0, floor=8.0, slope=4.0, expanded=True),
    "math.cosh": Family(np.cosh, ulps=16.0, floor=8.0, slope=4.0, expanded=True),
    "math.asinh": Family(np.arcsinh, ulps=16.0, floor=16.0, expanded=True, squares=True),
    "math.acosh": Family(np.arccosh, ulps=16.0, floor=16.0, expanded=True, squares=True, specials=True),
    "math.atanh": Family(np.arctanh, ulps=16.0, floor=16.0, expanded=True, specials=True),
    "math.sin": Family(np.sin, floor=8.0, slope=2.0, periodic=True),
    "math.cos": Family(np.cos, floor=8.0, slope=2.0, periodic=True),
    "math.tan": Family(np.tan, ulps=16.0, floor=16.0, slope=4.0, periodic=True, poles=True, expanded=True),
    "math.asin": Family(np.arcsin, ulps=16.0, floor=16.0, expanded=True, specials=True),
    "math.acos": Family(np.arccos, ulps=16.0, floor=16.0, expanded=True, specials=True),
    "math.atan": Family(np.arctan, ulps=16.0, floor=64.0),
    "math.erf": Family(erf, ulps=8.0, floor=16.0),
    "math.erfc": Family(_erfc, ulps=16.0, floor=32.0),
}


def _approximate(family: Family) -> Scalar:
    def run(node: Node, values: list[Value]) -> list[Value]:
        kind = element(node.result_types[0])
        x = wide(values[0])
        with np.errstate(all="ignore"):
            y = family.change(x)
            carried = _tolerance(family, x, y, kind)
            if values[0].error is not None:
                carried = carried + _moved(family, x, y, values[0].error)
        sure = _well_known(node.name, family, x, y) & (error_of(values[0]) == 0)
        return [finish(y, kind, values[0].undefined, carried, certain=sure)]

    return run


def _tolerance(family: Family, x: Array, y: Array, kind: Element) -> Array:
    """How far off the function alone may be."""
    place = 2 * family.unit(kind)
    tolerance = family.ulps * place * np.abs(y) + family.floor * place
    turned = family.slope * np.abs(x) * place
    if family.periodic:
        # Past this, not even the period is known in which x lies: polynomials give anything there, infinity too.
        turned = np.where((turned > 0.25) & np.isfinite(x), np.inf, turned)
        tolerance = tolerance + (_past_pole(y, turned) if family.poles else turned)
    else:
        tolerance = tolerance + turned * np.abs(y)
    if family.squares:
        # Of x + sqrt(x * x + 1), for negative x, nothing may be left but zero, whose logarithm is infinite.
        cancelled = 4 * x * x * place
        tolerance = np.where((x * x * 4 > kind.largest) | (cancelled > 0.25), np.inf, tolerance + cancelled)
    if family.expanded:
        # An intermediate may overflow a little before the result does.
        tolerance = np.where(np.abs(y) * 4 > kind.largest, np.inf, tolerance)
    return np.where(np.isnan(tolerance), np.inf, tolerance)


def _past_pole(y: Array, turned: Array) -> Array:
    """How far tan(x + turned) may be from y = tan(x)."""
    left = 1 - turned * np.abs(y)
    return np.where(left > 0, turned * (1 + y * y) / left, np.inf)


def _moved(family: Family, x: Array, y: Array, error: Array) -> Array:
    """How far off the result is because x is: cosh is not monotone, but steeper away from 0 than towards it."""
    if not family.periodic:
        return spread(x, error, family.change)
    return np.where(error == 0, 0.0, _past_pole(y, error) if family.poles else error)


def _well_known(name: str, family: Family, x: Array, y: Array) -> Array:
    """Where every implementation gives the same: NaN of NaN, and the plain values at 0, 1 and infinity."""
    sure = np.isnan(x)
    if family.specials and name != "math.rsqrt":
        sure = sure | (~np.isfinite(y) & ~(family.squares & (np.abs(x) > SMALL_SQUARE)))
    if name == "math.rsqrt":  # of 0, which infinity follows from the sign of zero
        sure = sure | np.isnan(y)
    elif name in ("math.exp", "math.exp2"):
        sure = sure | (x == 0) | np.isinf(x)
    elif name in ("math.tanh", "math.erf", "math.sin", "math.tan", "math.sinh", "math.asin", "math.atan"):
        sure = sure | (x == 0)
    elif name == "math.sqrt":
        sure = sure | (x == 0) | (np.isfinite(x) & (y == np.rint(y)) & (y < 2048))
    return sure


def _power(node: Node, values: list[Value]) -> list[Value]:
    kind = element(node.result_types[0])
    a, b = wide(values[0]), wide(values[1])
    with np.errstate(all="ignore"):
        y = np.power(a, b)
        logarithm = np.where(a == 0, 0.0, np.abs(np.log(np.abs(a))))
        relative = (24 + 4 * np.abs(b) * (logarithm + 1)) * (F32_UNIT if kind.name == "bf16" else kind.unit)
        carried = relative * np.abs(y)
        ea, eb = error_of(values[0]), error_of(values[1])
        low, high = a - ea, b + eb
        moved = np.maximum(np.abs(np.power(low, b - eb) - y), np.abs(np.power(low, high) - y))
        moved = np.maximum(moved, np.maximum(np.abs(np.power(a + ea, b - eb) - y), np.abs(np.power(a + ea, high) - y)))
        moved = np.where((low <= 0) | np.isnan(moved), np.inf, moved)
        carried = carried + np.where((ea == 0) & (eb == 0), 0.0, moved)
        sure = (ea == 0) & (eb == 0) & ((b == 0) | (a == 1))
    return [finish(y, kind, undefined_of(values), np.where(np.isnan(carried), np.inf, carried), certain=sure)]


def _integer_power(node: Node, values: list[Value]) -> list[Value]:
    """`math.fpowi`: expanded into products, whose roundings add up."""
    kind = element(node.result_types[0])
    a, n = wide(values[0]), values[1].data.astype(np.float64)
    if values[1].error is not None:
        raise CannotEvaluateError(node.name, "its exponent is inexact")
    with np.errstate(all="ignore"):
        y = np.power(a, n)
        e = error_of(values[0])
        grown = np.power(np.abs(a) + e, n) - np.abs(y)
        carried = np.where((e == 0) | (n == 0), 0.0, np.where(n > 0, grown, np.inf))
        exact = (y == np.rint(y)) & (np.abs(y) < 2.0**kind.digits) & (n >= 0)
        carried = carried + np.where(exact & (e == 0), 0.0, 4 * (np.abs(n) + 1) * kind.unit * np.abs(y))
    return [finish(y, kind, undefined_of(values), np.where(np.isnan(carried), np.inf, carried))]


def _atan2(node: Node, values: list[Value]) -> list[Value]:
    kind = element(node.result_types[0])
    y, x = wide(values[0]), wide(values[1])
    with np.errstate(all="ignore"):
        angle = np.arctan2(y, x)
        carried = 64 * (kind.unit if kind.name == "f64" else F32_UNIT) * np.abs(angle) + 128 * F32_UNIT
        moved = (error_of(values[0]) + error_of(values[1])) / np.hypot(x, y)
        carried = carried + np.where(np.isnan(moved), 0.0, 2 * moved)
        # Along the cut the sign of zero decides.
        carried = np.where((np.abs(y) <= error_of(values[0])) & (x <= error_of(values[1])), np.inf, carried)
    return [finish(angle, kind, undefined_of(values), carried)]


def _absolute(_node: Node, values: list[Value]) -> list[Value]:
    return [Value(np.abs(values[0].data), values[0].undefined, values[0].error)]


def _copy_sign(node: Node, values: list[Value]) -> list[Value]:
    a, b = wide(values[0]), wide(values[1])
    with np.errstate(all="ignore"):
        x = np.copysign(a, b)
        open_sign = (np.abs(b) <= error_of(values[1])) | np.isnan(b)
        carried = error_of(values[0]) + np.where(open_sign, 2 * np.abs(a), 0.0)
    return [finish(x, element(node.result_types[0]), undefined_of(values), carried)]


def _fused(node: Node, values: list[Value]) -> list[Value]:
    """`math.fma`: one rounding, but two are as right, for most machines have no other way."""
    a, b, c = (wide(v) for v in values)
    ea, eb, ec = (error_of(v) for v in values)
    kind = element(node.result_types[0])
    with np.errstate(all="ignore"):
        product = a * b
        x = product + c
        twice = 2 * kind.unit * (np.abs(product) + np.abs(c))
        exact = (x == np.rint(x)) & (product == np.rint(product)) & (np.abs(product) + np.abs(c) < 2.0**kind.digits)
        carried = np.where(exact | ~np.isfinite(x), 0.0, twice)
        inexact = (ea != 0) | (eb != 0) | (ec != 0)
        carried = carried + np.where(inexact, ea * np.abs(b) + eb * np.abs(a) + ea * eb + ec, 0.0)
    return [finish(x, kind, undefined_of(values), np.where(np.isnan(carried), np.inf, carried))]


def _count(change: Callable[[str], int]) -> Scalar:
    """A count over the binary digits, by a table of what occurs."""

    def run(node: Node, values: list[Value]) -> list[Value]:
        kind = element(node.result_types[0])
        found, where = np.unique(unsigned(values[0], kind), return_inverse=True)
        counts = np.array([change(format(int(n), f"0{kind.bits}b")) for n in found], np.int64)
        error = None if values[0].error is None else np.where(values[0].error == 0, 0.0, np.inf)
        x = counts[where].reshape(values[0].shape) if counts.size else np.zeros(values[0].shape, np.int64)
        return [settle(wrap(x, kind), values[0].undefined, error)]

    return run


def _absolute_integer(node: Node, values: list[Value]) -> list[Value]:
    kind = element(node.result_types[0])
    return [settle(wrap(np.abs(signed(values[0], kind)), kind), values[0].undefined, values[0].error)]


def _class(test: Callable[[Array], Array]) -> Scalar:
    def run(_node: Node, values: list[Value]) -> list[Value]:
        x = wide(values[0])
        error = None
        if values[0].error is not None:
            error = np.where(np.isinf(values[0].error), np.inf, 0.0)
        return [settle(test(x), values[0].undefined, error)]

    return run


OPS: dict[str, Scalar] = {
    **{name: _approximate(family) for name, family in FAMILIES.items()},
    "math.absf": _absolute,
    "math.absi": _absolute_integer,
    "math.atan2": _atan2,
    "math.ceil": step(np.ceil),
    "math.copysign": _copy_sign,
    "math.ctlz": _count(lambda bits: len(bits) - len(bits.lstrip("0"))),
    "math.ctpop": _count(lambda bits: bits.count("1")),
    "math.cttz": _count(lambda bits: len(bits) - len(bits.rstrip("0"))),
    "math.floor": step(np.floor),
    "math.fma": _fused,
    "math.fpowi": _integer_power,
    "math.isfinite": _class(np.isfinite),
    "math.isinf": _class(np.isinf),
    "math.isnan": _class(np.isnan),
    "math.powf": _power,
    "math.round": step(round_half_away),
    "math.roundeven": step(np.rint),
    "math.trunc": step(np.trunc),
}
