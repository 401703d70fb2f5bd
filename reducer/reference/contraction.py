"""Sums of products as matrix products: convolutions, matmuls, dots, whatever their maps are.

The body must be `yield out + l * r`, where l follows from one input alone (casts and zero points included) and r from
another. l and r are computed once for each element of their input, seen through the input's map, and multiplied as
matrices: float64 for floats and for integers as long as no partial sum can pass 2**53, which gives the exact sum.

Memory: a window's elements are copied once for each place of the window, for at most `COPY` products at a time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from reducer.reference.affine_maps import Map
from reducer.reference.int_ops import signed, wrap
from reducer.reference.iteration import Generic, Target, cut
from reducer.reference.program import Block
from reducer.reference.reductions import Chain, FloatSum, quantum, reads
from reducer.reference.rounding import error_of, wide
from reducer.reference.types import Element
from reducer.reference.values import Array, Value, settle
from reducer.reference.views import Part, see

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

    def _fold(self, array: Array, *groups: tuple[int, ...]) -> Array:
        used = [i for group in groups for i in group]
        full = [self.sizes[i] if i in used else 1 for i in range(len(self.sizes))]
        array = np.broadcast_to(array, full)
        rest = [i for i in range(len(self.sizes)) if i not in used]
        shape = [int(np.prod([self.sizes[i] for i in group], dtype=np.int64)) for group in groups]
        return array.transpose([*used, *rest]).reshape(shape)

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


def _multiply(op: Generic, left: Side, right: Side, kind: Element) -> Value:
    out, out_map = op.outputs[0]
    target = Target(out)
    loops = sorted(e.loop for e in out_map.results if e.loop is not None)
    whole = not kind.is_float and _fits(left.value, right.value, op.sizes, loops)
    step = quantum(wide(left.value)) * quantum(wide(right.value)) if kind.is_float else 1.0
    for part in cut((0,) * len(op.sizes), op.sizes, loops, COPY):
        plan = _plan(op, left, right, out_map, part)
        factors = see(left.value, left.map_, part), see(right.value, right.map_, part)
        initial = see(out, out_map, part)
        if kind.is_float:
            found = _floats(plan, factors, initial, kind, step)
        else:
            found = _integers(plan, factors, initial, kind, whole)
        target.write(out_map, part, found, loops)
    return target.value()


def _fits(left: Value, right: Value, sizes: Sequence[int], loops: Sequence[int]) -> bool:
    """Whether float64 holds every partial sum of the integers."""
    count = int(np.prod([n for i, n in enumerate(sizes) if i not in loops], dtype=np.int64))
    most = [float(np.abs(v.data.astype(np.float64)).max(initial=0.0)) for v in (left, right)]
    return most[0] * most[1] * count < 2.0**53


def _product(plan: _Plan, a: Array, b: Array) -> Array:
    return plan.unfold(np.matmul(plan.left(a), plan.right(b)))


def _undefined(plan: _Plan, factors: tuple[Value, Value], initial: Value) -> Array | None:
    found = initial.undefined
    for position, value in enumerate(factors):
        if value.undefined is not None:
            pair = [np.ones(()), np.ones(())]
            pair[position] = value.undefined.astype(np.float64)
            mask = _product(plan, *pair) > 0
            found = mask if found is None else found | mask
    return found


def _spread(plan: _Plan, a: Array, b: Array, ea: Array, eb: Array) -> Array:
    """(a + ea)(b + eb) - ab for positive numbers, summed; inf where anything unknown takes part."""
    unknown_a, unknown_b = np.isinf(ea), np.isinf(eb)
    ea, eb = np.where(unknown_a, 0.0, ea), np.where(unknown_b, 0.0, eb)
    error = _product(plan, a, eb) + _product(plan, ea, b + eb)
    for mask, first in ((unknown_a, True), (unknown_b, False)):
        if mask.any():
            pair = [mask.astype(np.float64), np.ones(())]
            error = np.where(_product(plan, *(pair if first else pair[::-1])) > 0, np.inf, error)
    return error


def _floats(plan: _Plan, factors: tuple[Value, Value], initial: Value, kind: Element, step: float) -> Value:
    a, b = wide(factors[0]), wide(factors[1])
    ea, eb = error_of(factors[0]), error_of(factors[1])
    total = FloatSum.start(initial, kind)
    count = int(np.prod([plan.sizes[i] for i in plan.inner], dtype=np.int64))
    with np.errstate(all="ignore"):
        finite = bool(np.isfinite(a).all() and np.isfinite(b).all())
        clean_a, clean_b = (a, b) if finite else (np.where(np.isfinite(x), x, 0.0) for x in (a, b))
        size = _product(plan, np.abs(clean_a), np.abs(clean_b))
        error: Array = np.zeros(())
        if np.any(ea) or np.any(eb):
            error = _spread(plan, np.abs(clean_a), np.abs(clean_b), ea, eb)
        total.merge(_product(plan, clean_a, clean_b), size, count, step)
        # Each product may be rounded before it is added; exact products are multiples of the quantum anyway.
        rounded = np.where((size <= step * 2.0**kind.digits), 0.0, kind.unit * size)
        total.error = total.error + error + rounded
        if not finite:
            special = _product(plan, a, b)
            odd = ~np.isfinite(special)
            total.special = total.special + np.where(odd, special, 0.0)
            total.error = np.where(odd & (error != 0), np.inf, np.where(odd, 0.0, total.error))
    return total.finish(_undefined(plan, factors, initial))


def _integers(plan: _Plan, factors: tuple[Value, Value], initial: Value, kind: Element, whole: bool) -> Value:
    numbers = [signed(v, kind) for v in factors]
    if whole:
        summed = _product(plan, *(n.astype(np.float64) for n in numbers)).astype(np.int64)
    else:
        summed = _product(plan, *numbers)
    x = wrap(signed(initial, kind) + summed, kind)
    error = None
    if any(v.error is not None for v in (*factors, initial)):
        sizes = [np.abs(n.astype(np.float64)) for n in numbers]
        error = _spread(plan, *sizes, *(error_of(v) for v in factors)) + error_of(initial)
        limit = 2.0 ** (kind.bits - 1)
        error = np.where((error != 0) & (_product(plan, *sizes) + error >= limit), np.inf, error)
    return settle(x, _undefined(plan, factors, initial), error)
