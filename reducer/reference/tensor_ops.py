"""`tensor` ops that make, reshape or surround tensors."""

from __future__ import annotations

import numpy as np

from reducer.reference import types
from reducer.reference.failures import CannotEvaluateError, UndefinedError
from reducer.reference.machine import Environment, Handler, Machine, whole
from reducer.reference.program import DYNAMIC, Node
from reducer.reference.slice_ops import mixed, put
from reducer.reference.values import Array, Value, each, index, together, undefined
from reducer.reference.views import Part


def _element(node: Node) -> types.Element:
    return types.element(node.result_types[0])


def _empty(_machine: Machine, node: Node, env: Environment) -> list[Value]:
    sizes = types.sizes(node.result_types[0], [whole(node, env[o]) for o in node.operands])
    if any(n < 0 for n in sizes):
        raise UndefinedError(f"`{node.name}`: a size of {min(sizes)}")
    return [undefined(sizes, _element(node).dtype)]


def _cast(_machine: Machine, node: Node, env: Environment) -> list[Value]:
    value = env[node.operands[0]]
    wanted = types.shape(node.result_types[0])
    if wanted is not None and any(w not in (None, n) for w, n in zip(wanted, value.shape, strict=True)):
        raise UndefinedError(f"`{node.name}`: {list(value.shape)} is no {node.result_types[0]}")
    return [value]


def _dim(_machine: Machine, node: Node, env: Environment) -> list[Value]:
    value, which = env[node.operands[0]], env[node.operands[1]]
    axis = whole(node, which)
    if not 0 <= axis < value.data.ndim:
        raise UndefinedError(f"`{node.name}`: dimension {axis} of {value.data.ndim}")
    return [index(value.shape[axis])]


def _rank(_machine: Machine, node: Node, env: Environment) -> list[Value]:
    return [index(env[node.operands[0]].data.ndim)]


def _expand(_machine: Machine, node: Node, env: Environment) -> list[Value]:
    value = env[node.operands[0]]
    groups = node.nested_numbers("reassociation")
    wanted = list(types.shape(node.result_types[0]) or ())
    static = node.numbers("static_output_shape")
    if static:
        given = mixed(node, "static_output_shape", node.operands[1:], env)
        return [each(value, lambda a: a.reshape(_checked(node, value, given, groups)))]
    sizes = [0 if w is None else w for w in wanted]
    for group, size in zip(groups, value.shape, strict=True):
        open_ones = [d for d in group if wanted[d] is None]
        known = int(np.prod([sizes[d] for d in group if wanted[d] is not None], dtype=np.int64))
        if open_ones:
            sizes[open_ones[0]] = size // known if known else 0
    return [each(value, lambda a: a.reshape(_checked(node, value, sizes, groups)))]


def _checked(node: Node, value: Value, sizes: list[int], groups: list[list[int]]) -> list[int]:
    for group, size in zip(groups, value.shape, strict=bool(groups)):
        product = int(np.prod([sizes[d] for d in group], dtype=np.int64))
        if product != size:
            raise UndefinedError(f"`{node.name}`: {[sizes[d] for d in group]} from a dimension of {size}")
    return sizes


def _collapse(_machine: Machine, node: Node, env: Environment) -> list[Value]:
    value = env[node.operands[0]]
    groups = node.nested_numbers("reassociation")
    sizes = [int(np.prod([value.shape[d] for d in group], dtype=np.int64)) for group in groups]
    return [each(value, lambda a: a.reshape(sizes))]


def _reshape(_machine: Machine, node: Node, env: Environment) -> list[Value]:
    value, shape = (env[o] for o in node.operands)
    if shape.undefined is not None or shape.error is not None:
        raise CannotEvaluateError(node.name, "its shape is undefined or inexact")
    sizes = [int(n) for n in shape.data]
    if int(np.prod(sizes, dtype=np.int64)) != value.data.size or min(sizes, default=0) < 0:
        raise UndefinedError(f"`{node.name}`: {list(value.shape)} to {sizes}")
    return [each(value, lambda a: a.reshape(sizes))]


def _splat(_machine: Machine, node: Node, env: Environment) -> list[Value]:
    value, *dynamic = (env[o] for o in node.operands)
    if value.data.ndim:
        raise CannotEvaluateError(node.name, "it takes another number for each element of a body")
    sizes = types.sizes(node.result_types[0], [whole(node, d) for d in dynamic])
    return [each(value, lambda a: np.broadcast_to(a, sizes))]


def _from_elements(_machine: Machine, node: Node, env: Environment) -> list[Value]:
    values = [env[o] for o in node.operands]
    if any(v.data.ndim for v in values):
        raise CannotEvaluateError(node.name, "it takes other numbers for each element of a body")
    sizes = types.sizes(node.result_types[0])
    if not values:
        return [Value(np.zeros(sizes, _element(node).dtype))]
    return [together(values, lambda arrays: np.stack(arrays).reshape(sizes))]


def _concat(_machine: Machine, node: Node, env: Environment) -> list[Value]:
    axis = node.numbers("dim")[0]
    values = [env[o] for o in node.operands]
    rests = {v.shape[:axis] + v.shape[axis + 1 :] for v in values}
    if len(rests) > 1:
        raise UndefinedError(f"`{node.name}`: {[list(v.shape) for v in values]} along dimension {axis}")
    return [together(values, lambda arrays: np.concatenate(arrays, axis=axis))]


