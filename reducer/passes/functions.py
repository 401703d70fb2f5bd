"""Whole functions and modules: dropped, inlined, flattened."""

from __future__ import annotations

from iree.compiler import ir

from reducer.passes import bindings
from reducer.passes.cut_ops import cut
from reducer.passes.edit import Edit
from reducer.passes.program import Function, Node, Program, ancestors, is_inside
from reducer.passes.sites import Choose, chosen
from reducer.passes.types import may_be_argument, zero


def flatten_modules(module: ir.Module, choose: Choose) -> None:
    """Move what stands in a nested module to the module around it.

    A nested module with a symbol that exists outside too stays as it is.
    """
    program = Program(module)
    nested = [n for n in program.nodes if n.name == "builtin.module"]
    picked = chosen([(f"{program.label(n)}: flattened", n) for n in nested], choose)
    for node in reversed(picked):
        outer = {_symbol_name(n) for n in program.nodes if n.parent is node.parent and not n.erased} - {""}
        block = node.regions[0][0]
        if outer & {_symbol_name(n) for n in block.nodes if not n.erased}:
            continue
        for inner in block.nodes:
            inner.op.move_before(node.op)
            inner.parent = node.parent
        bindings.erase(node.op)
        node.erased = True


def _symbol_name(node: Node) -> str:
    table = node.op.attributes
    return ir.StringAttr(table["sym_name"]).value if "sym_name" in table else ""


def drop_functions(module: ir.Module, choose: Choose) -> None:
    """Drop functions, globals, initialisers, whatever stands in a module, and what refers to them.

    The results of a dropped function's calls become arguments of the caller; what only the calls used becomes a result.
    In a function that is itself called nothing can be added: an operand of the same type, or zero, takes their place.
    A private function whose last caller went becomes public: it is kept unless it is dropped too.
    """
    program = Program(module)
    tops = [n for n in program.nodes if program.is_top_level(n)]
    if len(tops) < 2:
        return
    going = set(chosen([(f"{program.label(node)}: dropped", node) for node in tops], choose))
    while refused := {node for node in going if not _droppable(program, node, going)}:
        going -= refused
    if not going:
        return
    edit = Edit(program)
    referers = {r for node in going for r in _referers(program, node) if not _inside_any(r, going)}
    free: list[tuple[Node, Function]] = []
    for referer in sorted(referers, key=lambda n: n.index):
        function = program.function_of(referer)
        if function is not None and not _stays_called(program, function, going):
            free.append((referer, function))
        else:
            _stand_in(edit, referer)
    cut(edit, free)
    for node in sorted(going, key=lambda n: n.index):
        edit.erase(node)
    for name, node in program.symbols.items():
        if not node.erased and program.references[name] and all(r.erased for r in program.references[name]):
            _release(edit, program, node)
    edit.finish()


def _referers(program: Program, node: Node) -> list[Node]:
    return program.references.get(_symbol_name(node), [])


def _inside_any(node: Node, outer: set[Node]) -> bool:
    return node in outer or any(a in outer for a in ancestors(node))


def _droppable(program: Program, node: Node, going: set[Node]) -> bool:
    """Whether every op that would stay and refers to the symbol can be cut out."""
    for referer in _referers(program, node):
        if _inside_any(referer, going):
            continue
        function = program.function_of(referer)
        if function is None or referer.is_terminator:
            return False
        used = [program.type_text(r) for r in referer.results if bindings.has_uses(r)]
        if _stays_called(program, function, going):
            passed = {program.type_text(v) for v in referer.operands}
            if not all(t in passed or zero(t) for t in used):
                return False
        elif not all(may_be_argument(t) for t in used):
            return False
    return True


def _stays_called(program: Program, function: Function, going: set[Node]) -> bool:
    return any(not _inside_any(c, going) for c in program.callers(function))


def _stand_in(edit: Edit, node: Node) -> None:
    """Let an operand of the same type, or else zero, take the place of each of the op's results, and erase it."""
    for result in node.results:
        if edit.is_used(result):
            value = next((v for v in node.op.operands if v.type == result.type), None)
            constant = zero(str(result.type))
            if value is None and constant is not None:
                value = edit.constant(constant.op, constant.value, result.type, node)
            if value is not None:
                edit.replace(result, value)
    edit.erase_if_unused(node)


def _release(edit: Edit, program: Program, node: Node) -> None:
    """A symbol that lost its last reference: a function becomes public, anything else goes if it is private."""
    private = "sym_visibility" in node.op.attributes
    if any(f.node is node for f in program.functions):
        if private:
            del node.op.attributes["sym_visibility"]
    elif private:
        edit.erase(node)


def inline_calls(module: ir.Module, choose: Choose) -> None:
    """Move a function's body to its only call, and drop the function.

    Only functions of one block, so that nothing grows; functions with more calls lose them one by one to other passes.
    """
    program = Program(module)
    sites: list[tuple[str, tuple[Function, Node]]] = []
    for function in program.functions:
        callers = program.callers(function)
        if len(callers) == 1 and function.single_block and _is_call_of(callers[0], function):
            sites.append((f"{program.label(callers[0])}: inlined", (function, callers[0])))
    picked = chosen(sites, choose)
    if not picked:
        return
    edit = Edit(program)
    for function, call in picked:
        if not call.erased and not function.node.erased and not is_inside(call, function.node):
            _inline(edit, function, call)
    edit.finish()


def _is_call_of(call: Node, function: Function) -> bool:
    terminator = function.entry.nodes[-1].op
    return (
        "callee" in call.op.attributes
        and not is_inside(call, function.node)
        and [v.type for v in call.op.operands] == [a.type for a in function.entry.arguments]
        and [v.type for v in terminator.operands] == [r.type for r in call.results]
    )


def _inline(edit: Edit, function: Function, call: Node) -> None:
    for argument, value in zip(function.entry.arguments, list(call.op.operands), strict=True):
        edit.replace(argument, value)
    body = function.entry.nodes
    values = list(body[-1].op.operands)
    edit.erase(body[-1])
    place = call.block
    for node in body[:-1]:
        if not node.erased:
            node.op.move_before(call.op)
            node.parent, node.block = call.parent, place
    if place is not None:
        at = place.nodes.index(call)
        place.nodes[at:at] = [n for n in body[:-1] if not n.erased]
    for result, value in zip(call.results, values, strict=True):
        edit.replace(result, value)
    edit.erase(call)
    function.entry.nodes.clear()
    edit.erase(function.node)
