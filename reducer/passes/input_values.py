"""How the input of a program that is run is written, and what it is worth for an argument of any shape.

An input is `random:SEED` (small whole numbers, none of them 0), `zeros`, or a value as `iree-run-module --input=` takes
it. Owns the notation; what inputs hang on is `inputs.py`'s business.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

ZEROS = "zeros"
RANDOM = "random:"
DYNAMIC_SIZES = (3, 1, 2, *range(4, 33))
"""Of the dimensions that neither the type nor the input gives: all have the first of these that lets the program have a
value."""

_EXPLICIT = re.compile(r"(?P<dims>(?:\d+x)*)(?P<element>[A-Za-z]\w*)(?:=(?P<values>.*))?", re.DOTALL)
_ELEMENT = re.compile(r"[su]?i\d+|index|bf16|tf32|f(16|32|64|\d+E\d+M\d+\w*)")
_MOST_ELEMENTS = 2**26
_SMALL = np.array([1, 2, 3, 4, -1, -2, -3, -4], np.int64)


@dataclass(frozen=True)
class Making:
    """How inputs are made up. size: of dynamic dimensions; as_index: integers are 0 or 1, for they may be indices."""

    size: int = DYNAMIC_SIZES[0]
    as_index: bool = False


FIRST = Making()


class InputError(ValueError):
    """An input that cannot be read or does not fit; one line."""


@dataclass(frozen=True, eq=False)
class Explicit:
    """An input that was written out. dims: its shape, () for a scalar; values: in row-major order."""

    dims: tuple[int, ...]
    values: tuple[float, ...]


def parse_explicit(text: str) -> Explicit:
    """Read `2x2xf32=1 2 3 4`, `2xi32=[1][2]`, `4xf32=7` (a splat), `f32=7` or `7`. Raises InputError."""
    match = _EXPLICIT.fullmatch(text.strip())
    if match is None:
        return Explicit((), (_number(text.strip(), text),))
    dims = tuple(int(d) for d in match["dims"].split("x") if d)
    words = re.split(r"[\s,;\[\]]+", (match["values"] or "0").strip(" \t\n,;[]"))
    values = tuple(_number(word, text) for word in words)
    count = math.prod(dims)
    if count > _MOST_ELEMENTS:
        raise InputError(f"the input {shortened(text)!r} has more elements than can be written out ({_MOST_ELEMENTS})")
    if len(values) == 1:
        values *= count
    if len(values) != count:
        raise InputError(f"the input {shortened(text)!r} has {len(values)} values where its shape has room for {count}")
    return Explicit(dims, values)


def given_dims(text: str) -> tuple[int, ...] | None:
    """The shape of an input as a user gives it, () of a scalar, None of what has none. Raises InputError."""
    if text == ZEROS or re.fullmatch(rf"{RANDOM}\d{{1,9}}", text):
        return None
    explicit = parse_explicit(text)
    match = _EXPLICIT.fullmatch(text.strip())
    if match is not None and not _ELEMENT.fullmatch(match["element"]):
        raise InputError(
            f"the input {shortened(text)!r} has no element type of IREE's: {match['element']}; write it as in "
            "2x2xf32=1,2,3,4"
        )
    return explicit.dims


def _number(word: str, text: str) -> float:
    if word in ("true", "false"):
        return float(word == "true")
    try:
        return int(word) if re.fullmatch(r"[-+]?\d+", word) else float(word)
    except ValueError:
        raise InputError(
            f"the input {shortened(text)!r} has no number at {word!r}; write it as in 2x2xf32=1,2,3,4"
        ) from None


def write_explicit(dims: Sequence[int], element: str, values: Sequence[float]) -> str:
    """The text that `parse_explicit` and `iree-run-module` read; it takes each i1 as two hexadecimal digits."""
    if not dims:
        return f"{element}={written(values[0])}"
    words = (f"{int(v != 0):02x}" if element == "i1" else written(v) for v in values)
    return "x".join([*map(str, dims), element]) + "=" + " ".join(words)


def written_scalar(value: Any, element: str) -> str:
    """A scalar as `iree-run-module` takes and prints it: the bits of a float narrower than f32 as a whole number.

    value: a NumPy scalar of the element's type.
    """
    if element in ("f32", "f64") or not element.startswith(("f", "bf")):
        return written(value.item() if element in ("f32", "f64") else int(value))
    return str(int(value.view(np.uint16 if value.itemsize == 2 else np.uint8)))


def _of_bits(bits: int, element: str) -> float:
    """The number that `written_scalar` wrote."""
    if not 0 <= bits < 1 << 16:
        raise InputError(f"the input {bits} is no {element}; a bare number is its 16 bits, else write {element}={bits}")
    if element == "f16":
        return float(np.array(bits, np.uint16).view(np.float16))
    return float(np.array(bits << 16, np.uint32).view(np.float32))


def written(value: float) -> str:
    """A number, shortest: whole ones without a point."""
    if isinstance(value, float) and math.isfinite(value) and value == int(value) and abs(value) < 2**53:
        return "-0" if value == 0 and math.copysign(1.0, value) < 0 else str(int(value))
    return repr(value)


def values(
    text: str, sizes: Sequence[int | None], element: str, making: Making = FIRST
) -> tuple[tuple[int, ...], np.ndarray[Any, Any]]:
    """What an input says for an argument of this shape: the sizes of all dimensions, and float64 or int64 elements.

    sizes: None for a dynamic dimension, () for a scalar; making: what the input leaves open. An explicit
    input of another shape gives what both have in common, and zeros elsewhere; of another rank, its first elements.
    """
    explicit = None if text == ZEROS or text.startswith(RANDOM) else parse_explicit(text)
    given = explicit.dims if explicit is not None and len(explicit.dims) == len(sizes) else (None,) * len(sizes)
    dims = tuple(s if s is not None else making.size if g is None else g for s, g in zip(sizes, given, strict=True))
    if explicit is None:
        zeros = text == ZEROS
        return dims, np.zeros(dims, np.int64) if zeros else random_values(
            int(text[len(RANDOM) :]), dims, element, making
        )
    if not sizes and element in ("f16", "bf16") and re.fullmatch(r"\s*[-+]?\d+\s*", text):
        return (), np.array(_of_bits(int(text), element))
    whole = all(isinstance(v, int) for v in explicit.values)
    old = np.array(explicit.values, np.int64 if whole else np.float64)
    new = np.zeros(dims, old.dtype)
    if len(explicit.dims) == len(dims):
        both = tuple(slice(min(a, b)) for a, b in zip(explicit.dims, dims, strict=True))
        new[both] = old.reshape(explicit.dims)[both]
    else:
        count = min(old.size, new.size)
        new.reshape(-1)[:count] = old[:count]
    return dims, new


def random_values(seed: int, dims: Sequence[int], element: str, making: Making = FIRST) -> np.ndarray[Any, Any]:
    """Whole numbers from -4 to 4 without 0, the same on every machine.

    From 1 to 4 where a number may be a size: an index, or a scalar integer. 0 or 1 of an i1, and of possible indices.
    """
    with np.errstate(over="ignore"):
        x = np.arange(math.prod(dims), dtype=np.uint64) + np.uint64((seed + 1) * 0x9E3779B97F4A7C15 % 2**64)
        x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    x = (x ^ (x >> np.uint64(31))).astype(np.int64)
    may_be_size = element == "index" or (not dims and element in ("i32", "i64"))
    binary = element == "i1" or (making.as_index and re.fullmatch(r"i\d+", element) is not None)
    found = x & 1 if binary else _SMALL[x & 3] if may_be_size else _SMALL[x & 7]
    return found.reshape(tuple(dims))


def shortened(text: str) -> str:
    """An input as it is shown in a message."""
    return text if len(text) <= 60 else text[:57] + "…"
