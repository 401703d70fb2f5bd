"""What a pad pads with: a constant, an argument, a number computed before the pad or inside it, one for each place."""

from __future__ import annotations

from dataclasses import dataclass

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from reducer.strategies import elements
from reducer.strategies.builder import Builder
from reducer.strategies.program import TensorType
from reducer.strategies.sizes import pick

CONSTANTS = (0, 1, -1, 2, 100, -elements.INFINITE)
KINDS = (
    *["constant"] * 6, *["argument"] * 5, *["computed"] * 2, *["element"] * 2, "inside", "computed inside", "place",
)  # fmt: skip
"""What is computed inside is rare, as in models: some releases fail on each such pad, and then show nothing else."""
ARGUMENT = 7


@dataclass(frozen=True)
class Padding:
    """The value that a pad yields: lines of its region, the name that is yielded, and how far from 0 it may be.

    A value that follows from the place is not farther from 0 than the padded tensor is large.
    """

    lines: tuple[str, ...]
    name: str
    bound: float


def padding(draw: DrawFn, build: Builder, element: str, rank: int) -> Padding:
    """Draw what to pad with, for a tensor of this element type and rank.

    The constant is drawn whatever the kind is: Hypothesis takes what needs fewer choices for simpler.
    """
    kind, value = pick(draw, KINDS), pick(draw, CONSTANTS)
    add = f"arith.add{'f' if elements.is_float(element) else 'i'}"
    if kind in ("constant", "inside"):
        if kind == "constant":
            return Padding((), build.constant(element, value), _size(element, value))
        return Padding(
            (f"%y = arith.constant {elements.spell(element, value)} : {element}",), "%y", _size(element, value)
        )
    if kind == "element":
        return Padding((), _element(build, element), elements.LARGEST_INPUT)
    if kind == "place":
        return _place(element, draw(st.integers(0, rank - 1)))
    number = build.number(element, ARGUMENT)
    if kind == "argument":
        return Padding((), number, ARGUMENT)
    sum_ = f"{add} {number}, {build.constant(element, 1)} : {element}"
    if kind == "computed":
        return Padding((), build.op("value", sum_), ARGUMENT + 1)
    return Padding((f"%y = {sum_}",), "%y", ARGUMENT + 1)


def _size(element: str, value: float) -> float:
    """How far a constant is from 0, as it is spelled."""
    return float(abs(int(elements.spell(element, value)))) if not elements.is_float(element) else abs(value)


def _element(build: Builder, element: str) -> str:
    """The second element of an argument."""
    tensor = build.argument(TensorType((2,), element))
    return build.op("value", f"tensor.extract {tensor.name}[{build.constant('index', 1)}] : {tensor.type}")


def _place(element: str, axis: int) -> Padding:
    """Where along one dimension the element is."""
    if not elements.is_float(element):
        return Padding((f"%y = arith.index_cast %i{axis} : index to {element}",), "%y", 0)
    lines = (f"%at = arith.index_cast %i{axis} : index to i32", f"%y = arith.sitofp %at : i32 to {element}")
    return Padding(lines, "%y", 0)
