"""Operands that an op can do without."""

from __future__ import annotations

from iree.compiler import ir

from reducer.passes import bindings
from reducer.passes.edit import Edit
from reducer.passes.program import Node, Program
from reducer.passes.sites import Choose, chosen


def drop_operands(module: ir.Module, choose: Choose) -> None:
    """Drop an optional operand: the bias of `torch.operator "onnx.Conv"(%x, %w, %bias)`, an element of a list.

    Whether one is optional is asked of the op's own verifier, on a copy. Only ops without regions and with one list of
    operands.
    """
    program = Program(module)
    sites: list[tuple[str, tuple[Node, int]]] = []
    refused: set[tuple[str, int, int]] = set()
    for node in program.bodies():
        if node.regions or "callee" in node.op.attributes or "operandSegmentSizes" in node.op.attributes:
            continue
        for i, value in enumerate(node.operands):
            kind = (node.name, len(node.operands), i)
            if kind not in refused and _verifies_without(node, i):
                sites.append((f"{program.label(node)} operand {i} ({program.name(value)}): dropped", (node, i)))
            else:
                refused.add(kind)
    picked = chosen(sites, choose)
    if not picked:
        return
    edit = Edit(program)
    for node in dict.fromkeys(n for n, _ in picked):
        going = {i for n, i in picked if n is node}
        edit.rebuild(node, operands=[v for i, v in enumerate(list(node.op.operands)) if i not in going])
    edit.finish()


def _verifies_without(node: Node, operand: int) -> bool:
    if len(node.op.regions):
        return False
    copy = bindings.create(
        node.name,
        node.op.context,
        node.op,
        results=[r.type for r in node.results],
        operands=[v for i, v in enumerate(node.operands) if i != operand],
        attributes=dict(bindings.attributes(node.op)),
    )
    verifies = bindings.verifies(copy)
    bindings.erase(copy)
    return verifies
