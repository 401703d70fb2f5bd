"""Where the work went: the dispatches of a flow-phase IR, what each holds, and which pads feed which convolutions.

Owns the reading of `--compile-to=flow` of every release from 2.9.0 on. Judges nothing: an oracle compares.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Literal

from oracles.mlir_text import Op, Text, read

FLAG_CONSUMER = "--iree-dispatch-creation-enable-fuse-padding-into-linalg-consumer-ops"
FLAG_PRODUCER = "--iree-dispatch-creation-enable-fuse-padding-into-linalg-producer-ops"

Where = Literal["inside", "dispatch", "slow memcpy", "update"]

_NAMED_CONVOLUTION = re.compile(
    r"linalg\.(?:\w*conv(?:_|olution)?\w*|pooling_\w+)\Z|iree_linalg_ext\.(?:im2col|winograd)"
)
_MAPS = re.compile(r"affine_map<\((?P<dims>[^)]*)\)(?:\[[^\]]*\])? -> \((?P<results>[^>]*)\)>")
_ITERATORS = re.compile(r"iterator_types\s*=\s*\[(?P<kinds>[^\]]*)\]")
_KIND = re.compile(r"parallel|reduction|window")
_DIMENSION = re.compile(r"\b[a-zA-Z_]\w*\b")
_INPUTS = re.compile(r"\bins\s*\((?P<values>[^:)]*)")
_LAUNCHED = re.compile(r"@(?P<executable>\"[^\"]+\"|[\w$.-]+)::(?P<entries>[^(\[]*)")
_DISPATCH_ARGUMENT = re.compile(r"%[\w$.-]+(?:#\d+)?")
_PLUMBING = re.compile(
    r"(?:flow|iree_tensor_ext)\.dispatch\.|iree_codegen\.(?:load_from|store_to)_buffer\Z|tensor\.(?:empty|yield|dim)\Z|arith\.|"
    r"(?:linalg\.yield|func\.func|func\.return|return|util\.\w+|affine\.apply|iree_tensor_ext\.\w+)\Z"
)
_STORE = re.compile(r"dispatch\.tensor\.store\Z|store_to_buffer\Z")
_LOAD = re.compile(r"dispatch\.tensor\.load\Z|load_from_buffer\Z")
_SHAPE_ONLY = re.compile(
    r"flow\.tensor\.(?:reshape|bitcast|slice|transfer|barrier|clone|cast|encode)\Z|tensor\.(?:cast|collapse_shape|expand_shape"
    r"|reshape|bitcast|extract_slice)\Z|util\.(?:optimization_barrier|numeric\.\w+)\Z|hal\.tensor\.barrier\Z"
    r"|iree_tensor_ext\.bitcast\Z"
)
_INSERT = re.compile(r"flow\.tensor\.update\Z|tensor\.insert_slice\Z")
_FILLED = re.compile(r"flow\.tensor\.splat\Z|linalg\.fill\Z|tensor\.(?:splat|generate)\Z")


@dataclass(frozen=True, eq=False)
class Executable:
    """A `flow.executable`: `ops` are those of its functions, in order."""

    name: str
    ops: tuple[Op, ...]
    function: Op | None

    @property
    def work(self) -> tuple[str, ...]:
        """Names of what it computes, sorted: without loads, stores, constants and the ops inside `linalg.generic`."""
        return tuple(sorted(op.name for op in self.ops if not _PLUMBING.match(op.name) and not _in_structured_op(op)))

    @property
    def everything(self) -> tuple[str, ...]:
        """Names of all its ops, sorted."""
        return tuple(sorted(op.name for op in self.ops))

    @property
    def slow_memcpy(self) -> bool:
        """Whether it only copies into a part of a buffer, which IREE calls a slow memcpy."""
        return not self.work and any(_STORE.search(op.name) for op in self.ops)


@dataclass(frozen=True, eq=False)
class Dispatch:
    """A launch of an executable: `arguments` are the SSA names handed to it, `into` the argument its result is tied to."""

    op: Op
    executable: Executable
    arguments: tuple[str, ...]
    into: str


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


@dataclass(frozen=True, eq=False)
class Flow:
    """A program at the flow phase."""

    text: Text
    dispatches: tuple[Dispatch, ...]
    executables: tuple[Executable, ...]
    splats: tuple[Op, ...]

    @property
    def slow_memcpys(self) -> tuple[Dispatch, ...]:
        """The launches of slow memcpys."""
        return tuple(d for d in self.dispatches if d.executable.slow_memcpy)


def read_flow(ir: str) -> Flow:
    """Read the IR printed at the flow phase."""
    text = read(ir)
    executables = {op.symbol: _executable(op) for op in text.named("flow.executable", "stream.executable")}
    dispatches = tuple(d for op in text.named("flow.dispatch") if (d := _dispatch(op, executables)) is not None)
    splats = text.named("flow.tensor.splat")
    return Flow(text, dispatches, tuple(executables.values()), splats)


def _executable(op: Op) -> Executable:
    functions = [inner for inner in op.walk() if inner.name in ("func.func", "util.func", "func")]
    ops = tuple(inner for function in functions for inner in function.walk() if inner is not function)
    return Executable(op.symbol, ops, functions[0] if functions else None)


def _dispatch(op: Op, executables: dict[str, Executable]) -> Dispatch | None:
    launched = _LAUNCHED.search(op.head)
    executable = executables.get(launched["executable"].strip('"')) if launched else None
    if launched is None or executable is None:
        return None
    at = op.head.find(
        "(", op.head.find("]", launched.end()) if op.head[launched.end() :][:1] == "[" else launched.end()
    )
    inside, rest = _parenthesis(op.head, at)
    arguments = tuple(name.split("#")[0] for name in _DISPATCH_ARGUMENT.findall(inside))
    arrow = rest.rfind("->")
    tied = _DISPATCH_ARGUMENT.search(rest[arrow:]) if arrow >= 0 else None
    into = tied.group().split("#")[0] if tied and tied.group().split("#")[0] in arguments else ""
    return Dispatch(op, executable, arguments, into)


def _parenthesis(text: str, at: int) -> tuple[str, str]:
    """What is inside the parenthesis that opens at `at`, and what follows it."""
    depth = 0
    for index in range(max(at, 0), len(text)):
        depth += {"(": 1, ")": -1}.get(text[index], 0)
        if not depth:
            return text[at + 1 : index], text[index + 1 :]
    return "", ""


def _in_structured_op(op: Op) -> bool:
    return op.parent is not None and (op.parent.name.startswith("linalg.") or op.parent.name == "tensor.pad")


def is_convolution(op: Op, text: Text) -> bool:
    """Whether MLIR's convolution interface accepts `op`: a named one, or a `linalg.generic` that slides over its input.

    Sliding shows in an input's indexing map: a sum of a parallel and a reduction dimension.
    """
    if _NAMED_CONVOLUTION.match(op.name):
        return True
    if op.name != "linalg.generic":
        return False
    attributes = text.expand(op.head)
    kinds = _iterators(attributes)
    maps = list(_MAPS.finditer(attributes))
    return any(_slides(m["dims"], m["results"], kinds) for m in maps[:-1])


def _iterators(attributes: str) -> list[str]:
    match = _ITERATORS.search(attributes)
    return _KIND.findall(match["kinds"]) if match else []


def _slides(dims: str, results: str, kinds: list[str]) -> bool:
    kind = dict(zip((d.strip() for d in dims.split(",")), kinds, strict=False))
    for result in results.split(","):
        used = {kind.get(name) for name in _DIMENSION.findall(result)}
        if "+" in result and {"parallel", "reduction"} <= used:
            return True
    return False


def feeds(flow: Flow, convolution: Callable[[Op], bool] | None = None) -> tuple[Feed, ...]:
    """Every pad that feeds a convolution, in the order of the dispatches.

    convolution: what else counts as one, besides `is_convolution` (a degenerate one has lost the shape of a convolution).
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
        pads, arguments = self.behind(dispatch.executable, _inputs(convolution))
        for pad in pads:
            yield "inside", pad, dispatch.executable
        for position in arguments:
            if position < len(dispatch.arguments):
                yield from self.before(dispatch.op, dispatch.arguments[position], set())

    def behind(self, executable: Executable, names: tuple[str, ...]) -> tuple[list[Op], list[int]]:
        """Pads and numbers of function arguments that values of an executable come from; not through a pad or convolution."""
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
        if any(self.convolves(op) or _reduces(op, self.flow.text) for op in executable.ops):
            return
        stored = tuple(op.operands[0] for op in executable.ops if _STORE.search(op.name) and op.operands)
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
        return op is not None and bool(_FILLED.match(op.name) or "dense<" in op.head and "dense<[" not in op.head)

    def defined_around(self, op: Op) -> dict[str, Op]:
        function = op.ancestor("util.func", "func.func", "util.initializer", "func")
        return self.defined_in(function) if function else {}

    def defined_in(self, function: Op) -> dict[str, Op]:
        if id(function) not in self.definitions:
            self.definitions[id(function)] = {name: op for op in function.walk() for name in op.results}
        return self.definitions[id(function)]


def _parameters(function: Op) -> list[str]:
    inside, _ = _parenthesis(function.head, function.head.find("("))
    return re.findall(r"(%[\w$.-]+)\s*:", inside)


def _inputs(op: Op) -> tuple[str, ...]:
    match = _INPUTS.search(op.head)
    return tuple(_DISPATCH_ARGUMENT.findall(match["values"])) if match else op.operands[:-1] or op.operands


def _data(op: Op) -> tuple[str, ...]:
    """The operands that hold the data; of a load only the buffer, not its dynamic sizes."""
    return op.operands[:1] if _LOAD.search(op.name) else op.operands


def _reduces(op: Op, text: Text) -> bool:
    if op.name == "linalg.generic":
        return "reduction" in _iterators(text.expand(op.head))
    return bool(re.match(r"linalg\.(?:\w*matmul|\w*matvec|\w*vecmat|dot|mmt4d|contract|reduce|softmax)\w*\Z", op.name))
