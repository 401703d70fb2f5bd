"""Draws sizes: of tensors, of pads, of windows. Small by construction; shrinks towards 1, and pads towards 0."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

T = TypeVar("T")

LARGEST = {1: 12, 2: 7, 3: 4}
"""Of a place of the image, by how many places there are."""

CHANNELS = (1, 2, 3, 4, 5, 8)
_OFTEN = 3
_MOSTLY = 9


def pick(draw: DrawFn, options: Sequence[T]) -> T:
    """One of these, towards the first."""
    return draw(st.sampled_from(options))


def seldom(draw: DrawFn) -> bool:
    """Yes, in one case of four; shrinks to no."""
    return draw(st.integers(0, _OFTEN)) == _OFTEN


def rarely(draw: DrawFn) -> bool:
    """Yes, in one case of ten; for what a program may well have at several places. Shrinks to no."""
    return draw(st.integers(0, _MOSTLY)) == _MOSTLY


def image_sizes(draw: DrawFn, letters: str, places: str) -> tuple[int, ...]:
    """Sizes of an image with dimensions of these letters."""
    largest = LARGEST.get(len(places), 6)
    return tuple(
        draw(st.integers(1, largest)) if letter in places
        else draw(st.integers(1, 3)) if letter in "ng"
        else pick(draw, CHANNELS)
        for letter in letters
    )  # fmt: skip


def dynamic_dims(draw: DrawFn, rank: int) -> tuple[bool, ...]:
    """Which dimensions are dynamic: none, in nine cases of ten."""
    return tuple(draw(st.booleans()) for _ in range(rank)) if rarely(draw) else ()


def window(draw: DrawFn, size: int, dilates: bool) -> tuple[int, int]:
    """The size and the dilation of a window that fits into `size` elements."""
    kernel = draw(st.integers(1, min(size, 4)))
    if not dilates:
        return kernel, 1
    return kernel, draw(st.integers(1, min(3, (size - 1) // (kernel - 1)) if kernel > 1 else 2))


def split(draw: DrawFn, size: int) -> tuple[int, int]:
    """What of `size` elements is padding, low and high; at least one is not."""
    low = draw(st.integers(0, min(size - 1, 3)))
    return low, draw(st.integers(0, min(size - 1 - low, 3)))
