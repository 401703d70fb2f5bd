"""The text of shaped types: taken apart and put together again.

Owns what a ranked `tensor`, `memref`, `vector` and `!torch.vtensor` look like in print. Refuses (returns None for)
everything else: unranked types, scalable vectors, and memrefs with a layout that is written for their sizes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

_SHAPED = re.compile(r"(tensor|memref|vector)<((?:(?:\d+|\?)x)*)([^*[].*)>")
_VTENSOR = re.compile(r"!torch\.vtensor<\[([\d,?]*)\],(.*)>")
_LAYOUT = re.compile(r"strided<|affine_map<")


@dataclass(frozen=True)
class Shape:
    """A shaped type.

    dims: sizes, None where dynamic; element: the element type's text; tail: an encoding or a memory space, comma
    included; kind: `tensor`, `memref`, `vector` or `torch`.
    """

    dims: tuple[int | None, ...]
    element: str
    tail: str = ""
    kind: str = "tensor"

    def text(self, dims: Sequence[int | None], element: str) -> str:
        """The type with other sizes and another element type, as MLIR prints it."""
        sizes = ["?" if d is None else str(d) for d in dims]
        if self.kind == "torch":
            return f"!torch.vtensor<[{','.join(sizes)}],{element}>"
        return f"{self.kind}<{'x'.join([*sizes, element])}{self.tail}>"


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
    """The shape that a type's text spells, or None if it is none of the kinds that can change."""
    if match := _SHAPED.fullmatch(text):
        dims = tuple(None if d == "?" else int(d) for d in match[2].split("x")[:-1])
        element, tail = _split_tail(match[3])
        return None if _LAYOUT.search(tail) else Shape(dims, element, tail, match[1])
    if match := _VTENSOR.fullmatch(text):
        dims = tuple(None if d == "?" else int(d) for d in match[1].split(",") if d)
        return Shape(dims, match[2], kind="torch")
    return None
