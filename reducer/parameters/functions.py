"""Functions, calls and returns: sizes run through them, and their types follow."""

from __future__ import annotations

from collections.abc import Iterator
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

    def pairs(self) -> Iterator[tuple[Any, Any]]:
        """Values that are alike: returned here and there, passed to and received from a function that is known."""
        for returns in self.returns.values():
            for other in returns[1:]:
                yield from zip(returns[0].operands, other.operands, strict=True)
        for call in self.calls:
            entry, returned = self.callee(call)
            yield from zip(call.operands, entry, strict=False)
            yield from zip(call.results, returned, strict=False)

    def callee(self, call: Any) -> tuple[list[Any], list[Any]]:
        """The arguments and returned values of what is called; both empty if that is not known."""
        symbol = ir.FlatSymbolRefAttr(call.attributes["callee"]).value
        entry = _entry(self.ops[symbol]) if symbol in self.ops else None
        if entry is None or symbol not in self.returns:
            return [], []
        return entry, list(self.returns[symbol][0].operands)


def _symbol(op: Any) -> str:
    attributes = op.attributes
    return str(ir.StringAttr(attributes["sym_name"]).value) if "sym_name" in attributes else ""


def _entry(op: Any) -> list[Any] | None:
    blocks = list(op.regions[0].blocks) if len(op.regions) else []
    return list(blocks[0].arguments) if blocks else None


def model(builder: Builder, functions: Functions) -> None:
    """Connect calls with the functions they call, and returns with one another."""
    for symbol, op in functions.ops.items():
        _follow(builder, op, functions.returns.get(symbol, []))
    for a, b in functions.pairs():
        builder.equal(builder.dims(a), builder.dims(b))
    for call in functions.calls:
        entry, returned = functions.callee(call)
        if len(entry) != len(call.operands) or len(returned) != len(call.results):
            builder.pin_values([*call.operands, *call.results])


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
