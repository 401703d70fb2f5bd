"""From a module to its variables: which op is looked at by whom."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from iree.compiler import ir

from reducer.parameters import (
    constants,
    dynamic,
    elements,
    functions,
    global_ops,
    linalg_ops,
    named_ops,
    other_ops,
    rank,
    reshape_ops,
    scf_ops,
    slice_ops,
    stablehlo_ops,
    stablehlo_shapes,
    stablehlo_windows,
    tensor_ops,
)
from reducer.parameters.builder import Builder

Model = Callable[[Builder, Any], None]


def _like(builder: Builder, op: Any) -> None:
    """All shaped operands and results have one shape."""
    builder.all_equal(builder.shaped([*op.operands, *op.results]))


def _barrier(builder: Builder, op: Any) -> None:
    """Every result is like the operand of the same number."""
    for operand, result in zip(op.operands, op.results, strict=True):
        builder.equal(builder.dims(operand), builder.dims(result))


MODELS: dict[str, Model] = {
    **constants.MODELS,
    **dynamic.MODELS,
    **tensor_ops.MODELS,
    **slice_ops.MODELS,
    **reshape_ops.MODELS,
    **scf_ops.MODELS,
    **linalg_ops.MODELS,
    **stablehlo_ops.MODELS,
    **stablehlo_shapes.MODELS,
    **stablehlo_windows.MODELS,
    "iree_linalg_ext.attention": linalg_ops.structured,
    "tensor.cast": _like,
    "util.optimization_barrier": _barrier,
}
ELEMENTWISE = ("arith.", "math.")
NOTHING = frozenset(("builtin.module", "linalg.yield", "tensor.yield", "linalg.index", "stablehlo.return"))


def model_of(name: str) -> Model:
    """Who looks at ops of this name."""
    if name in MODELS:
        return MODELS[name]
    if name.startswith(ELEMENTWISE):
        return _like
    if name.startswith("linalg.") and name not in NOTHING:
        return linalg_ops.structured
    return other_ops.other


def build(module: Any) -> Builder:
    """Look at every op of the module. The builder's graph is closed afterwards."""
    builder = Builder(ir.AsmState(module.operation))
    known, held = functions.Functions(), global_ops.Globals()
    ops = list(elements.walk(module.operation))
    builder.functions = sum(op.name in functions.FUNCTIONS for op in ops)
    for op in ops:
        name = op.name
        if name in functions.FUNCTIONS:
            known.add(op)
            other_ops.numbers(builder, op)
            for block in list(op.regions[0].blocks)[1:]:
                builder.pin_values(block.arguments)
        elif name in functions.CALLS or name in functions.RETURNS:
            known.add(op)
        elif name in global_ops.OPS:
            held.add(op)
        elif name not in NOTHING:
            model_of(name)(builder, op)
    functions.model(builder, known)
    global_ops.model(builder, held)
    builder.graph.close()
    dynamic.offer(builder)
    named_ops.offer(builder)
    rank.offer(builder)
    elements.offer(builder, ops, (*known.pairs(), *held.pairs()))
    return builder
