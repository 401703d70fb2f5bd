"""StableHLO's changes of shape: reshapes, pads, slices, concatenations, reductions, products; sorts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from iree.compiler import ir

from reducer.parameters.arrays import numbers, set_numbers
from reducer.parameters.builder import Builder, Invalid, Solution
from reducer.parameters.graph import Term
from reducer.parameters.reshape_ops import concatenate
from reducer.parameters.slice_ops import SLICES, window
from reducer.parameters.tensor_ops import PADS

_DOT = tuple(f"{side}_{what}_dimensions" for what in ("batching", "contracting") for side in ("lhs", "rhs"))


def reshape(builder: Builder, op: Any) -> None:
    """Axes in the same order hold the same elements; those of size 1 come and go as they like."""
    source, result = builder.dims(op.operands[0]), builder.dims(op.results[0])
    if not builder.known(*source, *result):
        builder.pin(*source, *result)
        return
    builder.graph.pin(*(v for v in (*source, *result) if builder.graph.value(v) == 1))
    for left, right in _groups(builder, source, result):
        if len(left) == 1 and len(right) == 1:
            builder.equal(left, right)
        elif len(left) > 1 and len(right) > 1:
            builder.pin(*left, *right)
        else:
            (whole,), parts = (left, right) if len(left) == 1 else (right, left)
            builder.require(whole, [Term(tuple((p, 0) for p in parts))], 0, [whole, *parts])


def _groups(builder: Builder, left: Sequence[int], right: Sequence[int]) -> list[tuple[list[int], list[int]]]:
    """The axes of other sizes than 1 in the smallest groups of equal products. No groups if a size is 0."""
    sizes = builder.graph.value
    rest = [[v for v in side if sizes(v) != 1] for side in (left, right)]
    if any(sizes(v) == 0 for side in rest for v in side):
        builder.pin(*left, *right)
        return []
    groups: list[tuple[list[int], list[int]]] = []
    while rest[0] and rest[1]:
        group: tuple[list[int], list[int]] = ([], [])
        products = [1, 1]
        while products[0] != products[1] or not group[0]:
            side = int(products[0] > products[1])
            axis = rest[side].pop(0)
            group[side].append(axis)
            products[side] *= sizes(axis) or 0
        groups.append(group)
    return groups


def pad(builder: Builder, op: Any) -> None:
    """`result = operand + low + high`, and `interior` more between any two elements."""
    name = builder.ordinal(op)
    source, result = builder.dims(op.operands[0]), builder.dims(op.results[0])
    lists: dict[str, list[int]] = {}
    for what, key in (("low", "edge_padding_low"), ("high", "edge_padding_high"), ("interior", "interior_padding")):
        lists[key] = [
            builder.amount(n, f"{name} {what}[{i}]", low=0, simplest=0, order=PADS)
            for i, n in enumerate(numbers(op, key))
        ]
    for s, r, low, high, inner in zip(source, result, *lists.values(), strict=True):
        builder.tie(s, r)
        terms = [Term(((v, 0),)) for v in (s, low, high)]
        if builder.graph.value(inner):
            terms.append(Term(((s, 1), (inner, 0))))
        builder.require(r, terms, 0, [r, s, high, low])

    def check(solution: Solution) -> None:
        for i, r in enumerate(result):
            if solution.dropped(r) and any(solution.number(v[i]) for v in lists.values()):
                raise Invalid(f"{name} pads an axis that is to go")

    def update(solution: Solution) -> None:
        keep = solution.kept(result)
        for key, variables in lists.items():
            set_numbers(op, key, [solution.number(variables[i]) for i in keep])

    builder.checks.append(check)
    builder.updates.append(update)


def slice_(builder: Builder, op: Any) -> None:
    """Every `stride`th element from `start` on, as many as the result has."""
    name = builder.ordinal(op)
    big, small = builder.dims(op.operands[0]), builder.dims(op.results[0])
    starts, strides = (
        [builder.amount(n, f"{name} {w}[{i}]", low=m, simplest=m, order=SLICES) for i, n in enumerate(numbers(op, key))]
        for w, key, m in (("offset", "start_indices", 0), ("stride", "strides", 1))
    )
    for i, (b, s, start, stride) in enumerate(zip(big, small, starts, strides, strict=True)):
        builder.tie(b, s)
        window(builder, f"{name} slack[{i}]", b, (start, s, stride))

    def check(solution: Solution) -> None:
        if any(solution.dropped(b) and solution.number(v) for b, v in zip(big, starts, strict=True)):
            raise Invalid(f"{name} has an offset on an axis that is to go")

    before = [*numbers(op, "start_indices"), *numbers(op, "strides"), *(builder.graph.value(v) for v in small)]

    def update(solution: Solution) -> None:
        keep = solution.kept(big)
        begin, step = ([solution.number(v[i]) for i in keep] for v in (starts, strides))
        counts = [solution.size(small[i]) for i in keep]
        if [*begin, *step, *counts] != before:
            ends = [a + d * ((n or 1) - 1) + 1 for a, d, n in zip(begin, step, counts, strict=True)]
            set_numbers(op, "limit_indices", ends)
        set_numbers(op, "start_indices", begin)
        set_numbers(op, "strides", step)

    builder.checks.append(check)
    builder.updates.append(update)


def concat(builder: Builder, op: Any) -> None:
    """Sizes add up along one axis."""
    concatenate(builder, op, int(str(op.attributes["dimension"]).partition(" ")[0]), "dimension")


def reduce(builder: Builder, op: Any) -> None:
    """The results have the axes of the operands but for those in `dimensions`."""
    dims = numbers(op, "dimensions")
    inputs = builder.shaped(list(op.operands)[: len(op.operands) // 2])
    builder.all_equal(inputs)
    builder.all_equal(builder.shaped(op.results))
    wide = inputs[0].axes
    builder.equal([v for i, v in enumerate(wide) if i not in dims], builder.dims(op.results[0]))

    def update(solution: Solution) -> None:
        keep = solution.kept(wide)
        set_numbers(op, "dimensions", [keep.index(d) for d in dims if d in keep])

    builder.updates.append(update)


def dot_general(builder: Builder, op: Any) -> None:
    """The result has the batch axes, then the other axes of the left and of the right that are not contracted."""
    text = str(op.attributes["dot_dimension_numbers"])
    lists = [_dims(text, key) for key in _DOT]
    left, right = builder.dims(op.operands[0]), builder.dims(op.operands[1])
    batch, batch_right, inner, inner_right = lists
    for a, b in ((batch, batch_right), (inner, inner_right)):
        builder.equal([left[i] for i in a], [right[i] for i in b])
    free = [v for i, v in enumerate(left) if i not in batch + inner]
    free += [v for i, v in enumerate(right) if i not in batch_right + inner_right]
    builder.equal([*(left[i] for i in batch), *free], builder.dims(op.results[0]))

    def update(solution: Solution) -> None:
        keep = (solution.kept(left), solution.kept(right))
        new = [[keep[n % 2].index(d) for d in dims if d in keep[n % 2]] for n, dims in enumerate(lists)]
        if new != lists:
            parts = ", ".join(f"{key} = {value}" for key, value in zip(_DOT, new, strict=True) if value)
            op.attributes["dot_dimension_numbers"] = ir.Attribute.parse(f"#stablehlo.dot<{parts}>")

    builder.updates.append(update)


def _dims(text: str, key: str) -> list[int]:
    match = re.search(rf"{key} = \[([\d, ]*)\]", text)
    return [int(n) for n in match[1].split(",") if n.strip()] if match else []


def sort(builder: Builder, op: Any) -> None:
    """All operands and results are alike, and sorted along one axis, which stays."""
    slots = builder.shaped([*op.operands, *op.results])
    builder.all_equal(slots)
    axis = int(str(op.attributes["dimension"]).partition(" ")[0]) if "dimension" in op.attributes else -1
    axes = slots[0].axes
    builder.keep(axes[axis])

    def update(solution: Solution) -> None:
        gone = sum(solution.dropped(v) for v in axes[: max(axis, 0)])
        if gone:
            op.attributes["dimension"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), axis - gone)

    builder.updates.append(update)


MODELS = {
    "stablehlo.reshape": reshape,
    "stablehlo.pad": pad,
    "stablehlo.slice": slice_,
    "stablehlo.concatenate": concat,
    "stablehlo.reduce": reduce,
    "stablehlo.dot_general": dot_general,
    "stablehlo.sort": sort,
    "iree_linalg_ext.sort": sort,
}
