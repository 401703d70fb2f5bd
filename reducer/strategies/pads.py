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

from reducer.strategies.builder import Builder, Tensor
from reducer.strategies.pad_values import Padding, padding
from reducer.strategies.program import Program, TensorType
from reducer.strategies.sizes import pick, rarely
from reducer.strategies.types import tensor_types

WIDE = 9
"""The largest amount: more than most images have."""


@dataclass(frozen=True)
class Side:
    """An amount. text: the number, or the name of an index that holds it."""

    amount: int
    text: str

    @property
    def is_dynamic(self) -> bool:
        """Whether it is known only when the program is run."""
        return self.text.startswith("%")


def fixed(amounts: Sequence[int]) -> list[Side]:
    """Amounts that the program states."""
    return [Side(amount, str(amount)) for amount in amounts]


def write_pad(
    build: Builder,
    source: Tensor,
    sides: tuple[Sequence[Side], Sequence[Side]],
    value: Padding,
    *,
    nofold: bool = False,
) -> Tensor:
    """Write a pad by these amounts: low of each dimension, and high."""
    low, high = sides
    sizes = tuple(a.amount + n + b.amount for a, n, b in zip(low, source.sizes, high, strict=True))
    dynamic = tuple(
        source.type.is_dynamic(i) or a.is_dynamic or b.is_dynamic
        for i, (a, b) in enumerate(zip(low, high, strict=True))
    )
    type_ = TensorType(sizes, source.element, dynamic)
    amounts = f"low[{', '.join(s.text for s in low)}] high[{', '.join(s.text for s in high)}]"
    lines = [
        f"tensor.pad {source.name}{' nofold' if nofold else ''} {amounts} {{",
        f"^bb0({', '.join(f'%i{i}: index' for i in range(len(sizes)))}):",
        *(f"  {line}" for line in value.lines),
        f"  tensor.yield {value.name} : {source.element}",
        f"}} : {source.type} to {type_}",
    ]
    return Tensor(build.op("pad", "\n".join(lines)), type_, max(source.bound, value.bound, *sizes))


def pad(draw: DrawFn, build: Builder, source: Tensor, largest: Sequence[int]) -> Tensor:
    """Draw a pad. largest: of each side of each dimension; now and then one side is wider than that."""
    low = [draw(st.integers(0, n)) for n in largest]
    high = [draw(st.integers(0, n)) for n in largest]
    shape = pick(draw, ("each", "each", "symmetric", "wide"))
    if shape == "symmetric":
        high = list(low)
    elif shape == "wide":
        pick(draw, (low, high))[draw(st.integers(0, source.rank - 1))] = draw(st.integers(0, WIDE))
    sides = _sides(draw, build, [*low, *high])
    value = padding(draw, build, source.element, source.rank)
    nofold = rarely(draw)
    return write_pad(build, source, (sides[: source.rank], sides[source.rank :]), value, nofold=nofold)


def _sides(draw: DrawFn, build: Builder, amounts: Sequence[int]) -> list[Side]:
    """The amounts as numbers; rarely some of them are arguments."""
    sides = fixed(amounts)
    if rarely(draw):
        for i in range(len(sides)):
            if draw(st.booleans()):
                number = build.number("i32", amounts[i])
                sides[i] = Side(amounts[i], build.op("amount", f"arith.index_cast {number} : i32 to index"))
    return sides


def pads_in_a_row(draw: DrawFn, build: Builder, source: Tensor, largest: Sequence[int]) -> Tensor:
    """Draw a pad, now and then of a pad."""
    for _ in range(pick(draw, (1, 1, 1, 2, 3))):
        source = pad(draw, build, source, largest)
        largest = [min(n, 1) for n in largest]
    return source


@st.composite
def _pads(draw: DrawFn) -> Program:
    build = Builder()
    source = build.argument(draw(tensor_types()))
    return build.finish([pads_in_a_row(draw, build, source, [3] * source.rank)])


def pads() -> SearchStrategy[Program]:
    """Programs of one `tensor.pad`, or of a pad of a pad."""
    return _pads()
