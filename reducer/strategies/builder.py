"""Writes a program op by op: owns names, constants, arguments with their inputs, and sizes of dynamic dimensions.

Draws nothing: what is to be written is decided elsewhere.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from reducer.strategies import elements
from reducer.strategies.program import Program, TensorType


@dataclass(frozen=True)
class Tensor:
    """A value of the program. largest: how far an element may be from zero if no number of the type overflows."""

    name: str
    type: TensorType
    largest: float

    @property
    def bound(self) -> float:
        """No element is farther from zero than this; inf if one may be infinite or a NaN."""
        return elements.bound(self.element, self.largest)

    @property
    def sizes(self) -> tuple[int, ...]:
        """The sizes of the dimensions when the program is run."""
        return self.type.sizes

    @property
    def element(self) -> str:
        """The element type."""
        return self.type.element

    @property
    def rank(self) -> int:
        """The number of dimensions."""
        return len(self.type.sizes)


class Builder:
    """One function that is being written."""

    def __init__(self) -> None:
        self._arguments: list[str] = []
        self._inputs: list[str] = []
        self._constants: dict[tuple[str, str], str] = {}
        self._lines: list[str] = []
        self._names: dict[str, int] = {}

    def argument(self, type_: TensorType) -> Tensor:
        """A tensor that the function takes."""
        name = self._argument(str(type_), elements.input_text(type_.sizes, type_.element, len(self._arguments)))
        return Tensor(name, type_, elements.LARGEST_INPUT)

    def number(self, element: str, value: int) -> str:
        """A scalar that the function takes."""
        return self._argument(element, str(value))

    def _argument(self, type_: str, given: str) -> str:
        name = f"%arg{len(self._arguments)}"
        self._arguments.append(f"{name}: {type_}")
        self._inputs.append(given)
        return name

    def constant(self, element: str, value: float) -> str:
        """A constant, written once at the top."""
        text = str(int(value)) if element == "index" else elements.spell(element, value)
        key = (element, text)
        if key not in self._constants:
            self._constants[key] = f"%c{text}" if element == "index" else self.name("cst")
        return self._constants[key]

    def name(self, hint: str) -> str:
        """A name that is not taken: `%pad`, then `%pad2` and so on."""
        self._names[hint] = self._names.get(hint, 0) + 1
        return f"%{hint}{self._names[hint]}" if self._names[hint] > 1 else f"%{hint}"

    def op(self, hint: str, text: str) -> str:
        """Write an op with one result; its name."""
        name = self.name(hint)
        self._lines.append(f"{name} = {text}")
        return name

    def size(self, tensor: Tensor, axis: int) -> str:
        """The size of a dimension, as an index."""
        at = self.constant("index", axis)
        if not tensor.type.is_dynamic(axis):
            return self.constant("index", tensor.sizes[axis])
        return self.op("dim", f"tensor.dim {tensor.name}, {at} : {tensor.type}")

    def empty(self, type_: TensorType, sizes: Sequence[str]) -> str:
        """An empty tensor. sizes: the indices that say how large the dynamic dimensions are."""
        return self.op("empty", f"tensor.empty({', '.join(sizes)}) : {type_}")

    def empty_like(self, tensor: Tensor, axes: Sequence[int], element: str) -> tuple[str, TensorType]:
        """An empty tensor of these dimensions of another one, in this order."""
        dynamic = tuple(tensor.type.is_dynamic(a) for a in axes)
        type_ = TensorType(tuple(tensor.sizes[a] for a in axes), element, dynamic)
        return self.empty(type_, [self.size(tensor, a) for a in axes if tensor.type.is_dynamic(a)]), type_

    def fill(self, empty: str, type_: TensorType, value: float) -> Tensor:
        """A tensor of one number."""
        number = self.constant(type_.element, value)
        text = f"linalg.fill ins({number} : {type_.element}) outs({empty} : {type_}) -> {type_}"
        return Tensor(self.op("fill", text), type_, abs(value))

    def generic(
        self, inputs: Sequence[tuple[Tensor, str]], out: Tensor, out_map: str, loops: str, body: Sequence[str]
    ) -> Tensor:
        """A `linalg.generic`.

        Maps are what comes after the arrow, such as `d0, d1`; loops: `p` (parallel) or `r` (reduction), one letter
        a loop; body: its lines, in which the elements are %a, %b, ... and %out.
        """
        dims = ", ".join(f"d{i}" for i in range(len(loops)))
        maps = ", ".join(f"affine_map<({dims}) -> ({m})>" for m in [*(m for _, m in inputs), out_map])
        kinds = ", ".join('"parallel"' if loop == "p" else '"reduction"' for loop in loops)
        names = [f"%{chr(ord('a') + i)}: {t.element}" for i, (t, _) in enumerate(inputs)]
        ins = ", ".join(t.name for t, _ in inputs) + " : " + ", ".join(str(t.type) for t, _ in inputs)
        lines = [
            f"linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}}"
            f"{f' ins({ins})' if inputs else ''} outs({out.name} : {out.type}) {{",
            f"^bb0({', '.join([*names, f'%out: {out.element}'])}):",
            *(f"  {line}" for line in body),
            f"}} -> {out.type}",
        ]
        return replace(out, name=self.op("generic", "\n".join(lines)))

    def finish(self, results: Sequence[Tensor]) -> Program:
        """The program that returns these."""
        types = ", ".join(str(t.type) for t in results)
        shown = types if len(results) == 1 else f"({types})"
        constants = [f"{name} = arith.constant {text} : {element}" for (element, text), name in self._constants.items()]
        lines = "\n".join([*constants, *self._lines, f"return {', '.join(t.name for t in results)} : {types}"])
        inside = "\n".join(f"  {line}" for line in lines.split("\n"))
        return Program(
            f"func.func @main({', '.join(self._arguments)}) -> {shown} {{\n{inside}\n}}\n", tuple(self._inputs)
        )
