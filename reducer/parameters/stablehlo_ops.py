"""StableHLO, as far as it is plain: elementwise ops, broadcasts, transposes and convolutions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from iree.compiler import ir

from reducer.parameters.arrays import numbers, set_numbers
from reducer.parameters.builder import Builder, Solution
from reducer.parameters.graph import Equation, Term
from reducer.parameters.loops import STRIDES
from reducer.parameters.tensor_ops import PADS

ELEMENTWISE = (
    "abs", "add", "and", "atan2", "cbrt", "ceil", "clamp", "compare", "convert", "cosine", "count_leading_zeros",
    "divide", "exponential", "exponential_minus_one", "floor", "is_finite", "log", "log_plus_one", "logistic",
    "maximum", "minimum", "multiply", "negate", "not", "or", "popcnt", "power", "remainder", "round_nearest_afz",
    "round_nearest_even", "rsqrt", "select", "shift_left", "shift_right_arithmetic", "shift_right_logical", "sign",
    "sine", "sqrt", "subtract", "tan", "tanh", "xor",
)  # fmt: skip
_LAYOUT = re.compile(r"\[([^]]*)\]x\[([^]]*)\]->\[([^]]*)\]")


def elementwise(builder: Builder, op: Any) -> None:
    """Operands of the result's rank are of its shape; a scalar may be among them (`clamp`, `select`)."""
    rank = len(builder.dims(op.results[0]))
    builder.all_equal([s for s in builder.shaped([*op.operands, *op.results]) if len(s.axes) == rank])


def broadcast_in_dim(builder: Builder, op: Any) -> None:
    """Axis i of the operand is axis dimensions[i] of the result, or has size 1 and is repeated."""
    name = "broadcast_dimensions"
    dims = numbers(op, name)
    small, big = builder.dims(op.operands[0]), builder.dims(op.results[0])
    for axis, target in zip(small, dims, strict=True):
        if builder.graph.value(axis) == builder.graph.value(big[target]):
            builder.equal([axis], [big[target]])
        else:
            builder.pin(axis)
            builder.keep(big[target])

    def update(solution: Solution) -> None:
        keep = solution.kept(big)
        left = [keep.index(d) for axis, d in zip(small, dims, strict=True) if not solution.dropped(axis)]
        set_numbers(op, name, left)

    builder.updates.append(update)


def transpose(builder: Builder, op: Any) -> None:
    """Axis i of the result is axis permutation[i] of the operand."""
    permutation = numbers(op, "permutation")
    source, result = builder.dims(op.operands[0]), builder.dims(op.results[0])
    builder.equal([source[p] for p in permutation], result)

    def update(solution: Solution) -> None:
        keep = solution.kept(source)
        set_numbers(op, "permutation", [keep.index(p) for p in permutation if p in keep])

    builder.updates.append(update)


def convolution(builder: Builder, op: Any) -> None:
    """`image + low + high` holds as many windows of `dilation * (kernel - 1) + 1` as fit, `stride` apart."""
    layouts = _LAYOUT.search(str(op.attributes["dimension_numbers"]))
    groups = (str(op.attributes[f"{what}_group_count"]).partition(" ")[0] for what in ("feature", "batch"))
    if layouts is None or any(g != "1" for g in groups) or any(n != 1 for n in numbers(op, "lhs_dilation")):
        builder.pin_values([*op.operands, *op.results])
        return
    name = builder.ordinal(op)
    places = [{c.strip(): i for i, c in enumerate(layout.split(","))} for layout in layouts.groups()]
    values = (op.operands[0], op.operands[1], op.results[0])
    image, kernel, output = ({c: builder.dims(v)[i] for c, i in p.items()} for v, p in zip(values, places, strict=True))
    builder.keep(*image.values(), *kernel.values(), *output.values())
    for a, b in ((image["b"], output["b"]), (image["f"], kernel["i"]), (kernel["o"], output["f"])):
        builder.equal([a], [b])
    count = len(image) - 2
    steps_now, spread_now = (numbers(op, n) or [1] * count for n in ("window_strides", "rhs_dilation"))
    steps = _list(builder, f"{name} stride", steps_now, (1, STRIDES))
    spread = _list(builder, f"{name} dilation", spread_now, (1, STRIDES))
    pads = _padding(op, count)
    low = _list(builder, f"{name} low", pads[::2], (0, PADS))
    high = _list(builder, f"{name} high", pads[1::2], (0, PADS))
    for i in range(count):
        h, k, o = image[str(i)], kernel[str(i)], output[str(i)]
        parts = [Term(((o, 1), (steps[i], 0))), Term(((k, 1), (spread[i], 0)))]
        pad = [Term(((v, 0),), -1) for v in (low[i], high[i])]
        if not builder.known(h, k, o):
            builder.pin(h, k, o)
            continue
        size, kernel_now, out_now = (builder.graph.value(v) or 0 for v in (h, k, o))
        spanned = steps_now[i] * (out_now - 1) + spread_now[i] * (kernel_now - 1) + 1
        left = builder.leftover(size + pads[2 * i] + pads[2 * i + 1] - spanned)
        terms = (*parts, *pad, Term(((left, 0),)))
        builder.graph.add(Equation(h, terms, 1, (o, h, left), rounded=o, slack=left))

    def update(solution: Solution) -> None:
        for attribute, variables in (("window_strides", steps), ("rhs_dilation", spread)):
            if attribute in op.attributes:
                set_numbers(op, attribute, [solution.number(v) for v in variables])
        new = [solution.number(v) for pair in zip(low, high, strict=True) for v in pair]
        if new != pads:
            pairs = ", ".join(f"[{a}, {b}]" for a, b in zip(new[::2], new[1::2], strict=True))
            op.attributes["padding"] = ir.Attribute.parse(f"dense<[{pairs}]> : tensor<{count}x2xi64>")

    builder.updates.append(update)


def _list(builder: Builder, name: str, now: Sequence[int], how: tuple[int, int]) -> list[int]:
    """A variable for each number; how: the simplest value, and the order among parameters."""
    simplest, order = how
    return [builder.amount(n, f"{name}[{i}]", low=simplest, simplest=simplest, order=order) for i, n in enumerate(now)]


def _padding(op: Any, count: int) -> list[int]:
    """Low and high of every window dimension, in turns."""
    if "padding" not in op.attributes:
        return [0] * (2 * count)
    found = [int(n) for n in re.findall(r"-?\d+", str(op.attributes["padding"]).partition(">")[0])]
    return found * (2 * count) if len(found) == 1 else found


MODELS = {
    **dict.fromkeys([f"stablehlo.{name}" for name in ELEMENTWISE], elementwise),
    "stablehlo.broadcast_in_dim": broadcast_in_dim,
    "stablehlo.transpose": transpose,
    "stablehlo.convolution": convolution,
}
