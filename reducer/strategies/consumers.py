"""What is done with the result of a convolution, or of a pad."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from reducer.strategies import shapes
from reducer.strategies.builder import Builder, Tensor
from reducer.strategies.elementwise import binary, castable, convert, unary
from reducer.strategies.pads import pad
from reducer.strategies.sizes import pick

LARGEST_RANK = 6


def consume(draw: DrawFn, build: Builder, tensor: Tensor) -> Tensor:
    """Draw nothing, one op, or two, one on the other."""
    for _ in range(pick(draw, (0, 0, 1, 1, 2))):
        tensor = consumer(draw, build, tensor)
    return tensor


def consumer(draw: DrawFn, build: Builder, tensor: Tensor) -> Tensor:
    """Draw an op on the tensor."""
    rank = tensor.rank
    kinds = castable(tensor)
    options = ["unary", "binary", "binary", *(["cast"] if kinds else [])]
    options += ["pad", "pad", "reduce", "expand", "slice"] if rank else []
    options += ["transpose", "collapse"] if rank > 1 else []
    options += ["broadcast"] if rank < LARGEST_RANK else []
    kind = pick(draw, options)
    if kind in ("unary", "binary"):
        return (unary if kind == "unary" else binary)(draw, build, tensor)
    if kind == "cast":
        return convert(build, tensor, pick(draw, kinds))
    if kind == "pad":
        return pad(draw, build, tensor, [2] * rank)
    return _reshape(draw, build, tensor, kind)


def _reshape(draw: DrawFn, build: Builder, tensor: Tensor, kind: str) -> Tensor:
    rank = tensor.rank
    if kind == "transpose":
        return shapes.transpose(build, tensor, draw(st.permutations(range(rank))))
    if kind == "collapse":
        return shapes.collapse(build, tensor, draw(st.integers(0, rank - 2)))
    if kind == "broadcast":
        return shapes.broadcast(build, tensor, draw(st.integers(0, rank)), draw(st.integers(1, 3)))
    axis = draw(st.integers(0, rank - 1))
    size = tensor.sizes[axis]
    if kind == "reduce":
        return shapes.reduce(build, tensor, axis, largest=draw(st.booleans()))
    if kind == "expand":
        parts = [1] if tensor.type.is_dynamic(axis) else [n for n in (1, 2, 3, size) if size % n == 0]
        return shapes.expand(build, tensor, axis, pick(draw, parts))
    start = draw(st.integers(0, size - 1))
    return shapes.cut(build, tensor, axis, start, draw(st.integers(1, size - start)))
