"""Reductions whose order does not matter, several elements at once.

A body that ends in `yield op(… op(out, x) …, y)` folds its terms into the output: owns the finding of such chains, and
folding with bounds that hold for every order.

A float sum of n terms x is computed in float64. Any order of summing them in the element type is off by at most
((1 + u)**n - 1) * sum|x|. It is exact, whatever the order, if all terms are multiples of some power of two q (the
*quantum*) and sum|x| <= q * 2**digits: then so is every partial sum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from reducer.reference.int_ops import bounded, signed, unsigned, wrap
from reducer.reference.program import Block, reads
from reducer.reference.rounding import error_of, finest, round_to, subnormal_limit, wide
from reducer.reference.types import Element, element
from reducer.reference.values import Array, Value, settle, union

_FAMILIES = {
    "arith.addf": "addf", "arith.subf": "addf", "arith.addi": "addi", "arith.subi": "addi", "arith.mulf": "mulf",
    "arith.muli": "muli", "arith.maximumf": "maximumf", "arith.minimumf": "minimumf", "arith.maxnumf": "maxnumf",
    "arith.minnumf": "minnumf", "arith.maxsi": "maxsi", "arith.minsi": "minsi", "arith.maxui": "maxui",
    "arith.minui": "minui", "arith.andi": "andi", "arith.ori": "ori", "arith.xori": "xori",
}  # fmt: skip


@dataclass(frozen=True)
class Chain:
    """How a body folds into one output.

    terms: the numbers of the values, and whether they are subtracted; ops: those of the chain.
    """

    family: str
    element: Element
    terms: tuple[tuple[int, bool], ...]
    ops: frozenset[int]


def find_chain(block: Block, out: int, yielded: int) -> Chain | None:
    """The chain from an output's argument to what is yielded for it, None if there is none."""
    makers = {r: (i, node) for i, node in enumerate(block.nodes) for r in node.results}
    uses = [o for node in block.nodes for o in node.operands]
    depends = dependents(block, {out})
    at, terms, ops, family = yielded, [], set(), ""
    while at != out:
        if at not in makers or uses.count(at) != 1:
            return None
        place, node = makers[at]
        kind = _FAMILIES.get(node.name, "")
        carried = [o for o in node.operands if o in depends]
        if not kind or (family and kind != family) or len(carried) != 1 or len(node.operands) != 2:
            return None
        minus = node.name in ("arith.subf", "arith.subi")
        if minus and node.operands[0] != carried[0]:
            return None
        family = kind
        other = node.operands[1] if node.operands[0] == carried[0] else node.operands[0]
        terms.append((other, minus))
        ops.add(place)
        at = carried[0]
    if not family or uses.count(out) != 1:
        return None
    return Chain(family, element(block.nodes[min(ops)].result_types[0]), tuple(terms), frozenset(ops))


def dependents(block: Block, values: set[int]) -> set[int]:
    """The values, and those in the block that follow from them."""
    found = set(values)
    for node in block.nodes:
        if any(o in found for o in reads(node)):
            found.update(node.results)
    return found


def quantum(x: Array) -> float:
    """The largest power of two of which all finite numbers are multiples; inf if they are all zero."""
    with np.errstate(all="ignore"):
        finite = np.where(np.isfinite(x), x, 0.0)
        if np.abs(finite).max(initial=0.0) < 2.0**53 and (finite == np.rint(finite)).all():
            return 1.0  # often so, and fast to see
        mantissa, exponent = np.frexp(finite)
        bits = (np.abs(mantissa) * 2.0**53).astype(np.int64)
        low = np.ldexp((bits & -bits).astype(np.float64), exponent - 53)
        return float(np.where(bits == 0, np.inf, low).min(initial=np.inf))


