"""Reshapes and concatenations of the tensor dialect."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from iree.compiler import ir

from reducer.parameters.arrays import DYNAMIC, set_numbers
from reducer.parameters.builder import Builder, Solution
from reducer.parameters.dynamic import still_dynamic
from reducer.parameters.graph import Term
from reducer.parameters.rebuilding import rebuild, stand_in


def reshape(builder: Builder, op: Any) -> None:
    """`expand_shape` and `collapse_shape`: the size of a group is the product of its parts.

    A part of size 1 may go, from a group of which nothing but such parts is left together with the whole.
    """
    expand = op.name.endswith("expand_shape")
    source, result = builder.slot(op.operands[0]), builder.slot(op.results[0])
    if source is None or result is None:
        return
    folded, parts = (source.axes, result.axes) if expand else (result.axes, source.axes)
    groups = [[parts[i] for i in group] for group in reassociation(str(op.attributes["reassociation"]))]
    if not groups:
        builder.graph.pin(*parts)
    for whole, members in zip(folded, groups, strict=False):
        if len(members) == 1:
            builder.equal([whole], members)
            continue
        builder.require(whole, [Term(tuple((m, 0) for m in members))], 0, [whole, *members])
        if builder.graph.value(whole) == 1:
            builder.tie(whole, members[0])

    def update(solution: Solution) -> None:
        if solution.dropping and op.operands[0].type == op.results[0].type:
            stand_in(builder, op, op.operands[0])
            return
        if solution.dropping:
            text = str(_regroup(solution, list(zip(folded, groups, strict=False))))
            op.attributes["reassociation"] = ir.Attribute.parse(text)
        if "static_output_shape" in op.attributes:
            sizes = [solution.size(result.axes[i]) for i in solution.kept(result.axes)]
            set_numbers(op, "static_output_shape", [DYNAMIC if s is None else s for s in sizes])
            left = still_dynamic(result, solution)
            if not all(left):
                first, *asked = op.operands
                rebuild(builder, op, [first, *(v for v, d in zip(asked, left, strict=True) if d)])

    builder.updates.append(update)


def _regroup(solution: Solution, groups: Sequence[tuple[int, list[int]]]) -> list[list[int]]:
    """The groups without the axes that go; parts (of size 1) that lost their whole join a neighbour."""
    new: list[list[int]] = []
    orphans: list[int] = []
    count = 0
    for whole, members in groups:
        kept = sum(not solution.dropped(m) for m in members)
        positions = list(range(count, count + kept))
        count += kept
        if not solution.dropped(whole):
            new.append(orphans + positions)
            orphans = []
        elif new:
            new[-1] += positions
        else:
            orphans += positions
    return new


def reassociation(text: str) -> list[list[int]]:
    """The groups of `[[0, 1], [2]]`."""
    groups = []
    for piece in text.split("[")[1:]:
        digits = piece.partition("]")[0].replace(": i64", "")
        if digits.strip():
            groups.append([int(n) for n in digits.split(",")])
    return groups


def concat(builder: Builder, op: Any) -> None:
    """Sizes add up along one axis."""
    axis = int(str(op.attributes["dim"]).partition(" ")[0])
    concatenate(builder, op, axis, "dim")


def concatenate(builder: Builder, op: Any, axis: int, attribute: str) -> None:
    """Sizes add up along `axis`, whose number stands in an attribute; the other axes agree."""
    result = builder.dims(op.results[0])
    inputs = [builder.dims(v) for v in op.operands]
    for dims in inputs:
        for i, (a, b) in enumerate(zip(result, dims, strict=True)):
            if i != axis:
                builder.equal([a], [b])
    along = [dims[axis] for dims in inputs]
    builder.keep(result[axis], *along)
    builder.require(result[axis], [Term(((v, 0),)) for v in along], 0, [result[axis], *along])

    def update(solution: Solution) -> None:
        gone = sum(solution.dropped(v) for v in result[:axis])
        if gone:
            op.attributes[attribute] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), axis - gone)

    builder.updates.append(update)


MODELS = {
    "tensor.expand_shape": reshape,
    "tensor.collapse_shape": reshape,
    "tensor.concat": concat,
}
