"""How big a program is, in the terms of `wire.Size`.

Owns what counts as a number, and which ops are printed: those in the hidden regions of named linalg ops are not, nor
are the empty terminators that MLIR leaves out of `scf` and `affine` bodies.

A dynamic dimension counts as 64 elements: a program is simpler without it, if only its static size is small.

`numbers` is the sum of
- the magnitudes of the elements of every attribute that holds numbers (constants, `static_low`, `dimensions` …), each
  rounded up to a whole number and capped at a million, which is what infinities and NaNs count; a splat counts once.
  One less for strides and dilations, so that 1 is free;
- the integers in affine maps (`d0 * 2 + d3`);
- one for each result or block argument whose element type (its type, for a scalar) is neither f32 nor `index`.
- what the inputs of a program that is run add (`inputs.cost`);
- what the sizes of a shape are more than 1, if one of them is 0: such a shape has no elements that would count.
Symbols, types, names, booleans, segment sizes and the sizes of other shapes (these are `elements`) are not numbers.
"""

from __future__ import annotations

import math
import re
from functools import lru_cache

from iree.compiler import ir

from reducer import wire
from reducer.passes import bindings
from reducer.passes.editing import print_canonical
from reducer.passes.inputs import cost
from reducer.passes.program import Node, Program
from reducer.passes.types import is_scalar, shape_of

_CAP = 1_000_000
_MOST_ELEMENTS = 4096
_DYNAMIC_SIZE = 64
_DYNAMIC = -(2**63)
_IMPLICIT = frozenset({"scf.yield", "affine.yield", "scf.reduce"})
NOT_NUMBERS = frozenset(
    {
        *("operandSegmentSizes", "resultSegmentSizes", bindings.MEMOIZED_MAPS),
        *("function_type", "sym_name", "callee", "static_sizes", "static_output_shape", "tied_operands"),
        *("fastmath", "overflowFlags", "predicate", "iterator_types"),
    }
)
UNIT_IS_FREE = re.compile(r"stride|dilat")
_INTEGER = re.compile(r"(?<![\w.])-?\d+(?![\w.])")
_NUMBER = re.compile(r"(?<![\w.#@])-?(?:0x[0-9A-Fa-f]+|\d+(?:\.\d+)?(?:[eE][-+]?\d+)?)(?![\w.])")
_TYPED = re.compile(r"\s:\s[^,\]}]*")


def measure(module: ir.Module, text: str | None = None) -> wire.Size:
    """The size of a module; `text` is its canonical text, if that is at hand."""
    with bindings.plain_ops():
        program = Program(module)
        ranks = elements = ops = 0
        numbers = cost(program)
        for node in program.nodes:
            ops += not (node.name in _IMPLICIT and not node.operands)
            numbers += _numbers_of(node)
            values = [*node.results, *(a for region in node.regions for block in region for a in block.arguments)]
            for value in values:
                rank, count, other = _of_type(program.type_text(value))
                ranks, elements, numbers = ranks + rank, elements + count, numbers + other
    if text is None:
        text = print_canonical(module)
    return wire.Size(ops, ranks, elements, numbers, len(text.encode("utf-8", "surrogateescape")))


@lru_cache(maxsize=4096)
def _of_type(text: str) -> tuple[int, int, int]:
    """Rank, elements, and what else counts: another element type than f32 or `index`, sizes beside one of 0."""
    shape = shape_of(text)
    if shape is None:
        return 0, 0, int(is_scalar(text) and text not in ("f32", "index"))
    sizes = [_DYNAMIC_SIZE if s is None else s for s in shape.sizes]
    beside_zero = sum(max(s - 1, 0) for s in sizes) if 0 in sizes else 0
    return len(sizes), math.prod(sizes), beside_zero + int(shape.element not in ("f32", "index"))


def _numbers_of(node: Node) -> int:
    total = 0
    for key, attribute in bindings.attributes(node.op):
        if key not in NOT_NUMBERS:
            total += _numbers_in(attribute, 1 if UNIT_IS_FREE.search(key) else 0)
    return total


def _numbers_in(attribute: ir.Attribute, free: int) -> int:
    kind = type(attribute).__name__
    if kind in ("IntegerAttr", "FloatAttr"):
        return _magnitude(attribute.value, free)
    if kind in ("DenseI64ArrayAttr", "DenseI32ArrayAttr", "DenseF32ArrayAttr", "DenseF64ArrayAttr"):
        return sum(_magnitude(v, free) for v in attribute)
    if bindings.resource_type(attribute) is not None:
        return _CAP
    if kind.startswith("Dense") and kind.endswith("ElementsAttr"):
        return _numbers_in_elements(ir.DenseElementsAttr(attribute), free)
    if kind == "ArrayAttr":
        return sum(_numbers_in(a, free) for a in attribute)
    if kind == "AffineMapAttr":
        return sum(abs(int(n)) for n in _INTEGER.findall(str(attribute).split("->", 1)[-1]))
    if kind == "Attribute":
        return _numbers_in_text(_TYPED.sub("", str(attribute)), free)
    return 0


def _numbers_in_elements(elements: ir.DenseElementsAttr, free: int) -> int:
    if not len(elements):
        return 0
    if elements.is_splat:
        value = getattr(elements.get_splat_value(), "value", None)
        return _CAP if value is None else _magnitude(value, free)
    if len(elements) > _MOST_ELEMENTS:
        return _CAP * len(elements)
    return _numbers_in_text(str(elements).rsplit(" : ", 1)[0], free)


def _numbers_in_text(text: str, free: int) -> int:
    total = 0
    for number in _NUMBER.findall(text):
        total += _CAP if "0x" in number else _magnitude(float(number), free)
    return total


def _magnitude(value: float | bool, free: int) -> int:
    if isinstance(value, bool) or value == _DYNAMIC:
        return 0
    if isinstance(value, float) and not math.isfinite(value):
        return _CAP
    return max(min(math.ceil(abs(value)), _CAP) - free, 0)
