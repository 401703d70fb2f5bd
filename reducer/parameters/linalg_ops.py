"""The linalg dialect: sizes follow from indexing maps, window sums carry strides and dilations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from iree.compiler import ir

from reducer.parameters.affine import Expression, Map, parse_maps, renumber
from reducer.parameters.builder import Builder, Solution
from reducer.parameters.graph import Term
from reducer.parameters.kinds import KINDS
from reducer.parameters.named_ops import named
from reducer.parameters.tensor_ops import numbers, set_numbers, zero_index

SLACK, STRIDES = 5, 6
MEMOIZED = "linalg.memoized_indexing_maps"
_INTEGER = re.compile(r"-?\d+")


def dense_numbers(op: Any, name: str, count: int) -> list[int]:
    """The whole numbers of a dense attribute (`dense<[2, 1]> : tensor<2xi64>`, or a splat); ones if it is not there."""
    if name not in op.attributes:
        return [1] * count
    found = [int(n) for n in _INTEGER.findall(str(op.attributes[name]).partition(">")[0])]
    return found * count if len(found) == 1 else found


def set_dense_numbers(op: Any, name: str, values: Sequence[int]) -> None:
    """Write a dense attribute of i64, if it is there."""
    if name in op.attributes and dense_numbers(op, name, len(values)) != list(values):
        text = f"dense<[{', '.join(map(str, values))}]> : tensor<{len(values)}xi64>"
        op.attributes[name] = ir.Attribute.parse(text)


@dataclass
class Loops:
    """A linalg op's loops as variables. of: by loop, None if no operand has the loop as an axis of its own."""

    of: list[int | None]
    windows: list[tuple[int, Expression]]
    parallel: frozenset[int]


def _read_maps(op: Any) -> tuple[Map, ...]:
    for name in ("indexing_maps", MEMOIZED):
        if name in op.attributes:
            return parse_maps(str(op.attributes[name]))
    return ()


def _connect(builder: Builder, op: Any, maps: Sequence[Map]) -> Loops:
    """Merge the axes that run with one loop; note the window sums; keep or pin what is neither."""
    loops: list[int | None] = [None] * maps[0].loops
    windows: list[tuple[int, Expression]] = []
    opaque: list[int] = []
    for operand, indexing in zip(op.operands, maps):
        for axis, expression in zip(builder.dims(operand), indexing.results):
            loop = expression.loop
            if loop is None:
                if expression.opaque:
                    builder.pin(axis)
                    opaque += expression.loops
                elif expression.terms:
                    windows.append((axis, expression))
                else:
                    builder.keep(axis)
                continue
            first = loops[loop]
            if first is None or not builder.known(first):
                if first is not None:
                    builder.tie(first, axis)
                loops[loop] = axis
            else:
                builder.equal([first], [axis])
    for variable in (loops[n] for n in opaque):
        if variable is not None:
            builder.pin(variable)
    outputs = maps[-1].results
    return Loops(loops, windows, frozenset(e.loop for e in outputs if e.loop is not None))


def _window_sum(
    builder: Builder, name: str, place: int, axis: int, expression: Expression, loops: Loops, factors: dict[int, int]
) -> None:
    """`axis = 1 + sum of factor * (loop - 1) + slack`. factors: by loop, the variable of its factor, if it is one."""
    members = [loops.of[loop] for loop, _ in expression.terms]
    known = [m for m in members if m is not None]
    builder.tie(axis, *known)
    if len(known) < len(members) or any(f < 0 for _, f in expression.terms) or expression.constant < 0:
        builder.pin(axis, *known)
        builder.graph.pin(*factors.values())
        return
    if not builder.known(axis, *known):
        return
    terms = []
    needed = 1 + expression.constant
    for (loop, factor), member in zip(expression.terms, known):
        variable = factors.get(loop)
        needed += factor * ((builder.graph.value(member) or 0) - 1)
        if variable is None:
            terms.append(Term(((member, 1),), factor))
        else:
            terms.append(Term(((member, 1), (variable, 0))))
    left = (builder.graph.value(axis) or 0) - needed
    if left < 0:
        builder.pin(axis, *known)
        builder.graph.pin(*factors.values())
        return
    slack = builder.amount(left, f"{name} slack[{place}]", low=0, simplest=0, order=SLACK)
    terms.append(Term(((slack, 0),)))
    output = next((m for (loop, _), m in zip(expression.terms, known) if loop in loops.parallel), known[0])
    builder.require(axis, terms, 1 + expression.constant, [output, axis, slack], rounded=output, slack=slack)


