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

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from reducer.strategies.builder import Builder, Tensor
from reducer.strategies.layouts import FAMILIES, FLAT, Layout
from reducer.strategies.pad_values import padding
from reducer.strategies.pads import fixed, write_pad
from reducer.strategies.program import Program, TensorType
from reducer.strategies.sizes import CHANNELS, dynamic_dims, image_sizes, pick, seldom, split, window
from reducer.strategies.types import draw_element
from reducer.strategies.windows import Window, start_value, write_convolution

MIXES = {
    "f32": (("f32", "f32"), ("f32", "f64"), ("f16", "f32")),
    "f16": (("f16", "f16"), ("f16", "f32"), ("f32", "f32")),
    "bf16": (("bf16", "bf16"), ("bf16", "f32"), ("f32", "f32")),
    "f64": (("f64", "f64"), ("f32", "f64")),
    "i32": (("i32", "i32"),),
    "i16": (("i16", "i32"), ("i16", "i16")),
    "i8": (("i8", "i32"), ("i8", "i8"), ("i16", "i32")),
}
"""By the image's element type: those of the weights and of the output."""


@dataclass(frozen=True)
class _Kinds:
    """The element types of the weights and of the output."""

    kernel: str
    output: str


def draw_layout(draw: DrawFn) -> Layout:
    """Draw an op, the plainest first: a flat convolution in two cases of five."""
    return pick(draw, FLAT if draw(st.integers(0, 4)) < 2 else pick(draw, FAMILIES))


def draw_window(draw: DrawFn, layout: Layout, image: Tensor) -> Window:
    """Draw a window that fits into the image."""
    sizes = dict(zip(layout.image, image.sizes, strict=True))
    kernel = {letter: size for letter, size in sizes.items() if letter in layout.kernel}
    output = dict(sizes)
    strides, dilations = [], []
    for letter in layout.places:
        size, dilation = window(draw, sizes[letter], layout.has_strides)
        stride = draw(st.integers(1, 3)) if layout.has_strides else 1
        room = sizes[letter] - (size - 1) * dilation - 1
        # One step over a larger image. Where sizes are dynamic, a compiler may take the image to be the window; where
        # they are static, it is a fault of many releases that would be seen in every fifth program.
        is_open = image.type.is_dynamic(layout.image.index(letter))
        if 0 < room < stride and (is_open or not seldom(draw)):
            stride = 1
        kernel[letter], output[letter] = size, room // stride + 1
        strides.append(stride)
        dilations.append(dilation)
    for letter in layout.kernel:
        if letter not in sizes:
            kernel[letter] = output[letter] = pick(draw, CHANNELS)
    return Window(kernel, output, tuple(strides), tuple(dilations))


def convolution(draw: DrawFn, build: Builder, layout: Layout, image: Tensor) -> Tensor:
    """Draw a convolution of the image, as a named op or a `linalg.generic`."""
    drawn = draw_window(draw, layout, image)
    kinds = _Kinds(*pick(draw, MIXES[image.element]))
    if layout.is_quantised:
        kinds = _Kinds("i8", "i32")
    if layout.is_pooling and layout.fold != "add":
        kinds = _Kinds(kinds.kernel, image.element)
    kernel = _kernel(draw, build, layout, kinds.kernel, drawn)
    as_generic = not layout.is_quantised and seldom(draw)
    type_, sizes = _output(build, layout, (image, kernel), drawn, kinds.output)
    if layout.fold in ("sum", "add") and seldom(draw):
        start = build.argument(type_)
    else:
        start = build.fill(build.empty(type_, sizes), type_, start_value(layout, kinds.output))
    zeros = [_zero_point(draw, build) for _ in range(2)] if layout.is_quantised else []
    return write_convolution(build, layout, drawn, (image, kernel, start), zeros, as_generic=as_generic)


def _zero_point(draw: DrawFn, build: Builder) -> str:
    return build.number("i32", 2) if seldom(draw) else build.constant("i32", draw(st.integers(-3, 3).map(abs)))


def _kernel(draw: DrawFn, build: Builder, layout: Layout, element: str, drawn: Window) -> Tensor:
    """The second operand: an argument, at times padded or with dynamic sizes."""
    sizes = tuple(drawn.kernel[letter] for letter in layout.kernel)
    if layout.is_pooling:
        type_ = TensorType(sizes, element)
        return Tensor(build.empty(type_, ()), type_, 0)
    dynamic = dynamic_dims(draw, len(sizes))
    if not seldom(draw):
        return build.argument(TensorType(sizes, element, dynamic))
    sides = [split(draw, size) for size in sizes]
    raw = tuple(size - low - high for size, (low, high) in zip(sizes, sides, strict=True))
    source = build.argument(TensorType(raw, element, dynamic))
    amounts = (fixed([low for low, _ in sides]), fixed([high for _, high in sides]))
    return write_pad(build, source, amounts, padding(draw, build, element, len(sizes)))


def _output(
    build: Builder, layout: Layout, operands: tuple[Tensor, Tensor], drawn: Window, element: str
) -> tuple[TensorType, list[str]]:
    """The type of the result, and the indices that say how large its dynamic dimensions are."""
    dynamic, sizes = [], []
    for letter in layout.output:
        owners = [
            (tensor, letters.index(letter))
            for tensor, letters in zip(operands, (layout.image, layout.kernel), strict=True)
            if letter in letters
        ]
        is_place = letter in layout.places
        moving = [tensor.type.is_dynamic(axis) for tensor, axis in owners]
        dynamic.append(any(moving) if is_place else moving[0])
        if dynamic[-1] and is_place:
            sizes.append(_steps(build, owners, drawn, layout.places.index(letter)))
        elif dynamic[-1]:
            sizes.append(build.size(*owners[0]))
    return TensorType(tuple(drawn.output[letter] for letter in layout.output), element, tuple(dynamic)), sizes


def _steps(build: Builder, owners: list[tuple[Tensor, int]], drawn: Window, place: int) -> str:
    """Write how many steps a window makes: (size - (kernel - 1) * dilation - 1) / stride + 1."""
    (image, image_axis), (kernel, kernel_axis) = owners
    one = build.constant("index", 1)
    size = build.size(image, image_axis)
    if kernel.type.is_dynamic(kernel_axis):
        less = build.op("less", f"arith.subi {build.size(kernel, kernel_axis)}, {one} : index")
        dilation = build.constant("index", drawn.dilations[place])
        reach = build.op("reach", f"arith.muli {less}, {dilation} : index")
    else:
        reach = build.constant("index", (kernel.sizes[kernel_axis] - 1) * drawn.dilations[place])
    room = build.op("room", f"arith.subi {size}, {reach} : index")
    stride = drawn.strides[place]
    if stride == 1:
        return room
    last = build.op("last", f"arith.subi {room}, {one} : index")
    steps = build.op("steps", f"arith.divui {last}, {build.constant('index', stride)} : index")
    return build.op("count", f"arith.addi {steps}, {one} : index")


@st.composite
def _convolutions(draw: DrawFn) -> Program:
    build = Builder()
    layout = draw_layout(draw)
    element = draw_element(draw, layout.elements)
    sizes = image_sizes(draw, layout.image, layout.places)
    image = build.argument(TensorType(sizes, element, dynamic_dims(draw, len(sizes))))
    return build.finish([convolution(draw, build, layout, image)])


def convolutions() -> SearchStrategy[Program]:
    """Programs of one convolution, pooling or product of matrices."""
    return _convolutions()
