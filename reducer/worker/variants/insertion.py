"""New ops written as text: the parser of each release knows what its ops need, which the bindings do not always say."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from iree.compiler import ir


def insert(before: ir.Operation, body: str, values: Sequence[ir.Value], result: str) -> ir.Value:
    """Put ops in front of one; the value `%r` of the last.

    body: the ops, in which `%0`, `%1` … are the values. result: the type of `%r`.
    """
    arguments = ", ".join(f"%{i}: {value.type}" for i, value in enumerate(values))
    source = f"func.func @f({arguments}) -> {result} {{\n{body}\nreturn %r : {result}\n}}"
    module = ir.Module.parse(source, before.context)
    block = next(iter(module.body.operations)).operation.regions[0].blocks[0]
    known: dict[Any, ir.Value] = dict(zip(block.arguments, values, strict=True))
    *ops, last = [view.operation for view in block.operations]
    for op in ops:
        new = op.clone(ip=ir.InsertionPoint(before)).operation
        _use(new, known)
        known.update(zip(op.results, new.results, strict=True))
    return known[last.operands[0]]


def _use(op: ir.Operation, known: dict[Any, ir.Value]) -> None:
    """Let the op, and what is in it, use the values that stand for those of the text."""
    for place, value in enumerate(list(op.operands)):
        if value in known:
            op.operands[place] = known[value]
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                _use(inner.operation, known)
