"""Where a tensor of a given type comes from: an argument, or an op on one."""

from __future__ import annotations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from reducer.strategies import shapes
from reducer.strategies.builder import Builder, Tensor
from reducer.strategies.elements import ELEMENTS
from reducer.strategies.elementwise import binary, convert, unary
from reducer.strategies.program import TensorType
from reducer.strategies.sizes import pick


def source(draw: DrawFn, build: Builder, type_: TensorType) -> Tensor:
    """Draw where a tensor of this type comes from."""
    rank = len(type_.sizes)
    static = [i for i in range(rank) if not type_.is_dynamic(i)]
    options = [*["argument"] * 4, "unary", "binary", "cast", "collapse"]
    options += ["transpose", "transpose"] if rank > 1 else []
    options += ["broadcast", "slice"] if static and rank > 1 else []
    options += ["expand"] if len(static) == rank > 1 else []
    kind = pick(draw, options)
    if kind in ("argument", "unary", "binary"):
        argument = build.argument(type_)
        return argument if kind == "argument" else (unary if kind == "unary" else binary)(draw, build, argument)
    if kind == "cast":
        before = pick(draw, [e for e in ELEMENTS if e != type_.element])
        return convert(build, build.argument(type_.of(before)), type_.element)
    if kind == "transpose":
        return _transposed(draw, build, type_)
    return _reshaped(draw, build, type_, kind, static)


def _transposed(draw: DrawFn, build: Builder, type_: TensorType) -> Tensor:
    order = draw(st.permutations(range(len(type_.sizes))))
    back = [order.index(i) for i in range(len(order))]
    dynamic = tuple(type_.is_dynamic(i) for i in back)
    before = build.argument(TensorType(tuple(type_.sizes[i] for i in back), type_.element, dynamic))
    return shapes.transpose(build, before, order)


def _reshaped(draw: DrawFn, build: Builder, type_: TensorType, kind: str, static: list[int]) -> Tensor:
    rank = len(type_.sizes)
    if kind == "collapse":
        axis = draw(st.integers(0, rank - 1))
        return shapes.collapse(build, build.argument(shapes.divided(type_, axis, 1)), axis)
    if kind == "broadcast":
        axis = pick(draw, static)
        return shapes.broadcast(build, build.argument(shapes.without(type_, axis)), axis, type_.sizes[axis])
    if kind == "slice":
        axis = pick(draw, static)
        before, after = draw(st.integers(0, 2)), draw(st.integers(0, 2))
        sizes = tuple(n + (before + after if i == axis else 0) for i, n in enumerate(type_.sizes))
        whole = build.argument(TensorType(sizes, type_.element, type_.dynamic))
        return shapes.cut(build, whole, axis, before, type_.sizes[axis])
    axis = draw(st.integers(0, rank - 2))
    return shapes.expand(build, build.argument(shapes.merged(type_, axis)), axis, type_.sizes[axis])
