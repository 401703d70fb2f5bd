"""Each named op is what its row of letters says."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from reducer.strategies.builder import Builder
from reducer.strategies.convolutions import draw_window
from reducer.strategies.layouts import LAYOUTS, Layout
from reducer.strategies.program import Program, TensorType
from reducer.strategies.sizes import image_sizes
from reducer.strategies.windows import start_value, write_convolution
from tests.strategies.checking import drawing, parse, results


@st.composite
def both_ways(draw: DrawFn, layout: Layout) -> Program:
    """The op and the `linalg.generic` that should mean the same, on one image; quantised ones alone."""
    build = Builder()
    e = layout.elements[0]
    image = build.argument(TensorType(image_sizes(draw, layout.image, layout.places), e))
    window = draw_window(draw, layout, image)
    kernel = build.argument(TensorType(tuple(window.kernel[x] for x in layout.kernel), e))
    out = TensorType(tuple(window.output[x] for x in layout.output), "i32" if layout.is_quantised else e)
    start = build.fill(build.empty(out, ()), out, start_value(layout, out.element))
    zeros = [build.constant("i32", 1)] * 2 if layout.is_quantised else []
    ways = (False,) if layout.is_quantised else (False, True)
    operands = (image, kernel, start)
    return build.finish([write_convolution(build, layout, window, operands, zeros, as_generic=way) for way in ways])


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_the_generic_form_means_the_same(layout: Layout) -> None:
    @drawing(8)
    @given(both_ways(layout))
    def check(program: Program) -> None:
        assert f"linalg.{layout.name}" in str(parse(program))
        named, *rest = results(program)
        assert np.abs(named.data.astype(np.float64)).max() < 1e30
        for other in rest:
            assert (named.data == other.data).all()

    check()


def test_no_op_is_listed_twice() -> None:
    names = [layout.name for layout in LAYOUTS]
    assert len(set(names)) == len(names) == 58