@dataclass
class FloatSum:
    """A sum of floats in the making, one for each element of the output.

    total: in float64; size: the sum of absolute values; error: of the terms; special: the sum of infinities and NaNs.
    """

    kind: Element
    total: Array
    size: Array
    error: Array
    special: Array
    quantum: float
    count: int

    @staticmethod
    def start(initial: Value, kind: Element) -> FloatSum:
        """A sum that begins with what is in the output."""
        zero = np.zeros(initial.shape)
        made = FloatSum(kind, zero, zero, zero, zero, np.inf, -1)
        made.add(wide(initial), error_of(initial), (), 1, quantum(wide(initial)))
        return made

    def add(self, x: Array, error: Array, axes: tuple[int, ...], count: int, step: float) -> None:
        """Add terms, summed along axes of which they have `count` elements in all."""
        with np.errstate(all="ignore"):
            finite = np.isfinite(x)
            if finite.all():
                clean = x
            else:
                clean = np.where(finite, x, 0.0)
                odd = np.where(finite, 0.0, np.where(error == 0, x, np.nan))
                self.special = self.special + odd.sum(axis=axes, keepdims=True)
                error = np.where(finite | (error == 0), error, np.inf)
            total, size = clean.sum(axis=axes, keepdims=True), np.abs(clean).sum(axis=axes, keepdims=True)
            if np.any(error):
                self.error = self.error + np.broadcast_to(error, x.shape).sum(axis=axes, keepdims=True)
            self.merge(total, size, count, step)

    def merge(self, total: Array, size: Array, count: int, step: float) -> None:
        """Add terms that are summed up already."""
        self.total, self.size = self.total + total, self.size + size
        self.quantum, self.count = min(self.quantum, step), self.count + count

    def finish(self, undefined: Array | None) -> Value:
        """The sum, rounded once, and its bound."""
        kind = self.kind
        with np.errstate(all="ignore"):
            x = self.total + self.special
            size = self.size + self.error
            exact = (self.size <= self.quantum * 2.0**kind.digits) & (self.quantum >= finest(kind))
            growth = np.expm1((self.count + 1) * np.log1p(kind.unit * (2 if kind.name == "f64" else 1)))
            loss = growth * size + (self.count + 1) * finest(kind)
            loss = np.where(exact & (self.error == 0), 0.0, loss)
            error = self.error + loss
            error = np.where(size + error > kind.largest, np.inf, error)
            error = np.where((self.special != 0) & (self.error == 0) & (size < kind.largest / 2), 0.0, error)
            return settle(round_to(x, kind), undefined, np.where(np.isnan(error), np.inf, error))


