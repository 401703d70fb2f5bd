"""Whole programs: producers, pads, convolutions, consumers.

`pad_conv_programs()` always has a pad that feeds a convolution; `programs()` has programs without one or the other too.
"""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from reducer.strategies.builder import Builder, Tensor
from reducer.strategies.convolutions import convolution, convolutions, draw_layout
from reducer.strategies.elementwise import elementwise, source, unary
from reducer.strategies.layouts import Layout
from reducer.strategies.pads import pad, pads, pads_in_a_row
from reducer.strategies.program import Program, TensorType
from reducer.strategies.sizes import dynamic_dims, image_sizes, pick
from reducer.strategies.types import draw_element


def _consume(draw: DrawFn, build: Builder, tensor: Tensor) -> Tensor:
    """Draw what is done with a result: nothing, an elementwise op, a pad."""
    kind = pick(draw, ("nothing", "elementwise", "pad"))
    if kind == "elementwise":
        return unary(draw, build, tensor)
    return pad(draw, build, tensor, [2] * tensor.rank) if kind == "pad" else tensor


def _padded_image(draw: DrawFn, build: Builder, layout: Layout) -> Tensor:
    sizes = image_sizes(draw, layout.image, layout.places)
    element = draw_element(draw, layout.elements)
    image = source(draw, build, TensorType(sizes, element, dynamic_dims(draw, len(sizes))))
    return pads_in_a_row(draw, build, image, [3 if letter in layout.places else 1 for letter in layout.image])


@st.composite
def _pad_conv(draw: DrawFn) -> Program:
    build = Builder()
    layout = draw_layout(draw)
    image = _padded_image(draw, build, layout)
    return build.finish([_consume(draw, build, convolution(draw, build, layout, image))])


@st.composite
def _padded(draw: DrawFn) -> Program:
    build = Builder()
    image = _padded_image(draw, build, draw_layout(draw))
    return build.finish([_consume(draw, build, image)])


def pad_conv_programs() -> SearchStrategy[Program]:
    """Programs with a pad whose result a convolution takes, and what may stand around them."""
    return _pad_conv()


def programs() -> SearchStrategy[Program]:
    """Programs of all kinds that there are strategies for; mostly of pads and convolutions."""
    several = [pad_conv_programs() for _ in range(6)]
    return st.one_of(elementwise(), pads(), convolutions(), _padded(), *several)
