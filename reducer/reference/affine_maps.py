"""Affine expressions, read from their text: evaluated on numbers or arrays, and taken apart where they are linear."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from reducer.reference.failures import CannotEvaluateError

_MAP = re.compile(r"affine_map<\(([^()]*)\)(?:\[([^\]]*)\])? -> \((.*?)\)>(?=,|\]|$)", re.DOTALL)
_TOKEN = re.compile(r"\s*(floordiv|ceildiv|mod|[ds]\d+|\d+|[-+*()])")


@dataclass(frozen=True)
class Expression:
    """A node of an expression's tree.

    kind: `d`, `s` (with its number), `c` (with the constant), or an operator with two parts.
    """

    kind: str
    number: int = 0
    parts: tuple[Expression, ...] = ()

    def at(self, dims: Sequence[Any], symbols: Sequence[Any] = ()) -> Any:
        """The value: of whole numbers, or of arrays that are broadcast together."""
        if self.kind == "c":
            return np.int64(self.number)
        if self.kind in "ds":
            return (dims if self.kind == "d" else symbols)[self.number]
        a, b = (part.at(dims, symbols) for part in self.parts)
        match self.kind:
            case "+":
                return a + b
            case "*":
                return a * b
            case "mod":
                return a % b
            case "floordiv":
                return a // b
            case _:
                return -((-a) // b)

    @property
    def loop(self) -> int | None:
        """The dimension, if the expression is that dimension alone."""
        return self.number if self.kind == "d" else None

    def linear(self, count: int) -> tuple[tuple[int, ...], int] | None:
        """The coefficient of each of `count` dimensions and the constant, None if there are none such."""
        zero = (0,) * count
        if self.kind == "c":
            return zero, self.number
        if self.kind == "d":
            return tuple(int(i == self.number) for i in range(count)), 0
        if self.kind not in "+*":
            return None
        first, second = (part.linear(count) for part in self.parts)
        if first is None or second is None:
            return None
        if self.kind == "+":
            return tuple(x + y for x, y in zip(first[0], second[0], strict=True)), first[1] + second[1]
        if any(first[0]):
            first, second = second, first
        if any(first[0]):
            return None
        return tuple(first[1] * y for y in second[0]), first[1] * second[1]


@dataclass(frozen=True)
class Map:
    """An affine map. loops, symbols: how many it takes."""

    loops: int
    symbols: int
    results: tuple[Expression, ...]


@lru_cache(maxsize=4096)
def parse_maps(text: str) -> tuple[Map, ...]:
    """The maps in an attribute's text: one `affine_map<…>`, or a list of them."""
    found = []
    for piece in text.split("affine_map<")[1:]:
        match = _MAP.match("affine_map<" + piece[: piece.rfind(">") + 1])
        if match is None:
            raise CannotEvaluateError("affine_map<" + piece)
        loops = len([d for d in match[1].split(",") if d.strip()])
        symbols = len([d for d in (match[2] or "").split(",") if d.strip()])
        found.append(Map(loops, symbols, tuple(_Parser(part).whole() for part in _split(match[3]))))
    return tuple(found)


def _split(text: str) -> list[str]:
    """Cut at the commas outside parentheses."""
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if character == "," and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    return [*parts, text[start:]] if text.strip() else []


class _Parser:
    """Products bind tighter than sums; both from the left."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._tokens = _TOKEN.findall(text)
        self._at = 0

    def whole(self) -> Expression:
        found = self._sum()
        if self._at != len(self._tokens):
            raise CannotEvaluateError(self._text)
        return found

    def _peek(self) -> str:
        return self._tokens[self._at] if self._at < len(self._tokens) else ""

    def _next(self) -> str:
        self._at += 1
        return str(self._tokens[self._at - 1])

    def _sum(self) -> Expression:
        left = self._product()
        while self._peek() in ("+", "-"):
            negative = self._next() == "-"
            right = self._product()
            left = Expression("+", 0, (left, _negative(right) if negative else right))
        return left

    def _product(self) -> Expression:
        left = self._atom()
        while self._peek() in ("*", "mod", "floordiv", "ceildiv"):
            kind = self._next()
            left = Expression(kind, 0, (left, self._atom()))
        return left

    def _atom(self) -> Expression:
        token = self._next()
        if token == "-":
            return _negative(self._atom())
        if token == "(":
            inside = self._sum()
            self._next()
            return inside
        if token[0] in "ds":
            return Expression(token[0], int(token[1:]))
        return Expression("c", int(token))


def _negative(expression: Expression) -> Expression:
    return Expression("*", 0, (Expression("c", -1), expression))
