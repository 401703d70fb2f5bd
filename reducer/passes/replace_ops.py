"""Ops replaced by values that exist already."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from iree.compiler import ir

from reducer.passes.edit import Edit, is_dead
from reducer.passes.program import Block, Node, Program, distinct
from reducer.passes.sites import Choose, chosen
from reducer.passes.types import shape_of

_SEARCH_LIMIT = 48
_CASTS = frozenset(
    {
        *("tensor.cast", "tensor.bitcast", "tensor.collapse_shape", "tensor.expand_shape", "tensor.reshape"),
        *("arith.bitcast", "arith.extf", "arith.truncf", "arith.extsi", "arith.extui", "arith.trunci"),
        *("arith.sitofp", "arith.uitofp", "arith.fptosi", "arith.fptoui", "arith.index_cast", "arith.index_castui"),
        *("stablehlo.convert", "stablehlo.reshape", "flow.tensor.bitcast", "flow.tensor.reshape"),
        *("torch.aten.to.dtype", "torch.tensor_static_info_cast"),
        *("torch_c.from_builtin_tensor", "torch_c.to_builtin_tensor"),
        *("bufferization.to_buffer", "bufferization.to_tensor"),
    }
)

Replacement = tuple[Node, list[ir.Value]]


def bypass_ops(module: ir.Module, choose: Choose) -> None:
    """Replace an op by an operand of the same type: `%1 = math.exp %0` becomes `%0`, everywhere.

    One site for each operand that would do; of an op with several results, all are replaced at once.
    """
    program = Program(module)
    sites: list[tuple[str, Replacement]] = []
    for node in program.bodies():
        if node.results and not is_dead(node):
            for values in _matching_operands(node):
                sites.append((f"{program.label(node)}: {_names(program, values)} instead", (node, values)))
    replace_all(program, chosen(sites, choose))


def _matching_operands(node: Node) -> list[list[ir.Value]]:
    operands = distinct(node.operands)
    if len(node.results) == 1:
        wanted = node.results[0].type
        return [[v] for v in operands if v.type == wanted]
    values: list[ir.Value] = []
    for result in node.results:
        same = [v for v in node.operands if v.type == result.type]
        unused = [v for v in same if v not in values]
        if not same:
            return []
        values.append((unused or same)[0])
    return [values]


def bypass_chains(module: ir.Module, choose: Choose) -> None:
    """Replace an op by the nearest value of the same type that it was computed from.

        %1 = arith.truncf %0 : f32 to f16
        %2 = arith.extf %1 : f16 to f32       // %0 instead

    For ops with no operand of the type; so it removes pairs of casts, reshapes, transposes ….
    """
    program = Program(module)
    sites: list[tuple[str, Replacement]] = []
    for node in program.bodies():
        if len(node.results) == 1 and not is_dead(node):
            wanted = node.results[0].type
            if not any(v.type == wanted for v in node.operands):
                value = _nearest_source(program, node, wanted)
                if value is not None:
                    sites.append((f"{program.label(node)}: {program.name(value)} instead", (node, [value])))
    replace_all(program, chosen(sites, choose))


def _nearest_source(program: Program, node: Node, wanted: ir.Type) -> ir.Value | None:
    queue: deque[ir.Value] = deque(node.operands)
    seen: set[ir.Value] = set()
    while queue and len(seen) < _SEARCH_LIMIT:
        value = queue.popleft()
        if value in seen:
            continue
        seen.add(value)
        if value.type == wanted:
            return value
        producer = program.definer.get(value)
        if producer is not None:
            queue.extend(producer.operands)
    return None


def drop_casts(module: ir.Module, choose: Choose) -> None:
    """Use what is cast instead of the cast, though the type differs: where only `tensor.dim` uses a `tensor.cast`, say.

    Tensors, vectors and memrefs only: next to no op takes a scalar of another type.
    """
    program = Program(module)
    sites: list[tuple[str, Replacement]] = []
    for node in program.bodies():
        if node.name in _CASTS and len(node.results) == 1 and node.operands and not is_dead(node):
            value = node.operands[0]
            both = (value, node.results[0])
            if value.type != node.results[0].type and all(shape_of(program.type_text(v)) for v in both):
                sites.append((f"{program.label(node)}: {program.name(value)} instead", (node, [value])))
    replace_all(program, chosen(sites, choose), retype=True)


def use_earlier_values(module: ir.Module, choose: Choose) -> None:
    """Replace an op by the first value of the same type in its block: the block's argument, or another op's result.

    In the body of a `linalg.generic`, `%5 = arith.addf %3, %4` becomes `%in`. Operands are `bypass_ops`' business.
    """
    program = Program(module)
    sites: list[tuple[str, Replacement]] = []
    first: dict[tuple[Block, ir.Type], ir.Value] = {}
    for node in program.nodes:
        block = node.block
        if block is None or program.function_of(node) is None:
            continue
        if node is block.nodes[0]:
            for argument in block.arguments:
                first.setdefault((block, argument.type), argument)
        if len(node.results) != 1:
            continue
        result = node.results[0]
        value = first.setdefault((block, result.type), result)
        if value != result and value not in node.operands and not is_dead(node):
            sites.append((f"{program.label(node)}: {program.name(value)} instead", (node, [value])))
    replace_all(program, chosen(sites, choose))


def _names(program: Program, values: Sequence[ir.Value]) -> str:
    return ", ".join(program.name(v) for v in values)


def replace_all(program: Program, picked: Sequence[Replacement], *, retype: bool = False) -> None:
    """Replace the ops' results by the values; of several replacements of one op the first counts."""
    if not picked:
        return
    edit = Edit(program)
    stands_for: dict[ir.Value, ir.Value] = {}
    done: list[Replacement] = []
    for node, values in picked:
        if any(r in stands_for for r in node.results):
            continue
        now = [_follow(stands_for, v) for v in values]
        for result, value in zip(node.results, now, strict=True):
            edit.replace(result, value)
            stands_for[result] = value
        done.append((node, values))
    if retype:
        for function in program.functions:
            edit.changed(function)
    finish(edit, [node for node, _ in done])


def _follow(stands_for: dict[ir.Value, ir.Value], value: ir.Value) -> ir.Value:
    while value in stands_for:
        value = stands_for[value]
    return value


def finish(edit: Edit, replaced: Sequence[Node]) -> None:
    """Erase the replaced ops, those that do something besides their results too, then tidy up."""
    for node in reversed(replaced):
        edit.erase_if_unused(node)
    edit.finish()
