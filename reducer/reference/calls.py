"""Calls and blocks, globals, and IREE's ops that only pass a value on."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from reducer.reference import constants, types
from reducer.reference.failures import CannotEvaluateError, UndefinedError
from reducer.reference.machine import Environment, Handler, Machine
from reducer.reference.program import Block, Node
from reducer.reference.rounding import flushed
from reducer.reference.values import Array, Value, settle, union

MOST_CALLS = 64
MOST_BLOCKS = 1 << 16
_LISTS = re.compile(r"\[([^\[\]]*)\]")
_ASSUMPTION = re.compile(r"<([^<>]*)>")
_BOUND = re.compile(r"(umin|umax|udiv) = (\d+)")


def call(machine: Machine, name: str, arguments: Sequence[Value]) -> list[Value]:
    """Run a function, from block to block."""
    function = machine.program.functions.get(name)
    if function is None:
        raise CannotEvaluateError(f"@{name}", "a function without a body")
    if machine.depth >= MOST_CALLS:
        raise CannotEvaluateError(f"@{name}", "calls go too deep")
    machine.depth += 1
    try:
        return run_blocks(machine, function.regions[0], arguments)
    finally:
        machine.depth -= 1


def run_blocks(machine: Machine, blocks: Sequence[Block], arguments: Sequence[Value]) -> list[Value]:
    """Run a region from its first block until a block returns."""
    env: Environment = {}
    block, passed = blocks[0], list(arguments)
    for _ in range(MOST_BLOCKS):
        last, values = machine.run(block, passed, env)
        if last.name == "cf.br":
            block, passed = blocks[last.successors[0]], values
        elif last.name == "cf.cond_br":
            condition = values[0]
            if condition.error is not None or condition.undefined is not None:
                raise CannotEvaluateError(last.name, "its condition is inexact or undefined")
            way = 0 if condition.data else 1
            block, passed = blocks[last.successors[way]], [env[o] for o in last.segments()[1 + way]]
        else:
            return values
    raise CannotEvaluateError("cf.br", f"more than {MOST_BLOCKS} blocks")


def _call(machine: Machine, node: Node, env: Environment) -> list[Value]:
    arguments = [env[o] for o in node.operands]
    pairs = zip(arguments, node.operand_types, strict=True)
    if any(a.data.ndim and not t.startswith(("tensor<", "!")) for a, t in pairs):
        raise CannotEvaluateError(node.name, "a call for each element of a body")
    return call(machine, node.symbol("callee"), arguments)


def _load_global(machine: Machine, node: Node, _env: Environment) -> list[Value]:
    name = node.symbol("global")
    if name not in machine.globals:
        symbol = machine.program.symbols.get(name)
        text = symbol.text("initial_value") if symbol is not None else None
        if text is None:
            raise CannotEvaluateError("util.global", f"@{name} has no initial value that can be read")
        machine.globals[name] = flushed(constants.read(text, machine.program.text))
    return [machine.globals[name]]


def _store_global(machine: Machine, node: Node, env: Environment) -> list[Value]:
    machine.globals[node.symbol("global")] = env[node.operands[0]]
    return []


def _same(_machine: Machine, node: Node, env: Environment) -> list[Value]:
    """The results are the first operands."""
    return [env[o] for o in node.operands[: len(node.results)]]


def _assume(_machine: Machine, node: Node, env: Environment) -> list[Value]:
    """What meets none of its assumptions is undefined."""
    results = []
    for operand, text in zip(node.operands, _LISTS.findall(node.text("assumptions") or ""), strict=True):
        value = env[operand]
        numbers = value.data.astype(np.int64).astype(np.uint64)
        met: Array = np.zeros((), bool)
        for assumption in _ASSUMPTION.findall(text):
            said = {key: np.uint64(int(n)) for key, n in _BOUND.findall(assumption)}
            fits = (numbers >= said.get("umin", np.uint64(0))) & (numbers <= said.get("umax", np.uint64(2**64 - 1)))
            met = met | (fits & (numbers % said.get("udiv", np.uint64(1)) == 0))
        results.append(settle(value.data, union([value.undefined, ~met]), value.error))
    return results


def _import(_machine: Machine, node: Node, env: Environment) -> list[Value]:
    """What stands behind a buffer view, which may be anything, becomes a tensor of the type."""
    value = env[node.operands[0]]
    wanted, kind = types.shape(node.result_types[0]) or (), types.element(node.result_types[0])
    fits = len(wanted) == value.data.ndim and all(w in (None, n) for w, n in zip(wanted, value.shape, strict=True))
    if not fits or value.data.dtype != kind.dtype:
        raise UndefinedError(f"`{node.name}`: {value.data.dtype}{list(value.shape)} is no {node.result_types[0]}")
    return [value]


def _token(_machine: Machine, node: Node, _env: Environment) -> list[Value]:
    """Fences carry no numbers."""
    return [Value(np.zeros((), np.int32)) for _ in node.results]


def _assert(_machine: Machine, node: Node, env: Environment) -> list[Value]:
    condition = env[node.operands[0]]
    if condition.error is None and not condition.data.all():
        raise UndefinedError(f"`{node.name}`: {node.text('msg')}")
    return []


OPS: dict[str, Handler] = {
    "cf.assert": _assert,
    "func.call": _call,
    "hal.devices.get": _token,
    "hal.fence.await": _token,
    "hal.fence.create": _token,
    "hal.fence.join": _token,
    "hal.fence.signal": _token,
    "hal.tensor.alias": _same,
    "hal.tensor.barrier": _same,
    "hal.tensor.export": _same,
    "hal.tensor.import": _import,
    "util.assume.int": _assume,
    "util.call": _call,
    "util.global.load": _load_global,
    "util.global.store": _store_global,
    "util.null": _token,
    "util.optimization_barrier": _same,
}
