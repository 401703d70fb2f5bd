"""Element types: another type for all values that share it, towards f32.

Values that an op keeps at one element type form a component, scalars included, and change together. Casts between types
that have become one vanish, or (where the fault is that there is an op) become a negation; integer arithmetic on what
is now a float becomes the float's. A linalg op that casts inside its body separates its operands; so does a cast.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from iree.compiler import ir

from reducer.parameters.builder import Builder, Choice, Plan
from reducer.parameters.constants import is_float, is_integer
from reducer.parameters.functions import CALLS, FUNCTIONS, RETURNS
from reducer.parameters.graph import Classes
from reducer.parameters.shapes import parse_shape
from reducer.passes.program import hides_regions

ELEMENTS = 7
CASTS = frozenset(
    f"arith.{name}" for name in ("extf", "truncf", "extsi", "extui", "trunci", "sitofp", "uitofp", "fptosi", "fptoui")
)
_FLOATS = {
    "addi": "addf", "subi": "subf", "muli": "mulf", "divsi": "divf", "divui": "divf", "remsi": "remf", "remui": "remf",
    "maxsi": "maximumf", "maxui": "maximumf", "minsi": "minimumf", "minui": "minimumf", "cmpi": "cmpf",
}  # fmt: skip
_INTEGER_ONLY = frozenset(
    f"stablehlo.{name}"
    for name in (
        *("shift_left", "shift_right_logical", "shift_right_arithmetic"),
        *("popcnt", "count_leading_zeros", "and", "or", "xor", "not"),
    )
)
_PREDICATES = {0: 1, 1: 13, 2: 4, 3: 5, 4: 2, 5: 3, 6: 4, 7: 5, 8: 2, 9: 3}


class Components:
    """Which values must have one element type: a union-find over those whose type is not f32, index or i1."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._classes = Classes()
        self._numbers: dict[Any, int] = {}
        self.elements: list[str] = []
        self.fixed: set[int] = set()

    def number(self, value: Any) -> int | None:
        """The value's number; None if its type is no matter for us."""
        if value in self._numbers:
            return self._numbers[value]
        element = _element(value)
        if not offered(element):
            return None
        self._numbers[value] = self._classes.add()
        self.elements.append(element)
        return self._numbers[value]

    def join(self, values: Iterable[Any]) -> None:
        """Those of the values that have the same element type keep the same."""
        first: dict[str, int] = {}
        for value in values:
            number = self.number(value)
            if number is not None:
                self._classes.merge(first.setdefault(self.elements[number], number), number)

    def fix(self, values: Iterable[Any]) -> None:
        """These keep their type."""
        self.fixed |= {n for n in map(self.number, values) if n is not None}

    def close(self) -> dict[Any, int]:
        """Each value's component."""
        self.fixed = {self._classes.find(n) for n in self.fixed}
        return {value: self._classes.find(n) for value, n in self._numbers.items()}


def offered(element: str) -> bool:
    """Whether an element type could become f32."""
    return element not in ("f32", "i1") and (is_float(element) or is_integer(element))


def offer(builder: Builder, ops: Sequence[Any], alike: Iterable[tuple[Any, Any]]) -> None:
    """Make a parameter of each component of values whose element type (or type) is not f32.

    alike: pairs that have one type.
    """
    components = Components(builder)
    for op in ops:
        _connect(components, op)
    for a, b in alike:
        components.join((a, b))
    builder.components = components.close()
    if not builder.components:
        return
    shown = list(visible(ops[0].parent))
    printed = {v for op in shown for v in (*op.results, *_arguments(op))}
    cast = _cast_to_f32(builder, shown)
    first: dict[int, Any] = {}
    shaped = [v for v in builder.components if builder.slots.get(v) is not None]
    for value in (*shaped, *(v for v in builder.components if v in printed)):
        root = builder.components[value]
        if root not in components.fixed:
            first.setdefault(root, value)
    elements = [components.elements[root] for root in first]
    for root, value in first.items():
        element = components.elements[root]
        labels = ("f32", "f32, its casts negate", element) if root in cast else ("f32", element)

        def choose(plan: Plan, chosen: int, root: int = root, last: int = len(labels) - 1) -> None:
            if chosen < last:
                plan.elements[root] = "f32"
            if 0 < chosen < last:
                plan.negating.add(root)

        name = f"element type {element}"
        if elements.count(element) > 1:
            name += f" of {builder.name_of(value)}"
        builder.choices.append(Choice(name, labels, len(labels) - 1, choose, ELEMENTS))


