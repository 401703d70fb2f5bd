"""Whole programs: producers, pads, convolutions, consumers.

`pad_conv_programs()` always has a pad that feeds a convolution; `programs()` has programs without one or the other too.
The smallest:

    func.func @main(%arg0: tensor<1xf32>, %arg1: tensor<1xf32>) -> tensor<1xf32> {
      %cst = arith.constant 0.000000e+00 : f32
      %pad = tensor.pad %arg0 low[0] high[0] {
      ^bb0(%i0: index):
        tensor.yield %cst : f32
      } : tensor<1xf32> to tensor<1xf32>
      %empty = tensor.empty() : tensor<1xf32>
      %fill = linalg.fill ins(%cst : f32) outs(%empty : tensor<1xf32>) -> tensor<1xf32>
      %conv = linalg.conv_1d ins(%pad, %arg1 : tensor<1xf32>, tensor<1xf32>)
          outs(%fill : tensor<1xf32>) -> tensor<1xf32>
      return %conv : tensor<1xf32>
    }
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from reducer.strategies.builder import Builder, Tensor
from reducer.strategies.consumers import consume
from reducer.strategies.convolutions import convolution, convolutions, draw_layout
from reducer.strategies.elementwise import elementwise
from reducer.strategies.layouts import Layout, fitting
from reducer.strategies.pads import pads, pads_in_a_row
from reducer.strategies.producers import source
from reducer.strategies.program import Program, TensorType
from reducer.strategies.sizes import dynamic_dims, image_sizes, pick, seldom
from reducer.strategies.types import draw_element


def _padded(draw: DrawFn, build: Builder, layout: Layout) -> Tensor:
    """An image for the op, padded: along the places of its window, as models do, and seldom along other dimensions."""
    sizes = image_sizes(draw, layout.image, layout.places)
    element = draw_element(draw, layout.elements)
    image = source(draw, build, TensorType(sizes, element, dynamic_dims(draw, len(sizes))))
    elsewhere = 1 if not layout.places or seldom(draw) else 0
    return pads_in_a_row(draw, build, image, [3 if letter in layout.places else elsewhere for letter in layout.image])


def _another(draw: DrawFn, build: Builder, image: Tensor) -> Tensor:
    """Another use of a padded image: a convolution of any kind that fits, or a consumer."""
    layouts = fitting(image.rank, image.element)
    if layouts and not seldom(draw):
        return convolution(draw, build, pick(draw, layouts), image)
    return consume(draw, build, image)


def _next_layer(draw: DrawFn, build: Builder, tensor: Tensor) -> Tensor:
    """A pad and a convolution of the result of one, if there is one of its rank."""
    layouts = fitting(tensor.rank, tensor.element)
    if not layouts:
        return tensor
    layout = pick(draw, layouts)
    largest = [1 if letter in layout.places else 0 for letter in layout.image]
    return convolution(draw, build, layout, pads_in_a_row(draw, build, tensor, largest))


@st.composite
def _pad_conv(draw: DrawFn) -> Program:
    build = Builder()
    layout = draw_layout(draw)
    image = _padded(draw, build, layout)
    result = convolution(draw, build, layout, image)
    if seldom(draw):
        result = _next_layer(draw, build, result)
    results = [consume(draw, build, result)]
    if seldom(draw):
        results.append(_another(draw, build, image))
    return build.finish(results)


@st.composite
def _pad_only(draw: DrawFn) -> Program:
    build = Builder()
    image = _padded(draw, build, draw_layout(draw))
    return build.finish([consume(draw, build, image)])


def pad_conv_programs() -> SearchStrategy[Program]:
    """Programs with a pad whose result a convolution takes, and what may stand around them."""
    return _pad_conv()


def programs() -> SearchStrategy[Program]:
    """Programs of all kinds that there are strategies for; mostly of pads and convolutions."""
    several = [pad_conv_programs() for _ in range(6)]
    return st.one_of(elementwise(), pads(), convolutions(), _pad_only(), *several)
