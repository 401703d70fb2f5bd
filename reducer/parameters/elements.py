"""Element types: another type everywhere at once, towards f32.

All values of one element type change together, scalars included, so that what agreed agrees afterwards. Casts between
types that have become one vanish; integer arithmetic on what is now a float becomes the float's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from iree.compiler import ir

from reducer.parameters.builder import Builder, Choice, Plan
from reducer.parameters.constants import is_float, is_integer
from reducer.parameters.shapes import parse_shape

ELEMENTS = 7
CASTS = frozenset(
    f"arith.{name}" for name in ("extf", "truncf", "extsi", "extui", "trunci", "sitofp", "uitofp", "fptosi", "fptoui")
)
_FLOATS = {
    "addi": "addf", "subi": "subf", "muli": "mulf", "divsi": "divf", "divui": "divf", "remsi": "remf", "remui": "remf",
    "maxsi": "maximumf", "maxui": "maximumf", "minsi": "minimumf", "minui": "minimumf", "cmpi": "cmpf",
}  # fmt: skip
_PREDICATES = {0: 1, 1: 13, 2: 4, 3: 5, 4: 2, 5: 3, 6: 4, 7: 5, 8: 2, 9: 3}


def offer(builder: Builder) -> None:
    """Make a parameter of each element type that is not f32."""
    seen = dict.fromkeys(s.shape.element for s in builder.slots.values() if s is not None)
    for element in seen:
        if element in ("f32", "i1") or not (is_float(element) or is_integer(element)):
            continue

        def choose(plan: Plan, value: int, element: str = element) -> None:
            if value == 0:
                plan.elements[element] = "f32"

        builder.choices.append(Choice(f"element type {element}", ("f32", element), 1, choose, ELEMENTS))


def walk(op: Any) -> Iterator[Any]:
    """Every op inside, the outer before the inner."""
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                yield inner.operation
                yield from walk(inner.operation)


def _values(op: Any) -> Iterator[Any]:
    yield from op.results
    for region in op.regions:
        for block in region.blocks:
            yield from block.arguments


def retype_scalars(module: Any, elements: Mapping[str, str]) -> None:
    """Give every scalar of a changed type the new one. Shaped values are somebody else's business."""
    types = {old: ir.Type.parse(new) for old, new in elements.items()}
    for op in walk(module):
        for value in _values(op):
            new = types.get(str(value.type))
            if new is not None:
                value.set_type(new)


def repair(module: Any) -> None:
    """Make casts and arithmetic right for the types that their operands have now."""
    for op in list(walk(module)):
        if op.name in CASTS:
            _recast(op)
        elif op.name.removeprefix("arith.") in _FLOATS and is_float(_element(op.operands[0])):
            _refloat(op)


def _element(value: Any) -> str:
    text = str(value.type)
    shape = parse_shape(text)
    return shape.element if shape else text


def _bits(element: str) -> int:
    digits = "".join(c for c in element.partition("E")[0] if c.isdigit())
    return int(digits or 0)


def _recast(op: Any) -> None:
    before, after = _element(op.operands[0]), _element(op.results[0])
    if before == after:
        op.results[0].replace_all_uses_with(op.operands[0])
        op.erase()
        return
    wider = _bits(after) > _bits(before)
    if is_float(before):
        name = ("extf" if wider else "truncf") if is_float(after) else "fptosi"
    else:
        name = "sitofp" if is_float(after) else ("extsi" if wider else "trunci")
    if name != op.name.removeprefix("arith."):
        _replace(op, f"arith.{name}", {})


def _refloat(op: Any) -> None:
    attributes = {}
    if op.name == "arith.cmpi":
        predicate = ir.IntegerAttr(op.attributes["predicate"]).value
        attributes["predicate"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), _PREDICATES[predicate])
    _replace(op, f"arith.{_FLOATS[op.name.removeprefix('arith.')]}", attributes)


def _replace(op: Any, name: str, attributes: dict[str, Any]) -> None:
    new = ir.Operation.create(
        name,
        results=[op.results[0].type],
        operands=list(op.operands),
        attributes=attributes,
        ip=ir.InsertionPoint(op),
    )
    op.results[0].replace_all_uses_with(new.results[0])
    op.erase()
