"""Regions: bodies that yield at once, bodies moved to where their op stands."""

from __future__ import annotations

from iree.compiler import ir

from reducer.passes.edit import Edit
from reducer.passes.program import Block, Node, Program
from reducer.passes.replace_ops import finish
from reducer.passes.sites import Choose, chosen
from reducer.passes.types import zero


def simplify_bodies(module: ir.Module, choose: Choose) -> None:
    """Let a body yield a value that needs no op in it: an argument of its block of the same type; else zero.

        ^bb0(%a: f32, %b: f32):                    ^bb0(%a: f32, %b: f32):
          %0 = arith.mulf %a, %b : f32      =>       linalg.yield %a : f32
          linalg.yield %0 : f32

    For every op with a body, functions left out.
    """
    program = Program(module)
    sites: list[tuple[str, tuple[Node, int, ir.Value | None]]] = []
    for block in _bodies(program):
        terminator = block.nodes[-1]
        for i, value in enumerate(terminator.operands):
            producer = program.definer.get(value)
            if producer is None or producer.block is not block:
                continue
            argument = next((a for a in block.arguments if a.type == value.type), None)
            if argument is not None or (producer.operands and zero(program.type_text(value))):
                yields = program.name(argument) if argument is not None else "the constant 0"
                label = f"{_place(program, block)} yields {program.name(value)}: {yields} instead"
                sites.append((label, (terminator, i, argument)))
    picked = chosen(sites, choose)
    if not picked:
        return
    edit = Edit(program)
    for terminator, i, argument in picked:
        value = terminator.operands[i]
        if argument is None:
            owner = terminator.parent
            constant = zero(program.type_text(value))
            if owner is None or constant is None:
                continue
            terminator.op.operands[i] = edit.constant(constant.op, constant.value, value.type, owner)
        else:
            terminator.op.operands[i] = argument
    edit.finish()


def _bodies(program: Program) -> list[Block]:
    """The blocks with ops in regions of ops in functions."""
    found = []
    for node in program.nodes:
        if program.function_of(node) is not None:
            found += [b for region in node.regions for b in region if b.nodes and b.nodes[-1].is_terminator]
    return found


def _place(program: Program, block: Block) -> str:
    return f"body of {program.label(block.owner)}"


def inline_regions(module: ir.Module, choose: Choose) -> None:
    """Put the body of an op in its place, once: a branch of `scf.if`, one turn of a loop, a dispatch's contents.

    One site a region. It must be one block whose arguments have the types of the op's last operands, and whose
    terminator's last operands have the types of the op's results. A loop's counter becomes its step, of all things.
    """
    program = Program(module)
    sites: list[tuple[str, tuple[Node, int]]] = []
    for node in program.bodies():
        for i, region in enumerate(node.regions):
            if len(region) == 1 and _fits(node, region[0]):
                which = f" {i}" if len(node.regions) > 1 else ""
                sites.append((f"{program.label(node)} region{which}: inlined", (node, i)))
    picked = chosen(sites, choose)
    if not picked:
        return
    edit = Edit(program)
    done: list[Node] = []
    for node, i in picked:
        if not node.erased and node not in done:
            _inline(edit, node, node.regions[i][0])
            done.append(node)
    finish(edit, done)


def _fits(node: Node, block: Block) -> bool:
    if not block.nodes or not block.nodes[-1].is_terminator:
        return False
    yields = block.nodes[-1].operands
    arguments, results = block.arguments, node.results
    if len(arguments) > len(node.operands) or len(results) > len(yields):
        return False
    passed = node.operands[len(node.operands) - len(arguments) :]
    returned = yields[len(yields) - len(results) :]
    return _types(arguments) == _types(passed) and _types(results) == _types(returned)


def _types(values: list[ir.Value]) -> list[ir.Type]:
    return [v.type for v in values]


def _inline(edit: Edit, node: Node, block: Block) -> None:
    operands = list(node.op.operands)
    for argument, value in zip(block.arguments, operands[len(operands) - len(block.arguments) :], strict=True):
        edit.replace(argument, value)
    terminator = block.nodes[-1]
    yields = list(terminator.op.operands)
    for result, value in zip(node.results, yields[len(yields) - len(node.results) :], strict=True):
        edit.replace(result, value)
    outer = node.block
    for inner in block.nodes[:-1]:
        if not inner.erased:
            inner.op.move_before(node.op)
            inner.parent, inner.block = node.parent, outer
    block.nodes = [terminator]
