"""What differs between the MLIR bindings of the releases, behind one set of names.

Owns every call whose spelling or safety depends on the release (2.9.0 to the newest). Nothing here knows what a pass
is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from iree.compiler import ir
from iree.compiler._mlir_libs import _mlir

MEMOIZED_MAPS = "linalg.memoized_indexing_maps"
"""Where a named linalg op keeps the maps that follow from its strides and dilations, once they were asked for."""


@contextmanager
def plain_ops() -> Iterator[None]:
    """Keep the bindings from looking for a Python class for each op that they hand out.

    For a dialect without a Python module (stablehlo, torch; linalg up to 3.7) that look-up is a failing import each
    time: 80 ms for 14 ops. The passes never need the classes.
    """
    registry = _mlir.globals
    modules = registry.dialect_search_modules
    registry.dialect_search_modules = []
    try:
        yield
    finally:
        registry.dialect_search_modules = modules


_ELEMENTS = ("value", "initial_value")


def attributes(op: ir.Operation) -> list[tuple[str, ir.Attribute]]:
    """The attributes of an op, inherent ones included, in the order that MLIR keeps them (by name).

    Without those that the bindings cannot read, see `is_readable`.
    """
    table = op.attributes
    named = [table[i] for i in range(len(table))]
    return [(n.name, n.attr) for n in named if n.name not in _ELEMENTS or is_readable(op)]


def attribute(op: ir.Operation, key: str) -> ir.Attribute | None:
    """The attribute, None if the op has none of the name, or none that the bindings can read."""
    if key in op.attributes and (key not in _ELEMENTS or is_readable(op)):
        return op.attributes[key]
    return None


def is_readable(op: ir.Operation) -> bool:
    """Whether the op's attributes can be read.

    To hand out a `dense` attribute of complex numbers makes some bindings (3.2 to 3.12 at least) abort the process.
    """
    if not any(key in op.attributes for key in _ELEMENTS):
        return True
    types = [str(result.type) for result in op.results]
    if "type" in op.attributes:
        types.append(str(op.attributes["type"]))
    return not any("complex<" in text for text in types)


def resource_type(attribute: ir.Attribute) -> str | None:
    """The text of a `dense_resource` attribute's type; None for every other attribute.

    Depending on the release such an attribute comes as a class of its own, or as a plain attribute.
    """
    if type(attribute).__name__ not in ("Attribute", "DenseResourceElementsAttr"):
        return None
    text = str(attribute)
    return text.split(" : ", 1)[1] if text.startswith("dense_resource<") else None


def forget_memoized_maps(op: ir.Operation) -> None:
    """Let a named linalg op work out its indexing maps anew.

    The verifier believes the memoized ones; whoever parses the printed op does not.
    """
    if MEMOIZED_MAPS in op.attributes:
        del op.attributes[MEMOIZED_MAPS]


def has_uses(value: ir.Value) -> bool:
    """Whether anything uses the value."""
    return next(iter(value.uses), None) is not None


def users(value: ir.Value) -> list[tuple[ir.Operation, int]]:
    """Each use of the value: the op and the operand's number. In no order that a caller may rely on."""
    return [(use.owner.operation, use.operand_number) for use in value.uses]


def erase(op: ir.Operation) -> None:
    """Erase an op whose results are unused, with everything inside it.

    Older bindings keep Python objects of nested ops that still look valid afterwards; a new op at the same address
    would be taken for one of them. They offer a call that forgets those objects; newer ones need none.
    """
    forget = getattr(op.context, "_clear_live_operations_inside", None)
    if forget is not None and len(op.regions):
        forget(op)
    op.erase()


def create(
    name: str,
    context: ir.Context,
    before: ir.Operation | None,
    *,
    results: Sequence[ir.Type] = (),
    operands: Sequence[ir.Value] = (),
    attributes: Mapping[str, ir.Attribute] | None = None,
    successors: Sequence[ir.Block] = (),
    regions: int = 0,
) -> ir.Operation:
    """Create an op of any dialect in front of `before` (or detached, if None), at an unknown location."""
    op = ir.Operation.create(
        name,
        results=list(results),
        operands=list(operands),
        attributes=dict(attributes or {}),
        successors=list(successors),
        regions=regions,
        loc=ir.Location.unknown(context),
        ip=False,
    )
    if before is not None:
        ir.InsertionPoint(before).insert(op)
    return op.operation


def verifies(op: ir.Operation) -> bool:
    """Whether the op, with everything in it, passes MLIR's verifier."""
    try:
        return bool(op.verify() is not False)
    except ir.MLIRError:
        return False


def append(block: ir.Block, op: ir.Operation) -> None:
    """Put a detached op at the end of a block."""
    block.append(op)


def integer_array(values: Sequence[int], bits: int, context: ir.Context) -> ir.Attribute:
    """The attribute `array<iBITS: …>`."""
    text = f"array<i{bits}: {', '.join(map(str, values))}>" if values else f"array<i{bits}>"
    return ir.Attribute.parse(text, context)