def filled(machine: Machine, node: Node, env: Environment, sizes: tuple[int, ...]) -> Value:
    """What the op's region yields at each place of a tensor of these sizes."""
    part = Part((0,) * len(sizes), sizes)
    places = [index(part.index(i)) for i in range(len(sizes))]
    _, (value,) = machine.run(node.regions[0][0], places, env)
    return each(value, lambda a: np.broadcast_to(a, sizes))


def _generate(machine: Machine, node: Node, env: Environment) -> list[Value]:
    sizes = types.sizes(node.result_types[0], [whole(node, env[o]) for o in node.operands])
    if 0 in sizes:
        return [Value(np.zeros(sizes, _element(node).dtype))]
    return [filled(machine, node, env, sizes)]


def _pad(machine: Machine, node: Node, env: Environment) -> list[Value]:
    source, low_operands, high_operands = node.segments()
    value = env[source[0]]
    low = mixed(node, "static_low", low_operands, env)
    high = mixed(node, "static_high", high_operands, env)
    sizes = tuple(n + a + b for n, a, b in zip(value.shape, low, high, strict=True))
    if min((*low, *high, *sizes, 0)) < 0:
        raise UndefinedError(f"`{node.name}`: low {low} and high {high} of {list(value.shape)}")
    if 0 in sizes:
        return [Value(np.zeros(sizes, _element(node).dtype))]
    around = filled(machine, node, env, sizes)
    return [put(value, around, tuple(slice(a, a + n) for a, n in zip(low, value.shape, strict=True)))]


def _bitcast(machine: Machine, node: Node, env: Environment) -> list[Value]:
    return machine.scalars["arith.bitcast"](node, [env[node.operands[0]]])


def _tiles(node: Node, env: Environment, operands: list[int]) -> list[int]:
    return mixed(node, "static_inner_tiles", operands, env)


def _outer(permutation: list[int], rank: int) -> list[int]:
    return permutation or list(range(rank))


def _pack(_machine: Machine, node: Node, env: Environment) -> list[Value]:
    """Cut dimensions into tiles, which become the innermost dimensions; the last tile is filled with the pad value."""
    source, target, padding, tile_operands = node.segments()
    value, out = env[source[0]], env[target[0]]
    tiles, dims = _tiles(node, env, tile_operands), node.numbers("inner_dims_pos")
    rank = value.data.ndim
    outer = _outer(node.numbers("outer_dims_perm"), rank)
    counts = [out.shape[outer.index(d)] for d in range(rank)]
    full = [counts[d] * tiles[dims.index(d)] if d in dims else value.shape[d] for d in range(rank)]
    if any(a < b for a, b in zip(full, value.shape, strict=True)):
        raise UndefinedError(f"`{node.name}`: {list(value.shape)} does not fit into {full}")
    if full != list(value.shape):
        around = undefined(full, value.data.dtype)
        if padding:
            around = each(env[padding[0]], lambda a: np.broadcast_to(a, full))
        value = put(value, around, tuple(slice(0, n) for n in value.shape))

    def change(array: Array) -> Array:
        split: list[int] = []
        where: dict[int, tuple[int, int]] = {}
        for d in range(rank):
            inside = [tiles[dims.index(d)]] if d in dims else []
            where[d] = len(split), len(split) + 1
            split += [counts[d] if d in dims else full[d], *inside]
        order = [where[d][0] for d in outer] + [where[d][1] for d in dims]
        return array.reshape(split).transpose(order)

    return [each(value, change)]


def _unpack(_machine: Machine, node: Node, env: Environment) -> list[Value]:
    """The tiles put side by side again, cut to the size of the target."""
    groups = [[o] for o in node.operands[:2]]
    value, out = env[groups[0][0]], env[groups[1][0]]
    tiles, dims = _tiles(node, env, node.operands[2:]), node.numbers("inner_dims_pos")
    rank = out.data.ndim
    outer = _outer(node.numbers("outer_dims_perm"), rank)
    if any(t not in (DYNAMIC, n) for t, n in zip(tiles, value.shape[rank:], strict=True)):
        raise UndefinedError(f"`{node.name}`: tiles of {tiles} in {list(value.shape)}")

    def change(array: Array) -> Array:
        order, full = [], []
        for d in range(rank):
            order.append(outer.index(d))
            full.append(array.shape[outer.index(d)])
            if d in dims:
                order.append(rank + dims.index(d))
                full[-1] *= tiles[dims.index(d)]
        if any(a < b for a, b in zip(full, out.shape, strict=True)):
            raise UndefinedError(f"`{node.name}`: {full} is less than {list(out.shape)}")
        return array.transpose(order).reshape(full)[tuple(slice(0, n) for n in out.shape)]

    return [each(value, change)]


OPS: dict[str, Handler] = {
    "linalg.pack": _pack,
    "linalg.unpack": _unpack,
    "tensor.bitcast": _bitcast,
    "tensor.cast": _cast,
    "tensor.collapse_shape": _collapse,
    "tensor.concat": _concat,
    "tensor.dim": _dim,
    "tensor.empty": _empty,
    "tensor.expand_shape": _expand,
    "tensor.from_elements": _from_elements,
    "tensor.generate": _generate,
    "tensor.pack": _pack,
    "tensor.pad": _pad,
    "tensor.rank": _rank,
    "tensor.reshape": _reshape,
    "tensor.splat": _splat,
    "tensor.unpack": _unpack,
}
