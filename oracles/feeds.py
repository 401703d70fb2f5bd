"""Which pads feed which convolutions at the flow phase, and where each pad is computed.

Owns the following of values from convolutions back to pads, through dispatches and the program between them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from oracles.convolutions import inputs, is_convolution, reduces
from oracles.dispatches import STORE, Dispatch, Executable, Flow, parenthesis
from oracles.mlir_text import Op

Where = Literal["inside", "dispatch", "slow memcpy", "update"]

_LOAD = re.compile(r"dispatch\.tensor\.load\Z|load_from_buffer\Z")
_SHAPE_ONLY = re.compile(
    r"flow\.tensor\.(?:reshape|bitcast|slice|transfer|barrier|clone|cast|encode)\Z|tensor\.(?:cast|collapse_shape|expand_shape"
    r"|reshape|bitcast|extract_slice)\Z|util\.(?:optimization_barrier|numeric\.\w+)\Z|hal\.tensor\.barrier\Z"
    r"|iree_tensor_ext\.bitcast\Z"
)
_INSERT = re.compile(r"flow\.tensor\.update\Z|tensor\.insert_slice\Z")
_FILLED = re.compile(r"flow\.tensor\.splat\Z|linalg\.fill\Z|tensor\.(?:splat|generate)\Z")


@dataclass(frozen=True, eq=False)
class Feed:
    """A pad that feeds a convolution, and where it is computed.

    where: "inside" the convolution's dispatch; in another "dispatch"; by a "slow memcpy" into a splat; by an "update".
    pad: the `tensor.pad`, or the flow op that does its work; pad_executable is None for an update.
    """

    where: Where
    pad: Op
    convolution: Op
    pad_executable: Executable | None
    executable: Executable


def feeds(flow: Flow, convolution: Callable[[Op], bool] | None = None) -> tuple[Feed, ...]:
    """Every pad that feeds a convolution, in the order of the dispatches.

    convolution: what else counts as one, besides `is_convolution` (a degenerate one has lost its shape).
    """
    return tuple(_Search(flow, convolution or (lambda _: False)).run())


class _Search:
    """Follows values from convolutions back to pads, through the main program and into dispatches."""

    def __init__(self, flow: Flow, also: Callable[[Op], bool]) -> None:
        self.flow = flow
        self.also = also
        self.by_op = {id(d.op): d for d in flow.dispatches}
        self.definitions: dict[int, dict[str, Op]] = {}

    def run(self) -> Iterator[Feed]:
        for dispatch in self.flow.dispatches:
            seen: set[tuple[int, int]] = set()
            for op in dispatch.executable.ops:
                if self.convolves(op):
                    for where, pad, executable in self.sources(dispatch, op):
                        if (key := (id(pad), id(op))) not in seen:
                            seen.add(key)
                            yield Feed(where, pad, op, executable, dispatch.executable)

    def convolves(self, op: Op) -> bool:
        return is_convolution(op, self.flow.text) or (op.name.startswith("linalg.") and self.also(op))

    def sources(self, dispatch: Dispatch, convolution: Op) -> Iterator[tuple[Where, Op, Executable | None]]:
        """The pads behind the inputs of `convolution`, inside its dispatch and before it."""
        pads, arguments = self.behind(dispatch.executable, inputs(convolution))
        for pad in pads:
            yield "inside", pad, dispatch.executable
        for position in arguments:
            if position < len(dispatch.arguments):
                yield from self.before(dispatch.op, dispatch.arguments[position], set())

    def behind(self, executable: Executable, names: tuple[str, ...]) -> tuple[list[Op], list[int]]:
        """Pads and argument numbers that values of an executable come from, not through a pad or convolution."""
        if executable.function is None:
            return [], []
        known = self.defined_in(executable.function)
        parameters = {name: i for i, name in enumerate(_parameters(executable.function))}
        pads: list[Op] = []
        arguments: list[int] = []
        todo, seen = list(names), set(names)
        while todo:
            name = todo.pop(0)
            op = known.get(name)
            if op is None:
                if name in parameters:
                    arguments.append(parameters[name])
            elif op.name == "tensor.pad":
                pads.append(op)
            elif not self.convolves(op):
                fresh = [n for n in _data(op) if n not in seen]
                seen.update(fresh)
                todo += fresh
        return pads, arguments

    def before(self, user: Op, name: str, seen: set[str]) -> Iterator[tuple[Where, Op, Executable | None]]:
        """The pads behind the value `name` of the main program."""
        op = self.defined_around(user).get(name)
        if op is None or name in seen:
            return
        seen.add(name)
        if _INSERT.match(op.name):
            if any(self.is_filled(user, n) for n in op.operands):
                yield "update", op, None
        elif _SHAPE_ONLY.match(op.name):
            for operand in op.operands[:1]:
                yield from self.before(op, operand, seen)
        elif op.name == "tensor.pad":
            yield "update", op, None
        elif (dispatch := self.by_op.get(id(op))) is not None:
            yield from self.before_dispatch(dispatch, seen)

    def before_dispatch(self, dispatch: Dispatch, seen: set[str]) -> Iterator[tuple[Where, Op, Executable | None]]:
        executable = dispatch.executable
        if executable.slow_memcpy and dispatch.into and self.is_filled(dispatch.op, dispatch.into):
            yield "slow memcpy", dispatch.op, executable
            return
        if any(self.convolves(op) or reduces(op, self.flow.text) for op in executable.ops):
            return
        stored = tuple(op.operands[0] for op in executable.ops if STORE.search(op.name) and op.operands)
        pads, arguments = self.behind(executable, stored)
        for pad in pads:
            yield "dispatch", pad, executable
        for position in arguments:
            if position < len(dispatch.arguments):
                yield from self.before(dispatch.op, dispatch.arguments[position], seen)

    def is_filled(self, user: Op, name: str) -> bool:
        """Whether a value of the main program is one number everywhere."""
        op = self.defined_around(user).get(name)
        if op is not None and _SHAPE_ONLY.match(op.name) and op.operands:
            return self.is_filled(op, op.operands[0])
        if op is not None and (dispatch := self.by_op.get(id(op))) is not None:
            if dispatch.executable.slow_memcpy and dispatch.into:
                return self.is_filled(op, dispatch.into)
            return set(dispatch.executable.work) == {"linalg.fill"}
        return op is not None and bool(_FILLED.match(op.name) or ("dense<" in op.head and "dense<[" not in op.head))

    def defined_around(self, op: Op) -> dict[str, Op]:
        function = op.ancestor("util.func", "func.func", "util.initializer", "func")
        return self.defined_in(function) if function else {}

    def defined_in(self, function: Op) -> dict[str, Op]:
        if id(function) not in self.definitions:
            self.definitions[id(function)] = {name: op for op in function.walk() for name in op.results}
        return self.definitions[id(function)]


def _parameters(function: Op) -> list[str]:
    inside, _ = parenthesis(function.head, function.head.find("("))
    return re.findall(r"(%[\w$.-]+)\s*:", inside)


def _data(op: Op) -> tuple[str, ...]:
    """The operands that hold the data; of a load only the buffer, not its dynamic sizes."""
    return op.operands[:1] if _LOAD.search(op.name) else op.operands
