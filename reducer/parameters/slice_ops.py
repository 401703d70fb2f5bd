"""Windows of tensors: `tensor.extract_slice` and `tensor.insert_slice`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from iree.compiler import ir

from reducer.parameters.arrays import DYNAMIC, Entries, numbers
from reducer.parameters.builder import Builder, Invalid, Solution
from reducer.parameters.graph import Equation, Term
from reducer.parameters.rebuilding import rebuild

SLICES = 4


def _slice(builder: Builder, op: Any, whole: Any, part: Any, first: int) -> None:
    """A window of `whole` that is `part`: `whole = 1 + offset + stride * (part - 1) + slack` where that is static."""
    name = builder.ordinal(op)
    big, small = builder.dims(whole), builder.dims(part)

    def amount(what: str, low: int) -> Callable[[int, int], int]:
        return lambda axis, n: builder.amount(n, f"{name} {what}[{axis}]", low=low, simplest=low, order=SLICES)

    offsets = Entries(builder, op, "static_offsets", first, amount("offset", 0))
    strides = Entries(builder, op, "static_strides", first + 2, amount("stride", 1))
    sizes = Entries(builder, op, "static_sizes", first + 1, lambda _, n: builder.fixed(n))
    lists = (offsets, sizes, strides)
    which = _match_axes(sizes.now, [builder.graph.value(v) for v in small])
    if which is None:
        builder.pin(*big, *small)
        builder.graph.pin(*(v for e in (offsets, strides) for v in e.variables if v is not None))
        return
    closing = _connect(builder, name, list(zip(big, (w if w is None else small[w] for w in which), strict=True)), lists)

    def check(solution: Solution) -> None:
        for axis, variable in enumerate(big):
            offset = offsets.variables[axis]
            if solution.dropped(variable) and offset is not None and solution.number(offset):
                raise Invalid(f"{name} has an offset on an axis that is to go")

    def update(solution: Solution) -> None:
        keep = solution.kept(big)
        closed = {axis: n for axis, v in closing.items() if (n := solution.size(v)) is not None}
        for entries in lists:
            entries.write(solution, keep, closed if entries is sizes else {})
        if closed:
            _drop_sizes(builder, op, first + 1, [n for n, axis in enumerate(closing) if axis in closed])

    builder.checks.append(check)
    builder.updates.append(update)


def _connect(
    builder: Builder, name: str, axes: Sequence[tuple[int, int | None]], lists: tuple[Entries, Entries, Entries]
) -> dict[int, int]:
    """Hold what is known of each axis. axes: of the whole, and of the part (None where that leaves it out).

    What it says: the axes whose size is an operand, and the variable of that size.
    """
    offsets, sizes, strides = lists
    closing: dict[int, int] = {}
    for axis, (whole, part) in enumerate(axes):
        if not (offsets.attribute[axis] and strides.attribute[axis]):
            builder.keep(whole)
        if part is not None:
            builder.tie(whole, part)
            if sizes.attribute[axis]:
                sizes.variables[axis] = part
            else:
                closing[axis] = part
        count = closing.get(axis, sizes.variables[axis])
        window(builder, f"{name} slack[{axis}]", whole, (offsets.variables[axis], count, strides.variables[axis]))
    return closing


def _drop_sizes(builder: Builder, op: Any, segment: int, gone: Sequence[int]) -> None:
    """Make the op anew without some of the operands of a segment."""
    counts = numbers(op, "operandSegmentSizes")
    start = sum(counts[:segment])
    counts[segment] -= len(gone)
    attributes = {"operandSegmentSizes": ir.DenseI32ArrayAttr.get(counts)}
    rebuild(builder, op, [v for i, v in enumerate(op.operands) if i - start not in gone], attributes)


def window(builder: Builder, name: str, big: int, entries: tuple[int | None, int | None, int | None]) -> None:
    """`entries`: offset, size and stride."""
    offset, size, stride = entries
    if offset is None or size is None or stride is None:
        return
    terms = [Term(((offset, 0),)), Term(((stride, 0), (size, 1)))]
    if not builder.known(big, size):
        builder.graph.add(Equation(big, tuple(terms), 1, rounded=size))
        return
    whole, start, count, step = (builder.graph.value(v) or 0 for v in (big, offset, size, stride))
    left = whole - (1 + start + step * (count - 1))
    if left < 0:
        builder.pin(big, size)
        builder.graph.pin(offset, stride)
        return
    slack = builder.amount(left, name, low=0, simplest=0, order=SLICES)
    terms.append(Term(((slack, 0),)))
    builder.graph.add(Equation(big, tuple(terms), 1, (big, size, slack), rounded=size, slack=slack))


def _match_axes(sizes: Sequence[int], small: Sequence[int | None]) -> list[int | None] | None:
    """For each axis of a window, which axis of the (perhaps rank-reduced) value it is; None in the list for one left
    out.

    Axes of size 1 may be left out; as MLIR does, the first ones that can be matched are.
    """
    which: list[int | None] = []
    left_out = len(sizes) - len(small)
    for size in sizes:
        position = sum(w is not None for w in which)
        wanted = None if size == DYNAMIC else size
        if position < len(small) and small[position] == wanted:
            which.append(position)
        elif size == 1 and left_out:
            left_out -= 1
            which.append(None)
        else:
            return None
    return which if sum(w is not None for w in which) == len(small) else None


def extract_slice(builder: Builder, op: Any) -> None:
    """A window out of the source."""
    _slice(builder, op, op.operands[0], op.results[0], 1)


def insert_slice(builder: Builder, op: Any) -> None:
    """A window into the destination, which the result is like."""
    builder.equal(builder.dims(op.operands[1]), builder.dims(op.results[0]))
    _slice(builder, op, op.operands[1], op.operands[0], 2)


MODELS = {"tensor.extract_slice": extract_slice, "tensor.insert_slice": insert_slice}
