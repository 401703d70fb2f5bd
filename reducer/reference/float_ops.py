"""`arith` on floats. Each function takes the op and its operands' values and returns its results' values."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from reducer.reference.program import Node
from reducer.reference.rounding import error_of, finish, round_to, spread, wide
from reducer.reference.types import element
from reducer.reference.values import Array, Value, settle, undefined_of

Scalar = Callable[[Node, list[Value]], list[Value]]


def _exact(values: list[Value]) -> bool:
    return all(v.error is None for v in values)


def _certain_nan(values: list[Value]) -> Array:
    """Where an operand is a NaN beyond doubt: then so is the result."""
    found: Array = np.zeros((), bool)
    for value in values:
        found = found | (np.isnan(wide(value)) & (error_of(value) == 0))
    return found


def _sum(node: Node, values: list[Value], sign: float) -> list[Value]:
    a, b = wide(values[0]), sign * wide(values[1])
    with np.errstate(all="ignore"):
        x = a + b
        part = x - a
        lost = (a - (x - part)) + (b - part)  # what float64 itself lost; NaN for infinities, where nothing is lost
        lost = np.isfinite(lost) & (lost != 0)
    if _exact(values):
        return [finish(x, element(node.result_types[0]), undefined_of(values), lost=lost)]
    ea, eb = error_of(values[0]), error_of(values[1])
    certain = _certain_nan(values)
    for mine, e, other in ((a, ea, eb), (b, eb, ea)):
        certain = certain | (np.isinf(mine) & (e == 0) & np.isinf(x) & np.isfinite(other))
    return [finish(x, element(node.result_types[0]), undefined_of(values), ea + eb, lost=lost, certain=certain)]


def _add(node: Node, values: list[Value]) -> list[Value]:
    return _sum(node, values, 1.0)


def _subtract(node: Node, values: list[Value]) -> list[Value]:
    return _sum(node, values, -1.0)


def _multiply(node: Node, values: list[Value]) -> list[Value]:
    kind = element(node.result_types[0])
    a, b = wide(values[0]), wide(values[1])
    with np.errstate(all="ignore"):
        x = a * b
        # In float64 a product of narrower numbers is exact; of float64 numbers only if it is a small whole number.
        lost = (x != np.rint(x)) | (np.abs(x) > 2.0**53) if kind.name == "f64" else None
        if _exact(values):
            return [finish(x, kind, undefined_of(values), lost=lost)]
        ea, eb = error_of(values[0]), error_of(values[1])
        carried = np.where(ea == 0, 0, ea * np.abs(b)) + np.where(eb == 0, 0, eb * np.abs(a)) + ea * eb
    return [finish(x, kind, undefined_of(values), carried, lost=lost, certain=_certain_nan(values))]


def _divide(node: Node, values: list[Value]) -> list[Value]:
    kind = element(node.result_types[0])
    a, b = wide(values[0]), wide(values[1])
    ea, eb = error_of(values[0]), error_of(values[1])
    with np.errstate(all="ignore"):
        x = a / b
        lost = (x * b != a) & np.isfinite(x) & np.isfinite(b)
        carried = (ea + np.abs(x) * eb) / np.maximum(np.abs(b) - eb, 0.0)
        carried = np.where((ea == 0) & (eb == 0), 0.0, np.where(np.abs(b) > eb, carried, np.inf))
        # Which infinity follows from the sign of zero, and that from the order of a sum.
        carried = np.where((b == 0) & (a != 0) & ~np.isnan(a), np.inf, carried)
    return [finish(x, kind, undefined_of(values), carried, lost=lost, certain=_certain_nan(values))]


def _remainder(node: Node, values: list[Value]) -> list[Value]:
    a, b = wide(values[0]), wide(values[1])
    with np.errstate(all="ignore"):
        x = np.fmod(a, b)
    carried = None if _exact(values) else np.where((error_of(values[0]) + error_of(values[1])) == 0, 0.0, np.inf)
    return [finish(x, element(node.result_types[0]), undefined_of(values), carried)]


def _negate(node: Node, values: list[Value]) -> list[Value]:
    return [Value(-values[0].data, values[0].undefined, values[0].error)]


def _extreme(choose: Callable[[Array, Array], Array]) -> Scalar:
    def run(node: Node, values: list[Value]) -> list[Value]:
        with np.errstate(all="ignore"):
            x = choose(wide(values[0]), wide(values[1]))
            data = x.astype(element(node.result_types[0]).dtype)
        error = None if _exact(values) else np.maximum(error_of(values[0]), error_of(values[1]))
        return [settle(data, undefined_of(values), error)]

    return run


_ORDERED: dict[int, Callable[[Array, Array], Array]] = {
    1: np.equal, 2: np.greater, 3: np.greater_equal, 4: np.less, 5: np.less_equal, 6: np.not_equal,
}  # fmt: skip


def _compare(node: Node, values: list[Value]) -> list[Value]:
    """The predicates: 0 false, 1 to 6 ordered oeq ogt oge olt ole one, 7 ord, 8 to 13 unordered, 14 uno, 15 true."""
    predicate = node.numbers("predicate")[0]
    a, b = wide(values[0]), wide(values[1])
    with np.errstate(all="ignore"):
        unordered = np.isnan(a) | np.isnan(b)
        if predicate in (0, 15):
            answer = np.full(unordered.shape, predicate == 15)
        elif predicate in (7, 14):
            answer = unordered if predicate == 14 else ~unordered
        elif predicate < 7:
            answer = _ORDERED[predicate](a, b) & ~unordered
        else:
            answer = _ORDERED[predicate - 7](a, b) | unordered
        error = None
        if not _exact(values):
            doubt = error_of(values[0]) + error_of(values[1])
            apart = np.abs(a - b)
            sure = (doubt == 0) | (apart > doubt) | _certain_nan(values)
            error = np.where(sure, 0.0, np.inf)
    return [settle(answer, undefined_of(values), error)]


def _extend(node: Node, values: list[Value]) -> list[Value]:
    """Also every conversion between floats: rounded, with half a unit where that loses something."""
    return [finish(wide(values[0]), element(node.result_types[0]), values[0].undefined, values[0].error)]


def _truncate(node: Node, values: list[Value]) -> list[Value]:
    kind, source = element(node.result_types[0]), element(node.operand_types[0])
    if source.bits == kind.bits and source is not kind:
        return _extend(node, values)
    x = wide(values[0])
    carried = values[0].error
    if kind.bits == 8 and carried is None:
        return [finish(x, kind, values[0].undefined, None)]
    if carried is not None:
        # Rounding moves what is off by a little by a whole step at most: what was off, and half a step each.
        with np.errstate(all="ignore"):
            carried = np.where(carried == 0, 0.0, carried + kind.unit * (np.abs(x) + carried))
    return [finish(x, kind, values[0].undefined, carried)]


def round_half_away(x: Array) -> Array:
    """To the nearest whole number, ties away from zero."""
    with np.errstate(all="ignore"):
        whole = np.trunc(x)
        return whole + np.where(np.abs(x - whole) >= 0.5, np.copysign(1.0, x), 0.0)


def step(change: Callable[[Array], Array]) -> Scalar:
    """An op that is exact and monotone, but jumps: what is inexact may land on either side."""

    def run(node: Node, values: list[Value]) -> list[Value]:
        x = wide(values[0])
        error = None if values[0].error is None else spread(x, values[0].error, change)
        with np.errstate(all="ignore"):
            return [settle(round_to(change(x), element(node.result_types[0])), values[0].undefined, error)]

    return run


OPS: dict[str, Scalar] = {
    "arith.addf": _add,
    "arith.subf": _subtract,
    "arith.mulf": _multiply,
    "arith.divf": _divide,
    "arith.remf": _remainder,
    "arith.negf": _negate,
    "arith.maximumf": _extreme(np.maximum),
    "arith.minimumf": _extreme(np.minimum),
    "arith.maxnumf": _extreme(np.fmax),
    "arith.minnumf": _extreme(np.fmin),
    "arith.cmpf": _compare,
    "arith.extf": _extend,
    "arith.truncf": _truncate,
}
