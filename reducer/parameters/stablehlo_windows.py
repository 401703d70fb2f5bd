"""StableHLO's sliding windows: convolutions and `reduce_window`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from iree.compiler import ir

from reducer.parameters.arrays import numbers, set_numbers
from reducer.parameters.builder import Builder, Invalid, Solution
from reducer.parameters.graph import Equation, Term
from reducer.parameters.loops import STRIDES
from reducer.parameters.tensor_ops import PADS

_LAYOUT = re.compile(r"\[([^]]*)\]x\[([^]]*)\]->\[([^]]*)\]")
_Triple = tuple[int, int, int]


class Windows:
    """The numbers of an op's windows: what slides over an input axis with a kernel axis makes an output axis.

    axes: input, kernel and output of every window; names: of the attributes that hold strides and dilations.
    """

    def __init__(self, builder: Builder, op: Any, name: str, axes: Sequence[_Triple], names: tuple[str, str]) -> None:
        self._op, self._names, self._axes, self._name = op, names, axes, name
        count = len(axes)
        steps, spread = (numbers(op, n) or [1] * count for n in names)
        self._pads = _padding(op, count)
        self._steps = _list(builder, f"{name} stride", steps, (1, STRIDES))
        self._spread = _list(builder, f"{name} dilation", spread, (1, STRIDES))
        self._low = _list(builder, f"{name} low", self._pads[::2], (0, PADS))
        self._high = _list(builder, f"{name} high", self._pads[1::2], (0, PADS))
        for i in range(count):
            self._hold(builder, i, steps[i], spread[i])

    def _hold(self, builder: Builder, i: int, step: int, spread: int) -> None:
        """`input + low + high` holds as many windows of `dilation * (kernel - 1) + 1` as fit, `stride` apart."""
        h, k, o = self._axes[i]
        builder.tie(h, k, o)
        terms = [Term(((o, 1), (self._steps[i], 0))), Term(((k, 1), (self._spread[i], 0)))]
        terms += [Term(((v, 0),), -1) for v in (self._low[i], self._high[i])]
        if not builder.known(h, k, o):
            builder.graph.add(Equation(h, tuple(terms), 1, rounded=o))
            return
        size, kernel, out = (builder.graph.value(v) or 0 for v in (h, k, o))
        spanned = step * (out - 1) + spread * (kernel - 1) + 1
        left = builder.leftover(size + self._pads[2 * i] + self._pads[2 * i + 1] - spanned)
        terms.append(Term(((left, 0),)))
        builder.graph.add(Equation(h, tuple(terms), 1, (o, h, left), rounded=o, slack=left))

    def gone(self, solution: Solution) -> list[int]:
        """The windows whose axes go."""
        return [i for i, (h, _, _) in enumerate(self._axes) if solution.dropped(h)]

    def check(self, solution: Solution) -> None:
        """Raises Invalid if an axis that goes is padded."""
        for i in self.gone(solution):
            if solution.number(self._low[i]) or solution.number(self._high[i]):
                raise Invalid(f"{self._name} pads an axis that is to go")

    def update(self, solution: Solution) -> None:
        """Write the attributes."""
        gone = self.gone(solution)
        keep = [i for i in range(len(self._axes)) if i not in gone]
        for attribute, variables in zip(self._names, (self._steps, self._spread), strict=True):
            if attribute in self._op.attributes:
                set_numbers(self._op, attribute, [solution.number(variables[i]) for i in keep])
        new = [solution.number(v[i]) for i in keep for v in (self._low, self._high)]
        if new != self._pads:
            pairs = ", ".join(f"[{a}, {b}]" for a, b in zip(new[::2], new[1::2], strict=True))
            text = f"dense<[{pairs}]> : tensor<{len(keep)}x2xi64>" if keep else "dense<> : tensor<0x2xi64>"
            self._op.attributes["padding"] = ir.Attribute.parse(text)


def _list(builder: Builder, name: str, now: Sequence[int], how: tuple[int, int]) -> list[int]:
    """A variable for each number; how: the simplest value, and the order among parameters."""
    simplest, order = how
    return [builder.amount(n, f"{name}[{i}]", low=simplest, simplest=simplest, order=order) for i, n in enumerate(now)]


def _padding(op: Any, count: int) -> list[int]:
    """Low and high of every window, in turns."""
    if "padding" not in op.attributes:
        return [0] * (2 * count)
    found = [int(n) for n in re.findall(r"-?\d+", str(op.attributes["padding"]).partition(">")[0])]
    return found * (2 * count) if len(found) == 1 else found


def convolution(builder: Builder, op: Any) -> None:
    """A convolution without groups; its spatial axes may go, its batch and features stay."""
    text = str(op.attributes["dimension_numbers"])
    layouts = _LAYOUT.search(text)
    groups = (str(op.attributes[f"{what}_group_count"]).partition(" ")[0] for what in ("feature", "batch"))
    if layouts is None or any(g != "1" for g in groups) or any(n != 1 for n in numbers(op, "lhs_dilation")):
        builder.pin_values([*op.operands, *op.results])
        return
    places = [{c.strip(): i for i, c in enumerate(layout.split(","))} for layout in layouts.groups()]
    values = (op.operands[0], op.operands[1], op.results[0])
    image, kernel, output = ({c: builder.dims(v)[i] for c, i in p.items()} for v, p in zip(values, places, strict=True))
    for a, b in ((image["b"], output["b"]), (image["f"], kernel["i"]), (kernel["o"], output["f"])):
        builder.equal([a], [b])
        builder.keep(a)
    axes = [(image[str(i)], kernel[str(i)], output[str(i)]) for i in range(len(image) - 2)]
    windows = Windows(builder, op, builder.ordinal(op), axes, ("window_strides", "rhs_dilation"))
    reversed_ = "window_reversal" in op.attributes and "true" in str(op.attributes["window_reversal"])

    def check(solution: Solution) -> None:
        windows.check(solution)
        if reversed_ and windows.gone(solution):
            raise Invalid("a reversed window keeps its axes")

    def update(solution: Solution) -> None:
        windows.update(solution)
        gone = windows.gone(solution)
        if gone:
            op.attributes["dimension_numbers"] = ir.Attribute.parse(_fewer(text, gone))
            for name in ("lhs_dilation", "window_reversal"):
                if name in op.attributes:
                    del op.attributes[name]

    builder.checks.append(check)
    builder.updates.append(update)


def _fewer(text: str, gone: Sequence[int]) -> str:
    """The dimension numbers `#stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, f]>` without some spatial ones."""

    def layout(match: re.Match[str]) -> str:
        kept = [c for c in match[1].split(", ") if not c.isdigit() or int(c) not in gone]
        return "[" + ", ".join(str(int(c) - sum(g < int(c) for g in gone)) if c.isdigit() else c for c in kept) + "]"

    return re.sub(r"\[([^]]*)\]", layout, text)


def reduce_window(builder: Builder, op: Any) -> None:
    """Every axis has a window; the size of the window is a number of its own."""
    count = len(op.operands) // 2
    first, results = op.operands[0], list(op.results)
    builder.all_equal(builder.shaped(list(op.operands)[:count]))
    builder.all_equal(builder.shaped(results))
    if any(n != 1 for n in numbers(op, "base_dilations")):
        builder.pin_values([first, results[0]])
        return
    name = builder.ordinal(op)
    sizes = _list(builder, f"{name} window", numbers(op, "window_dimensions"), (1, STRIDES))
    axes = list(zip(builder.dims(first), sizes, builder.dims(results[0]), strict=True))
    windows = Windows(builder, op, name, axes, ("window_strides", "window_dilations"))

    def check(solution: Solution) -> None:
        windows.check(solution)
        if any(solution.number(sizes[i]) != 1 for i in windows.gone(solution)):
            raise Invalid(f"{name} has a window on an axis that is to go")

    def update(solution: Solution) -> None:
        windows.update(solution)
        gone = windows.gone(solution)
        kept = [v for i, v in enumerate(sizes) if i not in gone]
        set_numbers(op, "window_dimensions", [solution.number(v) for v in kept])
        if "base_dilations" in op.attributes:
            set_numbers(op, "base_dilations", [1] * len(kept))

    builder.checks.append(check)
    builder.updates.append(update)


MODELS = {"stablehlo.convolution": convolution, "stablehlo.reduce_window": reduce_window}
