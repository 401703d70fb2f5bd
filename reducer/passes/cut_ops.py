"""Cut ops out of a program so that everything else stays.

The workhorse on big programs: any subset of the ops can go at once, so delta debugging finds the few that matter in a
logarithmic number of tests.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from iree.compiler import ir

from reducer.passes.edit import Edit, is_dead
from reducer.passes.program import Function, Node, Program, ancestors, distinct
from reducer.passes.sites import Choose, chosen
from reducer.passes.types import may_be_argument

_LITERALS = frozenset({"torch.vtensor.literal"})
_NOT_WORTH_RETURNING = frozenset({"tensor.empty"})


def cut_ops(module: ir.Module, choose: Choose) -> None:
    """Remove ops; their results become arguments, and what only they used becomes a result.

        func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
          %0 = math.exp %x : tensor<2xf32>
          %1 = math.absf %0 : tensor<2xf32>
          return %1 : tensor<2xf32>
        }

    with `math.absf` cut: the function returns `%0`; with `math.exp` cut: `%0` is the argument. Functions that something
    calls are left alone, for their callers would have to pass more. Constants are `cut_constants`' business: some ops
    need theirs, and would make a whole group of cuts fail for no good reason.
    """
    program = Program(module)
    _cut_where(program, choose, lambda node: not is_constant(node))


def cut_constants(module: ir.Module, choose: Choose) -> None:
    """Make constants arguments: `%cst = arith.constant 0.0 : f32` becomes `%arg1: f32`.

    Not those that say which dimension a `tensor.dim` asks for: IREE has to know.
    """
    program = Program(module)
    needed = {v for n in program.nodes if n.name.endswith(".dim") for v in n.operands[1:]}
    _cut_where(program, choose, lambda node: is_constant(node) and not needed.intersection(node.results))


def is_constant(node: Node) -> bool:
    """Whether the op makes a value out of nothing but its attributes."""
    return not node.operands and len(node.results) == 1 and ("constant" in node.name or node.name in _LITERALS)


def _cut_where(program: Program, choose: Choose, wanted: Callable[[Node], bool]) -> None:
    free = {f.node for f in program.functions if not program.callers(f)}
    sites: list[tuple[str, tuple[Node, Function]]] = []
    for node in program.bodies():
        function = program.function_of(node)
        if function is None or function.node not in free or not wanted(node) or is_dead(node):
            continue
        if all(may_be_argument(program.type_text(r)) for r in node.results) and "sym_name" not in node.op.attributes:
            becomes = "becomes an argument" if node.results else "removed"
            sites.append((f"{program.label(node)}: {becomes}", (node, function)))
    picked = chosen(sites, choose)
    if picked:
        edit = Edit(program)
        cut(edit, picked)
        edit.finish()


def cut(edit: Edit, picked: Sequence[tuple[Node, Function]]) -> None:
    """Remove ops of functions that nothing calls, last one first; those inside another one go with it."""
    going = {node for node, _ in picked}
    for node, function in reversed(picked):
        if node.erased or any(outer in going for outer in ancestors(node)):
            continue
        signature = edit.signature(function)
        for result in node.results:
            _detach(edit, function, result)
        inputs = distinct(list(node.op.operands))
        edit.erase(node)
        for value in inputs:
            producer = edit.program.definer.get(value)
            if (
                signature.may_change_results
                and producer is not None
                and producer not in going
                and producer.block is function.entry
                and not edit.is_used(value)
                and _worth_returning(edit.program, producer, value)
            ):
                signature.add_result(value)


def _detach(edit: Edit, function: Function, result: ir.Value) -> None:
    """Take every use off an op's result: a new argument takes its place, and it is no longer returned."""
    signature = edit.signature(function)
    if signature.may_change_results and not signature.returns(result):
        signature.open_results()
    if signature.returns(result):
        signature.keep_results(lambda value: value != result)
    if edit.is_used(result):
        edit.replace(result, signature.add_argument(result.type, edit.context))


def _worth_returning(program: Program, producer: Node, value: ir.Value) -> bool:
    if not may_be_argument(program.type_text(value)):
        return False
    return bool(producer.operands) and producer.name not in _NOT_WORTH_RETURNING
