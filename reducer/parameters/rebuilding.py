"""Ops made anew where their operands or regions cannot be changed in place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from iree.compiler import ir

from reducer.parameters.builder import Builder
from reducer.passes import bindings


def rebuild(builder: Builder, op: Any, operands: Sequence[Any], attributes: Mapping[str, Any] | None = None) -> None:
    """Put the same op with other operands (and some other attributes) in its place. It must have no regions.

    The types of its results are taken as they are now.
    """
    new = ir.Operation.create(
        op.name,
        results=[r.type for r in op.results],
        operands=list(operands),
        attributes={**dict(bindings.attributes(op)), **(attributes or {})},
        ip=ir.InsertionPoint(op),
    )
    for old, fresh in zip(op.results, new.results, strict=True):
        old.replace_all_uses_with(fresh)
    builder.bury(op)


def index_constant(number: int, place: Any) -> Any:
    """A new `arith.constant` of type index there; its result."""
    index = ir.IndexType.get()
    attributes = {"value": ir.IntegerAttr.get(index, number)}
    return ir.Operation.create("arith.constant", results=[index], attributes=attributes, ip=place).results[0]


def stand_in(builder: Builder, op: Any, value: Any) -> None:
    """Use the value for the op's only result; the op goes."""
    op.results[0].replace_all_uses_with(value)
    builder.bury(op)
