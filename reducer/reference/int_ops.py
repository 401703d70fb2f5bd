"""`arith` on integers, i1 and index included: wrapping, with what MLIR leaves undefined marked.

An integer may be inexact too (a float was rounded to it): sums, products and the like carry a bound, everything else
knows nothing of a result whose operand is inexact.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from reducer.reference.float_ops import Scalar
from reducer.reference.program import Node
from reducer.reference.rounding import error_of
from reducer.reference.types import Element, element
from reducer.reference.values import Array, Value, settle, undefined_of, union


def signed(value: Value, kind: Element) -> Array:
    """As signed numbers in int64. An i1 is 0 or -1."""
    numbers = value.data.astype(np.int64)
    return -numbers if kind.bits == 1 else numbers


def unsigned(value: Value, kind: Element) -> Array:
    """As unsigned numbers in uint64."""
    numbers = value.data.astype(np.int64).astype(np.uint64)
    return numbers if kind.bits == 64 else numbers & np.uint64((1 << kind.bits) - 1)


def wrap(x: Array, kind: Element) -> Array:
    """The lowest bits of int64 or uint64 numbers, as the element's type."""
    whole = np.asarray(x).astype(np.int64)
    if kind.bits == 64:
        return whole
    if kind.bits == 1:
        return (whole & 1).astype(np.bool_)
    half = np.int64(1 << (kind.bits - 1))
    mask = np.int64((1 << kind.bits) - 1)
    return (((whole & mask) ^ half) - half).astype(kind.dtype)


def _doubt(values: list[Value]) -> Array | None:
    """Where an operand is inexact: nothing is known."""
    if all(v.error is None for v in values):
        return None
    total: Array = np.zeros(())
    for value in values:
        total = total + error_of(value)
    return np.where(total == 0, 0.0, np.inf)


def bounded(kind: Element, x: Array, carried: Array | None) -> Array | None:
    """The error of a signed result, inf where within it the result might wrap."""
    if carried is None:
        return None
    limit = 2.0 ** (kind.bits - 1) - 1
    sure = (carried == 0) | (np.abs(x.astype(np.float64)) + carried < limit)
    return np.where(sure, carried, np.inf)


def _linear(change: Callable[[Array, Array], Array], product: bool = False) -> Scalar:
    def run(node: Node, values: list[Value]) -> list[Value]:
        kind = element(node.result_types[0])
        a, b = (signed(v, kind) for v in values)
        with np.errstate(all="ignore"):
            x = wrap(change(a, b), kind)
            carried = None
            if any(v.error is not None for v in values):
                ea, eb = (error_of(v) for v in values)
                if product:
                    carried = np.where(ea == 0, 0, ea * np.abs(b)) + np.where(eb == 0, 0, eb * np.abs(a)) + ea * eb
                else:
                    carried = ea + eb
                # Where it wraps, the bound says nothing.
                real = change(a.astype(np.float64), b.astype(np.float64))
                carried = np.where((carried != 0) & (real != x.astype(np.float64)), np.inf, carried)
            return [settle(x, undefined_of(values), bounded(kind, x, carried))]

    return run


def _bitwise(change: Callable[[Array, Array], Array]) -> Scalar:
    def run(node: Node, values: list[Value]) -> list[Value]:
        kind = element(node.result_types[0])
        a, b = (v.data.astype(np.int64) for v in values)
        return [settle(wrap(change(a, b), kind), undefined_of(values), _doubt(values))]

    return run


def _extreme(choose: Callable[[Array, Array], Array], view: Callable[[Value, Element], Array]) -> Scalar:
    def run(node: Node, values: list[Value]) -> list[Value]:
        kind = element(node.result_types[0])
        x = wrap(choose(view(values[0], kind), view(values[1], kind)), kind)
        error = None
        if any(v.error is not None for v in values):
            error = np.maximum(*(error_of(v) for v in values)) if view is signed else _doubt(values)
        return [settle(x, undefined_of(values), error)]

    return run


def _safe(b: Array) -> Array:
    return np.where(b == 0, b.dtype.type(1), b)


def _divide(node: Node, values: list[Value], change: Callable[[Array, Array], Array], is_signed: bool) -> list[Value]:
    """A division: by zero, and of the smallest number by -1, it is undefined."""
    kind = element(node.result_types[0])
    view = signed if is_signed else unsigned
    a, b = (view(v, kind) for v in values)
    bad = b == 0
    if is_signed:
        bad = bad | ((a == -(2 ** (kind.bits - 1))) & (b == -1))
        b = np.where(bad, np.int64(1), b)
    x = wrap(change(a, _safe(b)), kind)
    return [settle(x, union([undefined_of(values), bad]), _doubt(values))]


def _quotient(a: Array, b: Array) -> Array:
    quotient = a // b
    return np.asarray(quotient + ((a % b != 0) & ((a < 0) != (b < 0))))


