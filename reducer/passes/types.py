"""What the passes need to know of a type, read from its text.

Owns the reading of shaped and scalar types (builtin and torch), which of them IREE takes as a function's argument, and
the constant zero of each. Text rather than the bindings' classes: torch types have none, and a string can be cached.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from iree.compiler import ir

_SCALAR = re.compile(r"i\d+|index|bf16|tf32|f\d\w*")
_SHAPED = re.compile(r"(tensor|memref|vector)<((?:(?:\d+|\?|\[\d+\])x)*)(.*)>", re.DOTALL)
_TORCH = re.compile(r"!torch\.(?:v?tensor)<\[([\d?,]*)\](?:,(.*))?>", re.DOTALL)
_SIMPLE_TORCH = frozenset({"!torch.int", "!torch.float", "!torch.bool"})
_HANDLES = frozenset({"!hal.buffer_view", "!hal.buffer", "!hal.fence", "!util.buffer"})


@dataclass(frozen=True)
class Shape:
    """A shaped type: its sizes (None where dynamic) and the text of its element type; kind is `tensor`, `torch` …."""

    kind: str
    sizes: tuple[int | None, ...]
    element: str


@lru_cache(maxsize=4096)
def shape_of(text: str) -> Shape | None:
    """The shape of a ranked tensor, memref, vector or torch tensor type; None for every other type."""
    if match := _SHAPED.fullmatch(text):
        kind, sizes, rest = match.groups()
        if rest.startswith("*"):
            return None
        dims = tuple(None if s == "?" else int(s.strip("[]")) for s in sizes.split("x") if s)
        return Shape(kind, dims, _first_part(rest))
    if match := _TORCH.fullmatch(text):
        dims = tuple(None if s == "?" else int(s) for s in match.group(1).split(",") if s)
        return Shape("torch", dims, match.group(2) or "")
    return None


def _first_part(text: str) -> str:
    """`f32` of `f32, #encoding`; brackets protect their commas."""
    depth = 0
    for i, char in enumerate(text):
        depth += (char in "<([") - (char in ">)]")
        if char == "," and depth == 0:
            return text[:i]
    return text


@lru_cache(maxsize=4096)
def is_scalar(text: str) -> bool:
    """Whether this is a builtin integer, float or `index` type."""
    return _SCALAR.fullmatch(text) is not None


@lru_cache(maxsize=4096)
def may_be_argument(text: str) -> bool:
    """Whether IREE takes (and returns) a value of this type at an exported function."""
    if is_scalar(text) or text in _SIMPLE_TORCH or text in _HANDLES:
        return True
    shape = shape_of(text)
    if shape is None or shape.kind not in ("tensor", "torch"):
        return False
    return shape.kind == "torch" or is_scalar(shape.element.lstrip("su")) or shape.element.startswith("complex<")


@dataclass(frozen=True)
class Constant:
    """A constant as an op: its name and its one attribute (none if `value` is empty)."""

    op: str
    value: str = ""


@lru_cache(maxsize=4096)
def zero(text: str) -> Constant | None:
    """The simplest constant of a type, None if there is none (dynamic sizes, opaque types)."""
    torch = {
        "!torch.int": Constant("torch.constant.int", "0 : i64"),
        "!torch.float": Constant("torch.constant.float", "0.0 : f64"),
        "!torch.bool": Constant("torch.constant.bool", "false"),
        "!torch.none": Constant("torch.constant.none"),
    }
    if text in torch:
        return torch[text]
    if is_scalar(text):
        return Constant("arith.constant", "false" if text == "i1" else f"{_zero_of(text)} : {text}")
    shape = shape_of(text)
    if shape is None or shape.kind == "memref" or None in shape.sizes:
        return None
    value = _zero_of(shape.element)
    if not value:
        return None
    if shape.kind == "torch":
        sizes = "".join(f"{s}x" for s in shape.sizes)
        return Constant("torch.vtensor.literal", f"dense<{value}> : tensor<{sizes}{shape.element}>")
    return Constant("arith.constant", f"dense<{value}> : {text}")


def _zero_of(element: str) -> str:
    """The text of zero in a `dense<…>` of this element type, "" if there is none, or none that bindings can read."""
    if element == "i1":
        return "false"
    if re.fullmatch(r"[su]?i\d+|index", element):
        return "0"
    if is_scalar(element):
        return "0.0"
    return ""


class TypeTexts:
    """The texts of types, printed once each: printing a type costs more than everything else done with it."""

    def __init__(self) -> None:
        self._texts: dict[ir.Type, str] = {}

    def __call__(self, type_: ir.Type) -> str:
        """The text of a type."""
        text = self._texts.get(type_)
        if text is None:
            text = self._texts[type_] = str(type_)
        return text


def function_type(inputs: Sequence[ir.Type], results: Sequence[ir.Type], context: ir.Context) -> ir.Attribute:
    """The `function_type` attribute of a function."""
    return ir.TypeAttr.get(ir.FunctionType.get(list(inputs), list(results), context), context)
