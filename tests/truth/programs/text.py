"""How a program is written. Deterministic: no random numbers, always the same order.

Owns the types and functions of MLIR's text; what the programs compute is the business of the modules beside it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Program:
    """One public function. text: the function, and what else it needs, whose names begin with the function's."""

    name: str
    text: str


def tensor(sizes: Iterable[int | str], element: str) -> str:
    """The type of a tensor."""
    return f"tensor<{'x'.join([*map(str, sizes), element])}>"


def function(
    name: str,
    arguments: Sequence[str],
    body: str,
    results: Sequence[tuple[str, str]],
    *,
    inputs: Sequence[str] = (),
    beside: str = "",
    attributes: str = "",
) -> Program:
    """A function of arguments `%a0`, `%a1` … of these types.

    results: names and types; inputs: what it is run on, where that is not left to the seed; beside: other functions and
    globals; attributes: of the function.
    """
    given = [f' {{reduce.input = "{text}"}}' for text in inputs] or [""] * len(arguments)
    formal = ", ".join(f"%a{i}: {type_}{text}" for i, (type_, text) in enumerate(zip(arguments, given, strict=True)))
    types, names = ", ".join(t for _, t in results), ", ".join(n for n, _ in results)
    text = f"func.func @{name}({formal}) -> ({types}){attributes} {{\n{body}\nreturn {names} : {types}\n}}\n"
    return Program(name, text + beside)


def text_of(programs: Iterable[Program]) -> str:
    """One module of them."""
    return "\n".join(p.text for p in programs)


def filled(type_: str, value: str | None = None) -> str:
    """`%init`, a tensor full of a number; of zeros by default."""
    element = type_.removeprefix("tensor<").removesuffix(">").rsplit("x", 1)[-1]
    number = value or ("0" if element.startswith("i") else "0.0")
    return (
        f"%fill = arith.constant {number} : {element}\n%empty = tensor.empty() : {type_}\n"
        f"%init = linalg.fill ins(%fill : {element}) outs(%empty : {type_}) -> {type_}\n"
    )
