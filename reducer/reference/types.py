"""Types by their text: element types with their limits, and ranked tensors. Everything else is refused by name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import ml_dtypes
import numpy as np

from reducer.reference.failures import CannotEvaluateError

_TENSOR = re.compile(r"tensor<((?:(?:\d+|\?)x)*)([^*,<>]+)(?:, .*)?>", re.DOTALL)
_FLOATS: dict[str, Any] = {
    "f16": np.float16, "f32": np.float32, "f64": np.float64, "bf16": ml_dtypes.bfloat16,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn, "f8E5M2": ml_dtypes.float8_e5m2,
    "f8E4M3FNUZ": ml_dtypes.float8_e4m3fnuz, "f8E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "f8E4M3B11FNUZ": ml_dtypes.float8_e4m3b11fnuz,
}  # fmt: skip
_INTEGERS: dict[str, tuple[Any, int]] = {
    "i1": (np.bool_, 1), "i4": (ml_dtypes.int4, 4), "i8": (np.int8, 8), "i16": (np.int16, 16), "i32": (np.int32, 32),
    "i64": (np.int64, 64), "index": (np.int64, 64),
}  # fmt: skip


@dataclass(frozen=True)
class Element:
    """An element type.

    bits: its width; digits: of a float's significand, the leading one included; largest, smallest: the largest finite
    and the smallest normal number (of f32 where it is computed in f32).
    """

    name: str
    dtype: np.dtype[Any]
    bits: int
    is_float: bool
    digits: int = 0
    largest: float = 0.0
    smallest: float = 0.0

    @property
    def unit(self) -> float:
        """The largest relative error of one rounding."""
        return float(2.0**-self.digits)


@lru_cache(maxsize=256)
def element(text: str) -> Element:
    """The element type of a type's text: of a tensor, or the text itself."""
    match = _TENSOR.fullmatch(text)
    name = match[2] if match else text
    if name in _FLOATS:
        dtype = np.dtype(_FLOATS[name])
        info: Any = ml_dtypes.finfo(dtype)  # type: ignore[no-untyped-call]
        return Element(name, dtype, dtype.itemsize * 8, True, info.nmant + 1, float(info.max), float(info.tiny))
    if name in _INTEGERS:
        kind, bits = _INTEGERS[name]
        return Element(name, np.dtype(kind), bits, False)
    raise CannotEvaluateError(name)


@lru_cache(maxsize=1024)
def shape(text: str) -> tuple[int | None, ...] | None:
    """The sizes of a ranked tensor type, None where dynamic; None for a scalar type."""
    match = _TENSOR.fullmatch(text)
    if match is None:
        if text.startswith("tensor<") or text.startswith("!") or "<" in text:
            raise CannotEvaluateError(text)
        return None
    return tuple(None if d == "?" else int(d) for d in match[1].split("x")[:-1])


def sizes(text: str, dynamic: Sequence[int] = ()) -> tuple[int, ...]:
    """The sizes of a ranked tensor type, the dynamic ones from `dynamic`."""
    rest = iter(dynamic)
    return tuple(next(rest) if d is None else d for d in shape(text) or ())
