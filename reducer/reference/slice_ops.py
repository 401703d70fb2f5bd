"""`tensor` ops that take or put a rectangle of elements, or single ones."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reducer.reference import types
from reducer.reference.failures import CannotEvaluateError, UndefinedError
from reducer.reference.machine import Environment, Handler, Machine, whole
from reducer.reference.program import DYNAMIC, Node
from reducer.reference.rounding import error_of
from reducer.reference.values import Array, Value, each, settle, undefined, undefined_of, union


def mixed(node: Node, key: str, operands: Sequence[int], env: Environment) -> list[int]:
    """A list that is half numbers, half operands."""
    rest = iter(operands)
    return [whole(node, env[next(rest)]) if n == DYNAMIC else n for n in node.numbers(key)]


def rectangle(node: Node, env: Environment, groups: Sequence[Sequence[int]], shape: Sequence[int]) -> tuple[slice, ...]:
    """Offsets, sizes and strides as slices; raises UndefinedError if they leave the shape."""
    lists = [
        mixed(node, f"static_{key}", g, env) for key, g in zip(("offsets", "sizes", "strides"), groups, strict=True)
    ]
    found = []
    for offset, size, stride, limit in zip(*lists, shape, strict=True):
        last = offset + (size - 1) * stride
        if size < 0 or (size and not (0 <= offset < limit and 0 <= last < limit)) or stride < 1:
            raise UndefinedError(
                f"`{node.name}`: offset {offset}, size {size}, stride {stride} in a dimension of {limit}"
            )
        found.append(slice(offset, last + 1 if size else offset, stride))
    return tuple(found)


def _extract_slice(_machine: Machine, node: Node, env: Environment) -> list[Value]:
    source, *groups = node.segments()
    value = env[source[0]]
    slices = rectangle(node, env, groups, value.shape)
    sizes = [len(range(*s.indices(n))) for s, n in zip(slices, value.shape, strict=True)]
    shape = reduced(sizes, types.shape(node.result_types[0]) or ())
    return [each(value, lambda a: a[slices].reshape(shape))]


def reduced(sizes: Sequence[int], wanted: Sequence[int | None]) -> tuple[int, ...]:
    """The sizes without as many ones as the type has dimensions less: which ones, the rest of the sizes say."""
    spare = len(sizes) - len(wanted)
    if not spare:
        return tuple(sizes)
    kept: list[int] = []
    for size in sizes:
        fits = len(kept) < len(wanted) and wanted[len(kept)] in (None, size)
        if size == 1 and spare and not (fits and wanted[len(kept)] == 1):
            spare -= 1
        else:
            kept.append(size)
    while spare and 1 in kept:
        kept.remove(1)
        spare -= 1
    return tuple(kept)


def _insert_slice(_machine: Machine, node: Node, env: Environment) -> list[Value]:
    source, target, *groups = node.segments()
    value = env[target[0]]
    return [put(env[source[0]], value, rectangle(node, env, groups, value.shape))]


def put(source: Value, target: Value, slices: tuple[slice, ...]) -> Value:
    """The target with the source's elements in the rectangle, which has its sizes but for those of 1."""
    sizes = target.data[slices].shape
    if source.data.ndim and [n for n in source.shape if n != 1] != [n for n in sizes if n != 1]:
        raise UndefinedError(f"{list(source.shape)} is put into a slice of {list(sizes)}")
    undefined_, error = target.undefined, target.error
    if source.undefined is not None or undefined_ is not None:
        undefined_ = _filled(undefined_, target.shape, bool)
        _place(undefined_, slices, np.asarray(False) if source.undefined is None else source.undefined)
    if source.error is not None or error is not None:
        error = _filled(error, target.shape, float)
        _place(error, slices, np.asarray(0.0) if source.error is None else source.error)
    data = np.array(target.data)
    _place(data, slices, source.data)
    return settle(data, undefined_, error)


def _filled(array: Array | None, shape: tuple[int, ...], dtype: type) -> Array:
    return np.zeros(shape, dtype) if array is None else np.array(array)


def _place(target: Array, slices: tuple[slice, ...], source: Array) -> None:
    part = target[slices]
    part[...] = source.reshape(part.shape) if source.ndim else source


