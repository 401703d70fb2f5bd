"""Sums of products as matrix products: convolutions, matmuls, dots, whatever their maps are.

The body must be `yield out + l * r`, where l follows from one input alone (casts and zero points included) and r from
another. l and r are computed once for each element of their input, seen through the input's map, and multiplied as
matrices: float64 for floats and for integers as long as no partial sum can pass 2**53, which gives the exact sum.

Memory: a window's elements are copied once for each place of the window, for at most `COPY` of them at a time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from reducer.reference.affine_maps import Map
from reducer.reference.int_ops import signed, wrap
from reducer.reference.iteration import Generic, Target, grid
from reducer.reference.program import Block, reads
from reducer.reference.reductions import Chain, FloatSum, quantum
from reducer.reference.rounding import error_of, wide
from reducer.reference.types import Element
from reducer.reference.values import Array, Value, settle, union
from reducer.reference.views import Part, look, see

COPY = 1 << 22
_PRODUCTS = frozenset({"arith.mulf", "arith.muli"})
_ELEMENTWISE = frozenset(
    {
        *("arith.extf", "arith.truncf", "arith.extsi", "arith.extui", "arith.sitofp", "arith.uitofp", "arith.trunci"),
        *("arith.subi", "arith.addi", "arith.subf", "arith.addf", "arith.constant"),
    }
)


@dataclass(frozen=True)
class Side:
    """One factor: its value for each element of an input, and the map through which the loops see the input."""

    value: Value
    map_: Map

    def loops(self, sizes: Sequence[int]) -> frozenset[int]:
        """The loops along which the factor changes."""
        found = set()
        for expression in self.map_.results:
            linear = expression.linear(self.map_.loops)
            assert linear is not None
            found |= {i for i, f in enumerate(linear[0]) if f and sizes[i] > 1}
        return frozenset(found)


def contract(op: Generic, chains: Sequence[Chain | None]) -> Value | None:
    """The op's result, None if it is no such product."""
    chain = chains[0] if len(chains) == 1 else None
    if chain is None or chain.family not in ("addf", "addi") or len(chain.terms) != 1:
        return None
    number, minus = chain.terms[0]
    maker = next((n for n in op.block.nodes if number in n.results), None)
    uses = [o for n in op.block.nodes for o in n.operands]
    if maker is None or maker.name not in _PRODUCTS or minus or uses.count(number) != 1:
        return None
    sides = [_side(op, operand) for operand in maker.operands]
    left, right = sides
    if left is None or right is None:
        return None
    if not left.loops(op.sizes) & right.loops(op.sizes):
        return None  # an outer product that is summed: as well done by the general way
    return _multiply(op, left, right, chain.element)


def _side(op: Generic, number: int) -> Side | None:
    """The factor with this number."""
    needed = _ancestors(op.block, number)
    arguments = [i for i, a in enumerate(op.block.arguments) if a in needed]
    if any(i >= len(op.inputs) for i in arguments):
        return None
    wide_ones = [i for i in arguments if any(e.kind != "c" for e in op.inputs[i][1].results)]
    if len(wide_ones) != 1 or any(op.inputs[i][1].results for i in arguments if i not in wide_ones):
        return None
    _, map_ = op.inputs[wide_ones[0]]
    if any(e.linear(map_.loops) is None for e in map_.results):
        return None
    nodes = [n for n in op.block.nodes[:-1] if set(n.results) & needed]
    if any(n.name not in _ELEMENTWISE for n in nodes):
        return None
    for i in arguments:
        op.env[op.block.arguments[i]] = op.inputs[i][0]
    for node in nodes:
        op.machine.execute(node, op.env)
    return Side(op.env[number], map_)


def _ancestors(block: Block, number: int) -> set[int]:
    found = {number}
    for node in reversed(block.nodes[:-1]):
        if found & set(node.results):
            found.update(reads(node))
    return found


