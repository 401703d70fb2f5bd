"""Constants: made, merged, made uniform, made zero."""

from __future__ import annotations

import math
from collections.abc import Callable

from iree.compiler import ir

from reducer.passes import bindings
from reducer.passes.edit import Edit, is_dead
from reducer.passes.program import Block, Node, Program
from reducer.passes.replace_ops import Replacement, finish, replace_all
from reducer.passes.sites import Choose, chosen
from reducer.passes.types import zero

_LIKE_CONSTANTS = frozenset({"tensor.empty", "torch.vtensor.literal"})
_VALUE_KEYS = ("value", "initial_value")


def merge_constants(module: ir.Module, choose: Choose) -> None:
    """Replace a constant by an equal one that stands earlier in the same block or around it."""
    program = Program(module)
    sites: list[tuple[str, Replacement]] = []
    seen: dict[tuple[Block, str, ir.Attribute, ir.Type], ir.Value] = {}
    for node in program.nodes:
        if node.operands or len(node.results) != 1 or node.regions or node.block is None or is_dead(node):
            continue
        if ("constant" not in node.name and node.name not in _LIKE_CONSTANTS) or not bindings.is_readable(node.op):
            continue
        value = bindings.attribute(node.op, "value")
        key = (node.name, value, node.results[0].type)
        earlier = next((seen[(b, *key)] for b in _blocks_around(node) if (b, *key) in seen), None)
        if earlier is None:
            seen[(node.block, *key)] = node.results[0]
        else:
            sites.append((f"{program.label(node)}: {program.name(earlier)} instead", (node, [earlier])))
    replace_all(program, chosen(sites, choose))


def _blocks_around(node: Node) -> list[Block]:
    """The op's block and those around it, out to the function's; values there are visible to the op."""
    blocks: list[Block] = []
    at: Node | None = node
    while at is not None and at.block is not None and "function_type" not in at.op.attributes:
        blocks.append(at.block)
        at = at.parent
    return blocks


def make_constant(module: ir.Module, choose: Choose) -> None:
    """Replace an op that has operands by the constant zero: `%1 = math.exp %0` becomes `arith.constant 0.0 : f32`."""
    program = Program(module)
    sites: list[tuple[str, Node]] = []
    for node in program.bodies():
        if len(node.results) == 1 and node.operands and not is_dead(node) and zero(program.type_text(node.results[0])):
            sites.append((f"{program.label(node)}: becomes the constant 0", node))
    picked = chosen(sites, choose)
    if not picked:
        return
    edit = Edit(program)
    for node in picked:
        constant = zero(program.type_text(node.results[0]))
        if constant is not None:
            value = edit.constant(constant.op, constant.value, node.results[0].type, node)
            edit.replace(node.results[0], value)
    finish(edit, picked)


def splat_constants(module: ir.Module, choose: Choose) -> None:
    """Fill a constant tensor with its first element: `dense<[1.0, 2.0]>` becomes `dense<1.0>`, a blob or a
    `sparse` constant `dense<0.0>`.

    Values of constants and initial values of globals only: strides and the like are parameters.
    """
    _rewrite_attributes(module, choose, "all elements alike", _splat)


def zero_constants(module: ir.Module, choose: Choose) -> None:
    """Set a constant to zero: `dense<5.0>` becomes `dense<0.0>`, `arith.constant 7 : index` becomes 0.

    The steps in between are the parameters' business.
    """
    _rewrite_attributes(module, choose, "becomes 0", _zero)


Rewrite = Callable[[Node, ir.Attribute, ir.Context], "ir.Attribute | None"]


def _rewrite_attributes(module: ir.Module, choose: Choose, what: str, rewrite: Rewrite) -> None:
    program = Program(module)
    sites: list[tuple[str, tuple[Node, str, ir.Attribute]]] = []
    for node in program.nodes:
        for key in _VALUE_KEYS:
            attribute = bindings.attribute(node.op, key)
            new = rewrite(node, attribute, program.context) if attribute is not None else None
            if new is not None and new != attribute:
                sites.append((f"{program.label(node)} {key}: {what}", (node, key, new)))
    for node, key, new in chosen(sites, choose):
        node.op.attributes[key] = new


def _splat(_node: Node, attribute: ir.Attribute, context: ir.Context) -> ir.Attribute | None:
    resource = _type_of_unread(attribute)
    if resource is not None:
        return _zero_of(resource, context)
    if not isinstance(attribute, ir.DenseElementsAttr) or not len(attribute) or attribute.is_splat:
        return None
    return _first_everywhere(attribute, context)


def _type_of_unread(attribute: ir.Attribute) -> str | None:
    """The text of the type of a `dense_resource` or a `sparse` attribute, whose elements are not to be had."""
    text = bindings.resource_type(attribute)
    if text is None and type(attribute).__name__ in ("Attribute", "SparseElementsAttr"):
        whole = str(attribute)
        return whole.rpartition(" : ")[2] if whole.startswith("sparse<") else None
    return text


def _first_everywhere(attribute: ir.Attribute, context: ir.Context) -> ir.Attribute | None:
    """A splat of the first element; of zero where the bindings cannot read elements of the type."""
    try:
        value = attribute[0]
    except (TypeError, ValueError, IndexError):
        return _zero_of(str(attribute.type), context)
    if str(ir.ShapedType(attribute.type).element_type) == "i1":
        text = "true" if value else "false"
    elif isinstance(value, float) and not math.isfinite(value):
        return _zero_of(str(attribute.type), context)
    else:
        text = repr(value)
    return ir.Attribute.parse(f"dense<{text}> : {attribute.type}", context)


def _zero(node: Node, attribute: ir.Attribute, context: ir.Context) -> ir.Attribute | None:
    if isinstance(attribute, (ir.IntegerAttr, ir.FloatAttr, ir.BoolAttr)):
        return _zero_of(str(attribute.type), context) if len(node.results) == 1 else None
    if isinstance(attribute, ir.DenseElementsAttr):
        return _zero_of(str(attribute.type), context)
    resource = _type_of_unread(attribute)
    return _zero_of(resource, context) if resource is not None else None


def _zero_of(type_text: str, context: ir.Context) -> ir.Attribute | None:
    constant = zero(type_text)
    return ir.Attribute.parse(constant.value, context) if constant is not None else None
