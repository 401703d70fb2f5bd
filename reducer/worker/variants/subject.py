"""A pad of a program and what uses it: what the changes beside this module work on.

Owns the search for them and the reading of a pad's amounts. Changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from iree.compiler import ir

from reducer.parameters.arrays import DYNAMIC, numbers
from reducer.passes.edit import Edit
from reducer.passes.program import Function, Node, Program
from reducer.passes.types import Shape, shape_of

TENSOR_PAD = "tensor.pad"
_PASSED_THROUGH = frozenset({"tensor.cast", "tensor.collapse_shape", "tensor.expand_shape", "tensor.extract_slice"})
_NO_CONSUMERS = frozenset({"linalg.fill", "linalg.yield"})


class DoesNotApply(Exception):  # noqa: N818 - not an error: the change has nothing to change here
    """The program is so already, or has nothing that the change could be made to."""


@dataclass
class Subject:
    """A pad, the first structured op that is computed from it (None if there is none), and an edit under way."""

    edit: Edit
    pad: Node
    consumer: Node | None
    function: Function

    @property
    def program(self) -> Program:
        """The program before the edit."""
        return self.edit.program

    def users(self) -> list[Node]:
        """The ops that use the pad's result, in order."""
        result = self.pad.results[0]
        return [n for n in self.program.nodes if not n.erased and result in n.operands]

    def the_consumer(self) -> Node:
        """The consumer. Raises DoesNotApply."""
        if self.consumer is None:
            raise DoesNotApply
        return self.consumer

    def shape(self, value: ir.Value) -> Shape:
        """A tensor's shape. Raises DoesNotApply for anything else."""
        shape = shape_of(self.program.type_text(value))
        if shape is None:
            raise DoesNotApply
        return shape

    def amounts(self) -> tuple[list[int | None], list[int | None]]:
        """What is added before and after each axis, None where that is known at run time alone."""
        op = self.pad.op
        operands = list(self.pad.operands)[1:]
        found: list[list[int | None]] = []
        for name in ("static_low", "static_high"):
            side: list[int | None] = []
            for number in numbers(op, name):
                side.append(self._constant(operands.pop(0)) if number == DYNAMIC else number)
            found.append(side)
        return found[0], found[1]

    def _constant(self, value: ir.Value) -> int | None:
        node = self.program.definer.get(value)
        if node is None or node.name != "arith.constant":
            return None
        return int(str(node.op.attributes["value"]).partition(" : ")[0])


def pads(program: Program) -> list[Node]:
    """The pads inside functions, in order."""
    return [node for node in program.bodies() if node.name == TENSOR_PAD]


def look(module: ir.Module, number: int) -> Subject:
    """The pad with this number, of a module that is about to be changed. Raises DoesNotApply if there are fewer."""
    program = Program(module)
    found = pads(program)
    if number >= len(found):
        raise DoesNotApply
    pad = found[number]
    function = program.function_of(pad)
    assert function is not None
    return Subject(Edit(program), pad, _consumer(program, pad), function)


def _consumer(program: Program, pad: Node) -> Node | None:
    reached = set(pad.results)
    for node in program.nodes[pad.index + 1 :]:
        if node.block is not pad.block or not reached.intersection(node.operands):
            continue
        if node.name in _PASSED_THROUGH:
            reached.update(node.results)
        elif node.name.startswith(("linalg.", "iree_linalg_ext.")) and node.name not in _NO_CONSUMERS:
            return node
    return None
