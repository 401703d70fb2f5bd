"""`arith` between kinds: select, casts and bitcasts."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from reducer.reference.failures import CannotEvaluateError
from reducer.reference.float_ops import Scalar
from reducer.reference.int_ops import bounded, signed, unsigned, wrap
from reducer.reference.program import Node
from reducer.reference.rounding import error_of, finish, flushed, spread, wide
from reducer.reference.types import Element, element
from reducer.reference.values import Array, Value, settle, union


def _select(_node: Node, values: list[Value]) -> list[Value]:
    """Element by element; where the condition is inexact, either could be right."""
    condition, a, b = values
    pick = condition.data
    undefined = error = None
    if any(v.undefined is not None for v in values):
        masks = [np.zeros((), bool) if v.undefined is None else v.undefined for v in values]
        undefined = masks[0] | np.where(pick, masks[1], masks[2])
    if any(v.error is not None for v in values):
        ea, eb = error_of(a), error_of(b)
        error = np.where(pick, ea, eb)
        doubt = error_of(condition) != 0
        if doubt.any():
            with np.errstate(all="ignore"):
                apart = np.abs(a.data.astype(np.float64) - b.data.astype(np.float64))
            either = np.where(np.isnan(apart), np.inf, apart) + np.maximum(ea, eb)
            error = np.where(doubt, either, error)
    return [settle(np.where(pick, a.data, b.data), undefined, error)]


def _extend(view: Callable[[Value, Element], Array]) -> Scalar:
    def run(node: Node, values: list[Value]) -> list[Value]:
        source, kind = element(node.operand_types[0]), element(node.result_types[0])
        x = wrap(view(values[0], source), kind)
        carried = values[0].error
        if carried is not None and view is unsigned:
            low = signed(values[0], source).astype(np.float64) - carried
            carried = np.where((carried == 0) | (low >= 0), carried, np.inf)
        return [settle(x, values[0].undefined, carried)]

    return run


def _narrow(node: Node, values: list[Value]) -> list[Value]:
    """`trunci`, and `index_cast` that narrows: the lowest bits."""
    source, kind = element(node.operand_types[0]), element(node.result_types[0])
    before = signed(values[0], source)
    x = wrap(before, kind)
    carried = values[0].error
    if carried is not None:
        carried = np.where((carried != 0) & (x.astype(np.int64) != before), np.inf, carried)
    return [settle(x, values[0].undefined, bounded(kind, x, carried))]


def _index_cast(view: Callable[[Value, Element], Array]) -> Scalar:
    extend = _extend(view)

    def run(node: Node, values: list[Value]) -> list[Value]:
        source, kind = element(node.operand_types[0]), element(node.result_types[0])
        return extend(node, values) if kind.bits >= source.bits else _narrow(node, values)

    return run


def _from_integer(view: Callable[[Value, Element], Array]) -> Scalar:
    def run(node: Node, values: list[Value]) -> list[Value]:
        source, kind = element(node.operand_types[0]), element(node.result_types[0])
        whole = view(values[0], source)
        x = whole.astype(np.float64)
        lost = None
        if source.bits == 64:
            lost = (
                (whole.astype(np.float64).astype(object) != whole.astype(object))
                if whole.size < 4096
                else (np.abs(x) > 2.0**53)
            )
            lost = np.asarray(lost, bool)
        carried = values[0].error
        if carried is not None and view is unsigned:
            carried = np.where((carried == 0) | (signed(values[0], source) - carried >= 0), carried, np.inf)
        return [finish(x, kind, values[0].undefined, carried, lost=lost)]

    return run


def _to_integer(is_signed: bool) -> Scalar:
    """Towards zero. What does not fit, and NaN, is undefined."""

    def run(node: Node, values: list[Value]) -> list[Value]:
        kind = element(node.result_types[0])
        x = wide(values[0])
        low = -(2.0 ** (kind.bits - 1)) if is_signed else 0.0
        high = 2.0 ** (kind.bits - 1 if is_signed else kind.bits)
        with np.errstate(all="ignore"):
            whole = np.trunc(x)
            bad = ~((whole >= low) & (whole < high))
            clean = np.where(bad, 0.0, whole)
            data = wrap(clean.astype(np.int64) if is_signed else clean.astype(np.uint64), kind)
            error = None
            if values[0].error is not None:
                doubt = values[0].error
                error = spread(x, doubt, np.trunc)
                near_edge = (np.trunc(x - doubt) < low) | (np.trunc(x + doubt) >= high)
                error = np.where((doubt != 0) & (near_edge | bad), np.inf, error)
        return [settle(data, union([values[0].undefined, bad]), error)]

    return run


def _bitcast(node: Node, values: list[Value]) -> list[Value]:
    """The same bits. The bits of an inexact number, and of a zero whose sign may be open, are unknown."""
    source, kind = element(node.operand_types[0]), element(node.result_types[0])
    if source.bits != kind.bits or kind.bits < 8:
        raise CannotEvaluateError(node.name, f"{source.name} to {kind.name}")
    data = np.ascontiguousarray(values[0].data)
    error = None
    if values[0].error is not None or source.is_float:
        doubt = error_of(values[0]) != 0
        if source.is_float and not kind.is_float:
            doubt = doubt | (data == 0) | np.isnan(wide(values[0]))
        error = values[0].error if source.is_float and kind is source else np.where(doubt, np.inf, 0.0)
    return [flushed(settle(data.view(kind.dtype).reshape(data.shape), values[0].undefined, error))]


OPS: dict[str, Scalar] = {
    "arith.select": _select,
    "arith.extsi": _extend(signed),
    "arith.extui": _extend(unsigned),
    "arith.trunci": _narrow,
    "arith.index_cast": _index_cast(signed),
    "arith.index_castui": _index_cast(unsigned),
    "arith.sitofp": _from_integer(signed),
    "arith.uitofp": _from_integer(unsigned),
    "arith.fptosi": _to_integer(True),
    "arith.fptoui": _to_integer(False),
    "arith.bitcast": _bitcast,
}
