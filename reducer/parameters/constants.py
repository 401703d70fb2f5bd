"""Constants: their values as parameters, and their attributes when their types change."""

from __future__ import annotations

import math
import re
from dataclasses import replace
from typing import Any

import numpy as np
from iree.compiler import ir

from reducer.parameters.builder import Builder, Choice, Plan, Solution
from reducer.parameters.shapes import parse_shape
from reducer.passes.bindings import is_readable

VALUES = 9
_FLOAT = re.compile(r"(f|bf|tf)\d\w*")
_INTEGER = re.compile(r"[su]?i\d+")
_LARGEST_F32 = 3.4e38


def is_float(element: str) -> bool:
    """Whether the text names a floating-point type."""
    return _FLOAT.fullmatch(element) is not None


def is_integer(element: str) -> bool:
    """Whether the text names an integer type (`index` is none)."""
    return _INTEGER.fullmatch(element) is not None


def literal(number: float, element: str) -> str:
    """A number as MLIR reads it in a place of that type; only f32 where it is not finite."""
    if not is_float(element):
        return str(int(number)) if element != "i1" else ("true" if number else "false")
    if math.isnan(number):
        return "0x7FC00000"
    if abs(number) > _LARGEST_F32 and element == "f32":
        return "0x7F800000" if number > 0 else "0xFF800000"
    return f"{number:.9e}"


def _number(attribute: Any, element: str) -> float | None:
    """The value of a scalar attribute, None for what is no plain number."""
    if is_float(element):
        return float(ir.FloatAttr(attribute).value)
    text = str(attribute).partition(" : ")[0]
    if text in ("true", "false"):
        return int(text == "true")
    return int(text) if re.fullmatch(r"-?\d+", text) else None


class _Constant:
    """What `value` is, in an attribute of an op. number: its (splat) value, None if it has no single one."""

    def __init__(self, builder: Builder, value: Any, op: Any, key: str) -> None:
        self.value, self.op, self.key = value, op, key
        self.slot = builder.slot(value)
        self.element = self.slot.shape.element if self.slot else str(value.type)
        self.text = ""
        self.number: float | None = None
        self.variable: int | None = None
        scalar = self._splat(op.attributes[key]) if self.slot else op.attributes[key]
        if scalar is not None and (is_float(self.element) or is_integer(self.element)):
            self.text = str(scalar).partition(" : ")[0]
            self.number = _number(scalar, self.element)
        self.name = ""

    def _splat(self, attribute: Any) -> Any:
        try:
            dense = ir.DenseElementsAttr(attribute)
        except ValueError:
            return None
        return dense.get_splat_value() if dense.is_splat else None

    def update(self, solution: Solution) -> None:
        """Write the attribute anew if its value, its element type or its shape changes."""
        element = solution.element(self.value, self.element)
        text = solution.plan.literals.get(self.name, "")
        if self.variable is not None and solution.number(self.variable) != self.number:
            text = literal(solution.number(self.variable), element)
        if not text and self.slot is None and element == self.element:
            return
        if not text and self.number is not None:
            text = self.text if element == self.element else literal(self.number, element)
        if self.slot is None:
            if text:
                suffix = "" if element == "i1" else f" : {element}"
                self.op.attributes[self.key] = ir.Attribute.parse(text + suffix)
            return
        new = solution.type_of(self.slot)
        if text or new != self.slot.shape.text(self.slot.shape.dims, self.element):
            self.op.attributes[self.key] = self._dense(solution, text, new, element)

    def _dense(self, solution: Solution, text: str, new: str, element: str) -> Any:
        assert self.slot is not None
        type_text = _as_tensor(new)
        if not text and (is_float(element) or is_integer(element)):
            array = self._array()
            if array is not None:
                sizes = [solution.number(v) for v in self.slot.axes]
                cut = _cut(array, sizes, solution.kept(self.slot.axes), element.removeprefix("s"))
                plain = self.slot.shape.kind == "tensor" and not self.slot.shape.tail
                return cut if plain else ir.Attribute.parse(f"{str(cut).rpartition(' : ')[0]} : {type_text}")
        return ir.Attribute.parse(f"dense<{text or literal(0, element)}> : {type_text}")

    def _array(self) -> Any:
        if self.element.removeprefix("s") not in ("f32", "f64", "f16", "i8", "i16", "i32", "i64"):
            return None
        try:
            return np.array(ir.DenseElementsAttr(self.op.attributes[self.key]))
        except ValueError:
            return None


def _as_tensor(text: str) -> str:
    """The type of the attribute of a constant of this type."""
    shape = parse_shape(text)
    return replace(shape, kind="tensor").text(shape.dims, shape.element) if shape and shape.kind == "torch" else text


def _cut(array: Any, sizes: list[int], keep: list[int], element: str) -> Any:
    """The attribute with the leading elements of the array, repeated where it grows."""
    if not array.size:
        array = np.zeros([max(n, 1) for n in array.shape], array.dtype)
    for axis, size in enumerate(sizes):
        array = np.take(array, [i % max(array.shape[axis], 1) for i in range(size)], axis=axis, mode="clip")
    array = np.resize(array, [sizes[i] for i in keep])
    if element == "f32":
        array = array.astype(np.float32)
    return ir.DenseElementsAttr.get(np.ascontiguousarray(array), type=ir.Type.parse(element), shape=list(array.shape))


def constant(builder: Builder, op: Any) -> None:
    """A constant's value goes towards 0, then 1; a dense one that is no splat only follows its type.

    One that nothing uses is no parameter, and being unused it need not follow anything: its op is left as it is. One
    that the bindings cannot read keeps its shape.
    """
    result = op.results[0]
    if next(iter(result.uses), None) is None or builder.constant(result) is not None:
        return
    if not is_readable(op):
        builder.pin_values([result])
        return
    initial(builder, result, op, "value")


def initial(builder: Builder, result: Any, op: Any, key: str) -> None:
    """What `result` is at first, said by an attribute of the op."""
    known = _Constant(builder, result, op, key)
    builder.updates.append(known.update)
    number = known.number
    if number is None or number == 0:
        return
    known.name = f"{builder.name_of(result)} value"
    if is_integer(known.element) and number > 0 and known.element != "i1":
        known.variable = builder.amount(int(number), known.name, low=0, simplest=0, order=VALUES)
        return
    simpler = [0.0] if number == 1 else [0.0, 1.0]

    def choose(plan: Plan, value: int) -> None:
        if value < len(simpler):
            element = plan.elements.get(builder.components.get(result, -1), known.element)
            plan.literals[known.name] = literal(simpler[value], element)

    labels = tuple(f"{s:g}" for s in simpler)
    builder.choices.append(Choice(known.name, (*labels, known.text), len(simpler), choose, VALUES))


MODELS = dict.fromkeys(("arith.constant", "stablehlo.constant", "torch.vtensor.literal"), constant)
