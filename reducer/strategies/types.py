"""`tensor_types()`: types of tensors, such as `tensor<2x3xf32>`, with the sizes that dynamic dimensions have."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from reducer.strategies.program import TensorType


@st.composite
def _tensor_types(draw: DrawFn, ranks: tuple[int, ...]) -> TensorType:
    rank = draw(st.sampled_from(ranks))
    return TensorType(tuple(draw(st.integers(1, 6 if rank < 4 else 4)) for _ in range(rank)))


def tensor_types(ranks: tuple[int, ...] = (1, 2, 3, 4)) -> SearchStrategy[TensorType]:
    """Types of tensors of these ranks, the simplest first."""
    return _tensor_types(ranks)
