"""`scf`, `affine` arithmetic and constants.

Inside the body of a `linalg.generic` a condition is an array: then both branches are computed and picked from by
element, and a loop runs on, for the elements that still want to.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np

from reducer.reference import constants, types
from reducer.reference.affine_maps import parse_maps
from reducer.reference.failures import CannotEvaluateError, UndefinedError
from reducer.reference.int_ops import wrap
from reducer.reference.machine import Environment, Handler, Machine, whole
from reducer.reference.program import Node
from reducer.reference.rounding import error_of, flushed
from reducer.reference.slice_ops import mixed, put, rectangle
from reducer.reference.values import Array, Value, index, settle, undefined, undefined_of, unknown

MOST_STEPS = 1 << 20


def _constant(machine: Machine, node: Node, _env: Environment) -> list[Value]:
    if "constant" not in node.cache:
        text = node.text("value")
        if text is None:
            raise CannotEvaluateError(node.name, node.result_types[0])
        node.cache["constant"] = flushed(constants.read(text, machine.program.text))
    found: Value = node.cache["constant"]
    return [found]


def _poison(_machine: Machine, node: Node, _env: Environment) -> list[Value]:
    kind = types.element(node.result_types[0])
    sizes = types.shape(node.result_types[0])
    if sizes is not None and None in sizes:
        raise UndefinedError("`ub.poison` of a tensor whose sizes are open")
    return [undefined(types.sizes(node.result_types[0]), kind.dtype)]


def _picked(node: Node, condition: Value) -> bool | None:
    """Which way one condition goes, None if it is a batch."""
    if condition.undefined is not None and condition.undefined.all():
        raise UndefinedError(f"`{node.name}`: its condition is undefined")
    if condition.data.shape == ():
        return bool(condition.data)
    return None


def _select(condition: Value, then: Value, other: Value) -> Value:
    from reducer.reference.cast_ops import OPS as CASTS

    none = Node({}, "arith.select", [], [], [], [])
    return CASTS["arith.select"](none, [condition, then, other])[0]


def _if(machine: Machine, node: Node, env: Environment) -> list[Value]:
    condition = env[node.operands[0]]
    way = _picked(node, condition)
    branches = [r[0] if r else None for r in node.regions]
    if way is not None:
        block = branches[0 if way else 1] if len(branches) > (0 if way else 1) else None
        results = machine.run(block, [], env)[1] if block is not None else []
        if condition.error is None:
            return results
        if node.effects:
            raise CannotEvaluateError(node.name, "its condition is inexact")
        return _either(machine, node, env, results, way)
    if any(t.startswith("tensor<") for t in node.result_types):
        raise CannotEvaluateError(node.name, "it makes another tensor for each element of a body")
    yields = [machine.run(b, [], env)[1] for b in branches if b is not None]
    return [_select(condition, a, b) for a, b in zip(*yields, strict=True)] if node.results else []


def _either(machine: Machine, node: Node, env: Environment, results: list[Value], way: bool) -> list[Value]:
    """Both branches could be right: what they agree on holds."""
    block = node.regions[1 if way else 0][0]
    other = machine.run(block, [], env)[1]
    if any(a.shape != b.shape for a, b in zip(results, other, strict=True)):
        return [unknown(r) for r in results]
    doubt = Value(np.asarray(True), None, np.asarray(np.inf))
    return [_select(doubt, a, b) for a, b in zip(results, other, strict=True)]


def _for(machine: Machine, node: Node, env: Environment) -> list[Value]:
    low, high, step = (env[o] for o in node.operands[:3])
    carried = [env[o] for o in node.operands[3:]]
    block = node.regions[0][0]
    if any(v.data.shape != () for v in (low, high, step)):
        return _batched_for(machine, node, env, carried)
    by = whole(node, step)
    if by <= 0:
        raise UndefinedError(f"`{node.name}`: a step of {by}")
    kind = types.element(node.operand_types[0])
    first, end = whole(node, low), whole(node, high)
    if node.text("unsignedCmp") is not None:
        first, end = (n & ((1 << kind.bits) - 1) for n in (first, end))
    for at in range(first, end, by):
        number = wrap(np.asarray(at & (2**64 - 1), np.uint64), kind)
        _, carried = machine.run(block, [Value(number), *carried], env)
    return carried


def _batched_for(machine: Machine, node: Node, env: Environment, carried: list[Value]) -> list[Value]:
    low, high, step = (env[o] for o in node.operands[:3])
    if undefined_of([low, high, step]) is not None or any(v.error is not None for v in (low, high, step)):
        raise CannotEvaluateError(node.name, "its bounds are undefined or inexact")
    if node.text("unsignedCmp") is not None:
        raise CannotEvaluateError(node.name, "unsigned bounds that are others for each element of a body")
    if (step.data <= 0).any():
        raise UndefinedError(f"`{node.name}`: a step that is not positive")
    at = low.data
    for _ in range(MOST_STEPS):
        going = at < high.data
        if not going.any():
            return carried
        _, new = machine.run(node.regions[0][0], [Value(np.asarray(at)), *carried], env)
        carried = [_select(Value(going), n, c) for n, c in zip(new, carried, strict=True)]
        at = at + step.data
    raise CannotEvaluateError(node.name, f"more than {MOST_STEPS} steps")


def _while(machine: Machine, node: Node, env: Environment) -> list[Value]:
    before, after = node.regions[0][0], node.regions[1][0]
    carried = [env[o] for o in node.operands]
    for _ in range(MOST_STEPS):
        _, (condition, *passed) = machine.run(before, carried, env)
        if condition.error is not None or condition.undefined is not None:
            raise CannotEvaluateError(node.name, "its condition is inexact or undefined")
        if condition.data.shape != ():
            raise CannotEvaluateError(node.name, "its condition is another one for each element of a body")
        if not condition.data:
            return passed
        _, carried = machine.run(after, passed, env)
    raise CannotEvaluateError(node.name, f"more than {MOST_STEPS} steps")


def _switch(machine: Machine, node: Node, env: Environment) -> list[Value]:
    chosen = whole(node, env[node.operands[0]])
    cases = node.numbers("cases")
    which = cases.index(chosen) + 1 if chosen in cases else 0
    return machine.run(node.regions[which][0], [], env)[1]


def _forall(machine: Machine, node: Node, env: Environment) -> list[Value]:
    """The iterations read what the outputs were before, and put their parts into what they become."""
    *bounds, outs = node.segments()
    lists = [
        mixed(node, key, operands, env)
        for key, operands in zip(("staticLowerBound", "staticUpperBound", "staticStep"), bounds, strict=True)
    ]
    block = node.regions[0][0]
    before = [env[o] for o in outs]
    targets = block.arguments[len(lists[0]) :]
    after = dict(zip(targets, before, strict=True))
    for at in product(*(range(low, high, step) for low, high, step in zip(*lists, strict=True))):
        last, _ = machine.run(block, [*(index(n) for n in at), *before], env)
        for put_node in last.regions[0][0].nodes:
            source, target, *groups = put_node.segments()
            value = after[target[0]]
            slices = rectangle(put_node, env, groups, value.shape)
            after[target[0]] = put(env[source[0]], value, slices)
    return [after[t] for t in targets]


def _run_region(machine: Machine, node: Node, env: Environment) -> list[Value]:
    blocks = node.regions[0]
    if len(blocks) > 1:
        raise CannotEvaluateError(node.name, "several blocks")
    return machine.run(blocks[0], [], env)[1]


def _affine(combine: Callable[[list[Array]], Array]) -> Handler:
    def run(_machine: Machine, node: Node, env: Environment) -> list[Value]:
        (map_,) = node.cache.setdefault("maps", parse_maps(node.text("map") or ""))
        values = [env[o] for o in node.operands]
        numbers = [v.data for v in values]
        dims, symbols = numbers[: map_.loops], numbers[map_.loops :]
        with np.errstate(all="ignore"):
            x = combine([np.asarray(e.at(dims, symbols), np.int64) for e in map_.results])
        error = None
        if any(v.error is not None for v in values):
            doubt: Array = np.zeros(())
            for value in values:
                doubt = doubt + error_of(value)
            error = np.where(doubt != 0, np.inf, 0.0)
        return [settle(x, undefined_of(values), error)]

    return run


def _least(parts: list[Array]) -> Array:
    found = parts[0]
    for part in parts[1:]:
        found = np.minimum(found, part)
    return found


def _most(parts: list[Array]) -> Array:
    found = parts[0]
    for part in parts[1:]:
        found = np.maximum(found, part)
    return found


OPS: dict[str, Handler] = {
    "affine.apply": _affine(lambda parts: parts[0]),
    "affine.max": _affine(_most),
    "affine.min": _affine(_least),
    "arith.constant": _constant,
    "scf.execute_region": _run_region,
    "scf.for": _for,
    "scf.forall": _forall,
    "scf.if": _if,
    "scf.index_switch": _switch,
    "scf.while": _while,
    "ub.poison": _poison,
}
