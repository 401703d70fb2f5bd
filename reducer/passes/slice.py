"""Straight to the fault: the ops at the evidence's places and what they are computed from, as a program of their own.

Owns which producers are kept for free, and what becomes of everything that is cut off.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from iree.compiler import ir

from oracles.experiment import Location
from reducer.passes.bindings import plain_ops
from reducer.passes.cut_ops import cut
from reducer.passes.edit import Edit
from reducer.passes.program import Function, Node, Program, descendants, distinct
from reducer.passes.types import may_be_argument

_PLACE = re.compile(r":(\d+):(\d+)")
_CHEAP = frozenset(
    {
        *("tensor.empty", "linalg.fill", "tensor.dim", "tensor.splat", "arith.index_cast"),
        *("torch.vtensor.literal", "torch.prim.ListConstruct", "memref.alloc", "memref.dim", "shape.shape_of"),
    }
)
_MOST_CHEAP_OPERANDS = 2


class NotThereError(ValueError):
    """None of the places is that of an op in a function."""


def slice_at(module: ir.Module, locations: Sequence[Location], depth: int, users: int = 0) -> None:
    """Keep the ops at these places (of the text that the module was parsed from), and `depth` generations of producers.

    Before that, `users` generations of the ops' users join them: a fault may be in how an op goes with what follows it.

    An op in a body stands for the outermost op around it in its function. What the kept ops use besides becomes
    arguments of the function, and what they compute becomes its results; other functions go, unless a kept op refers to
    them. Constants, `tensor.empty`, fills and index arithmetic come along at any depth, and so does everything whose
    type cannot be an argument. Locations in several functions keep those functions. Raises NotThereError.
    """
    with plain_ops():
        program = Program(module)
        targets = _find(program, locations)
        if not targets:
            raise NotThereError("no op in a function stands at " + ", ".join(f"{p.line}:{p.column}" for p in locations))
        targets = _with_users(program, targets, users)
        functions = [f for f in program.functions if any(program.function_of(n) is f for n in targets)]
        kept = set(targets)
        for function in functions:
            kept |= _producers(program, [n for n in targets if program.function_of(n) is function], depth)
        edit = Edit(program)
        staying = _needed_symbols(program, functions, kept)
        _cut_the_rest(edit, [f for f in functions if not _is_called(program, f, kept, staying)], kept)
        _drop_symbols(edit, staying)
        for function in functions:
            called = _is_called(program, function, kept, staying)
            if not called and "sym_visibility" in function.node.op.attributes:
                del function.node.op.attributes["sym_visibility"]
        edit.finish()


def place_of(location: ir.Location) -> Location | None:
    """Line and column of an op's location, None if it has none."""
    match = _PLACE.search(str(location))
    return Location(int(match.group(1)), int(match.group(2))) if match else None


def _find(program: Program, locations: Sequence[Location]) -> list[Node]:
    """The ops directly in functions that stand, or hold an op that stands, at one of the places.

    A place in the middle of a line, where no op starts, is that of the ops on its line.
    """
    by_place: dict[Location, list[Node]] = {}
    by_line: dict[int, list[Node]] = {}
    for node in program.nodes:
        function = program.function_of(node)
        place = place_of(node.op.location) if function is not None else None
        if function is None or place is None:
            continue
        outermost = node
        while outermost.parent is not None and outermost.parent is not function.node:
            outermost = outermost.parent
        if not outermost.is_terminator:
            by_place.setdefault(place, []).append(outermost)
            by_line.setdefault(place.line, []).append(outermost)
    found = [n for p in locations for n in by_place.get(p) or by_line.get(p.line, [])]
    return sorted(dict.fromkeys(found), key=lambda n: n.index)


def _inputs(node: Node) -> Iterable[ir.Value]:
    """What the op uses, in its regions too (values made inside included: they have no producer outside)."""
    for inner in descendants(node):
        yield from inner.operands


