"""`tensor.pad`: which sides, by how much, with what.

`pads()` gives programs of one pad, such as

    func.func @main(%arg0: tensor<1xf32>) -> tensor<2xf32> {
      %cst = arith.constant 0.000000e+00 : f32
      %pad = tensor.pad %arg0 low[0] high[1] {
      ^bb0(%i0: index):
        tensor.yield %cst : f32
      } : tensor<1xf32> to tensor<2xf32>
      return %pad : tensor<2xf32>
    }
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from reducer.strategies import elements
from reducer.strategies.builder import Builder, Tensor
from reducer.strategies.program import Program, TensorType
from reducer.strategies.sizes import amount, pick
from reducer.strategies.types import tensor_types

CONSTANTS = (0, 1, -1, 2, 100, -elements.INFINITE)


@dataclass(frozen=True)
class Padding:
    """The value that a pad yields: lines of its region, the name that is yielded, and how far from 0 it may be."""

    lines: tuple[str, ...]
    name: str
    bound: float


def padding(draw: DrawFn, build: Builder, element: str) -> Padding:
    """Draw what to pad with: a constant, or an argument."""
    kind = pick(draw, ("constant", "argument"))
    if kind == "argument":
        return Padding((), build.number(element, 7), 7)
    value = pick(draw, CONSTANTS)
    return Padding((), build.constant(element, value), abs(value))


def write_pad(build: Builder, source: Tensor, low: Sequence[int], high: Sequence[int], value: Padding) -> Tensor:
    """Write a pad by these amounts."""
    sizes = tuple(a + n + b for a, n, b in zip(low, source.sizes, high, strict=True))
    type_ = TensorType(sizes, source.element, source.type.dynamic)
    indices = ", ".join(f"%i{i}: index" for i in range(len(sizes)))
    lines = [
        f"tensor.pad {source.name} low[{', '.join(map(str, low))}] high[{', '.join(map(str, high))}] {{",
        f"^bb0({indices}):",
        *(f"  {line}" for line in value.lines),
        f"  tensor.yield {value.name} : {source.element}",
        f"}} : {source.type} to {type_}",
    ]
    return Tensor(build.op("pad", "\n".join(lines)), type_, max(source.bound, value.bound))


def pad(draw: DrawFn, build: Builder, source: Tensor, largest: Sequence[int]) -> Tensor:
    """Draw a pad. largest: of each side of each dimension."""
    low = [amount(draw, n) for n in largest]
    high = [amount(draw, n) for n in largest]
    return write_pad(build, source, low, high, padding(draw, build, source.element))


@st.composite
def _pads(draw: DrawFn) -> Program:
    build = Builder()
    source = build.argument(draw(tensor_types()))
    return build.finish([pad(draw, build, source, [3] * source.rank)])


def pads() -> SearchStrategy[Program]:
    """Programs of one `tensor.pad`."""
    return _pads()