def _arguments(op: Any) -> Iterator[Any]:
    """The arguments of the op's blocks, if they are printed."""
    if len(op.regions) and not hides_regions(op, op.name):
        for region in op.regions:
            for block in region.blocks:
                yield from block.arguments


def _cast_to_f32(builder: Builder, ops: Iterable[Any]) -> set[int]:
    """The components that one of the ops casts to or from f32."""
    found = set()
    for op in ops:
        if op.name in CASTS:
            ends = (op.operands[0], op.results[0])
            if any(_element(v) == "f32" for v in ends):
                found |= {builder.components[v] for v in ends if v in builder.components}
    return found


def _connect(components: Components, op: Any) -> None:
    """Join the values that the op keeps at one element type, or fix those that must stay integers."""
    name = op.name
    if name in (*FUNCTIONS, *CALLS, *RETURNS, "builtin.module") or name == "stablehlo.convert":
        return
    if name in CASTS:
        for value in (*op.operands, *op.results):
            components.join([value])
        return
    if name == "arith.index_cast" or name in _INTEGER_ONLY or name.endswith("_unsigned"):
        components.fix([*op.operands, *op.results])
        return
    operands, results = list(op.operands), list(op.results)
    blocks = [block for region in op.regions for block in region.blocks]
    ends = [list(block.operations)[-1].operation for block in blocks]
    if not name.startswith("linalg.") or not blocks:
        inner = [v for block, end in zip(blocks, ends, strict=True) for v in (*block.arguments, *end.operands)]
        components.join([*operands, *results, *inner])
        return
    arguments = list(blocks[0].arguments)
    for pair in zip(operands, arguments, strict=False):
        components.join(pair)
    for values in (results, ends[0].operands):
        for pair in zip(reversed(operands), reversed(list(values)), strict=False):
            components.join(pair)


def visible(op: Any) -> Iterator[Any]:
    """Every op inside that is printed."""
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                yield inner.operation
                if len(inner.operation.regions) and not hides_regions(inner.operation, inner.operation.name):
                    yield from visible(inner.operation)


def walk(op: Any) -> Iterator[Any]:
    """Every op inside, the outer before the inner."""
    for region in op.regions:
        for block in region.blocks:
            for inner in block.operations:
                yield inner.operation
                yield from walk(inner.operation)


def retype_scalars(builder: Builder, elements: Mapping[int, str]) -> None:
    """Give every scalar of a changed component its new type. Shaped values are somebody else's business."""
    for value, root in builder.components.items():
        if root in elements and builder.slots.get(value) is None:
            value.set_type(ir.Type.parse(elements[root]))


def repair(builder: Builder, module: Any, plan: Plan) -> None:
    """Make casts and arithmetic right for the types that their operands have now."""
    for op in list(walk(module)):
        if op.name in CASTS:
            _recast(builder, op, plan.negating)
        elif op.name.removeprefix("arith.") in _FLOATS and is_float(_element(op.operands[0])):
            _refloat(builder, op)


def _element(value: Any) -> str:
    text = str(value.type)
    shape = parse_shape(text)
    return shape.element if shape else text


def _bits(element: str) -> int:
    digits = "".join(c for c in element.partition("E")[0] if c.isdigit())
    return int(digits or 0)


def _recast(builder: Builder, op: Any, negating: AbstractSet[int]) -> None:
    before, after = _element(op.operands[0]), _element(op.results[0])
    if before == after and not negating.isdisjoint(builder.components.get(v, -1) for v in (*op.operands, *op.results)):
        _replace(builder, op, "arith.negf", {})
        return
    if before == after:
        op.results[0].replace_all_uses_with(op.operands[0])
        builder.bury(op)
        return
    wider = _bits(after) > _bits(before)
    if is_float(before):
        name = ("extf" if wider else "truncf") if is_float(after) else "fptosi"
    else:
        name = "sitofp" if is_float(after) else ("extsi" if wider else "trunci")
    if name != op.name.removeprefix("arith."):
        _replace(builder, op, f"arith.{name}", {})


def _refloat(builder: Builder, op: Any) -> None:
    attributes = {}
    if op.name == "arith.cmpi":
        predicate = ir.IntegerAttr(op.attributes["predicate"]).value
        attributes["predicate"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), _PREDICATES[predicate])
    _replace(builder, op, f"arith.{_FLOATS[op.name.removeprefix('arith.')]}", attributes)


def _replace(builder: Builder, op: Any, name: str, attributes: dict[str, Any]) -> None:
    new = ir.Operation.create(
        name,
        results=[op.results[0].type],
        operands=list(op.operands),
        attributes=attributes,
        ip=ir.InsertionPoint(op),
    )
    op.results[0].replace_all_uses_with(new.results[0])
    builder.bury(op)