def _with_users(program: Program, targets: Sequence[Node], generations: int) -> list[Node]:
    """The ops and so many generations of the ops that use their results."""
    if not generations:
        return list(targets)
    using: dict[Node, list[Node]] = {}
    for node in program.nodes:
        if _stands_in_function(program, node) and not node.is_terminator:
            for value in _inputs(node):
                if (producer := program.definer.get(value)) is not None:
                    using.setdefault(producer, []).append(node)
    found = dict.fromkeys(targets)
    border = list(targets)
    for _ in range(generations):
        border = [n for n in dict.fromkeys(u for node in border for u in using.get(node, [])) if n not in found]
        found.update(dict.fromkeys(border))
    return sorted(found, key=lambda n: n.index)


def _producers(program: Program, targets: Sequence[Node], depth: int) -> set[Node]:
    """The producers to keep: all within the depth, and the cheap ones and those that cannot be cut off beyond it."""
    kept: set[Node] = set(targets)
    border = list(targets)
    level = 0
    while border:
        following: list[Node] = []
        for node in border:
            for value in distinct(list(_inputs(node))):
                producer = program.definer.get(value)
                if producer is None or producer in kept or not _stands_in_function(program, producer):
                    continue
                if level < depth or _is_cheap(program, producer) or not may_be_argument(program.type_text(value)):
                    kept.add(producer)
                    following.append(producer)
        border = following
        level += 1
    return kept


def _stands_in_function(program: Program, node: Node) -> bool:
    function = program.function_of(node)
    return function is not None and node.parent is function.node


def _is_cheap(program: Program, node: Node) -> bool:
    if "constant" in node.name:
        return True
    if node.name in _CHEAP:
        return True
    indices = all(program.type_text(v) == "index" for v in [*node.operands, *node.results])
    return indices and len(node.operands) <= _MOST_CHEAP_OPERANDS and not node.regions


def _needed_symbols(program: Program, functions: Sequence[Function], kept: set[Node]) -> set[Node]:
    """The functions of the targets, and every symbol that kept ops refer to, directly or not."""
    staying = {f.node for f in functions}
    if len(program.symbols) < 2:
        return staying
    again = True
    while again:
        again = False
        for name, symbol in program.symbols.items():
            if symbol not in staying and any(_stays(program, r, kept, staying) for r in program.references[name]):
                staying.add(symbol)
                again = True
    return staying


def _stays(program: Program, node: Node, kept: set[Node], staying: set[Node]) -> bool:
    """Whether the op is kept, by itself or as part of a function or global that stays whole."""
    at: Node | None = node
    while at is not None and at.parent is not None and at.parent is not program.root and at.parent not in staying:
        at = at.parent
    if at is None:
        return False
    if at in kept or at in staying:
        return True
    owner = at.parent
    return owner in staying and owner is not None and not any(k.parent is owner for k in kept)


def _is_called(program: Program, function: Function, kept: set[Node], staying: set[Node]) -> bool:
    return any(_stays(program, c, kept, staying) for c in program.callers(function))


def _cut_the_rest(edit: Edit, functions: Sequence[Function], kept: set[Node]) -> None:
    """Take the other ops out of the functions; results that no kept op computes are no longer returned."""
    definer = edit.program.definer
    for function in functions:
        rest = [n for b in function.node.regions[0] for n in b.nodes if n not in kept and not n.is_terminator]
        signature = edit.signature(function)
        if signature.may_change_results:
            signature.keep_results(lambda value: value in definer)
        cut(edit, [(n, function) for n in rest])


def _drop_symbols(edit: Edit, staying: set[Node]) -> None:
    """Erase the other symbols, and the initialisers that refer to one of them."""
    program = edit.program
    going = {name: node for name, node in program.symbols.items() if node not in staying}
    if not going:
        return
    referers = {r for name in going for r in program.references[name]}
    for node in program.nodes:
        if node.parent is program.root and not node.erased and node not in staying:
            unnamed = "sym_name" not in node.op.attributes
            if node in going.values() or (unnamed and any(i in referers for i in descendants(node))):
                edit.erase(node)
