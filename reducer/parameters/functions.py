"""Functions, calls and returns: sizes run through them, and their types follow."""

from __future__ import annotations

from typing import Any

from iree.compiler import ir

from reducer.parameters.builder import Builder, Solution

FUNCTIONS = ("func.func", "util.func")
RETURNS = ("func.return", "util.return")
CALLS = ("func.call", "util.call")


class Functions:
    """The functions of a module, by symbol."""

    def __init__(self) -> None:
        self.ops: dict[str, Any] = {}
        self.returns: dict[str, list[Any]] = {}
        self.calls: list[Any] = []

    def add(self, op: Any) -> None:
        """Note a function, a call or a return."""
        if op.name in CALLS:
            self.calls.append(op)
        elif op.name in RETURNS:
            self.returns.setdefault(_symbol(op.parent), []).append(op)
        else:
            self.ops[_symbol(op)] = op


def _symbol(op: Any) -> str:
    attributes = op.attributes
    return str(ir.StringAttr(attributes["sym_name"]).value) if "sym_name" in attributes else ""


def _entry(op: Any) -> list[Any] | None:
    blocks = list(op.regions[0].blocks) if len(op.regions) else []
    return list(blocks[0].arguments) if blocks else None


def model(builder: Builder, functions: Functions) -> None:
    """Connect calls with the functions they call, and returns with one another."""
    for symbol, op in functions.ops.items():
        returns = functions.returns.get(symbol, [])
        for other in returns[1:]:
            for a, b in zip(returns[0].operands, other.operands):  # a verified module returns as many everywhere
                builder.equal(builder.dims(a), builder.dims(b))
        _follow(builder, op, returns)
    for call in functions.calls:
        callee = ir.FlatSymbolRefAttr(call.attributes["callee"]).value
        op = functions.ops.get(callee)
        entry = _entry(op) if op is not None else None
        if entry is None or callee not in functions.returns:
            builder.pin_values([*call.operands, *call.results])
            continue
        for actual, formal in zip(call.operands, entry):
            builder.equal(builder.dims(actual), builder.dims(formal))
        for result, returned in zip(call.results, functions.returns[callee][0].operands):
            builder.equal(builder.dims(result), builder.dims(returned))


def _follow(builder: Builder, op: Any, returns: list[Any]) -> None:
    """After everything else, make the function's type what its arguments and first return say."""
    entry = _entry(op)
    if entry is None or not returns:
        if entry is not None:
            builder.pin_values(entry)
        return
    for value in [*entry, *returns[0].operands]:
        builder.slot(value)

    def update(solution: Solution) -> None:
        inputs = [a.type for a in next(iter(op.regions[0].blocks)).arguments]
        outputs = [v.type for v in returns[0].operands]
        new = ir.TypeAttr.get(ir.FunctionType.get(inputs, outputs))
        if op.attributes["function_type"] != new:
            op.attributes["function_type"] = new

    builder.updates.append(update)
