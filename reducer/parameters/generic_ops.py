"""`linalg.generic`: strides and dilations are factors in its maps, and any of its dimensions may go."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from iree.compiler import ir

from reducer.parameters.affine import Expression, Map, renumber
from reducer.parameters.builder import Builder, Solution
from reducer.parameters.loops import STRIDES, Loops, window_sum
from reducer.parameters.rebuilding import index_constant

Factors = dict[tuple[int, int, int], int]


def generic(builder: Builder, op: Any, name: str, maps: Sequence[Map], loops: Loops) -> None:
    """Numbers in the maps; loops that go with their axes."""
    axes_of = [builder.dims(v) for v in op.operands]
    factors: Factors = {}
    for place, window in enumerate(loops.windows):
        own: dict[int, int] = {}
        for loop, factor in window.expression.terms:
            if factor > 1:
                title = f"{name} {'stride' if loop in loops.parallel else 'dilation'}[{place}]"
                own[loop] = builder.amount(factor, title, low=1, simplest=1, order=STRIDES)
                factors[window.operand, window.position, loop] = own[loop]
        window_sum(builder, f"{name} slack[{place}]", window, loops, own)
    if None in loops.of:
        builder.keep(*(v for axes in axes_of for v in axes))
    builder.keep(*(v for v in (loops.of[n] for n in loops.opaque) if v is not None))

    def update(solution: Solution) -> None:
        gone = {n for n, v in enumerate(loops.of) if v is not None and solution.dropped(v)}
        left = [n for n in range(len(loops.of)) if n not in gone]
        numbers = {n: i for i, n in enumerate(left)}
        new = []
        for operand, (indexing, axes) in enumerate(zip(maps, axes_of, strict=True)):
            pairs = enumerate(zip(axes, indexing.results, strict=False))  # a scalar operand has no axes
            kept = [(i, index) for i, (axis, index) in pairs if not solution.dropped(axis)]
            results = [renumber(_refactor(index, factors, (operand, i), solution), numbers) for i, index in kept]
            new.append(Map(len(left), tuple(results)))
        if tuple(new) != tuple(maps):
            op.attributes["indexing_maps"] = ir.Attribute.parse(f"[{', '.join(m.text() for m in new)}]")
        if gone:
            _drop_loops(builder, op, gone, numbers)

    builder.updates.append(update)


def _refactor(index: Expression, factors: Factors, place: tuple[int, int], solution: Solution) -> Expression:
    """The expression with the factors that the solution gives it."""
    if index.opaque:
        return index
    terms = []
    for loop, factor in index.terms:
        variable = factors.get((*place, loop))
        terms.append((loop, factor if variable is None else solution.number(variable)))
    return Expression(tuple(terms), index.constant)


def _drop_loops(builder: Builder, op: Any, gone: set[int], numbers: Mapping[int, int]) -> None:
    """Take loops out of `iterator_types` and of the body's `linalg.index`."""
    kinds = re.findall(r"#linalg\.iterator_type<\w+>", str(op.attributes["iterator_types"]))
    kept = ", ".join(k for n, k in enumerate(kinds) if n not in gone)
    op.attributes["iterator_types"] = ir.Attribute.parse(f"[{kept}]")
    block = next(iter(op.regions[0].blocks))
    for inner in [o.operation for o in block.operations]:
        if inner.name != "linalg.index":
            continue
        loop = ir.IntegerAttr(inner.attributes["dim"]).value
        if loop in gone:
            inner.results[0].replace_all_uses_with(index_constant(0, ir.InsertionPoint(inner)))
            builder.bury(inner)
        else:
            inner.attributes["dim"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), numbers[loop])