def structured(builder: Builder, op: Any) -> None:
    """Any op with indexing maps, named or generic."""
    maps = _read_maps(op)
    operands = list(op.operands)
    if not maps or len(maps) != len(operands) or any(m.symbols for m in maps):
        unmapped(builder, op)
        return
    name = builder.ordinal(op)
    loops = _connect(builder, op, maps)
    results = list(op.results)
    for operand, result in zip(operands[len(operands) - len(results) :], results):
        builder.equal(builder.dims(operand), builder.dims(result))
    kind = KINDS.get(op.name.removeprefix("linalg."))
    if op.name == "linalg.generic":
        _generic(builder, op, name, maps, loops)
    elif kind is not None:
        _strided(builder, op, name, loops)
        named(builder, op, name, kind)
    else:
        _strided(builder, op, name, loops)
        _plain(builder, op, maps)


def _strided(builder: Builder, op: Any, name: str, loops: Loops) -> None:
    """A named op: its factors are those in `strides` and `dilations`, one a window sum."""
    count = len(loops.windows)
    lists: dict[str, list[int | None]] = {"strides": [], "dilations": []}
    for what, variables in lists.items():
        for place, now in enumerate(dense_numbers(op, what, count)):
            title = f"{name} {what[:-1]}[{place}]"
            variables.append(builder.amount(now, title, low=1, simplest=1, order=STRIDES) if now > 1 else None)
    for place, (axis, expression) in enumerate(loops.windows):
        factors: dict[int, int] = {}
        for loop, _ in expression.terms:
            variable = lists["strides" if loop in loops.parallel else "dilations"][place]
            if variable is not None:
                factors[loop] = variable
        _window_sum(builder, name, place, axis, expression, loops, factors)

    def update(solution: Solution) -> None:
        if MEMOIZED in op.attributes:
            del op.attributes[MEMOIZED]
        for what, variables in lists.items():
            set_dense_numbers(op, what, [1 if v is None else solution.number(v) for v in variables])

    builder.updates.append(update)


def _plain(builder: Builder, op: Any, maps: Sequence[Map]) -> None:
    """A named op of fixed rank: its axes stay, unless it is an elementwise one, which comes in all ranks."""
    elementwise = all(m.results == maps[-1].results for m in maps if m.results)
    if not elementwise or "indexing_maps" in op.attributes:
        for slot in builder.shaped(op.operands):
            builder.keep(*slot.axes)


def _generic(builder: Builder, op: Any, name: str, maps: Sequence[Map], loops: Loops) -> None:
    """A generic: its factors stand in the maps, its rank is free."""
    factors: dict[tuple[int, int, int], int] = {}
    place = 0
    axes_of = [builder.dims(v) for v in op.operands]
    for operand, (indexing, axes) in enumerate(zip(maps, axes_of)):
        for position, (axis, expression) in enumerate(zip(axes, indexing.results)):
            if expression.loop is not None or expression.opaque or not expression.terms:
                continue
            own: dict[int, int] = {}
            for loop, factor in expression.terms:
                if factor > 1:
                    title = f"{name} {'stride' if loop in loops.parallel else 'dilation'}[{place}]"
                    own[loop] = builder.amount(factor, title, low=1, simplest=1, order=STRIDES)
                    factors[operand, position, loop] = own[loop]
            _window_sum(builder, name, place, axis, expression, loops, own)
            place += 1
    for loop, variable in enumerate(loops.of):
        if variable is None:
            _keep_all(builder, op)
        elif any(loop in e.loops for m in maps for e in m.results if e.opaque):
            builder.keep(variable)

    def update(solution: Solution) -> None:
        gone = {n for n, v in enumerate(loops.of) if v is not None and solution.dropped(v)}
        numbers_of = {n: i for i, n in enumerate(n for n in range(len(loops.of)) if n not in gone)}
        new = []
        for operand, (indexing, axes) in enumerate(zip(maps, axes_of)):
            results = []
            for position, (axis, expression) in enumerate(zip(axes, indexing.results)):
                if not solution.dropped(axis):
                    results.append(renumber(_refactor(expression, factors, operand, position, solution), numbers_of))
            new.append(Map(len(numbers_of), tuple(results)))
        if tuple(new) != tuple(maps):
            op.attributes["indexing_maps"] = ir.Attribute.parse(f"[{', '.join(m.text() for m in new)}]")
        if gone:
            _drop_loops(op, gone, numbers_of)

    builder.updates.append(update)


