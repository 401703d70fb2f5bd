"""Convolutions, poolings and products by name: another kind when dimensions go."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from iree.compiler import ir

from reducer.parameters.builder import Builder, Choice, Invalid, Plan, Solution
from reducer.parameters.kinds import Kind, shape_agrees, smaller, without

KIND = 0
_INTEGER = re.compile(r"-?\d+")


def named(builder: Builder, op: Any, name: str, kind: Kind) -> None:
    """Offer the kinds that this one could be, and become one of them when its axes go."""
    operands = list(op.operands)
    shaped = builder.shaped([operands[0], operands[1], operands[-1]])
    if not shape_agrees(kind, [len(s.axes) for s in shaped]):
        for slot in builder.shaped(operands):
            builder.keep(*slot.axes)
        return
    axes: dict[str, list[int]] = {}
    for slot, letters in zip(shaped, kind.parts, strict=True):
        for letter, variable in zip(letters, slot.axes, strict=True):
            axes.setdefault(letter, []).append(variable)
    for variables in axes.values():
        builder.tie(*variables)
    builder.kinds.append((kind, axes, name))

    def becomes(solution: Solution) -> Kind:
        gone = frozenset(c for c, variables in axes.items() if solution.dropped(variables[0]))
        other = without(kind, gone) if gone else kind
        if other is None:
            raise Invalid(f"there is no {kind.name} without its dimensions {''.join(sorted(gone))}")
        return other

    def check(solution: Solution) -> None:
        becomes(solution)

    def update(solution: Solution) -> None:
        other = becomes(solution)
        if other is not kind:
            gone = {int(c) for c, v in axes.items() if c.isdigit() and solution.dropped(v[0])}
            _rebuild(builder, op, other, gone)

    builder.checks.append(check)
    builder.updates.append(update)


def offer(builder: Builder) -> None:
    """Make a parameter of each named op that could be a smaller kind: all that must go with its axes can."""
    for kind, axes, name in builder.kinds:
        options = [
            (other, letters)
            for other, letters in smaller(kind)
            if all(builder.removable(variable) for c in letters for variable in axes[c])
        ]
        if not options:
            continue

        def choose(plan: Plan, value: int, options: Any = tuple(options), axes: Any = axes) -> None:
            if value < len(options):
                plan.drop.update(v for c in options[value][1] for v in axes[c])

        labels = _distinct([other.name for other, _ in options] + [kind.name])
        builder.choices.append(Choice(f"{name} kind", labels, len(options), choose, KIND))


def _distinct(labels: list[str]) -> tuple[str, ...]:
    """The labels, numbered where one occurs again (a conv_1d along either axis)."""
    return tuple(f"{s} ({labels[:i].count(s) + 1})" if labels.count(s) > 1 else s for i, s in enumerate(labels))


@cache
def _own_maps(kind: Kind) -> str:
    """The `indexing_maps` that a product of this kind carries by default; "" in releases in which it carries none.

    An op made by hand without the maps that it should have crashes some releases (3.1.0). The parser knows them.
    """
    if kind.family != "product":
        return ""
    a, b, c = (f"tensor<{'1x' * len(part)}f32>" for part in kind.parts)
    product = f"linalg.{kind.name} ins(%a, %b : {a}, {b}) outs(%c : {c}) -> {c}"
    module = ir.Module.parse(f"func.func @f(%a: {a}, %b: {b}, %c: {c}) -> {c} {{ %r = {product}\n return %r : {c} }}")
    function = next(iter(module.body.operations)).operation
    block = next(iter(function.regions[0].blocks))
    attributes = next(iter(block.operations)).operation.attributes
    return str(attributes["indexing_maps"]) if "indexing_maps" in attributes else ""


def _rebuild(builder: Builder, op: Any, kind: Kind, gone: set[int]) -> None:
    """Put an op of another kind in the op's place. The types of its operands and results are right already."""
    from iree.compiler._mlir_libs._mlirDialectsLinalg import fill_builtin_region

    attributes = {"operandSegmentSizes": op.attributes["operandSegmentSizes"]}
    for what in ("strides", "dilations"):
        if what not in op.attributes:
            continue
        text = str(op.attributes[what])
        found = [int(n) for n in _INTEGER.findall(text.partition(">")[0])]
        count = int(_INTEGER.findall(text.partition("tensor<")[2])[0])
        kept = [n for i, n in enumerate(found * (count // len(found))) if i not in gone]
        if kind.strided:
            listed = ", ".join(map(str, kept))
            attributes[what] = ir.Attribute.parse(f"dense<[{listed}]> : tensor<{len(kept)}xi64>")
        elif any(n != 1 for n in kept):
            raise Invalid(f"a {kind.name} has no {what}")
    maps = _own_maps(kind)
    if maps:
        attributes["indexing_maps"] = ir.Attribute.parse(maps)
    results = list(op.results)
    new = ir.Operation.create(
        f"linalg.{kind.name}",
        results=[r.type for r in results],
        operands=list(op.operands),
        attributes=attributes,
        regions=1,
        ip=ir.InsertionPoint(op),
    )
    fill_builtin_region(new)
    for old, fresh in zip(results, new.results, strict=True):
        old.replace_all_uses_with(fresh)
    builder.bury(op)
