"""Writes a convolution whose numbers are known, as a named op or as the `linalg.generic` that means the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod

from reducer.strategies import elements
from reducer.strategies.builder import Builder, Tensor
from reducer.strategies.casts import cast
from reducer.strategies.layouts import Layout


@dataclass(frozen=True)
class Window:
    """What a convolution does with an image of one size. Each by letter; kernel: the sizes of the second operand."""

    kernel: dict[str, int]
    output: dict[str, int]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]


def start_value(layout: Layout, element: str) -> float:
    """What the op folds into: 0, or what is less, or more, than all others."""
    if layout.fold not in ("max", "min"):
        return 0
    if layout.is_unsigned:
        return 0 if layout.fold == "max" else -1
    return -elements.INFINITE if layout.fold == "max" else elements.INFINITE


def write_convolution(
    build: Builder, layout: Layout, drawn: Window, operands: tuple[Tensor, Tensor, Tensor], zeros: Sequence[str],
    *, as_generic: bool,
) -> Tensor:  # fmt: skip
    """Write it. operands: image, weights, and what it is added to; zeros: the zero points, of quantised ops."""
    image, kernel, start = operands
    bound = _bound(layout, drawn, operands)
    if as_generic:
        return _generic(build, layout, drawn, operands, bound)
    names = ", ".join([image.name, kernel.name, *zeros])
    types = ", ".join([str(image.type), str(kernel.type), *("i32" for _ in zeros)])
    text = (
        f"linalg.{layout.name}{_attributes(layout, drawn)} ins({names} : {types})"
        f" outs({start.name} : {start.type}) -> {start.type}"
    )
    return Tensor(build.op("conv", text), start.type, bound)


def _bound(layout: Layout, drawn: Window, operands: tuple[Tensor, Tensor, Tensor]) -> float:
    image, kernel, start = operands
    if layout.fold in ("max", "min"):
        return max(image.bound, 1)
    terms = prod(n for letter, n in drawn.kernel.items() if letter in layout.places or letter not in layout.output)
    return start.bound + terms * image.bound * (1 if layout.is_pooling else kernel.bound)


def _attributes(layout: Layout, drawn: Window) -> str:
    if not layout.has_strides or set(drawn.strides + drawn.dilations) == {1}:
        return ""
    count = len(drawn.strides)
    named = (("dilations", drawn.dilations), ("strides", drawn.strides))
    listed = ", ".join(f"{name} = dense<{list(values)}> : tensor<{count}xi64>" for name, values in named)
    return f" {{{listed}}}"


def _generic(
    build: Builder, layout: Layout, drawn: Window, operands: tuple[Tensor, Tensor, Tensor], bound: float
) -> Tensor:
    """Loops: the output's letters, the window's places, what is summed besides."""
    image, kernel, start = operands
    outer = {letter: f"d{i}" for i, letter in enumerate(layout.output)}
    letters = dict.fromkeys(layout.places + layout.kernel + layout.image)
    summed = [x for x in letters if x in layout.places or x not in outer]
    inner = {letter: f"d{len(outer) + i}" for i, letter in enumerate(summed)}
    moved = {
        letter: _sum(outer[letter], drawn.strides[i], inner[letter], drawn.dilations[i])
        for i, letter in enumerate(layout.places)
    }
    maps = [
        ", ".join(moved.get(x) or outer.get(x) or inner[x] for x in layout.image),
        ", ".join(inner.get(x) or outer[x] for x in layout.kernel),
    ]
    out = Tensor(start.name, start.type, bound)
    loops = "p" * len(outer) + "r" * len(inner)
    pairs = list(zip((image, kernel), maps, strict=True))
    return build.generic(pairs, out, ", ".join(outer.values()), loops, _body(layout, image, kernel, start))


def _sum(step: str, stride: int, inside: str, dilation: int) -> str:
    left = step if stride == 1 else f"{step} * {stride}"
    return f"{left} + {inside if dilation == 1 else f'{inside} * {dilation}'}"


def _body(layout: Layout, image: Tensor, kernel: Tensor, start: Tensor) -> list[str]:
    e = start.element
    kind = "f" if elements.is_float(e) else "i"
    lines, a = cast("%a", image.element, e, "%x")
    if layout.fold in ("max", "min"):
        sign = "imumf" if kind == "f" else "ui" if layout.is_unsigned else "si"
        return [*lines, f"%r = arith.{layout.fold}{sign} %out, {a} : {e}", f"linalg.yield %r : {e}"]
    if not layout.is_pooling:
        more, b = cast("%b", kernel.element, e, "%y")
        lines += [*more, f"%m = arith.mul{kind} {a}, {b} : {e}"]
        a = "%m"
    return [*lines, f"%r = arith.add{kind} %out, {a} : {e}", f"linalg.yield %r : {e}"]
