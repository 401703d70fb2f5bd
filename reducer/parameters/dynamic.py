"""Dynamic sizes: all that depend on one another become static together, and the operands that said them go."""

from __future__ import annotations

from typing import Any

from reducer.parameters.builder import Builder, Choice, Plan, Slot, Solution
from reducer.parameters.rebuilding import rebuild

STATIC = 2
STARTS = (1, 4, 16)


def offer(builder: Builder) -> None:
    """Make a parameter of each group of dynamic sizes: static from a small size on, from a larger one, or dynamic."""
    labels = (*(f"static from {n}" for n in STARTS), "dynamic")
    for group in builder.graph.unknown_groups():

        def choose(plan: Plan, value: int, group: Any = tuple(group)) -> None:
            if value < len(STARTS):
                plan.known.update((variable, STARTS[value]) for variable in group)

        name = f"shape {builder.title(group)}"
        builder.choices.append(Choice(name, labels, len(STARTS), choose, STATIC))


def sized(builder: Builder, op: Any) -> None:
    """`tensor.empty` and `tensor.splat`: the last operands are the dynamic sizes; nothing else says what they are."""
    slot = builder.slot(op.results[0])
    if slot is None or None not in slot.shape.dims:
        return
    first = len(op.operands) - slot.shape.dims.count(None)

    def update(solution: Solution) -> None:
        left = still_dynamic(slot, solution)
        if not all(left):
            operands = list(op.operands)
            rebuild(builder, op, [*operands[:first], *(v for v, d in zip(operands[first:], left, strict=True) if d)])

    builder.updates.append(update)


def still_dynamic(slot: Slot, solution: Solution) -> list[bool]:
    """For each dynamic axis, whether it remains so."""
    pairs = zip(slot.axes, slot.shape.dims, strict=True)
    return [solution.size(v) is None for v, size in pairs if size is None]


MODELS = {"tensor.empty": sized, "tensor.splat": sized}
