"""Where the work went: the dispatches of a flow-phase IR and what each holds.

Owns the reading of `--compile-to=flow` of every release from 2.9.0 on. Judges nothing: an oracle compares.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from oracles.mlir_text import VALUE, Op, Text, read

FLAG_CONSUMER = "--iree-dispatch-creation-enable-fuse-padding-into-linalg-consumer-ops"
FLAG_PRODUCER = "--iree-dispatch-creation-enable-fuse-padding-into-linalg-producer-ops"

_LAUNCHED = re.compile(r"@(?P<executable>\"[^\"]+\"|[\w$.-]+)::(?P<entries>[^(\[]*)")
_PLUMBING = re.compile(
    r"(?:flow|iree_tensor_ext)\.dispatch\.|iree_codegen\.(?:load_from|store_to)_buffer\Z|tensor\.(?:empty|yield|dim)\Z|arith\.|"
    r"(?:linalg\.yield|func\.func|func\.return|return|util\.\w+|affine\.apply|iree_tensor_ext\.\w+)\Z"
)
STORE = re.compile(r"dispatch\.tensor\.store\Z|store_to_buffer\Z")


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
        return not self.work and any(STORE.search(op.name) for op in self.ops)


@dataclass(frozen=True, eq=False)
class Dispatch:
    """A launch of an executable.

    arguments: the SSA names handed to it. into: the one of these that its result is tied to; "" if none.
    """

    op: Op
    executable: Executable
    arguments: tuple[str, ...]
    into: str


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
    inside, rest = parenthesis(op.head, at)
    arguments = tuple(name.split("#")[0] for name in VALUE.findall(inside))
    arrow = rest.rfind("->")
    tied = VALUE.search(rest[arrow:]) if arrow >= 0 else None
    into = tied.group().split("#")[0] if tied and tied.group().split("#")[0] in arguments else ""
    return Dispatch(op, executable, arguments, into)


def parenthesis(text: str, at: int) -> tuple[str, str]:
    """What is inside the parenthesis that opens at `at`, and what follows it."""
    depth = 0
    for index in range(max(at, 0), len(text)):
        depth += {"(": 1, ")": -1}.get(text[index], 0)
        if not depth:
            return text[at + 1 : index], text[index + 1 :]
    return "", ""


def _in_structured_op(op: Op) -> bool:
    return op.parent is not None and (op.parent.name.startswith("linalg.") or op.parent.name == "tensor.pad")
