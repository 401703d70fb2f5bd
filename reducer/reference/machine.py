"""Runs blocks: owns who computes which op, and the state of a run (globals, the loops around an op, the work done).

A handler gets the machine, the op and the values so far, and returns the results. Scalar ops work on arrays of any
shape, so the same functions serve scalars, tensors, and scalars inside the body of a `linalg.generic`, where each is an
array over the loops (a *batch*).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from reducer.reference import types
from reducer.reference.failures import CannotEvaluateError, UndefinedError
from reducer.reference.float_ops import Scalar
from reducer.reference.program import Block, Node, Program
from reducer.reference.values import Array, Value

Environment = dict[int, Value]
Handler = Callable[["Machine", Node, Environment], list[Value]]

TERMINATORS = frozenset(
    {
        *("func.return", "util.return", "linalg.yield", "tensor.yield", "scf.yield", "scf.condition"),
        *("scf.forall.in_parallel", "cf.br", "cf.cond_br", "util.unreachable"),
    }
)


@dataclass
class Machine:
    """One run of a program."""

    program: Program
    handlers: Mapping[str, Handler]
    scalars: Mapping[str, Scalar]
    globals: dict[str, Value] = field(default_factory=dict)
    indices: list[list[Array]] = field(default_factory=list)
    depth: int = 0

    def run(self, block: Block, arguments: Sequence[Value], env: Environment) -> tuple[Node, list[Value]]:
        """Run a block to its end: the terminator, and its operands' values."""
        env.update(zip(block.arguments, arguments, strict=True))
        for node in block.nodes:
            if node.name in TERMINATORS:
                return node, [env[o] for o in node.operands]
            self.execute(node, env)
        raise CannotEvaluateError(block.nodes[-1].name if block.nodes else "a block without ops")

    def execute(self, node: Node, env: Environment) -> None:
        """Compute one op, unless nothing uses what it gives."""
        if node.used:
            self._compute(node, env)
        for number in node.frees:
            env.pop(number, None)

    def _compute(self, node: Node, env: Environment) -> None:
        scalar = self.scalars.get(node.name)
        if scalar is not None:
            results = scalar(node, [env[o] for o in node.operands])
        elif node.name in self.handlers:
            results = self.handlers[node.name](self, node, env)
            _check_shapes(node, results)
        else:
            raise CannotEvaluateError(node.name)
        env.update(zip(node.results, results, strict=True))


def _check_shapes(node: Node, results: Sequence[Value]) -> None:
    """Raise UndefinedError if a tensor is not of the sizes that its type promises."""
    for value, type_ in zip(results, node.result_types, strict=True):
        wanted = types.shape(type_) if type_.startswith("tensor<") else None
        if wanted is None or value.data.ndim != len(wanted):  # with the loops around it
            continue
        if any(size not in (None, found) for size, found in zip(wanted, value.shape, strict=True)):
            raise UndefinedError(f"`{node.name}`: {list(value.shape)} is no {type_}")


def whole(node: Node, value: Value) -> int:
    """The number in a scalar that must be one number, not a batch, and be known."""
    if value.data.shape != ():
        raise CannotEvaluateError(node.name, "it takes another size or place for each element of a body")
    if value.undefined is not None:
        raise CannotEvaluateError(node.name, "a size or place is undefined")
    if value.error is not None:
        raise CannotEvaluateError(node.name, "a size or place follows from inexact values")
    return int(value.data)