def _extract(_machine: Machine, node: Node, env: Environment) -> list[Value]:
    """One element, or one for each element of a batch. Outside it is undefined."""
    source, *places = (env[o] for o in node.operands)
    if not places:
        return [source]
    inside, clipped = _clip(places, source.shape)
    if clipped is None:
        return [undefined(inside.shape, source.data.dtype)]
    found = each(source, lambda a: a[clipped])
    mask = union([found.undefined, undefined_of(places), None if inside.all() else ~inside])
    error = found.error
    if any(p.error is not None for p in places):
        doubt: Array = np.zeros(())
        for place in places:
            doubt = doubt + error_of(place)
        error = np.where(doubt != 0, np.inf, error_of(found))
    return [settle(found.data, mask, error)]


def _clip(places: Sequence[Value], shape: Sequence[int]) -> tuple[Array, tuple[Array, ...] | None]:
    """Where the places are inside, and the places moved inside; None if there is no inside."""
    inside: Array = np.ones((), bool)
    for place, size in zip(places, shape, strict=True):
        inside = inside & (place.data >= 0) & (place.data < size)
    if 0 in shape:
        return inside, None
    return inside, tuple(np.clip(p.data, 0, n - 1) for p, n in zip(places, shape, strict=True))


def _insert(_machine: Machine, node: Node, env: Environment) -> list[Value]:
    element, target, *places = (env[o] for o in node.operands)
    if element.data.ndim:
        raise CannotEvaluateError(node.name, "it inserts another number for each element of a body")
    at = [whole(node, p) for p in places]
    if any(not 0 <= a < n for a, n in zip(at, target.shape, strict=True)):
        raise UndefinedError(f"`{node.name}`: {at} is outside {list(target.shape)}")
    return [put(element, target, tuple(slice(a, a + 1) for a in at))]


def _gathered(node: Node, env: Environment, key: str, places: Value, shape: Sequence[int]) -> tuple[list[Array], Array]:
    """Index arrays for every dimension of `shape`, and where they are inside."""
    if places.error is not None or places.undefined is not None:
        raise CannotEvaluateError(node.name, "its indices are inexact or undefined")
    dims = node.numbers(key)
    rows = places.data.astype(np.int64)
    batch = rows.shape[:-1]
    others = [d for d in range(len(shape)) if d not in dims]
    index: list[Array] = []
    inside: Array = np.ones((), bool)
    for axis, size in enumerate(shape):
        if axis in dims:
            one = rows[..., dims.index(axis)].reshape(*batch, *(1,) * len(others))
            inside = inside & (one >= 0) & (one < size)
            index.append(np.clip(one, 0, max(size - 1, 0)))
        else:
            place = others.index(axis)
            index.append(np.arange(size).reshape([1] * (len(batch) + place) + [size] + [1] * (len(others) - place - 1)))
    return index, inside


def _gather(_machine: Machine, node: Node, env: Environment) -> list[Value]:
    source, places = (env[o] for o in node.operands)
    index, inside = _gathered(node, env, "gather_dims", places, source.shape)
    shape = types.sizes(node.result_types[0], _dynamic(node.result_types[0], places.shape, source.shape))
    found = each(source, lambda a: a[tuple(index)])
    mask = union([found.undefined, None if inside.all() else np.broadcast_to(~inside, found.shape)])
    return [each(settle(found.data, mask, found.error), lambda a: a.reshape(shape))]


def _dynamic(type_: str, *shapes: Sequence[int]) -> list[int]:
    wanted = types.shape(type_) or ()
    if None in wanted:
        raise CannotEvaluateError("tensor.gather", "its result has dynamic sizes")
    return []


def _scatter(_machine: Machine, node: Node, env: Environment) -> list[Value]:
    source, target, places = (env[o] for o in node.operands)
    index, inside = _gathered(node, env, "scatter_dims", places, target.shape)
    if not inside.all():
        raise UndefinedError(f"`{node.name}`: an index is outside {list(target.shape)}")
    shape = np.broadcast_shapes(*(i.shape for i in index))
    masks = [_filled(target.undefined, target.shape, bool), _filled(target.error, target.shape, float)]
    arrays = [np.array(target.data), *masks]
    new = [source.data, source.undefined, source.error]
    for array, values in zip(arrays, new, strict=True):
        array[tuple(index)] = 0 if values is None else values.reshape(shape)
    return [settle(arrays[0], arrays[1], arrays[2])]


OPS: dict[str, Handler] = {
    "tensor.extract": _extract,
    "tensor.extract_slice": _extract_slice,
    "tensor.gather": _gather,
    "tensor.insert": _insert,
    "tensor.insert_slice": _insert_slice,
    "tensor.scatter": _scatter,
}
