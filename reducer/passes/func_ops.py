"""IREE's own function ops replaced by those of MLIR's `func`, whose text is shorter."""

from __future__ import annotations

from collections.abc import Mapping

from iree.compiler import ir

from reducer.passes import bindings
from reducer.passes.program import Function, Node, Program
from reducer.passes.sites import Choose, chosen

_KEPT = frozenset({"sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs", "callee"})
"""The inherent attributes that both families of ops have; what only `util` has (tied operands, inlining) goes."""


def use_func_ops(module: ir.Module, choose: Choose) -> None:
    """Make a `util.func` a `func.func`, with its returns and calls.

        util.func public @main(%x: f32) -> f32 {      func.func @main(%x: f32) -> f32 {
          util.return %x : f32                          return %x : f32
        }                                             }

    One site a function. One that something else than calls refers to is none.
    """
    program = Program(module)
    sites: list[tuple[str, tuple[Function, list[Node]]]] = []
    for function in program.functions:
        if function.node.name == "util.func":
            calls = [n for n in program.nodes if n.name == "util.call" and _callee(n) == function.name]
            if all(caller in calls for caller in program.callers(function)):
                sites.append((f"{program.label(function.node)}: func.func instead", (function, calls)))
    for function, calls in chosen(sites, choose):
        for block in function.node.regions[0]:
            if block.nodes and block.nodes[-1].name == "util.return":
                _make_anew(block.nodes[-1], "func.return", {})
        for call in calls:
            _make_anew(call, "func.call", _shared(call.op))
        _make_anew(function.node, "func.func", _shared(function.node.op))


def _callee(call: Node) -> str:
    return str(ir.FlatSymbolRefAttr(call.op.attributes["callee"]).value)


def _shared(op: ir.Operation) -> dict[str, ir.Attribute]:
    """The attributes that the other op may have too: the common inherent ones, and those of other dialects.

    That a function is public needs no saying.
    """
    table = {name: value for name, value in bindings.attributes(op) if name in _KEPT or "." in name}
    if str(table.get("sym_visibility")) == '"public"':
        del table["sym_visibility"]
    return table


def _make_anew(node: Node, name: str, attributes: Mapping[str, ir.Attribute]) -> None:
    """Put an op of another name in the node's place, with its operands, its results' types and its regions."""
    old = node.op
    new = bindings.create(
        name,
        old.context,
        old,
        results=[result.type for result in old.results],
        operands=list(old.operands),
        attributes=attributes,
        regions=len(old.regions),
    )
    for before, after in zip(list(old.regions), list(new.regions), strict=True):
        for block in list(before.blocks):
            block.append_to(after)
    for result, value in zip(old.results, new.results, strict=True):
        result.replace_all_uses_with(value)
    bindings.erase(old)
    node.op = new
