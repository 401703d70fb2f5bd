"""`tensor_types()`: types of tensors, such as `tensor<2x?xf32>`, with the sizes that dynamic dimensions have."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from reducer.strategies.elements import ELEMENTS
from reducer.strategies.program import TensorType
from reducer.strategies.sizes import dynamic_dims, pick


def draw_element(draw: DrawFn, options: Sequence[str] = ELEMENTS) -> str:
    """An element type, the first one in half of the cases."""
    return pick(draw, options) if draw(st.booleans()) else options[0]


@st.composite
def _tensor_types(draw: DrawFn, ranks: tuple[int, ...]) -> TensorType:
    rank = pick(draw, ranks)
    sizes = tuple(draw(st.integers(1, 6 if rank < 4 else 4)) for _ in range(rank))
    return TensorType(sizes, draw_element(draw), dynamic_dims(draw, rank))


def tensor_types(ranks: tuple[int, ...] = (1, 2, 3, 4)) -> SearchStrategy[TensorType]:
    """Types of tensors of these ranks, the simplest first."""
    return _tensor_types(ranks)
