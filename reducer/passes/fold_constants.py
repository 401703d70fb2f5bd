"""Operands that an op can hold as numbers of its own."""

from __future__ import annotations

from collections.abc import Sequence

from iree.compiler import ir

from reducer.passes import bindings
from reducer.passes.edit import Edit
from reducer.passes.program import Node, Program
from reducer.passes.sites import Choose, chosen

_DYNAMIC = -(2**63)
_LISTS = {
    "tensor.pad": ("static_low", "static_high"),
    "tensor.extract_slice": ("static_offsets", "static_sizes", "static_strides"),
    "tensor.insert_slice": ("static_offsets", "static_sizes", "static_strides"),
    "tensor.parallel_insert_slice": ("static_offsets", "static_sizes", "static_strides"),
    "tensor.expand_shape": ("static_output_shape",),
    "memref.subview": ("static_offsets", "static_sizes", "static_strides"),
    "memref.expand_shape": ("static_output_shape",),
}

_AT_LEAST_ONE = frozenset({"static_sizes", "static_strides", "static_output_shape"})


def fold_constants(module: ir.Module, choose: Choose) -> None:
    """Write a constant into the op that takes it: `low[%c1]` of a pad becomes `low[1]`; slices and reshapes too.

    What is no constant becomes the simplest number there: 1 for sizes and strides, else 0. A pad's result becomes
    static where it can; the types of other ops stay, and where they would have to change the verifier says so.
    """
    program = Program(module)
    sites: list[tuple[str, tuple[Node, int]]] = []
    for node in program.nodes:
        for operand in range(len(node.operands)) if node.name in _LISTS else ():
            place = _place(node, operand)
            if place is not None:
                value = _number(program, node, operand, place[0])
                name = program.name(node.operands[operand])
                label = f"{program.label(node)} {place[0].removeprefix('static_')}[{place[1]}]: {name} becomes {value}"
                sites.append((label, (node, operand)))
    picked = chosen(sites, choose)
    if not picked:
        return
    edit = Edit(program)
    for node in dict.fromkeys(n for n, _ in picked):
        _fold(edit, node, [i for n, i in picked if n is node])
    edit.finish()


def _number(program: Program, node: Node, operand: int, key: str) -> int:
    """What the operand becomes in the list `key`."""
    producer = program.definer.get(node.operands[operand])
    if producer is not None and producer.name == "arith.constant":
        attribute = producer.op.attributes["value"]
        if isinstance(attribute, ir.IntegerAttr):
            return int(attribute.value)
    return int(key in _AT_LEAST_ONE)


def _lists(node: Node) -> list[tuple[str, list[int]]]:
    table = node.op.attributes
    return [(key, list(ir.DenseI64ArrayAttr(table[key]))) for key in _LISTS[node.name]]


def _place(node: Node, operand: int) -> tuple[str, int] | None:
    """The list and the place in it that the operand stands for."""
    dynamic = [(key, i) for key, values in _lists(node) for i, v in enumerate(values) if v == _DYNAMIC]
    at = operand - (len(node.operands) - len(dynamic))
    return dynamic[at] if at >= 0 else None


def _fold(edit: Edit, node: Node, operands: Sequence[int]) -> None:
    lists = dict(_lists(node))
    sizes = None
    if "operandSegmentSizes" in node.op.attributes:
        sizes = list(ir.DenseI32ArrayAttr(node.op.attributes["operandSegmentSizes"]))
    for operand in operands:
        place = _place(node, operand)
        if place is None:
            return
        lists[place[0]][place[1]] = _number(edit.program, node, operand, place[0])
        if sizes is not None:
            sizes[_segment(node, operand)] -= 1
    attributes: dict[str, ir.Attribute | None] = {
        key: bindings.integer_array(values, 64, edit.context) for key, values in lists.items()
    }
    if sizes is not None:
        attributes["operandSegmentSizes"] = bindings.integer_array(sizes, 32, edit.context)
    if node.name == "tensor.pad":
        _close(edit, node, lists["static_low"], lists["static_high"])
    now = list(node.op.operands)
    edit.rebuild(node, operands=[v for i, v in enumerate(now) if i not in set(operands)], attributes=attributes)


def _close(edit: Edit, node: Node, low: Sequence[int], high: Sequence[int]) -> None:
    """Give a pad's result the sizes that are known now, and pads of it theirs; the function may return them."""
    source, result = (ir.RankedTensorType(v.type) for v in (node.op.operands[0], node.results[0]))
    sizes = list(result.shape)
    for i, (a, b) in enumerate(zip(low, high, strict=True)):
        if result.is_dynamic_dim(i) and not source.is_dynamic_dim(i) and _DYNAMIC not in (a, b):
            sizes[i] = source.get_dim_size(i) + a + b
    if sizes != list(result.shape):
        with ir.Location.unknown(edit.context):
            node.results[0].set_type(ir.RankedTensorType.get(sizes, result.element_type, result.encoding))
        function = edit.program.function_of(node)
        if function is not None:
            edit.changed(function)
        for user in edit.program.nodes:
            if user.name == "tensor.pad" and not user.erased and user.op.operands[0] == node.results[0]:
                _close(edit, user, **{key.removeprefix("static_"): values for key, values in _lists(user)})


def _segment(node: Node, operand: int) -> int:
    """The number of the operand group that the operand is in, by the op as it was."""
    before = 0
    for i, size in enumerate(ir.DenseI32ArrayAttr(node.op.attributes["operandSegmentSizes"])):
        before += size
        if operand < before:
            return i
    raise IndexError(operand)
