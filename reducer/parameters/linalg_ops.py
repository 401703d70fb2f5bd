"""The linalg dialect: sizes follow from indexing maps, or from the few attributes of the ops that have none."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from iree.compiler import ir

from reducer.parameters.affine import Map, parse_maps
from reducer.parameters.arrays import numbers, set_numbers
from reducer.parameters.builder import Builder, Solution
from reducer.parameters.generic_ops import generic
from reducer.parameters.kinds import KINDS
from reducer.parameters.loops import MEMOIZED, STRIDES, Loops, connect, forget_maps, window_sum
from reducer.parameters.named_ops import named

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


def _read_maps(op: Any) -> tuple[Map, ...]:
    for name in ("indexing_maps", MEMOIZED):
        if name in op.attributes:
            return parse_maps(str(op.attributes[name]))
    return ()


def structured(builder: Builder, op: Any) -> None:
    """Any op with indexing maps, named or generic. One whose maps are not to be had keeps its shapes."""
    maps = _read_maps(op)
    if not maps or len(maps) != len(op.operands) or any(m.symbols for m in maps):
        builder.pin_values([*op.operands, *op.results])
        return
    name = builder.ordinal(op)
    loops = connect(builder, op, maps)
    _results_like_last(builder, op)
    if op.name == "linalg.generic":
        generic(builder, op, name, maps, loops)
        return
    _strided(builder, op, name, loops)
    kind = KINDS.get(op.name.removeprefix("linalg."))
    if kind is not None:
        named(builder, op, name, kind)
    else:
        _plain(builder, op, maps)


def _strided(builder: Builder, op: Any, name: str, loops: Loops) -> None:
    """A named op: its factors are those in `strides` and `dilations`, one a window sum."""
    count = len(loops.windows)
    lists: dict[str, list[int | None]] = {"strides": [], "dilations": []}
    for what, variables in lists.items():
        for place, now in enumerate(dense_numbers(op, what, count)):
            title = f"{name} {what[:-1]}[{place}]"
            variables.append(builder.amount(now, title, low=1, simplest=1, order=STRIDES) if now > 1 else None)
    for place, window in enumerate(loops.windows):
        factors: dict[int, int] = {}
        for loop, _ in window.expression.terms:
            variable = lists["strides" if loop in loops.parallel else "dilations"][place]
            if variable is not None:
                factors[loop] = variable
        window_sum(builder, f"{name} slack[{place}]", window, loops, factors)

    def update(solution: Solution) -> None:
        forget_maps(op)
        for what, variables in lists.items():
            set_dense_numbers(op, what, [1 if v is None else solution.number(v) for v in variables])

    builder.updates.append(update)


def _plain(builder: Builder, op: Any, maps: Sequence[Map]) -> None:
    """A named op of fixed rank: its axes stay, unless it is an elementwise one, which comes in all ranks."""
    elementwise = all(m.results == maps[-1].results for m in maps if m.results)
    if not elementwise or "indexing_maps" in op.attributes:
        for slot in builder.shaped(op.operands):
            builder.keep(*slot.axes)


def alike(builder: Builder, op: Any) -> None:
    """Every operand and result has the same shape, whatever the rank (`linalg.fill`: its scalar has none)."""
    builder.all_equal(builder.shaped([*op.operands, *op.results]))

    builder.updates.append(lambda _: forget_maps(op))


def transpose(builder: Builder, op: Any) -> None:
    """Axis i of the result is axis permutation[i] of the input."""
    permutation = numbers(op, "permutation")
    source, target = builder.dims(op.operands[0]), builder.dims(op.operands[1])
    builder.equal([source[p] for p in permutation], target)
    _results_like_last(builder, op)

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
    _results_like_last(builder, op)

    def update(solution: Solution) -> None:
        keep = solution.kept(wide)
        set_numbers(op, "dimensions", [keep.index(d) for d in extra if d in keep])

    builder.updates.append(update)


def _results_like_last(builder: Builder, op: Any) -> None:
    """Each result is like the operand of the same number, counted from the end."""
    for operand, result in zip(reversed(list(op.operands)), reversed(list(op.results)), strict=False):
        builder.equal(builder.dims(operand), builder.dims(result))


MODELS = {
    "linalg.fill": alike,
    "linalg.map": alike,
    "linalg.softmax": alike,
    "linalg.transpose": transpose,
    "linalg.broadcast": broadcast,
    "linalg.reduce": reduce,
}
