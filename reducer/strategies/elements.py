"""Element types: which there are, how their numbers are spelled, and the values of inputs.

Inputs are whole numbers from -9 to 9 that follow from the place of the element alone: nothing about them is drawn, so
that a search spends no choices on them, and neighbours differ, so that an element taken for another one shows.
"""

from __future__ import annotations

from math import prod

FLOATS = ("f32", "f16", "bf16", "f64")
INTEGERS = ("i32", "i8", "i16")
ELEMENTS = (*FLOATS, *INTEGERS)

LARGEST_INPUT = 9
INFINITE = float("inf")
_SAFE = {"f16": 6e4}

_MINUS_INFINITY = {"f32": "0xFF800000", "f16": "0xFC00", "bf16": "0xFF80", "f64": "0xFFF0000000000000"}
_INFINITY = {"f32": "0x7F800000", "f16": "0x7C00", "bf16": "0x7F80", "f64": "0x7FF0000000000000"}


def is_float(element: str) -> bool:
    """Whether this is a floating-point type."""
    return element in FLOATS


def width(element: str) -> int:
    """Bits of an element."""
    return int(element.lstrip("bfi"))


def bound(element: str, largest: float) -> float:
    """How far from zero a number may be whose computation leads at most to `largest`: integers wrap around."""
    if is_float(element):
        return INFINITE if largest > _SAFE.get(element, 1e30) else largest
    return min(largest, 2.0 ** (width(element) - 1))


def spell(element: str, value: float) -> str:
    """A number as a constant is written; of integers, -inf is the smallest one and inf the largest."""
    if abs(value) == INFINITE:
        if is_float(element):
            return (_INFINITY if value > 0 else _MINUS_INFINITY)[element]
        largest = (1 << (width(element) - 1)) - 1
        return str(largest if value > 0 else -largest - 1)
    return f"{value:.6e}" if is_float(element) else str(int(value))


def input_text(sizes: tuple[int, ...], element: str, number: int) -> str:
    """The input of argument `number`: `2x3xf32=1 -2 3 4 5 -6` for the first, others begin elsewhere."""
    places = range(2 * number, 2 * number + prod(sizes))
    values = [-(i % 9 + 1) if i % 4 == 1 else i % 9 + 1 for i in places]
    return f"{''.join(f'{size}x' for size in sizes)}{element}={' '.join(map(str, values))}"