@dataclass
class Fold:
    """An output in the making, of any family."""

    chain: Chain
    initial: Value
    axes: tuple[int, ...]
    value: Value = field(init=False)
    total: FloatSum | None = None
    magnitude: Array | None = None

    def __post_init__(self) -> None:
        self.value = self.initial
        self.undefined: Array | None = self.initial.undefined
        self.count = 0
        if self.chain.family == "addf":
            self.total = FloatSum.start(self.initial, self.chain.element)
        elif self.chain.family == "mulf":
            self.value = Value(wide(self.initial), None, self.initial.error)
            self.magnitude = np.zeros((4, *self.initial.shape))
            self._measure(wide(self.initial), error_of(self.initial), ())

    def add(self, term: Value, minus: bool, sizes: Sequence[int]) -> None:
        """Fold the term in; `sizes` are those of the loops, over which the term may be broadcast."""
        now = term.shape if term.data.ndim else (1,) * len(sizes)
        full = tuple(n if axis in self.axes else now[axis] for axis, n in enumerate(sizes))
        term = Value(
            np.broadcast_to(term.data, full),
            None if term.undefined is None else np.broadcast_to(term.undefined, full),
            None if term.error is None else np.broadcast_to(term.error, full),
        )
        if term.undefined is not None:
            self.undefined = union([self.undefined, np.asarray(term.undefined.any(axis=self.axes, keepdims=True))])
        count = int(np.prod([sizes[a] for a in self.axes], dtype=np.int64))
        if self.total is not None:
            x = wide(term)
            self.total.add(-x if minus else x, error_of(term), self.axes, count, quantum(x))
        elif self.chain.family == "mulf":
            self._multiply(term, count)
        else:
            self.value = self._integer_or_extreme(term, minus)

    def finish(self) -> Value:
        """The output."""
        if self.total is not None:
            return self.total.finish(self.undefined)
        if self.chain.family == "mulf":
            return self._product()
        return settle(self.value.data, self.undefined, self.value.error)

    def _integer_or_extreme(self, term: Value, minus: bool) -> Value:
        family, kind, axes = self.chain.family, self.chain.element, self.axes
        with np.errstate(all="ignore"):
            if family in ("maximumf", "minimumf", "maxnumf", "minnumf"):
                best = {"maximumf": np.maximum, "minimumf": np.minimum, "maxnumf": np.fmax, "minnumf": np.fmin}[family]
                x = best(wide(self.value), best.reduce(wide(term), axis=axes, keepdims=True)).astype(kind.dtype)
                return settle(x, None, self._largest_error(term))
            if family in ("maxui", "minui"):
                best = np.maximum if family == "maxui" else np.minimum
                a = best(unsigned(self.value, kind), best.reduce(unsigned(term, kind), axis=axes, keepdims=True))
                return settle(wrap(a, kind), None, self._doubt(term))
            now, new = signed(self.value, kind), signed(term, kind)
            if family in ("maxsi", "minsi"):
                best = np.maximum if family == "maxsi" else np.minimum
                a = best(now, best.reduce(new, axis=axes, keepdims=True))
                return settle(wrap(a, kind), None, self._largest_error(term))
            if family == "addi":
                part = new.sum(axis=axes, keepdims=True)
                a = wrap(now - part if minus else now + part, kind)
                return settle(a, None, self._summed_error(term, a))
            ufunc = {"muli": np.multiply, "andi": np.bitwise_and, "ori": np.bitwise_or, "xori": np.bitwise_xor}[family]
            return settle(wrap(ufunc(now, ufunc.reduce(new, axis=axes, keepdims=True)), kind), None, self._doubt(term))

    def _largest_error(self, term: Value) -> Array | None:
        if term.error is None and self.value.error is None:
            return None
        most = np.broadcast_to(error_of(term), term.shape).max(axis=self.axes, keepdims=True)
        return np.asarray(np.maximum(error_of(self.value), most))

    def _summed_error(self, term: Value, x: Array) -> Array | None:
        if term.error is None and self.value.error is None:
            return None
        summed = np.broadcast_to(error_of(term), term.shape).sum(axis=self.axes, keepdims=True)
        return bounded(self.chain.element, x, error_of(self.value) + summed)

    def _doubt(self, term: Value) -> Array | None:
        error = self._largest_error(term)
        return None if error is None else np.asarray(np.where(error == 0, 0.0, np.inf))

    def _multiply(self, term: Value, count: int) -> None:
        x = wide(term)
        with np.errstate(all="ignore"):
            self.value = Value(self.value.data * np.multiply.reduce(x, axis=self.axes, keepdims=True))
        self._measure(x, error_of(term), self.axes, count)

    def _measure(self, x: Array, error: Array, axes: tuple[int, ...], count: int = 1) -> None:
        """Sum logarithms: of |x| but at least 1, at most 1, with its error; and count what is no whole number."""
        assert self.magnitude is not None
        with np.errstate(all="ignore"):
            size = np.abs(x)
            logs = np.log2(np.maximum(size, 1)), np.log2(np.minimum(size, 1)), np.log2(size + error)
            odd = ((x != np.rint(x)) | (error != 0) | ~np.isfinite(x)).astype(np.float64)
            parts = [np.broadcast_to(a, x.shape).sum(axis=axes, keepdims=True) for a in (*logs, odd)]
            self.magnitude = self.magnitude + np.stack(parts)
        self.count += count

    def _product(self) -> Value:
        assert self.magnitude is not None
        kind, x = self.chain.element, self.value.data
        high, low, grown, odd = self.magnitude
        with np.errstate(all="ignore"):
            exact = (odd == 0) & (high <= kind.digits)
            growth = np.exp(self.count * np.log1p(2 * kind.unit))
            error = np.maximum(np.exp2(grown) * growth - np.abs(x), 0) + kind.unit * np.abs(x)
            risky = (high >= np.log2(kind.largest) - 1) | ((low <= np.log2(subnormal_limit(kind))) & (x != 0))
            error = np.where(exact, 0.0, np.where(risky | np.isnan(error), np.inf, error))
        return settle(round_to(x, kind), self.undefined, error)
