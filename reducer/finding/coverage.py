"""What the programs of a search held so far, and which of it stood in those that showed faults. Pure."""

from __future__ import annotations

import re
from collections import Counter

from reducer.strategies import Program

_OP = re.compile(r"(?:linalg|tensor|arith|math)\.[a-z_0-9]+")
_ELEMENT = re.compile(r"tensor<[^>]*x(\w+)>")
_DETAIL = re.compile(r"\?(?=x)|\bnofold\b|(?:strides|dilations)(?= = dense<(?!1>))")


class Coverage:
    """Counts of programs by what they hold."""

    def __init__(self) -> None:
        self.programs: Counter[str] = Counter()
        self.faults: Counter[str] = Counter()

    def add(self, program: Program) -> None:
        """One more program."""
        self.programs.update(kinds(program))

    def fault(self, program: Program) -> None:
        """One more fault that a program shows."""
        self.faults.update(kinds(program))

    def shown(self, most: int) -> list[tuple[str, int, int]]:
        """Kinds of op, with how many programs had them and how many faults these showed, most programs first."""
        ops = [(kind, count) for kind, count in self.programs.most_common() if "." in kind]
        return [(kind, count, self.faults[kind]) for kind, count in ops[:most]]


def kinds(program: Program) -> frozenset[str]:
    """What a program holds: op names, element types, dynamic sizes, `nofold`, strides and dilations."""
    text = program.text
    return frozenset((*_OP.findall(text), *_ELEMENT.findall(text), *_DETAIL.findall(text)))
