"""The numbers of a program: what they are, and the program with others. Runs in the worker, on the release's own MLIR
bindings.

Sizes that must agree are one parameter; pads, strides, dilations, offsets, constants and whole numbers in attributes
are parameters of their own; element types, kinds of convolution and whether an axis is there at all are choices.
Everything else follows. What no number can change is left to the passes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from iree.compiler import ir

from reducer.parameters import elements
from reducer.parameters.builder import Builder, Plan, Solution, Trade
from reducer.parameters.graph import Invalid
from reducer.parameters.model import build
from reducer.passes.bindings import plain_ops
from reducer.wire import Parameter

__all__ = ["Invalid", "assign", "parameters"]

DIMS = 2
TRADES = 10


@dataclass
class _Draft:
    """What the values of the parameters say, before it is worked out."""

    sizes: dict[int, int]
    plan: Plan
    moved: list[tuple[int, Trade]] = field(default_factory=list)


@dataclass
class _Knob:
    parameter: Parameter
    order: int
    turn: Callable[[_Draft, int], None]


def parameters(module: Any) -> list[Parameter]:
    """The parameters that can still be simplified: ranks first, then sizes, other numbers, types, constants."""
    with module.context, ir.Location.unknown(), plain_ops():
        builder = build(module)
        found = [knob.parameter for knob in _knobs(builder)]
        builder.release()
        return found


def assign(module: Any, values: Sequence[int]) -> None:
    """Give the module's parameters these values, in the order of `parameters`, and make everything else follow.

    Raises Invalid if there is no such program; the module is not to be used any more then. Raises ValueError if the
    number of values is not that of the parameters.
    """
    with module.context, ir.Location.unknown(), plain_ops():
        builder = build(module)
        try:
            draft = _draft(_knobs(builder), values)
            if draft is not None:
                _apply(module, builder, draft)
        finally:
            builder.release()
        if draft is not None:
            _verify(module)


def _draft(knobs: Sequence[_Knob], values: Sequence[int]) -> _Draft | None:
    """What the values say; None if they are the program's own."""
    if len(values) != len(knobs):
        raise ValueError(f"{len(values)} values for {len(knobs)} parameters")
    draft, changed = _Draft({}, Plan()), False
    for knob, value in zip(knobs, values, strict=True):
        known = knob.parameter
        if not known.low <= value <= known.high:
            raise Invalid(f"{known.name} cannot be {value}: {known.low} to {known.high}")
        if value != known.value:
            knob.turn(draft, value)
            changed = True
    return draft if changed else None


def _verify(module: Any) -> None:
    try:
        module.operation.verify()
    except ir.MLIRError as error:
        raise Invalid(str(error)) from error


def _apply(module: Any, builder: Builder, draft: _Draft) -> None:
    for units, trade in draft.moved:
        _move(builder, draft.sizes, units, trade)
    solution = Solution(builder, builder.graph.solve(draft.sizes, draft.plan.known), draft.plan)
    for variable in builder.where if solution.dropping else ():
        if solution.dropped(variable) and solution.size(variable) not in (0, 1):
            raise Invalid(f"an axis of size {solution.size(variable)} cannot go")
    for check in builder.checks:
        check(solution)
    try:
        _rewrite(module, builder, solution)
    except (ir.MLIRError, ValueError) as error:
        raise Invalid(str(error)) from error


def _move(builder: Builder, sizes: dict[int, int], units: int, trade: Trade) -> None:
    """As many units as the size that gives them has, down to 1."""
    find, now = builder.graph.classes.find, builder.graph.value
    giver, taker = find(trade.giver), find(trade.taker)
    has = sizes.get(giver, now(giver) or 0)
    given = max(min(units, has - 1), 0)
    sizes[giver] = has - given
    sizes[taker] = sizes.get(taker, now(taker) or 0) + given


def _rewrite(module: Any, builder: Builder, solution: Solution) -> None:
    types: dict[str, Any] = {}
    for slot in builder.slots.values():
        if slot is None:
            continue
        text = solution.type_of(slot)
        if text != slot.shape.text(slot.shape.dims, slot.shape.element):
            if text not in types:
                types[text] = ir.Type.parse(text)
            slot.value.set_type(types[text])
    elements.retype_scalars(builder, solution.plan.elements)
    for update in builder.updates:
        update(solution)
    if solution.plan.elements:
        elements.repair(builder, module.operation, solution.plan)


def _knobs(builder: Builder) -> list[_Knob]:
    knobs = [*_sizes(builder), *_amounts(builder), *_trades(builder), *_choices(builder)]
    return sorted(knobs, key=lambda k: k.order)


def _sizes(builder: Builder) -> list[_Knob]:
    graph = builder.graph
    classes: dict[int, list[int]] = {}
    for variable in builder.where:
        classes.setdefault(graph.classes.find(variable), []).append(variable)
    knobs = []
    for root, members in classes.items():
        value = graph.value(root)
        if value is None or value <= 1 or not graph.is_free(root):
            continue
        parameter = Parameter(f"dim {builder.title(members)}", value, 1, value, 1)
        knobs.append(_Knob(parameter, DIMS, _turn(root)))
    return knobs


def _turn(variable: int) -> Callable[[_Draft, int], None]:
    return lambda draft, value: draft.sizes.__setitem__(variable, value)


def _amounts(builder: Builder) -> list[_Knob]:
    graph = builder.graph
    knobs = []
    for amount in builder.amounts:
        value = graph.value(amount.variable)
        simplest = graph.spare.get(amount.variable, amount.simplest)
        if value is None or value == simplest or not graph.is_free(amount.variable):
            continue
        low = min(graph.low(amount.variable), value)
        parameter = Parameter(amount.name, value, low, max(value, simplest), simplest)
        knobs.append(_Knob(parameter, amount.order, _turn(graph.classes.find(amount.variable))))
    return knobs


def _trades(builder: Builder) -> list[_Knob]:
    graph = builder.graph
    knobs = []
    for trade in builder.trades:
        most = (graph.value(trade.giver) or 0) - 1
        if most > 0 and graph.is_free(trade.giver) and graph.is_free(trade.taker):
            knobs.append(_Knob(Parameter(trade.name, 0, 0, most, most), TRADES, _trade(trade)))
    return knobs


def _trade(trade: Trade) -> Callable[[_Draft, int], None]:
    return lambda draft, value: draft.moved.append((value, trade))


def _choices(builder: Builder) -> list[_Knob]:
    knobs = []
    for choice in builder.choices:
        parameter = Parameter(choice.name, choice.value, 0, len(choice.labels) - 1, 0, choice.labels)
        knobs.append(_Knob(parameter, choice.order, _choose(choice.choose)))
    return knobs


def _choose(choose: Callable[[Plan, int], None]) -> Callable[[_Draft, int], None]:
    return lambda draft, value: choose(draft.plan, value)
