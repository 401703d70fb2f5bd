"""Runs small programs through the reference."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from iree.compiler import ir

from reducer.reference import Value, entry_functions, evaluate

Array = np.ndarray[Any, Any]
Argument = Array | Value | np.generic


@cache
def context() -> ir.Context:
    """One context for all tests: to make one takes longer than most tests."""
    return ir.Context()


def run(text: str, *arguments: Argument) -> list[Value]:
    """The results of the first function of a module."""
    module = ir.Module.parse(text, context())
    values = [a if isinstance(a, Value) else Value(np.asarray(a)) for a in arguments]
    return evaluate(module, entry_functions(module)[0].name, values)


def one(text: str, *arguments: Argument) -> Value:
    """The only result."""
    (value,) = run(text, *arguments)
    return value


def exact(text: str, *arguments: Argument) -> Array:
    """The only result, of which every element must be exact and defined."""
    value = one(text, *arguments)
    assert value.undefined is None
    assert value.error is None
    return value.data


def elementwise(op: str, types: str, operands: int, count: int, attributes: str = "") -> str:
    """A function that applies an op to vectors: `types` is `f32`, or `f32 -> i1`."""
    source, _, target = types.partition(" -> ")
    a, r = f"tensor<{count}x{source}>", f"tensor<{count}x{target or source}>"
    names = ", ".join(f"%a{i}" for i in range(operands))
    formal = ", ".join(f"%a{i}: {a}" for i in range(operands))
    listed = ", ".join([a] * operands)
    return (
        f'func.func @f({formal}) -> {r} {{ %r = "{op}"({names}) {attributes} : ({listed}) -> {r}\n return %r : {r} }}'
    )