def _remainder(a: Array, b: Array) -> Array:
    return np.asarray(a - b * _quotient(a, b))


def _division(change: Callable[[Array, Array], Array], is_signed: bool) -> Scalar:
    return lambda node, values: _divide(node, values, change, is_signed)


def _signed_remainder(node: Node, values: list[Value]) -> list[Value]:
    """The remainder of the smallest number by -1 is undefined like the quotient: they are one instruction."""
    return _divide(node, values, _remainder, True)


def _shift(change: Callable[[Array, Array], Array], view: Callable[[Value, Element], Array]) -> Scalar:
    def run(node: Node, values: list[Value]) -> list[Value]:
        kind = element(node.result_types[0])
        amount = unsigned(values[1], kind)
        bad = amount >= kind.bits
        a = view(values[0], kind)
        x = change(a, np.where(bad, np.uint64(0), amount).astype(a.dtype))
        return [settle(wrap(x, kind), union([undefined_of(values), bad]), _doubt(values))]

    return run


_PREDICATES: list[tuple[Callable[[Array, Array], Array], bool]] = [
    (np.equal, True), (np.not_equal, True), (np.less, True), (np.less_equal, True), (np.greater, True),
    (np.greater_equal, True), (np.less, False), (np.less_equal, False), (np.greater, False), (np.greater_equal, False),
]  # fmt: skip


def _compare(node: Node, values: list[Value]) -> list[Value]:
    kind = element(node.operand_types[0])
    compare, is_signed = _PREDICATES[node.numbers("predicate")[0]]
    view = signed if is_signed else unsigned
    a, b = (view(v, kind) for v in values)
    error = None
    if any(v.error is not None for v in values):
        doubt = error_of(values[0]) + error_of(values[1])
        apart = np.abs(a.astype(np.float64) - b.astype(np.float64))
        sure = (doubt == 0) | (is_signed & (apart > doubt))
        error = np.where(sure, 0.0, np.inf)
    return [settle(compare(a, b), undefined_of(values), error)]


def _add_extended(node: Node, values: list[Value]) -> list[Value]:
    kind = element(node.result_types[0])
    a, b = (unsigned(v, kind) for v in values)
    x = a + b
    carry = x < a if kind.bits == 64 else x >> np.uint64(kind.bits) != 0
    undefined, error = undefined_of(values), _doubt(values)
    return [settle(wrap(x, kind), undefined, error), settle(carry, undefined, error)]


def _multiply_extended(view: Callable[[Value, Element], Array]) -> Scalar:
    def run(node: Node, values: list[Value]) -> list[Value]:
        kind = element(node.result_types[0])
        a, b = (view(v, kind) for v in values)
        undefined, error = undefined_of(values), _doubt(values)
        if kind.bits < 64:
            low = a * b
            high = low >> low.dtype.type(kind.bits)
        else:  # Python's own numbers: exact, and rare enough
            product = a.astype(object) * b.astype(object)
            low = np.asarray(product % (1 << 64), object).astype(np.uint64)
            high = np.asarray((product >> 64) % (1 << 64), object).astype(np.uint64)
        return [settle(wrap(low, kind), undefined, error), settle(wrap(high, kind), undefined, error)]

    return run


OPS: dict[str, Scalar] = {
    "arith.addi": _linear(np.add),
    "arith.subi": _linear(np.subtract),
    "arith.muli": _linear(np.multiply, product=True),
    "arith.andi": _bitwise(np.bitwise_and),
    "arith.ori": _bitwise(np.bitwise_or),
    "arith.xori": _bitwise(np.bitwise_xor),
    "arith.maxsi": _extreme(np.maximum, signed),
    "arith.minsi": _extreme(np.minimum, signed),
    "arith.maxui": _extreme(np.maximum, unsigned),
    "arith.minui": _extreme(np.minimum, unsigned),
    "arith.divsi": _division(_quotient, True),
    "arith.divui": _division(lambda a, b: a // b, False),
    "arith.floordivsi": _division(lambda a, b: a // b, True),
    "arith.ceildivsi": _division(lambda a, b: a // b + (a % b != 0), True),
    "arith.ceildivui": _division(lambda a, b: a // b + (a % b != 0).astype(np.uint64), False),
    "arith.remsi": _signed_remainder,
    "arith.remui": _division(lambda a, b: a % b, False),
    "arith.shli": _shift(lambda a, n: a << n, unsigned),
    "arith.shrui": _shift(lambda a, n: a >> n, unsigned),
    "arith.shrsi": _shift(lambda a, n: a >> n, signed),
    "arith.cmpi": _compare,
    "arith.addui_extended": _add_extended,
    "arith.mulsi_extended": _multiply_extended(signed),
    "arith.mului_extended": _multiply_extended(unsigned),
}