@dataclass(frozen=True)
class _Plan:
    """How loops become axes of matrices: kept by both and the output, by one and the output, or summed."""

    batch: tuple[int, ...]
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    inner: tuple[int, ...]
    sizes: tuple[int, ...]

    def left(self, array: Array) -> Array:
        """An array of the loops as a stack of matrices: rows by inner."""
        return self._fold(array, self.batch, self.rows, self.inner)

    def right(self, array: Array) -> Array:
        """As a stack of matrices: inner by columns."""
        return self._fold(array, self.batch, self.inner, self.columns)

    def _fold(self, array: Array, batch: tuple[int, ...], first: tuple[int, ...], second: tuple[int, ...]) -> Array:
        used = [*batch, *first, *second]
        array = np.broadcast_to(array, [n if i in used else 1 for i, n in enumerate(self.sizes)])
        steps = {abs(array.strides[i]): i for i in reversed(range(len(self.sizes))) if array.strides[i]}
        # Copied along the memory, which is several times as fast; BLAS takes a transposed matrix as well.
        turned = bool(steps) and steps[min(steps)] in first
        groups = (batch, second, first) if turned else (batch, first, second)
        rest = [i for i in range(len(self.sizes)) if i not in used]
        shape = [int(np.prod([self.sizes[i] for i in group], dtype=np.int64)) for group in groups]
        matrices = array.transpose([*(i for group in groups for i in group), *rest]).reshape(shape)
        return matrices.swapaxes(1, 2) if turned else matrices

    def unfold(self, product: Array) -> Array:
        """A stack of products as an array of the loops, the summed ones of size 1."""
        kept = [*self.batch, *self.rows, *self.columns]
        rest = [i for i in range(len(self.sizes)) if i not in kept]
        array = product.reshape([self.sizes[i] for i in kept] + [1] * len(rest))
        return array.transpose(np.argsort([*kept, *rest]))


def _plan(op: Generic, left: Side, right: Side, out_map: Map, part: Part) -> _Plan:
    every = range(len(part.sizes))
    out = {e.loop for e in out_map.results if e.loop is not None}
    a, b = left.loops(op.sizes), right.loops(op.sizes)
    inner = tuple(i for i in every if i not in out)
    batch = tuple(i for i in every if i in out and i in a and i in b)
    columns = tuple(i for i in every if i in out and i in b and i not in a)
    rows = tuple(i for i in every if i in out and i not in batch and i not in columns)
    return _Plan(batch, rows, columns, inner, part.sizes)


@dataclass(frozen=True)
class _Factor:
    """A factor in float64: finite numbers, how far off each may be, where that is unknown, what is not finite."""

    map_: Map
    numbers: Array
    error: Array | None
    unknown: Array | None
    special: Array | None
    undefined: Array | None

    @staticmethod
    def of(side: Side, numbers: Array) -> _Factor:
        """The factor of these numbers."""
        error, unknown, special = side.value.error, None, None
        if error is not None and np.isinf(error).any():
            unknown = np.isinf(error)
            error = np.where(unknown, 0.0, error)
        if not np.isfinite(numbers).all():
            special = numbers
            numbers = np.where(np.isfinite(numbers), numbers, 0.0)
        return _Factor(side.map_, numbers, error, unknown, special, side.value.undefined)

    def seen(self, array: Array | None, part: Part) -> Array:
        """One of the arrays as the loops see it; all zero where there is none."""
        return np.zeros((1,) * len(part.sizes)) if array is None else look(array, self.map_, part).astype(np.float64)

    def largest(self) -> float:
        """The largest absolute value."""
        return float(np.abs(self.numbers).max(initial=0.0))


def _multiply(op: Generic, left: Side, right: Side, kind: Element) -> Value:
    out, out_map = op.outputs[0]
    target = Target(out)
    loops = sorted(e.loop for e in out_map.results if e.loop is not None)
    count = int(np.prod([n for i, n in enumerate(op.sizes) if i not in loops], dtype=np.int64))
    if kind.is_float:
        factors = tuple(_Factor.of(side, wide(side.value)) for side in (left, right))
        step = quantum(factors[0].numbers) * quantum(factors[1].numbers)
    else:
        factors = tuple(_Factor.of(side, signed(side.value, kind).astype(np.float64)) for side in (left, right))
        step = 1.0
    most = factors[0].largest() * factors[1].largest() * count
    for part in _parts(op.sizes, loops, left.loops(op.sizes), right.loops(op.sizes)):
        product = _Product(_plan(op, left, right, out_map, part), part, factors[0], factors[1])
        initial = see(out, out_map, part)
        if kind.is_float:
            found = _floats(product, initial, kind, step, most)
        elif most < 2.0**53:
            found = _integers(product, initial, kind, product.of_numbers())
        else:
            sides = (look(signed(s.value, kind), s.map_, part) for s in (left, right))
            found = _integers(product, initial, kind, product.of(*sides))
        target.write(out_map, part, found, loops)
    return target.value()


