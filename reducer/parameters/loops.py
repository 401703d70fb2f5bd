"""Loops of linalg ops: axes that run with one loop agree, and window sums carry strides and dilations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reducer.parameters.affine import Expression, Map
from reducer.parameters.builder import Builder
from reducer.parameters.graph import Equation, Term

SLACK, STRIDES = 5, 6
MEMOIZED = "linalg.memoized_indexing_maps"


@dataclass(frozen=True)
class Window:
    """An axis that is indexed with a sum. operand, position: which axis of which operand it is."""

    axis: int
    expression: Expression
    operand: int
    position: int


@dataclass(frozen=True)
class Loops:
    """A linalg op's loops as variables.

    of: by loop, None if no operand has the loop as an axis of its own; opaque: loops in an index that is no sum.
    """

    of: list[int | None]
    windows: list[Window]
    parallel: frozenset[int]
    opaque: frozenset[int]


def connect(builder: Builder, op: Any, maps: Sequence[Map]) -> Loops:
    """Merge the axes that run with one loop; note the window sums; keep or pin what is neither."""
    loops: list[int | None] = [None] * maps[0].loops
    windows: list[Window] = []
    opaque: set[int] = set()
    for operand, (value, indexing) in enumerate(zip(op.operands, maps, strict=True)):
        for position, (axis, index) in enumerate(zip(builder.dims(value), indexing.results, strict=True)):
            if index.loop is not None:
                _run(builder, loops, index.loop, axis)
            elif index.opaque:
                builder.pin(axis)
                opaque.update(index.loops)
            elif index.terms:
                windows.append(Window(axis, index, operand, position))
            else:
                builder.keep(axis)
    builder.pin(*(v for v in (loops[n] for n in opaque) if v is not None))
    parallel = frozenset(e.loop for e in maps[-1].results if e.loop is not None)
    return Loops(loops, windows, parallel, frozenset(opaque))


def _run(builder: Builder, loops: list[int | None], loop: int, axis: int) -> None:
    """The axis runs with the loop, whose variable is that of a static axis if there is one."""
    first = loops[loop]
    if first is None:
        loops[loop] = axis
        return
    builder.equal([first], [axis])
    if not builder.known(first):
        loops[loop] = axis


def window_sum(builder: Builder, name: str, window: Window, loops: Loops, factors: Mapping[int, int]) -> None:
    """`axis = 1 + sum of factor * (loop - 1) + slack`.

    name: of the slack; factors: by loop, the variable of its factor, if that is one.
    """
    axis, expression = window.axis, window.expression
    known = [m for m in (loops.of[loop] for loop, _ in expression.terms) if m is not None]
    builder.tie(axis, *known)
    unclear = len(known) < len(expression.terms) or any(f < 0 for _, f in expression.terms) or expression.constant < 0
    if unclear:
        _pin(builder, axis, known, factors)
        return
    terms, needed = [], 1 + expression.constant
    for (loop, factor), member in zip(expression.terms, known, strict=True):
        needed += factor * ((builder.graph.value(member) or 0) - 1)
        if loop in factors:
            terms.append(Term(((member, 1), (factors[loop], 0))))
        else:
            terms.append(Term(((member, 1),), factor))
    pairs = zip(expression.terms, known, strict=True)
    output = next((m for (loop, _), m in pairs if loop in loops.parallel), known[0])
    constant = 1 + expression.constant
    if not builder.known(axis, *known):
        builder.graph.add(Equation(axis, tuple(terms), constant, rounded=output))
        return
    left = (builder.graph.value(axis) or 0) - needed
    if left < 0:
        _pin(builder, axis, known, factors)
        return
    slack = builder.amount(left, name, low=0, simplest=0, order=SLACK)
    terms.append(Term(((slack, 0),)))
    builder.graph.add(Equation(axis, tuple(terms), constant, (output, axis, slack), rounded=output, slack=slack))


def _pin(builder: Builder, axis: int, known: Sequence[int], factors: Mapping[int, int]) -> None:
    builder.pin(axis, *known)
    builder.graph.pin(*factors.values())


def forget_maps(op: Any) -> None:
    """Let a named op work out its maps anew: the memoized ones would be believed."""
    if MEMOIZED in op.attributes:
        del op.attributes[MEMOIZED]
