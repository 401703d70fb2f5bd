"""Operands of `linalg.generic` that its body does not look at."""

from __future__ import annotations

from iree.compiler import ir

from reducer.passes import bindings
from reducer.passes.edit import Edit
from reducer.passes.program import Node, Program
from reducer.passes.sites import Choose, chosen

_GENERIC = "linalg.generic"


def drop_generic_inputs(module: ir.Module, choose: Choose) -> None:
    """Drop an input of a `linalg.generic` whose block argument is unused, its indexing map with it."""
    program = Program(module)
    sites: list[tuple[str, tuple[Node, ir.Value, int]]] = []
    for node in program.nodes:
        if node.name == _GENERIC and len(node.regions[0]) == 1:
            for i, argument in enumerate(node.regions[0][0].arguments[: _inputs(node)]):
                if not bindings.has_uses(argument):
                    label = f"{program.label(node)} input {program.name(node.operands[i])}: dropped"
                    sites.append((label, (node, argument, i)))
    picked = chosen(sites, choose)
    if not picked:
        return
    edit = Edit(program)
    for node in dict.fromkeys(n for n, _, _ in picked):
        _keep_operands(edit, node, {i for n, _, i in picked if n is node}, keep_results=range(len(node.results)))
    edit.finish()


def drop_generic_outputs(module: ir.Module, choose: Choose) -> None:
    """Drop a result of a `linalg.generic` that nothing uses, with its output, map and yielded value; one stays."""
    program = Program(module)
    sites: list[tuple[str, tuple[Node, int]]] = []
    for node in program.nodes:
        if node.name == _GENERIC and len(node.regions[0]) == 1 and len(node.results) > 1:
            block = node.regions[0][0]
            for i, result in enumerate(node.results):
                if not bindings.has_uses(result) and not bindings.has_uses(block.arguments[_inputs(node) + i]):
                    sites.append((f"{program.label(node)} result {i}: dropped", (node, i)))
    picked = chosen(sites, choose)
    if not picked:
        return
    edit = Edit(program)
    for node in dict.fromkeys(n for n, _ in picked):
        going = {i for n, i in picked if n is node}
        kept = [i for i in range(len(node.results)) if i not in going]
        if kept:
            terminator = node.regions[0][0].nodes[-1]
            values = list(terminator.op.operands)
            edit.rebuild(terminator, operands=[values[i] for i in kept])
            _keep_operands(edit, node, {_inputs(node) + i for i in going}, keep_results=kept)
    edit.finish()


def _inputs(node: Node) -> int:
    """How many of the operands are inputs; the others are one for each result, or buffers."""
    sizes = list(ir.DenseI32ArrayAttr(node.op.attributes["operandSegmentSizes"]))
    return int(sizes[0])


def _keep_operands(edit: Edit, node: Node, going: set[int], keep_results: range | list[int]) -> None:
    inputs = _inputs(node)
    operands = list(node.op.operands)
    maps = list(ir.ArrayAttr(node.op.attributes["indexing_maps"]))
    kept = [i for i in range(len(operands)) if i not in going]
    sizes = [sum(i < inputs for i in kept), sum(i >= inputs for i in kept)]
    block = node.regions[0][0]
    for i in sorted(going, reverse=True):
        block.block.erase_argument(i)
    block.arguments = list(block.block.arguments)
    edit.rebuild(
        node,
        operands=[operands[i] for i in kept],
        keep_results=list(keep_results),
        attributes={
            "indexing_maps": ir.ArrayAttr.get([maps[i] for i in kept], edit.context),
            "operandSegmentSizes": bindings.integer_array(sizes, 32, edit.context),
        },
    )
