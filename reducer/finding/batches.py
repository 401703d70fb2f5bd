"""What an answer about several programs as functions of one module says of one of them. Pure text.

Most of a small compilation is set-up: as functions of one module, programs share it. See `passes/join.py`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from dataclasses import dataclass

_NAME = re.compile(r'@("[^"]*"|[\w$.-]+)')
_SUFFIX = re.compile(r"\$async\Z")
_LOCATION = re.compile(r" loc\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)")
_ALIAS = re.compile(r"^#loc\d* = .*\n", re.MULTILINE)
_FUNCTION = re.compile(r"^ *func\.func (?:public )?@([\w$.-]+)", re.MULTILINE)


def names(count: int) -> tuple[str, ...]:
    """What the functions are called."""
    return tuple(f"p{number}" for number in range(count))


class Joined:
    """The text of several functions in one module."""

    def __init__(self, text: str) -> None:
        self.text = text
        starts = [match.start() for match in _FUNCTION.finditer(text)]
        self._names = [match[1] for match in _FUNCTION.finditer(text)]
        self._lines = [text.count("\n", 0, start) + 1 for start in starts]
        bounds = [*starts, text.rstrip().rfind("}")]
        self._bodies = [text[a:b] for a, b in itertools.pairwise(bounds)]

    def only(self, name: str) -> str:
        """One function, on the lines where it is."""
        number = self._names.index(name)
        return "\n" * (self._lines[number] - 1) + self._bodies[number]

    def at(self, line: int) -> str:
        """The name of the function that a line, from 1, is in; "" before the first."""
        before = [name for name, first in zip(self._names, self._lines, strict=True) if first <= line]
        return before[-1] if before else ""


@dataclass(frozen=True)
class _Item:
    """A top-level op of a module: its text, the symbol it defines ("" for none) and those it names."""

    text: str
    symbol: str
    uses: frozenset[str]


class Module:
    """An IR, as the flow phase leaves it, of which parts can be had."""

    def __init__(self, ir: str) -> None:
        lines = ir.splitlines(keepends=True)
        starts = [n for n, line in enumerate(lines) if line.startswith("  ") and line[2] not in " })\n"]
        end = next((n for n in range(len(lines) - 1, -1, -1) if lines[n].startswith("}")), len(lines))
        first = starts[0] if starts else end
        self._before, self._after = "".join(lines[:first]), "".join(lines[end:])
        self._items = [_item("".join(lines[a:b])) for a, b in itertools.pairwise((*starts, end))]

    def part(self, name: str) -> str:
        """The module with this function alone, and what it is made of: its executables, globals, initializers."""
        by_symbol = {item.symbol: item for item in self._items if item.symbol}
        kept: set[str] = set()
        todo = [s for s in by_symbol if _SUFFIX.sub("", s) == name]
        while todo:
            symbol = todo.pop()
            if symbol in kept:
                continue
            kept.add(symbol)
            users = [item.uses for item in self._items if not item.symbol and symbol in item.uses]
            todo += by_symbol.keys() & by_symbol[symbol].uses.union(*users)
        chosen = [i.text for i in self._items if (i.symbol in kept if i.symbol else bool(i.uses & kept))]
        return self._before + "".join(chosen) + self._after


def _item(text: str) -> _Item:
    head = text.split("{", 1)[0].split("(", 1)[0]
    defined = _NAME.search(head)
    symbol = defined[1].strip('"') if defined is not None else ""
    return _Item(text, symbol, frozenset(m.strip('"') for m in _NAME.findall(text)) - {symbol})


def without_places(ir: str) -> str:
    """The same IR without locations: two that are equal go on to compile to the same."""
    return _LOCATION.sub("", _ALIAS.sub("", ir))


def chunks(programs: Sequence[int], size: int) -> list[tuple[int, ...]]:
    """Consecutive groups of at most that many."""
    return [tuple(programs[at : at + size]) for at in range(0, len(programs), size)]
