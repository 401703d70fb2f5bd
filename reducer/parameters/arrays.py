"""Lists of numbers in attributes, and lists that are half numbers, half operands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from iree.compiler import ir

from reducer.parameters.builder import Builder, Solution

DYNAMIC = -(2**63)
def numbers(op: Any, name: str) -> list[int]:
    """The whole numbers in an array attribute (`array<i64: 1, 2>`)."""
    text = str(op.attributes[name]) if name in op.attributes else ""
    inside = text.partition(":")[2].rstrip("> ")
    return [int(n) for n in inside.split(",") if n.strip()]


def set_numbers(op: Any, name: str, values: Sequence[int]) -> None:
    """Write an array attribute of i64, if it changes."""
    if numbers(op, name) != list(values):
        op.attributes[name] = ir.DenseI64ArrayAttr.get(list(values))


class Entries:
    """A mixed list of an op: static numbers, and operands where they are dynamic.

    variables: None for an operand that is no constant.
    """

    def __init__(self, builder: Builder, op: Any, static: str, segment: int, make: Callable[[int, int], int]) -> None:
        self._op, self._static = op, static
        self.now = numbers(op, static)
        sizes = numbers(op, "operandSegmentSizes")
        operands = iter(list(op.operands)[sum(sizes[:segment]) : sum(sizes[: segment + 1])])
        self.variables: list[int | None] = []
        self.attribute: list[bool] = []
        for axis, number in enumerate(self.now):
            dynamic = number == DYNAMIC
            self.variables.append(builder.constant(next(operands)) if dynamic else make(axis, number))
            self.attribute.append(not dynamic)

    def write(self, solution: Solution, keep: Sequence[int], closed: Mapping[int, int]) -> None:
        """Put the new numbers into the attribute, only those at the positions `keep`.

        closed: what stands in the attribute from now on rather than in an operand, by position.
        """
        new = [
            solution.number(variable) if static and variable is not None else closed.get(axis, DYNAMIC)
            for axis, (variable, static) in enumerate(zip(self.variables, self.attribute, strict=True))
        ]
        set_numbers(self._op, self._static, [new[i] for i in keep])
