"""`linalg.softmax` and `linalg.map`, which the generalising pass leaves alone on some or all releases."""

from __future__ import annotations

import numpy as np

from reducer.reference.machine import Environment, Handler, Machine
from reducer.reference.program import Node
from reducer.reference.rounding import error_of, finish, wide
from reducer.reference.types import element
from reducer.reference.values import Array, Value, each, settle


def _softmax(_machine: Machine, node: Node, env: Environment) -> list[Value]:
    """exp(x - max) / sum. The bound: of the exponential, of the sum of n terms, of the division."""
    value = env[node.operands[0]]
    kind = element(node.result_types[0])
    axis = node.numbers("dimension")[0]
    n = value.shape[axis]
    if 0 in value.shape:
        return [value]
    x, error = wide(value), np.broadcast_to(error_of(value), value.shape)
    with np.errstate(all="ignore"):
        shifted = x - x.max(axis=axis, keepdims=True)
        powers = np.exp(shifted)
        y = powers / powers.sum(axis=axis, keepdims=True)
        moved = error + error.max(axis=axis, keepdims=True) + kind.unit * np.abs(shifted)
        each_power = np.expm1(moved) + 8 * kind.unit + 4 * 2.0**-24 * (1 + np.abs(shifted))
        worst = each_power.max(axis=axis, keepdims=True)
        relative = (1 + each_power) * (1 + worst) * np.exp((n + 4) * kind.unit) - 1
        carried = np.where(np.isnan(y), 0.0 if not error.any() else np.inf, relative * y + 2.0**-126)
    mask: Array | None = None
    if value.undefined is not None:
        mask = np.broadcast_to(value.undefined.any(axis=axis, keepdims=True), value.shape)
    return [finish(y, kind, mask, carried)]


def _map(machine: Machine, node: Node, env: Environment) -> list[Value]:
    values = [env[o] for o in node.operands]
    out = values[-1]
    if out.data.size == 0:
        return [out]
    block = node.regions[0][0]
    rank = (1,) * out.data.ndim
    machine.indices.append([np.arange(n).reshape((*rank[:i], n, *rank[i + 1 :])) for i, n in enumerate(out.shape)])
    # Releases differ in whether the block has an argument for the output.
    _, (value,) = machine.run(block, values[: len(block.arguments)], env)
    machine.indices.pop()
    found = each(value, lambda a: np.broadcast_to(a, out.shape))
    return [settle(found.data, found.undefined, found.error)]


OPS: dict[str, Handler] = {"linalg.map": _map, "linalg.softmax": _softmax}
