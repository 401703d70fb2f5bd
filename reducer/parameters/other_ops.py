"""Ops that there is no rule for: their own verifier says what can change.

A size, or a number in an attribute, that the verifier lets change alone is free; those of one value that it wants
changed together are one; what it holds on to stays. Likewise for axes that go. What a compiler wants beyond that is
nothing that can be known here: it refuses the program. Ops with regions keep their shapes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from reducer.parameters.builder import Builder, Solution
from reducer.parameters.integers import Integers, integers
from reducer.passes import bindings
from reducer.passes.size import NOT_NUMBERS, UNIT_IS_FREE

NUMBERS = 6
_SIZES = ("static_sizes", "static_output_shape")
_SOME_SIZE = 7
Changed = dict[int, int | None]
Changes = Callable[[Iterable[int]], bool]


@dataclass(frozen=True)
class _Listed:
    """The numbers in one attribute of an op, and the variable of each."""

    key: str
    numbers: Integers
    variables: tuple[int, ...]


def other(builder: Builder, op: Any) -> None:
    """Any op without a rule of its own."""
    values = [*op.operands, *op.results]
    listed = _listed(builder, op)
    if len(op.regions) or len(op.successors) or not bindings.is_readable(op):
        builder.pin_values([*values, *(a for region in op.regions for b in region.blocks for a in b.arguments)])
        tied = set[int]()
    else:
        tied = _Trial(builder, op, listed).settle()
    _offer(builder, op, listed, tied)


def numbers(builder: Builder, op: Any) -> None:
    """The numbers in the attributes of an op whose shapes are known otherwise."""
    _offer(builder, op, _listed(builder, op), set())


def _listed(builder: Builder, op: Any) -> list[_Listed]:
    found = []
    for key, attribute in bindings.attributes(op):
        whole = None if key in NOT_NUMBERS and key not in _SIZES else integers(attribute)
        if whole is not None:
            low = 1 if key in _SIZES else 0
            variables = tuple(builder.number(v, low=low) for v in whole.values)
            found.append(_Listed(key, whole, variables))
    return found


def _offer(builder: Builder, op: Any, listed: Sequence[_Listed], tied: set[int]) -> None:
    """Make parameters of the numbers that are not one with a size, and carry them into the op."""
    if not listed:
        return
    name = builder.ordinal(op)
    for one in listed:
        simplest = 1 if UNIT_IS_FREE.search(one.key) else 0
        several = one.numbers.places[0][0] > 0
        for place, (variable, value) in enumerate(zip(one.variables, one.numbers.values, strict=True)):
            if one.key in _SIZES:
                if variable not in tied:
                    builder.graph.pin(variable)
            elif variable not in tied and value not in (simplest, 0):
                title = f"{name} {one.key}[{place}]" if several else f"{name} {one.key}"
                builder.offer(variable, title, simplest=simplest, order=NUMBERS)

    def update(solution: Solution) -> None:
        for one in listed:
            new = [solution.number(v) for v in one.variables]
            if new != one.numbers.values:
                op.attributes[one.key] = one.numbers.attribute(new)

    builder.updates.append(update)


class _Trial:
    """One op: what its verifier ties together."""

    def __init__(self, builder: Builder, op: Any, listed: Sequence[_Listed]) -> None:
        self._builder, self._op, self._listed = builder, op, listed
        self._operands, self._results = list(op.operands), list(op.results)
        self._attributes = dict(bindings.attributes(op))
        slots = builder.shaped([*self._operands, *self._results])
        self._axes = list(dict.fromkeys(v for s in slots for v in s.axes))
        self._numbers = [v for one in listed for v in one.variables]

    def settle(self) -> set[int]:
        """Tie and pin. The numbers that are one with others are returned."""
        if not self._axes:
            return set()
        graph = self._builder.graph
        sizes = [v for v in self._axes if graph.value(v) not in (0, 1)]
        tied = set[int]()

        def together(a: int, b: int) -> None:
            graph.merge(a, b)
            tied.update({a, b} & set(self._numbers))

        for variable in _sort_out([*sizes, *self._numbers], graph.value, self._resized, together):
            graph.pin(variable)
        units = [v for v in self._axes if graph.value(v) in (0, 1)]
        self._builder.keep(*_sort_out(units, graph.value, self._dropped, self._builder.tie))
        return tied

    def _resized(self, members: Iterable[int]) -> bool:
        """Whether the members can change together: they grow, or (beyond 2, for 1 may mean another thing) shrink."""
        values = {v: self._builder.graph.value(v) for v in members}
        steps: list[Changed] = [{v: _SOME_SIZE if n is None else n + 1 for v, n in values.items()}]
        if all(n is not None and n > 2 for n in values.values()):
            steps.append({v: n - 1 for v, n in values.items() if n is not None})
        return any(self._verifies(step, frozenset()) for step in steps)

    def _dropped(self, members: Iterable[int]) -> bool:
        return self._verifies({}, frozenset(members))

    def _verifies(self, changed: Changed, gone: frozenset[int]) -> bool:
        attributes = dict(self._attributes)
        for one in self._listed:
            if not changed.keys().isdisjoint(one.variables):
                pairs = zip(one.variables, one.numbers.values, strict=True)
                attributes[one.key] = one.numbers.attribute([changed.get(v) or n for v, n in pairs])
        operands, results = ([self._type(v, changed, gone) for v in vs] for vs in (self._operands, self._results))
        return self._builder.trials.verifies(self._op, operands, results, attributes)

    def _type(self, value: Any, changed: Changed, gone: frozenset[int]) -> str:
        slot = self._builder.slot(value)
        if slot is None:
            return str(value.type)
        axes = zip(slot.axes, slot.shape.dims, strict=True)
        return slot.shape.text([changed.get(v, n) for v, n in axes if v not in gone], slot.shape.element)


def _sort_out(
    members: Sequence[int],
    value: Callable[[int], int | None],
    changes: Changes,
    together: Callable[[int, int], None],
) -> list[int]:
    """Bring together those that change only so; those that do not change at all are returned."""
    alike: dict[int | None, list[int]] = {}
    for member in members:
        if not changes([member]):
            alike.setdefault(value(member), []).append(member)
    stuck: list[int] = []
    for group in alike.values():
        moving = set[int]()
        for a, b in combinations(group, 2):
            if changes([a, b]):
                together(a, b)
                moving |= {a, b}
        left = [m for m in group if m not in moving]
        if len(left) > 2 and changes(left):
            for member in left[1:]:
                together(left[0], member)
        else:
            stuck += left
    return stuck
