"""Elementwise ops and transposes, as they stand before a pad and after a convolution.

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
from reducer.strategies.elements import is_float
from reducer.strategies.program import Program, TensorType
from reducer.strategies.sizes import pick
from reducer.strategies.types import tensor_types


def apply(build: Builder, tensor: Tensor, body: Sequence[str], element: str, bound: float) -> Tensor:
    """Write an elementwise op of one operand %a; the body leaves its result in %r."""
    empty, type_ = build.empty_like(tensor, range(tensor.rank), element)
    same = ", ".join(f"d{i}" for i in range(tensor.rank))
    out = Tensor(empty, type_, bound)
    return build.generic([(tensor, same)], out, same, "p" * tensor.rank, [*body, f"linalg.yield %r : {element}"])


def negate(build: Builder, tensor: Tensor) -> Tensor:
    """Its negation."""
    e = tensor.element
    body = f"%r = arith.negf %a : {e}" if is_float(e) else f"%r = arith.subi {build.constant(e, 0)}, %a : {e}"
    return apply(build, tensor, [body], e, tensor.bound)


def add_constant(build: Builder, tensor: Tensor) -> Tensor:
    """The tensor and 1."""
    e = tensor.element
    op = "arith.addf" if is_float(e) else "arith.addi"
    return apply(build, tensor, [f"%r = {op} %a, {build.constant(e, 1)} : {e}"], e, tensor.bound + 1)


def relu(build: Builder, tensor: Tensor) -> Tensor:
    """The larger of it and 0."""
    e = tensor.element
    op = "arith.maximumf" if is_float(e) else "arith.maxsi"
    return apply(build, tensor, [f"%r = {op} %a, {build.constant(e, 0)} : {e}"], e, tensor.bound)


def transpose(build: Builder, tensor: Tensor, order: Sequence[int]) -> Tensor:
    """`linalg.transpose`: dimension i of the result is dimension order[i]."""
    empty, type_ = build.empty_like(tensor, order, tensor.element)
    text = (
        f"linalg.transpose ins({tensor.name} : {tensor.type}) outs({empty} : {type_})"
        f" permutation = [{', '.join(map(str, order))}]"
    )
    return Tensor(build.op("transpose", text), type_, tensor.bound)


def unary(draw: DrawFn, build: Builder, tensor: Tensor) -> Tensor:
    """Draw an elementwise op of one operand."""
    return pick(draw, (negate, add_constant, relu))(build, tensor)


def source(draw: DrawFn, build: Builder, type_: TensorType) -> Tensor:
    """Draw where a tensor of this type comes from: an argument, or an op on one."""
    kind = pick(draw, ("argument", "elementwise", "transpose"))
    if kind == "argument" or (kind == "transpose" and len(type_.sizes) < 2):
        return build.argument(type_)
    if kind == "elementwise":
        return unary(draw, build, build.argument(type_))
    order = draw(st.permutations(range(len(type_.sizes))))
    dynamic = tuple(type_.is_dynamic(order.index(i)) for i in range(len(order)))
    before = tuple(type_.sizes[order.index(i)] for i in range(len(order)))
    return transpose(build, build.argument(TensorType(before, type_.element, dynamic)), order)


@st.composite
def _elementwise(draw: DrawFn) -> Program:
    build = Builder()
    return build.finish([unary(draw, build, build.argument(draw(tensor_types())))])


def elementwise() -> SearchStrategy[Program]:
    """Programs of one elementwise op."""
    return _elementwise()
