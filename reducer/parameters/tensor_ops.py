"""The tensor dialect: pads, and ops (memref's too) that take an index or the number of an axis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from iree.compiler import ir

from reducer.parameters.arrays import Entries
from reducer.parameters.builder import Builder, Invalid, Solution, Trade
from reducer.parameters.graph import Term
from reducer.parameters.rebuilding import index_constant, rebuild, stand_in

PADS = 3


def pad(builder: Builder, op: Any) -> None:
    """`result = source + low + high` on every axis. A padded source may give of its size to the padding."""
    name = builder.ordinal(op)
    source, result = builder.dims(op.operands[0]), builder.dims(op.results[0])

    def amount(side: str) -> Callable[[int, int], int]:
        return lambda axis, n: builder.amount(n, f"{name} {side}[{axis}]", low=0, simplest=0, order=PADS)

    high = Entries(builder, op, "static_high", 2, amount("high"))
    low = Entries(builder, op, "static_low", 1, amount("low"))
    for axis, (s, r) in enumerate(zip(source, result, strict=True)):
        builder.tie(s, r)
        before, after = low.variables[axis], high.variables[axis]
        if not (low.attribute[axis] and high.attribute[axis]):
            builder.keep(r)
        if before is not None and after is not None:
            terms = [Term(((s, 0),)), Term(((before, 0),)), Term(((after, 0),))]
            static = low.attribute[axis] and high.attribute[axis]
            now = [builder.graph.value(v) or 0 for v in (s, before, after)]
            if static or not builder.known(s, r) or sum(now) == builder.graph.value(r):
                builder.require(r, terms, 0, [r, s, after, before])
            if static and any(now[1:]):
                taker = before if now[1] else after
                builder.trades.append(Trade(f"{name} moved[{axis}]", s, taker))

    def check(solution: Solution) -> None:
        for axis, r in enumerate(result):
            for variable in (low.variables[axis], high.variables[axis]):
                if solution.dropped(r) and (variable is None or solution.number(variable)):
                    raise Invalid(f"{name} pads an axis that is to go")

    def update(solution: Solution) -> None:
        keep = solution.kept(result)
        low.write(solution, keep, {})
        high.write(solution, keep, {})
        _erase_indices(op, keep, len(result))

    builder.checks.append(check)
    builder.updates.append(update)


def _erase_indices(op: Any, keep: Sequence[int], rank: int) -> None:
    """Take the index arguments of the axes that went out of the op's body; what used them sees a zero."""
    block = next(iter(op.regions[0].blocks))
    for axis in reversed([i for i in range(rank) if i not in keep]):
        argument = block.arguments[axis]
        if list(argument.uses):
            argument.replace_all_uses_with(index_constant(0, ir.InsertionPoint.at_block_begin(block)))
        block.erase_argument(axis)


def dim(builder: Builder, op: Any) -> None:
    """Asks for the size of an axis: the number of the axis changes only with the axes that go."""
    axes = builder.dims(op.operands[0])
    variable = builder.constant(op.operands[1])
    axis = -1 if variable is None else builder.graph.value(variable) or 0
    if variable is None or not 0 <= axis < len(axes):
        builder.keep(*axes)
        return
    builder.graph.pin(variable)

    def update(solution: Solution) -> None:
        if solution.dropped(axes[axis]):
            stand_in(builder, op, index_constant(1, ir.InsertionPoint(op)))
            return
        gone = sum(solution.dropped(v) for v in axes[:axis])
        if gone:
            op.operands[1] = index_constant(axis - gone, ir.InsertionPoint(op))

    builder.updates.append(update)


def indexed(builder: Builder, op: Any) -> None:
    """Takes one index for each axis, last. A destination is like the result."""
    builder.all_equal(builder.shaped([*op.operands, *op.results]))
    axes = next((s.axes for s in builder.shaped(op.operands)), ())

    def update(solution: Solution) -> None:
        keep = solution.kept(axes)
        if len(keep) < len(axes):
            operands = list(op.operands)
            first = len(operands) - len(axes)
            rebuild(builder, op, [*operands[:first], *(operands[first + i] for i in keep)])

    builder.updates.append(update)


MODELS = {
    "tensor.pad": pad,
    "tensor.dim": dim,
    "tensor.extract": indexed,
    "tensor.insert": indexed,
    "memref.dim": dim,
    "memref.load": indexed,
    "memref.store": indexed,
}
