"""Attributes that an op can do without."""

from __future__ import annotations

from iree.compiler import ir

from reducer.passes import bindings
from reducer.passes.edit import Edit
from reducer.passes.inputs import INPUT, RUNS
from reducer.passes.program import Node, Program
from reducer.passes.sites import Choose, chosen

_STRUCTURE = frozenset(
    {
        *("sym_name", "sym_visibility", "function_type", "callee", "value", "predicate"),
        *("operandSegmentSizes", "resultSegmentSizes", "indexing_maps", "iterator_types"),
        *("static_low", "static_high", "static_offsets", "static_sizes", "static_strides", "static_output_shape"),
        *("reassociation", "permutation", "dimensions", "dimension", "dim"),
    }
)
_STEPS = frozenset({"strides", "dilations"})


def drop_attributes(module: ir.Module, choose: Choose) -> None:
    """Drop an attribute that is optional: `nofold`, lowering configurations, unit strides ….

    Those of functions, arguments and modules too. Strides and dilations that are not 1 are parameters.
    Whether one is optional is asked of the op's own verifier, before any site is offered.
    """
    program = Program(module)
    sites: list[tuple[str, tuple[Node, str]]] = []
    optional: dict[tuple[str, str, ir.Attribute], bool] = {}
    for node in [program.root, *program.nodes]:
        for key, attribute in bindings.attributes(node.op):
            if key == bindings.MEMOIZED_MAPS or not _in_question(node, key, attribute):
                continue
            kind = (node.name, key, attribute)
            if kind not in optional:
                optional[kind] = _is_optional(node, key, attribute)
            if optional[kind]:
                name = "module" if node is program.root else program.label(node)
                sites.append((f"{name} {key}: dropped", (node, key)))
    picked = chosen(sites, choose)
    if not picked:
        return
    edit = Edit(program)
    for node, key in picked:
        if _can_be_copied(node) and "." not in key:
            edit.rebuild(node, attributes={key: None})
        elif key in node.op.attributes:
            del node.op.attributes[key]
            bindings.forget_memoized_maps(node.op)
    edit.finish()


def _in_question(node: Node, key: str, attribute: ir.Attribute) -> bool:
    if node.name == "builtin.module" and key == "sym_name":
        return node.parent is None
    if key == RUNS or (key == "arg_attrs" and INPUT in str(attribute)):
        return False
    if key == "sym_visibility":
        return str(attribute) == '"public"'
    if key in _STEPS and isinstance(attribute, ir.DenseElementsAttr):
        return set(ir.DenseIntElementsAttr(attribute)) == {1}
    return key not in _STRUCTURE


def _is_optional(node: Node, key: str, attribute: ir.Attribute) -> bool:
    if "." in key:
        return True
    if _can_be_copied(node):
        return _copy_verifies(node, key, attribute)
    table = node.op.attributes
    bindings.forget_memoized_maps(node.op)
    del table[key]
    verifies = bindings.verifies(node.op)
    table[key] = attribute
    bindings.forget_memoized_maps(node.op)
    return verifies


def _can_be_copied(node: Node) -> bool:
    """Whether the op is made anew without the attribute, so that MLIR fills in the default where there is one.

    Merely taken off, an attribute with a default (`fastmath`) may leave an op that verifies and crashes its printer.
    """
    inner = node.parent is not None and not node.is_terminator
    return inner and not len(node.op.regions) and bindings.is_readable(node.op)


def _copy_verifies(node: Node, key: str, attribute: ir.Attribute) -> bool:
    op = node.op
    copy = bindings.create(
        node.name,
        op.context,
        op,
        results=[r.type for r in node.results],
        operands=node.operands,
        attributes={k: a for k, a in bindings.attributes(op) if k != key},
    )
    unchanged = key in copy.attributes and copy.attributes[key] == attribute
    verifies = not unchanged and bindings.verifies(copy)
    bindings.erase(copy)
    return verifies