def _parts(sizes: tuple[int, ...], loops: Sequence[int], left: frozenset[int], right: frozenset[int]) -> Iterator[Part]:
    """Parts for which each matrix has at most `COPY` elements, cut along the output's loops."""
    step = list(sizes)
    groups = [left, right, frozenset(loops)]
    while True:
        extents = [int(np.prod([step[i] for i in group], dtype=np.int64)) for group in groups]
        large = groups[extents.index(max(extents))]
        cuttable = [i for i in loops if i in large and step[i] > 1]
        if max(extents) <= COPY or not cuttable:
            return grid((0,) * len(sizes), sizes, step)
        longest = max(cuttable, key=lambda i: step[i])
        step[longest] = (step[longest] + 1) // 2


@dataclass(frozen=True)
class _Product:
    """The matrices of one part, and products of what belongs to them."""

    plan: _Plan
    part: Part
    left: _Factor
    right: _Factor

    def of(self, a: Array, b: Array) -> Array:
        """The summed products of two arrays of the loops."""
        return self.plan.unfold(np.matmul(self.plan.left(a), self.plan.right(b)))

    def of_numbers(self) -> Array:
        """The summed products of the factors themselves."""
        return self.of(self._left(self.left.numbers), self._right(self.right.numbers))

    def with_sizes(self) -> tuple[Array, Array]:
        """The summed products of the factors, and of their absolute values."""
        a = self.plan.left(self._left(self.left.numbers))
        b = self.plan.right(self._right(self.right.numbers))
        return self.plan.unfold(np.matmul(a, b)), self.plan.unfold(np.matmul(np.abs(a), np.abs(b)))

    def _left(self, array: Array | None) -> Array:
        return self.left.seen(array, self.part)

    def _right(self, array: Array | None) -> Array:
        return self.right.seen(array, self.part)

    def anywhere(self, left: Array | None, right: Array | None) -> Array | None:
        """Where anything marked takes part; None if nothing is."""
        found = None
        if left is not None:
            found = self.of(self._left(left), np.ones((1,) * len(self.part.sizes))) > 0
        if right is not None:
            found = union([found, self.of(np.ones((1,) * len(self.part.sizes)), self._right(right)) > 0])
        return found

    def undefined(self, initial: Value) -> Array | None:
        """Where the result is undefined."""
        return union([initial.undefined, self.anywhere(self.left.undefined, self.right.undefined)])

    def spread(self) -> Array:
        """(|a| + ea)(|b| + eb) - |a||b|, summed; inf where anything unknown takes part."""
        error: Array = np.zeros(())
        ea, eb = self.left.error, self.right.error
        if eb is not None:
            error = error + self.of(self._left(np.abs(self.left.numbers)), self._right(eb))
        if ea is not None:
            size = np.abs(self.right.numbers) + (0.0 if eb is None else eb)
            error = error + self.of(self._left(ea), self._right(size))
        unknown = self.anywhere(self.left.unknown, self.right.unknown)
        return error if unknown is None else np.where(unknown, np.inf, error)

    def special(self) -> Array | None:
        """The summed products with infinities and NaNs among them, None if there are none."""
        if self.left.special is None and self.right.special is None:
            return None
        left, right = self.left, self.right
        a = self._left(left.numbers if left.special is None else left.special)
        b = self._right(right.numbers if right.special is None else right.special)
        return self.of(a, b)


def _floats(product: _Product, initial: Value, kind: Element, step: float, most: float) -> Value:
    total = FloatSum.start(initial, kind)
    count = int(np.prod([product.part.sizes[i] for i in product.plan.inner], dtype=np.int64))
    with np.errstate(all="ignore"):
        if most <= step * 2.0**kind.digits / 2:
            # Exact however it is summed: no need to know how large each sum is.
            numbers, size = product.of_numbers(), np.asarray(most)
        else:
            numbers, size = product.with_sizes()
        error = product.spread()
        total.merge(numbers, size, count, step)
        # Each product may be rounded before it is added; exact products are multiples of the quantum anyway.
        rounded = np.where(size <= step * 2.0**kind.digits, 0.0, kind.unit * size)
        total.error = total.error + error + rounded
        special = product.special()
        if special is not None:
            odd = ~np.isfinite(special)
            total.special = total.special + np.where(odd, special, 0.0)
            total.error = np.where(odd, np.where(error != 0, np.inf, 0.0), total.error)
    return total.finish(product.undefined(initial))


def _integers(product: _Product, initial: Value, kind: Element, summed: Array) -> Value:
    x = wrap(signed(initial, kind) + summed.astype(np.int64), kind)
    error = None
    if any(e is not None for e in (product.left.error, product.right.error, initial.error)):
        error = product.spread() + error_of(initial)
        limit = 2.0 ** (kind.bits - 1)
        error = np.where((error != 0) & (product.with_sizes()[1] + error >= limit), np.inf, error)
    return settle(x, product.undefined(initial), error)
