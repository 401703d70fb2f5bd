"""Writes ops that move elements or leave some out: transposes, reshapes, broadcasts, slices, reductions."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

from reducer.strategies import elements
from reducer.strategies.builder import Builder, Tensor
from reducer.strategies.program import TensorType


def without(type_: TensorType, axis: int) -> TensorType:
    """The type without one dimension."""
    keep = [i for i in range(len(type_.sizes)) if i != axis]
    return TensorType(tuple(type_.sizes[i] for i in keep), type_.element, tuple(type_.is_dynamic(i) for i in keep))


def divided(type_: TensorType, axis: int, outer: int) -> TensorType:
    """The type with one dimension made two: `outer`, and what is left of it."""
    sizes, flags = list(type_.sizes), [type_.is_dynamic(i) for i in range(len(type_.sizes))]
    sizes[axis : axis + 1] = [outer, sizes[axis] // outer]
    flags[axis : axis + 1] = [False, flags[axis]]
    return TensorType(tuple(sizes), type_.element, tuple(flags))


def merged(type_: TensorType, axis: int) -> TensorType:
    """The type with one dimension and the next made one."""
    sizes, flags = list(type_.sizes), [type_.is_dynamic(i) for i in range(len(type_.sizes))]
    sizes[axis : axis + 2] = [prod(sizes[axis : axis + 2])]
    flags[axis : axis + 2] = [any(flags[axis : axis + 2])]
    return TensorType(tuple(sizes), type_.element, tuple(flags))


def _groups(count: int, axis: int) -> str:
    """Reassociation indices of `count` dimensions, of which `axis` and the next are one group."""
    groups = [f"[{i}, {i + 1}]" if i == axis else f"[{i}]" for i in range(count) if i != axis + 1]
    return f"[{', '.join(groups)}]"


def transpose(build: Builder, tensor: Tensor, order: Sequence[int]) -> Tensor:
    """`linalg.transpose`: dimension i of the result is dimension order[i]."""
    empty, type_ = build.empty_like(tensor, order, tensor.element)
    text = (
        f"linalg.transpose ins({tensor.name} : {tensor.type}) outs({empty} : {type_})"
        f" permutation = [{', '.join(map(str, order))}]"
    )
    return Tensor(build.op("transpose", text), type_, tensor.bound)


def collapse(build: Builder, tensor: Tensor, axis: int) -> Tensor:
    """`tensor.collapse_shape` of a dimension and the next."""
    type_ = merged(tensor.type, axis)
    text = f"tensor.collapse_shape {tensor.name} {_groups(tensor.rank, axis)} : {tensor.type} into {type_}"
    return Tensor(build.op("collapsed", text), type_, tensor.bound)


def expand(build: Builder, tensor: Tensor, axis: int, outer: int) -> Tensor:
    """`tensor.expand_shape` of one dimension into `outer` and what is left; `outer` is 1 if it is dynamic."""
    type_ = divided(tensor.type, axis, outer)
    sizes = [str(n) for n in type_.sizes]
    for i in range(tensor.rank):
        if tensor.type.is_dynamic(i):
            sizes[i + (i >= axis)] = build.size(tensor, i)
    text = (
        f"tensor.expand_shape {tensor.name} {_groups(len(sizes), axis)} output_shape [{', '.join(sizes)}]"
        f" : {tensor.type} into {type_}"
    )
    return Tensor(build.op("expanded", text), type_, tensor.bound)


def broadcast(build: Builder, tensor: Tensor, axis: int, size: int) -> Tensor:
    """`linalg.broadcast` along a new dimension, which is static."""
    flags = [tensor.type.is_dynamic(i) for i in range(tensor.rank)]
    sizes = (*tensor.sizes[:axis], size, *tensor.sizes[axis:])
    type_ = TensorType(sizes, tensor.element, (*flags[:axis], False, *flags[axis:]))
    empty = build.empty(type_, [build.size(tensor, i) for i, dynamic in enumerate(flags) if dynamic])
    text = f"linalg.broadcast ins({tensor.name} : {tensor.type}) outs({empty} : {type_}) dimensions = [{axis}]"
    return Tensor(build.op("broadcast", text), type_, tensor.bound)


def cut(build: Builder, tensor: Tensor, axis: int, start: int, size: int) -> Tensor:
    """`tensor.extract_slice` of some places of one dimension, which is static then."""
    flags = [tensor.type.is_dynamic(i) and i != axis for i in range(tensor.rank)]
    sizes = [size if i == axis else n for i, n in enumerate(tensor.sizes)]
    type_ = TensorType(tuple(sizes), tensor.element, tuple(flags))
    shown = ", ".join(build.size(tensor, i) if dynamic else str(sizes[i]) for i, dynamic in enumerate(flags))
    starts = ", ".join(str(start if i == axis else 0) for i in range(tensor.rank))
    text = (
        f"tensor.extract_slice {tensor.name}[{starts}] [{shown}] [{', '.join('1' for _ in sizes)}]"
        f" : {tensor.type} to {type_}"
    )
    return Tensor(build.op("slice", text), type_, tensor.bound)


def reduce(build: Builder, tensor: Tensor, axis: int, *, largest: bool) -> Tensor:
    """The sums, or the largest elements, along one dimension, as a `linalg.generic`."""
    e = tensor.element
    if largest:
        op, start = ("arith.maximumf" if elements.is_float(e) else "arith.maxsi"), -elements.INFINITE
    else:
        op, start = ("arith.addf" if elements.is_float(e) else "arith.addi"), 0.0
    axes = [i for i in range(tensor.rank) if i != axis]
    empty, type_ = build.empty_like(tensor, axes, e)
    filled = build.fill(empty, type_, start)
    out = Tensor(filled.name, type_, tensor.bound * (1 if largest else tensor.sizes[axis]))
    every = ", ".join(f"d{i}" for i in range(tensor.rank))
    loops = "".join("r" if i == axis else "p" for i in range(tensor.rank))
    body = [f"%r = {op} %out, %a : {e}", f"linalg.yield %r : {e}"]
    return build.generic([(tensor, every)], out, ", ".join(f"d{i}" for i in axes), loops, body)
