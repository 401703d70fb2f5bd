"""Elementwise ops, as they stand before a pad and after a convolution.

`elementwise()` gives programs of one, such as

    func.func @main(%arg0: tensor<1xf32>) -> tensor<1xf32> {
      %empty = tensor.empty() : tensor<1xf32>
      %generic = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
          iterator_types = ["parallel"]} ins(%arg0 : tensor<1xf32>) outs(%empty : tensor<1xf32>) {
      ^bb0(%a: f32, %out: f32):
        %r = arith.negf %a : f32
        linalg.yield %r : f32
      } -> tensor<1xf32>
      return %generic : tensor<1xf32>
    }
"""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from reducer.strategies.builder import Builder, Tensor
from reducer.strategies.casts import cast
from reducer.strategies.elements import ELEMENTS, is_float, width
from reducer.strategies.program import Program, TensorType
from reducer.strategies.sizes import pick
from reducer.strategies.types import tensor_types

UNARY = ("negate", "add constant", "relu", "multiply", "absolute")
BINARY = ("add", "mul", "sub", "max")


def apply(
    build: Builder, tensors: Sequence[tuple[Tensor, str]], body: Sequence[str], element: str, bound: float
) -> Tensor:
    """Write an elementwise op with the shape of the first operand; the body leaves its result in %r.

    The operands %a, %b are read through these maps: `d0, d1`, or less of it where an operand is broadcast.
    """
    first = tensors[0][0]
    empty, type_ = build.empty_like(first, range(first.rank), element)
    out = Tensor(empty, type_, bound)
    return build.generic(tensors, out, every(first.rank), "p" * first.rank, [*body, f"linalg.yield %r : {element}"])


def every(rank: int) -> str:
    """The map of an operand that is read as it is."""
    return ", ".join(f"d{i}" for i in range(rank))


def unary(draw: DrawFn, build: Builder, tensor: Tensor) -> Tensor:
    """Draw an elementwise op of one operand."""
    kind = pick(draw, UNARY)
    e, bound = tensor.element, tensor.bound
    floats = is_float(e)
    suffix = "f" if floats else "i"
    if kind == "negate":
        body = f"%r = arith.negf %a : {e}" if floats else f"%r = arith.subi {build.constant(e, 0)}, %a : {e}"
    elif kind == "add constant":
        body, bound = f"%r = arith.add{suffix} %a, {build.constant(e, 1)} : {e}", bound + 1
    elif kind == "multiply":
        body, bound = f"%r = arith.mul{suffix} %a, {build.constant(e, 2)} : {e}", 2 * bound
    elif kind == "relu":
        body = f"%r = arith.{'maximumf' if floats else 'maxsi'} %a, {build.constant(e, 0)} : {e}"
    else:
        body = f"%r = math.abs{suffix} %a : {e}"
    return apply(build, [(tensor, every(tensor.rank))], [body], e, bound)


def binary(draw: DrawFn, build: Builder, tensor: Tensor) -> Tensor:
    """Draw an elementwise op with an argument: of the same shape, or a vector along one dimension (a bias)."""
    kind = pick(draw, BINARY)
    e, type_ = tensor.element, tensor.type
    map_ = every(tensor.rank)
    if tensor.rank and not draw(st.booleans()):
        axis = draw(st.integers(1, tensor.rank)) - 1
        type_ = TensorType((tensor.sizes[axis],), e, (type_.is_dynamic(axis),))
        map_ = f"d{axis}"
    other = build.argument(type_)
    op = f"{kind}{'f' if is_float(e) else 'i'}" if kind != "max" else "maximumf" if is_float(e) else "maxsi"
    bound = tensor.bound * other.bound if kind == "mul" else tensor.bound + other.bound
    return apply(build, [(tensor, every(tensor.rank)), (other, map_)], [f"%r = arith.{op} %a, %b : {e}"], e, bound)


def castable(tensor: Tensor) -> tuple[str, ...]:
    """The element types that all of its elements can be converted to."""
    rounded = 1.1 * tensor.bound + 1
    return tuple(
        e
        for e in ELEMENTS
        if e != tensor.element and (is_float(e) or not is_float(tensor.element) or rounded < 2.0 ** (width(e) - 1))
    )


def convert(build: Builder, tensor: Tensor, element: str) -> Tensor:
    """The tensor with other elements; where it needs a conversion that is not defined, see `castable`."""
    lines, _ = cast("%a", tensor.element, element, "%r")
    return apply(build, [(tensor, every(tensor.rank))], lines, element, tensor.bound)


@st.composite
def _elementwise(draw: DrawFn) -> Program:
    build = Builder()
    tensor = build.argument(draw(tensor_types()))
    kind = pick(draw, ("unary", "binary", "cast"))
    if kind == "cast":
        return build.finish([convert(build, tensor, pick(draw, castable(tensor)))])
    return build.finish([(unary if kind == "unary" else binary)(draw, build, tensor)])


def elementwise() -> SearchStrategy[Program]:
    """Programs of one elementwise op: of an argument, of an argument and a bias, or a conversion."""
    return _elementwise()
