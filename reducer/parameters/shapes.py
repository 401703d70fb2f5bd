"""The text of shaped types: taken apart and put together again.

Owns what a ranked `tensor` and a ranked `!torch.vtensor` look like in print. Refuses (returns None for) everything
else: unranked tensors, memrefs and vectors keep the type they have.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

_TENSOR = re.compile(r"tensor<((?:(?:\d+|\?)x)*)([^*].*)>")
_VTENSOR = re.compile(r"!torch\.vtensor<\[([\d,?]*)\],(.*)>")


@dataclass(frozen=True)
class Shape:
    """A shaped type.

    dims: sizes, None where dynamic; element: the element type's text; tail: an encoding, comma included.
    """

    dims: tuple[int | None, ...]
    element: str
    tail: str = ""
    torch: bool = False

    def text(self, dims: Sequence[int | None], element: str) -> str:
        """The type with other sizes and another element type, as MLIR prints it."""
        sizes = ["?" if d is None else str(d) for d in dims]
        if self.torch:
            return f"!torch.vtensor<[{','.join(sizes)}],{element}>"
        return f"tensor<{'x'.join([*sizes, element])}{self.tail}>"


def _split_tail(rest: str) -> tuple[str, str]:
    """Cut `f32, #encoding` at its first comma outside brackets."""
    depth = 0
    for position, character in enumerate(rest):
        if character in "<([{":
            depth += 1
        elif character in ">)]}":
            depth -= 1
        elif character == "," and depth == 0:
            return rest[:position], rest[position:]
    return rest, ""


@lru_cache(maxsize=4096)
def parse_shape(text: str) -> Shape | None:
    """The shape that a type's text spells, or None if it is not a ranked tensor."""
    if match := _TENSOR.fullmatch(text):
        dims = tuple(None if d == "?" else int(d) for d in match[1].split("x")[:-1])
        element, tail = _split_tail(match[2])
        return Shape(dims, element, tail)
    if match := _VTENSOR.fullmatch(text):
        dims = tuple(None if d == "?" else int(d) for d in match[1].split(",") if d)
        return Shape(dims, match[2], torch=True)
    return None
