"""Indexing maps as text: what is linear in them, taken apart and printed again.

The bindings differ between releases in how they hand out affine expressions; their text does not. An expression that is
no sum of multiples of loops (`d0 mod 2`, symbols) is kept as text, and whoever reads it must leave its loops alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

_MAP = re.compile(r"\((.*?)\)(\[.*?\])? -> \((.*)\)>", re.DOTALL)
_TERM = re.compile(r"(-?)d(\d+)(?: \* (-?\d+))?")
_LOOP = re.compile(r"\bd(\d+)\b")


@dataclass(frozen=True)
class Expression:
    """One result of a map. terms: (loop, coefficient) in the order printed; opaque: the text, if it is not linear."""

    terms: tuple[tuple[int, int], ...] = ()
    constant: int = 0
    opaque: str = ""

    @property
    def loop(self) -> int | None:
        """The loop, if the expression is that loop alone."""
        if self.opaque or self.constant or len(self.terms) != 1 or self.terms[0][1] != 1:
            return None
        return self.terms[0][0]

    @property
    def loops(self) -> tuple[int, ...]:
        """Every loop that is mentioned."""
        if self.opaque:
            return tuple(int(n) for n in _LOOP.findall(self.opaque))
        return tuple(loop for loop, _ in self.terms)


@dataclass(frozen=True)
class Map:
    """An indexing map. loops: how many it has; symbols: whether it has any symbol."""

    loops: int
    results: tuple[Expression, ...]
    symbols: bool = False

    def text(self) -> str:
        """The map as MLIR reads it."""
        loops = ", ".join(f"d{i}" for i in range(self.loops))
        return f"affine_map<({loops}) -> ({', '.join(map(_print, self.results))})>"


def _print(expression: Expression) -> str:
    if expression.opaque:
        return expression.opaque
    parts = [f"d{loop}" if factor == 1 else f"d{loop} * {factor}" for loop, factor in expression.terms]
    if expression.constant or not parts:
        parts.append(str(expression.constant))
    return " + ".join(parts)


def _split(text: str) -> list[str]:
    """Cut at the commas outside parentheses."""
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text):
        if character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(text[start:position].strip())
            start = position + 1
    last = text[start:].strip()
    return [*parts, last] if last else parts


def _parse_expression(text: str) -> Expression:
    terms, constant = [], 0
    for part in text.replace(" - ", " + -").split(" + "):
        if match := _TERM.fullmatch(part):
            terms.append((int(match[2]), int(match[1] + (match[3] or "1"))))
        elif re.fullmatch(r"-?\d+", part):
            constant += int(part)
        else:
            return Expression(opaque=text)
    return Expression(tuple(terms), constant)


@lru_cache(maxsize=1024)
def parse_maps(text: str) -> tuple[Map, ...]:
    """The maps in an attribute's text, `[affine_map<(d0) -> (d0)>, …]`; those that cannot be read are left out."""
    maps = []
    for piece in text.split("affine_map<")[1:]:
        match = _MAP.match(piece[: piece.rfind(">") + 1])
        if match is None:
            continue
        loops = len([d for d in match[1].split(",") if d.strip()])
        maps.append(Map(loops, tuple(_parse_expression(e) for e in _split(match[3])), bool(match[2])))
    return tuple(maps)


def renumber(expression: Expression, numbers: Mapping[int, int]) -> Expression:
    """The expression with its loops renumbered; loops without a new number are taken to be 0 and vanish."""
    if expression.opaque:
        return Expression(opaque=_LOOP.sub(lambda m: f"d{numbers[int(m[1])]}", expression.opaque))
    kept = tuple((numbers[loop], factor) for loop, factor in expression.terms if loop in numbers)
    return Expression(kept, expression.constant)
