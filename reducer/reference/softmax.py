"""`linalg.softmax` and `linalg.map`, which the generalising pass leaves alone on some or all releases."""

from __future__ import annotations

import numpy as np

from reducer.reference.machine import Environment, Handler, Machine
from reducer.reference.program import Node
from reducer.reference.rounding import F32_SMALLEST, error_of, finish, subnormal_limit, wide
from reducer.reference.types import Element, element
from reducer.reference.values import Array, Value, each, settle


def _softmax(_machine: Machine, node: Node, env: Environment) -> list[Value]:
    """exp(x - max) / sum."""
    value = env[node.operands[0]]
    kind = element(node.result_types[0])
    axis = node.numbers("dimension")[0]
    if 0 in value.shape:
        return [value]
    x, error = wide(value), np.broadcast_to(error_of(value), value.shape)
    with np.errstate(all="ignore"):
        shifted = x - x.max(axis=axis, keepdims=True)
        powers = np.exp(shifted)
        y = powers / powers.sum(axis=axis, keepdims=True)
        doubt = error.any(axis=axis, keepdims=True)
        carried = np.where(np.isnan(y), np.where(doubt, np.inf, 0.0), _bound(shifted, powers, error, axis, kind))
    mask: Array | None = None
    if value.undefined is not None:
        mask = np.broadcast_to(value.undefined.any(axis=axis, keepdims=True), value.shape)
    return [finish(y, kind, mask, carried)]


def _bound(shifted: Array, powers: Array, error: Array, axis: int, kind: Element) -> Array:
    """How far off the powers, their sum and the quotient may be: what is as good as zero adds nothing to the sum.

    The powers are at most 1 and that of the largest is 1, so no sum is less than 1.
    """
    moved = error + error.max(axis=axis, keepdims=True) + kind.unit * np.abs(shifted)
    highest = np.where(np.isneginf(shifted) & (error == 0), 0.0, np.exp(shifted + moved))
    slack = 8 * kind.unit + 4 * 2.0**-24 * (1 + np.abs(shifted))
    off = np.where(highest == 0, 0.0, highest * (1 + slack)) - powers + kind.smallest * kind.unit
    off = off + np.where(powers < subnormal_limit(kind), powers, 0.0)
    sums = powers.sum(axis=axis, keepdims=True)
    sums_off = off.sum(axis=axis, keepdims=True)
    sums_off = sums_off + np.expm1(powers.shape[axis] * kind.unit) * (sums + sums_off)
    quotient = powers / sums
    found = (off + quotient * sums_off) / np.maximum(sums - sums_off, 0.0) + 4 * kind.unit * quotient + F32_SMALLEST
    return np.asarray(np.where(np.isnan(found), np.inf, found))


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
