"""Control flow between the blocks of a function."""

from __future__ import annotations

from iree.compiler import ir

from reducer.passes import bindings
from reducer.passes.edit import Edit
from reducer.passes.program import Block, Function, Node, Program, descendants
from reducer.passes.sites import Choose, chosen


def straighten_branches(module: ir.Module, choose: Choose) -> None:
    """Let a conditional branch always take one way; blocks out of reach go, and blocks in a row become one.

        cf.cond_br %c, ^bb1, ^bb2      =>      the contents of ^bb1

    One site a way. Ways that pass values are only followed for `cf.cond_br`.
    """
    program = Program(module)
    sites: list[tuple[str, tuple[Function, Node, int]]] = []
    for function in program.functions:
        for block in function.node.regions[0]:
            terminator = block.nodes[-1] if block.nodes else None
            if terminator is not None and len(terminator.op.successors) > 1:
                for way in range(len(terminator.op.successors)):
                    if _passed(terminator, way) is not None:
                        label = f"{program.label(terminator)} in {program.label(function.node)}: always way {way}"
                        sites.append((label, (function, terminator, way)))
    picked = chosen(sites, choose)
    if not picked:
        return
    edit = Edit(program)
    straightened: set[Node] = set()
    for _, terminator, way in picked:
        if terminator not in straightened:
            straightened.add(terminator)
            _branch(terminator, way)
    for function in dict.fromkeys(f for f, _, _ in picked):
        _drop_unreachable(program, function)
        _join_blocks(edit, function)
    edit.finish()


def _passed(terminator: Node, way: int) -> list[ir.Value] | None:
    """The values that the branch passes to its target on this way; None if that cannot be told."""
    if not len(terminator.op.successors[way].arguments):
        return []
    if terminator.name != "cf.cond_br":
        return None
    sizes = list(ir.DenseI32ArrayAttr(terminator.op.attributes["operandSegmentSizes"]))
    start = 1 + (sizes[1] if way else 0)
    return list(terminator.op.operands)[start : start + sizes[1 + way]]


def _branch(terminator: Node, way: int) -> None:
    op = terminator.op
    operands, target = _passed(terminator, way) or [], op.successors[way]
    new = bindings.create("cf.br", op.context, op, operands=operands, successors=[target])
    bindings.erase(op)
    terminator.op, terminator.name, terminator.operands = new, "cf.br", operands


def _drop_unreachable(program: Program, function: Function) -> None:
    blocks = function.node.regions[0]
    reached: list[Block] = [blocks[0]]
    for block in reached:
        for target in block.nodes[-1].op.successors:
            reached += [b for b in blocks if b.block == target and b not in reached]
    gone = [b for b in blocks if b not in reached]
    for node in (inner for b in gone for top in b.nodes for inner in descendants(top)):
        node.erased = True
    _dispose(program.context, gone)
    function.node.regions[0] = [b for b in blocks if b in reached]


def _dispose(context: ir.Context, blocks: list[Block]) -> None:
    """Erase blocks; old bindings can only do so by moving them into an op that is erased."""
    if not blocks:
        return
    bin_ = bindings.create("builtin.module", context, None, regions=1)
    for block in blocks:
        block.block.append_to(bin_.regions[0])
    bindings.erase(bin_)


def _join_blocks(edit: Edit, function: Function) -> None:
    """Append a block to the one that branches to it, if no other does."""
    blocks = function.node.regions[0]
    at = 0
    while at < len(blocks):
        block = blocks[at]
        branch = block.nodes[-1]
        follower = _only_follower(blocks, branch) if branch.name == "cf.br" else None
        if follower is None or follower is block or follower is blocks[0]:
            at += 1
            continue
        for argument, value in zip(follower.arguments, list(branch.op.operands), strict=True):
            edit.replace(argument, value)
        edit.erase(branch)
        block.nodes.pop()
        for node in follower.nodes:
            block.block.append(node.op)
            node.block = block
        block.nodes += follower.nodes
        follower.nodes = []
        blocks.remove(follower)
        _dispose(edit.context, [follower])
        at = 0


def _only_follower(blocks: list[Block], branch: Node) -> Block | None:
    target = branch.op.successors[0]
    branches = [t for b in blocks for t in b.nodes[-1].op.successors if t == target]
    return next((b for b in blocks if b.block == target), None) if len(branches) == 1 else None
