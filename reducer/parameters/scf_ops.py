"""Structured control flow: what goes round a loop, or comes out of a branch, has one shape."""

from __future__ import annotations

from typing import Any

from reducer.parameters.builder import Builder

_BOUNDS = 3


def _yielded(op: Any) -> list[list[Any]]:
    """The operands of the terminator of each block."""
    blocks = [block for region in op.regions for block in region.blocks]
    return [list(list(block.operations)[-1].operation.operands) for block in blocks]


def branch(builder: Builder, op: Any) -> None:
    """`scf.if`: each result is like what either branch yields."""
    for values in _yielded(op):
        for value, result in zip(values, op.results, strict=False):
            builder.equal(builder.dims(value), builder.dims(result))


def loop(builder: Builder, op: Any) -> None:
    """`scf.for`: each result is like what the loop starts with, is passed round, and is yielded."""
    arguments = list(next(iter(op.regions[0].blocks)).arguments)[1:]
    starts = list(op.operands)[_BOUNDS:]
    for values in (starts, arguments):
        for value, result in zip(values, op.results, strict=True):
            builder.equal(builder.dims(value), builder.dims(result))
    branch(builder, op)


def end(builder: Builder, op: Any) -> None:
    """`scf.yield`: the business of the op around it, if that is one of these."""
    if op.parent.name not in ("scf.if", "scf.for"):
        builder.pin_values(op.operands)


MODELS = {"scf.if": branch, "scf.for": loop, "scf.yield": end}
