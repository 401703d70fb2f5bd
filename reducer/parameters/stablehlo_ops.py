"""StableHLO, as far as it is plain: elementwise ops (TOSA's and torch's too), broadcasts, transposes (vectors' too)."""

from __future__ import annotations

from typing import Any

from reducer.parameters.arrays import numbers, set_numbers
from reducer.parameters.builder import Builder, Solution
from reducer.parameters.other_ops import numbers as numbers_in
from reducer.parameters.other_ops import other

ELEMENTWISE = (
    "abs", "add", "and", "atan2", "cbrt", "ceil", "clamp", "compare", "convert", "cosine", "count_leading_zeros",
    "divide", "exponential", "exponential_minus_one", "floor", "is_finite", "log", "log_plus_one", "logistic",
    "maximum", "minimum", "multiply", "negate", "not", "or", "popcnt", "power", "remainder", "round_nearest_afz",
    "round_nearest_even", "rsqrt", "select", "shift_left", "shift_right_arithmetic", "shift_right_logical", "sign",
    "sine", "sqrt", "subtract", "tan", "tanh", "xor",
)  # fmt: skip


_TOSA = (
    "abs", "add", "arithmetic_right_shift", "bitwise_and", "bitwise_or", "bitwise_xor", "cast", "ceil", "clamp",
    "equal", "exp", "floor", "greater", "greater_equal", "identity", "log", "logical_and", "logical_not", "logical_or",
    "maximum", "minimum", "mul", "negate", "pow", "reciprocal", "rsqrt", "select", "sigmoid", "sub", "tanh",
)  # fmt: skip
_ATEN = (
    "abs", "add.Scalar", "add.Tensor", "ceil", "clamp", "clone", "cos", "div.Scalar", "div.Tensor", "erf", "exp",
    "floor", "gelu", "log", "maximum", "minimum", "mul.Scalar", "mul.Tensor", "neg", "pow.Tensor_Scalar", "reciprocal",
    "relu", "rsqrt", "sigmoid", "silu", "sin", "sqrt", "square", "sub.Scalar", "sub.Tensor", "tanh", "where.self",
)  # fmt: skip
_ONNX = (
    "Abs", "Add", "And", "Cast", "Ceil", "Clip", "Cos", "Div", "Elu", "Equal", "Erf", "Exp", "Floor", "Gelu", "Greater",
    "Identity", "LeakyRelu", "Less", "Log", "Max", "Min", "Mul", "Neg", "Not", "Or", "Pow", "Reciprocal", "Relu",
    "Round", "Sigmoid", "Sign", "Sin", "Sqrt", "Sub", "Tanh", "Where",
)  # fmt: skip


def elementwise(builder: Builder, op: Any) -> None:
    """Operands of the result's rank are of its shape; a scalar may be among them (`clamp`, `select`)."""
    rank = len(builder.dims(op.results[0]))
    builder.all_equal([s for s in builder.shaped([*op.operands, *op.results]) if len(s.axes) == rank])


def broadcast_in_dim(builder: Builder, op: Any) -> None:
    """Axis i of the operand is axis dimensions[i] of the result, or has size 1 and is repeated."""
    name = "broadcast_dimensions"
    dims = numbers(op, name)
    small, big = builder.dims(op.operands[0]), builder.dims(op.results[0])
    for axis, target in zip(small, dims, strict=True):
        if builder.graph.value(axis) == builder.graph.value(big[target]):
            builder.equal([axis], [big[target]])
        else:
            builder.pin(axis)
            builder.keep(big[target])

    def update(solution: Solution) -> None:
        keep = solution.kept(big)
        left = [keep.index(d) for axis, d in zip(small, dims, strict=True) if not solution.dropped(axis)]
        set_numbers(op, name, left)

    builder.updates.append(update)


def transpose(builder: Builder, op: Any) -> None:
    """Axis i of the result is axis permutation[i] of the operand."""
    permutation = numbers(op, "permutation")
    source, result = builder.dims(op.operands[0]), builder.dims(op.results[0])
    builder.equal([source[p] for p in permutation], result)

    def update(solution: Solution) -> None:
        keep = solution.kept(source)
        set_numbers(op, "permutation", [keep.index(p) for p in permutation if p in keep])

    builder.updates.append(update)


def onnx(builder: Builder, op: Any) -> None:
    """`torch.operator "onnx.X"`: an elementwise X, or one that nothing is known of."""
    if str(op.attributes["name"]).strip('"').removeprefix("onnx.") in _ONNX:
        elementwise(builder, op)
        numbers_in(builder, op)
    else:
        other(builder, op)


MODELS = {
    **dict.fromkeys([f"tosa.{name}" for name in _TOSA], elementwise),
    **dict.fromkeys([f"torch.aten.{name}" for name in _ATEN], elementwise),
    "torch.operator": onnx,
    **dict.fromkeys([f"stablehlo.{name}" for name in ELEMENTWISE], elementwise),
    "stablehlo.broadcast_in_dim": broadcast_in_dim,
    "stablehlo.transpose": transpose,
    "vector.transpose": transpose,
}