def _keep_all(builder: Builder, op: Any) -> None:
    for slot in builder.shaped(op.operands):
        builder.keep(*slot.axes)


def _refactor(
    expression: Expression, factors: dict[tuple[int, int, int], int], operand: int, position: int, solution: Solution
) -> Expression:
    if expression.opaque:
        return expression
    terms = []
    for loop, factor in expression.terms:
        variable = factors.get((operand, position, loop))
        terms.append((loop, factor if variable is None else solution.number(variable)))
    return Expression(tuple(terms), expression.constant)


def _drop_loops(op: Any, gone: set[int], numbers_of: dict[int, int]) -> None:
    """Take loops out of `iterator_types` and of the body's `linalg.index`."""
    kinds = re.findall(r"#linalg\.iterator_type<\w+>", str(op.attributes["iterator_types"]))
    kept = ", ".join(k for n, k in enumerate(kinds) if n not in gone)
    op.attributes["iterator_types"] = ir.Attribute.parse(f"[{kept}]")
    block = next(iter(op.regions[0].blocks))
    for inner in [o.operation for o in block.operations]:
        if inner.name == "linalg.index":
            loop = ir.IntegerAttr(inner.attributes["dim"]).value
            if loop in gone:
                inner.results[0].replace_all_uses_with(zero_index(ir.InsertionPoint(inner)))
                inner.erase()
            else:
                wide = ir.IntegerType.get_signless(64)
                inner.attributes["dim"] = ir.IntegerAttr.get(wide, numbers_of[loop])


def unmapped(builder: Builder, op: Any) -> None:
    """An op whose maps are not to be had: nothing may change."""
    builder.pin_values([*op.operands, *op.results])


def alike(builder: Builder, op: Any) -> None:
    """Every operand and result has the same shape, whatever the rank (`linalg.fill`: its scalar has none)."""
    builder.all_equal(builder.shaped([*op.operands, *op.results]))

    def update(_: Solution) -> None:
        if MEMOIZED in op.attributes:
            del op.attributes[MEMOIZED]

    builder.updates.append(update)


def transpose(builder: Builder, op: Any) -> None:
    """Axis i of the result is axis permutation[i] of the input."""
    permutation = numbers(op, "permutation")
    source, target = builder.dims(op.operands[0]), builder.dims(op.operands[1])
    builder.equal([source[p] for p in permutation], target)
    _result_like_last(builder, op)

    def update(solution: Solution) -> None:
        keep = solution.kept(source)
        set_numbers(op, "permutation", [keep.index(p) for p in permutation if p in keep])

    builder.updates.append(update)


def broadcast(builder: Builder, op: Any) -> None:
    """The result has the axes of the input, and those in `dimensions`."""
    _subset(builder, op)


def reduce(builder: Builder, op: Any) -> None:
    """The result has the axes of the input but for those in `dimensions`. Several inputs are alike."""
    _subset(builder, op)


def _subset(builder: Builder, op: Any) -> None:
    extra = numbers(op, "dimensions")
    half = len(op.operands) // 2
    first, second = list(op.operands)[:half], list(op.operands)[half:]
    builder.all_equal(builder.shaped(first))
    builder.all_equal(builder.shaped(second))
    small, big = (first, second) if op.name == "linalg.broadcast" else (second, first)
    wide = builder.dims(big[0])
    builder.equal(builder.dims(small[0]), [v for i, v in enumerate(wide) if i not in extra])
    _result_like_last(builder, op)

    def update(solution: Solution) -> None:
        keep = solution.kept(wide)
        set_numbers(op, "dimensions", [keep.index(d) for d in extra if d in keep])

    builder.updates.append(update)


def _result_like_last(builder: Builder, op: Any) -> None:
    results = list(op.results)
    operands = list(op.operands)
    for operand, result in zip(operands[len(operands) - len(results) :], results):
        builder.equal(builder.dims(operand), builder.dims(result))


MODELS = {
    "linalg.fill": alike,
    "linalg.map": alike,
    "linalg.softmax": alike,
    "linalg.transpose": transpose,
    "linalg.broadcast": broadcast,
    "linalg.reduce": reduce,
}
