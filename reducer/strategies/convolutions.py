"""Convolutions, poolings and products: the window, strides and dilations for an image that is given.

`convolutions()` gives programs of one, such as

    func.func @main(%arg0: tensor<1xf32>, %arg1: tensor<1xf32>) -> tensor<1xf32> {
      %cst = arith.constant 0.000000e+00 : f32
      %empty = tensor.empty() : tensor<1xf32>
      %fill = linalg.fill ins(%cst : f32) outs(%empty : tensor<1xf32>) -> tensor<1xf32>
      %conv = linalg.conv_1d ins(%arg0, %arg1 : tensor<1xf32>, tensor<1xf32>)
          outs(%fill : tensor<1xf32>) -> tensor<1xf32>
      return %conv : tensor<1xf32>
    }
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from reducer.strategies import elements
from reducer.strategies.builder import Builder, Tensor
from reducer.strategies.layouts import LAYOUTS, Layout
from reducer.strategies.pads import padding, write_pad
from reducer.strategies.program import Program, TensorType
from reducer.strategies.sizes import CHANNELS, image_sizes, pick, seldom, split, window


@dataclass(frozen=True)
class Window:
    """What a convolution does with an image of one size. Each by letter; kernel: the sizes of the second operand."""

    kernel: dict[str, int]
    output: dict[str, int]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]


def draw_window(draw: DrawFn, layout: Layout, image: Tensor) -> Window:
    """Draw a window that fits into the image."""
    sizes = dict(zip(layout.image, image.sizes, strict=True))
    kernel, output = {k: v for k, v in sizes.items() if k in layout.kernel}, dict(sizes)
    strides, dilations = [], []
    for letter in layout.places:
        size, dilation = (
            window(draw, sizes[letter]) if layout.has_strides else (min(sizes[letter], pick(draw, (1, 2, 3))), 1)
        )
        room = sizes[letter] - (size - 1) * dilation - 1
        stride = draw(st.integers(1, 3)) if layout.has_strides else 1
        kernel[letter], output[letter] = size, room // stride + 1
        strides.append(stride)
        dilations.append(dilation)
    for letter in layout.kernel:
        if letter not in sizes:
            kernel[letter] = output[letter] = pick(draw, CHANNELS)
    return Window(kernel, output, tuple(strides), tuple(dilations))


def convolution(draw: DrawFn, build: Builder, layout: Layout, image: Tensor) -> Tensor:
    """Draw a convolution of the image."""
    drawn = draw_window(draw, layout, image)
    kernel = _kernel(draw, build, layout, image.element, drawn)
    type_ = TensorType(tuple(drawn.output[letter] for letter in layout.output), image.element)
    start = {"max": -elements.INFINITE}.get(layout.fold, 0)
    out = build.fill(build.empty(type_, ()), type_, start)
    text = (
        f"linalg.{layout.name}{_attributes(layout, drawn)}"
        f" ins({image.name}, {kernel.name} : {image.type}, {kernel.type})"
        f" outs({out.name} : {type_}) -> {type_}"
    )
    return Tensor(build.op("conv", text), type_, _bound(layout, image, kernel, drawn))


def _kernel(draw: DrawFn, build: Builder, layout: Layout, element: str, drawn: Window) -> Tensor:
    """The second operand: an argument, at times padded."""
    sizes = tuple(drawn.kernel[letter] for letter in layout.kernel)
    if layout.is_pooling:
        type_ = TensorType(sizes, element)
        return Tensor(build.empty(type_, ()), type_, 0)
    if not seldom(draw):
        return build.argument(TensorType(sizes, element))
    sides = [split(draw, size) for size in sizes]
    raw = TensorType(tuple(n - a - b for n, (a, b) in zip(sizes, sides, strict=True)), element)
    source = build.argument(raw)
    return write_pad(build, source, [a for a, _ in sides], [b for _, b in sides], padding(draw, build, element))


def _bound(layout: Layout, image: Tensor, kernel: Tensor, drawn: Window) -> float:
    terms = prod(n for letter, n in drawn.kernel.items() if letter in layout.places or letter not in layout.output)
    if layout.fold in ("max", "min"):
        return image.bound
    return terms * image.bound * (1 if layout.is_pooling else kernel.bound)


def _attributes(layout: Layout, drawn: Window) -> str:
    if not layout.has_strides or set(drawn.strides + drawn.dilations) == {1}:
        return ""
    count = len(drawn.strides)
    named = (("dilations", drawn.dilations), ("strides", drawn.strides))
    listed = ", ".join(f"{name} = dense<{list(values)}> : tensor<{count}xi64>" for name, values in named)
    return f" {{{listed}}}"


@st.composite
def _convolutions(draw: DrawFn) -> Program:
    build = Builder()
    layout = pick(draw, LAYOUTS)
    image = build.argument(TensorType(image_sizes(draw, layout.image, layout.places)))
    return build.finish([convolution(draw, build, layout, image)])


def convolutions() -> SearchStrategy[Program]:
    """Programs of one convolution, pooling or product of matrices."""
    return _convolutions()
