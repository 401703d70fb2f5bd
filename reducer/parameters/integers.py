"""The whole numbers in an attribute of any op, and the attribute with others."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from iree.compiler import ir

from reducer.parameters.arrays import DYNAMIC

_MOST = 16
_NUMBER = re.compile(r"(?<![\w.])-?\d+(?![\w.])")
_ARRAYS = ("DenseI64ArrayAttr", "DenseI32ArrayAttr", "DenseI16ArrayAttr", "DenseI8ArrayAttr")
_DENSE = re.compile(r"(?P<head>dense<[^\"]*>) : (?P<tail>(?:tensor|vector)<.*i(?:[2-9]|\d\d)>)", re.DOTALL)


@dataclass(frozen=True)
class Integers:
    """An attribute of whole numbers: its text, and the places of those of them that can change."""

    text: str
    places: tuple[tuple[int, int], ...]

    @property
    def values(self) -> list[int]:
        """The numbers, in order."""
        return [int(self.text[a:b]) for a, b in self.places]

    def attribute(self, values: Sequence[int]) -> Any:
        """The attribute with these numbers."""
        text, at = [], 0
        for (start, end), value in zip(self.places, values, strict=True):
            text += [self.text[at:start], str(value)]
            at = end
        return ir.Attribute.parse("".join(text) + self.text[at:])


def integers(attribute: Any) -> Integers | None:
    """The numbers of an integer, of an array or of a small dense attribute; None for one of anything else."""
    kind = type(attribute).__name__
    if kind in _ARRAYS or (kind in ("IntegerAttr", "ArrayAttr") and _is_whole(attribute)):
        text = str(attribute)
        end = len(text)
    elif kind == "DenseIntElementsAttr" and (match := _DENSE.fullmatch(str(attribute))):
        text, end = match[0], match.end("head")
    else:
        return None
    places = tuple(m.span() for m in _NUMBER.finditer(text, 0, end) if int(m[0]) != DYNAMIC)
    return Integers(text, places) if 0 < len(places) <= _MOST else None


def _is_whole(attribute: Any) -> bool:
    """Whether it is a whole number (of more than one bit), or an array of such."""
    if type(attribute).__name__ == "ArrayAttr":
        return all(map(_is_whole, attribute))
    return type(attribute).__name__ == "IntegerAttr" and str(attribute.type) != "i1"
