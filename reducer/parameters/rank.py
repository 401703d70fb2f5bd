"""Ranks: which axes can go from all the values that have them."""

from __future__ import annotations

from reducer.parameters.builder import Builder, Choice, Plan

DROP = 1


def offer(builder: Builder) -> None:
    """Make a parameter of every class of axes of size 1 (or 0) that can go on its own."""
    bound = {builder.axes.find(v) for _, axes, _ in builder.kinds for variables in axes.values() for v in variables}
    for root, members in builder.axis_classes().items():
        if root in bound or not builder.removable(root):
            continue

        def choose(plan: Plan, value: int, root: int = root) -> None:
            if value == 0:
                plan.drop.add(root)

        name = f"axis {builder.title(members)}"
        builder.choices.append(Choice(name, ("dropped", "kept"), 1, choose, DROP))
