"""What flags on `arith` ops promise: a result that breaks the promise is poison, and so undefined.

`overflow<nsw, nuw>`, `exact`, `nneg`, and of fastmath `nnan` and `ninf`. An op without flags costs nothing here.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from reducer.reference.float_ops import Scalar
from reducer.reference.int_ops import signed, unsigned
from reducer.reference.program import Node
from reducer.reference.types import Element, element
from reducer.reference.values import Array, Value, settle, union

FLAGS = ("overflowFlags", "isExact", "nonNeg", "fastmath")

_ARITHMETIC: dict[str, Callable[[Array, Array], Array]] = {
    "arith.addi": np.add,
    "arith.subi": np.subtract,
    "arith.muli": np.multiply,
    "arith.shli": lambda a, n: a * 2**n,
}


def keeping_promises(op: Scalar) -> Scalar:
    """The op, with the elements of its results undefined that break what its flags promise."""

    def run(node: Node, values: list[Value]) -> list[Value]:
        results = op(node, values)
        if "poison" not in node.cache:
            node.cache["poison"] = _promises(node)
        for broken in node.cache["poison"]:
            mask = broken(node, values, results[0])
            results = [settle(r.data, union([r.undefined, mask]), r.error) for r in results]
        return results

    return run


_Broken = Callable[[Node, list[Value], Value], Array]


def _promises(node: Node) -> list[_Broken]:
    overflow, fastmath = node.text("overflowFlags") or "", node.text("fastmath") or ""
    given: dict[_Broken, bool] = {
        _wraps_signed: "nsw" in overflow,
        _wraps_unsigned: "nuw" in overflow,
        _loses_bits: node.text("isExact") is not None,
        _is_negative: node.text("nonNeg") is not None,
        _has_nan: "nnan" in fastmath or "fast>" in fastmath,
        _has_infinity: "ninf" in fastmath or "fast>" in fastmath,
    }
    return [broken for broken, promised in given.items() if promised]


def _wraps(node: Node, values: list[Value], result: Value, view: Callable[[Value, Element], Array]) -> Array:
    """Where the result, read back, is not what was to be computed, with Python's own numbers."""
    source, kind = element(node.operand_types[0]), element(node.result_types[0])
    a = view(values[0], source).astype(object)
    if node.name in _ARITHMETIC:
        second = unsigned(values[1], source) if node.name == "arith.shli" else view(values[1], source)
        if node.name == "arith.shli":  # past the width it is undefined anyway
            second = np.minimum(second, np.uint64(kind.bits))
        a = _ARITHMETIC[node.name](a, second.astype(object))
    return np.asarray(a != view(result, kind).astype(object), bool)


def _wraps_signed(node: Node, values: list[Value], result: Value) -> Array:
    return _wraps(node, values, result, signed)


def _wraps_unsigned(node: Node, values: list[Value], result: Value) -> Array:
    return _wraps(node, values, result, unsigned)


def _loses_bits(node: Node, values: list[Value], result: Value) -> Array:
    """Of a shift to the right, or a division: whether undoing it gives the operand back."""
    kind = element(node.result_types[0])
    if "shr" in node.name:
        kept = signed(result, kind) << np.minimum(unsigned(values[1], kind), np.uint64(kind.bits - 1)).astype(np.int64)
        mask = np.int64(-1) if kind.bits == 64 else np.int64((1 << kind.bits) - 1)
        return np.asarray((kept & mask) != (signed(values[0], kind) & mask))
    view = signed if node.name == "arith.divsi" else unsigned
    with np.errstate(all="ignore"):
        return np.asarray(view(result, kind) * view(values[1], kind) != view(values[0], kind))


def _is_negative(node: Node, values: list[Value], _result: Value) -> Array:
    return np.asarray(signed(values[0], element(node.operand_types[0])) < 0)


def _has_nan(node: Node, values: list[Value], result: Value) -> Array:
    return _any(np.isnan, node, values, result)


def _has_infinity(node: Node, values: list[Value], result: Value) -> Array:
    return _any(np.isinf, node, values, result)


def _any(test: Callable[[Array], Array], node: Node, values: list[Value], result: Value) -> Array:
    types = [*node.operand_types, node.result_types[0]]
    found: Array = np.zeros((), bool)
    for value, type_ in zip([*values, result], types, strict=True):
        if element(type_).is_float:
            found = found | test(value.data.astype(np.float64))
    return found
