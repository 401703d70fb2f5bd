"""The inputs of a program that is run. They hang on its arguments, so that every pass takes them along:

    module attributes {reduce.runs} {
      func.func @main(%arg0: tensor<2xf32> {reduce.input = "2xf32=1 -2"}, %arg1: f32 {reduce.input = "random:1"})

How an input is written, and how it fits itself to its argument's type as that changes: see `input_values.py`. Owns the
attributes, which the compiler does not mind, and the passes that make inputs simpler.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from iree.compiler import ir

from reducer.passes.input_values import (
    RANDOM,
    ZEROS,
    InputError,
    given_dims,
    shortened,
    values,
    write_explicit,
    written,
)
from reducer.passes.program import Function, Program
from reducer.passes.sites import Choose, chosen
from reducer.passes.types import is_scalar, shape_of

INPUT = "reduce.input"
RUNS = "reduce.runs"
SPELLED_ELEMENTS = 64  # larger random inputs stay random: their shapes are what has to shrink first

_CAP = 1_000_000


def annotate(module: ir.Module, inputs: Sequence[str], seed: int) -> None:
    """Give every argument of every entry function an input: the given ones where as many arguments take them.

    Raises InputError if no function takes them.
    """
    shapes = [given_dims(text) for text in inputs]
    program = Program(module)
    entries = [f for f in program.functions if _is_entry(f)]
    fitting = [f for f in entries if len(f.entry.arguments) == len(inputs)]
    if inputs and not fitting:
        takes = ", ".join(f"@{f.name} {len(f.entry.arguments)}" for f in entries) or "there is no entry function"
        raise InputError(f"--input is given {len(inputs)} times, which no function takes ({takes} arguments)")
    misfits = {f.name: _misfit(program, f, shapes) for f in fitting}
    if fitting and None not in misfits.values():
        name, number = next((name, number) for name, number in misfits.items() if number is not None)
        type_ = next(program.type_text(f.entry.arguments[number]) for f in fitting if f.name == name)
        raise InputError(
            f"the input {shortened(inputs[number])!r} does not fit argument {number} of @{name}, a {type_}"
        )
    fitting = [f for f in fitting if misfits[f.name] is None]
    for function in entries:
        for number in range(len(function.entry.arguments)):
            given = inputs[number] if inputs and function in fitting else f"{RANDOM}{seed + number}"
            set_input(function, number, given)
    module.operation.attributes[RUNS] = ir.UnitAttr.get(module.context)


def _misfit(program: Program, function: Function, shapes: Sequence[tuple[int, ...] | None]) -> int | None:
    """The number of the first argument that has no room for an input of its shape; None if there is none."""
    for number, dims in enumerate(shapes):
        text = program.type_text(function.entry.arguments[number])
        shape = shape_of(text)
        if dims is None or (shape is None and not is_scalar(text)):
            continue
        sizes = shape.sizes if shape is not None else ()
        if len(sizes) != len(dims) or any(s not in (None, d) for s, d in zip(sizes, dims, strict=True)):
            return number
    return None


def strip(module: ir.Module) -> None:
    """Take all inputs off again."""
    for function in Program(module).functions:
        op = function.node.op
        if "arg_attrs" not in op.attributes:
            continue
        kept = [
            {named.name: named.attr for named in ir.DictAttr(a) if named.name != INPUT}
            for a in ir.ArrayAttr(op.attributes["arg_attrs"])
        ]
        if any(kept):
            op.attributes["arg_attrs"] = ir.ArrayAttr.get([ir.DictAttr.get(k, op.context) for k in kept], op.context)
        else:
            del op.attributes["arg_attrs"]
    if RUNS in module.operation.attributes:
        del module.operation.attributes[RUNS]


def _is_entry(function: Function) -> bool:
    table = function.node.op.attributes
    visibility = str(table["sym_visibility"]) if "sym_visibility" in table else ""
    return visibility in ("", '"public"')


def inputs_by_function(module: ir.Module) -> dict[str, tuple[str, ...]]:
    """The input of each argument, of every entry function."""
    return {
        function.name: tuple(input_of(function, number) for number in range(len(function.entry.arguments)))
        for function in Program(module).functions
        if _is_entry(function)
    }


def input_of(function: Function, number: int) -> str:
    """The input of an argument; random ones by its number where it has none of its own."""
    table = function.node.op.attributes
    if "arg_attrs" in table:
        entry = ir.DictAttr(ir.ArrayAttr(table["arg_attrs"])[number])
        if INPUT in entry:
            return str(ir.StringAttr(entry[INPUT]).value)
    return f"{RANDOM}{1000 + number}"


def set_input(function: Function, number: int, text: str) -> None:
    """Replace the input of an argument."""
    op = function.node.op
    context = op.context
    count = len(function.entry.arguments)
    old = list(ir.ArrayAttr(op.attributes["arg_attrs"])) if "arg_attrs" in op.attributes else []
    entries = [ir.DictAttr(a) for a in old] or [ir.DictAttr.get({}, context) for _ in range(count)]
    kept = {named.name: named.attr for named in entries[number]}
    entries[number] = ir.DictAttr.get({**kept, INPUT: ir.StringAttr.get(text, context)}, context)
    op.attributes["arg_attrs"] = ir.ArrayAttr.get(entries, context)


def cost(program: Program) -> int:
    """What the inputs add to a program's numbers (`wire.Size.numbers`); 0 for a program that is not run.

    For each argument: 10 and 10 an element if it is random; nothing for zeros; else the magnitudes, rounded up, and one
    more for each element that is not 0.
    """
    if RUNS not in program.root.op.attributes:
        return 0
    return sum(
        _cost(program, function, number)
        for function in program.functions
        if _is_entry(function)
        for number in range(len(function.entry.arguments))
    )


def _cost(program: Program, function: Function, number: int) -> int:
    text = input_of(function, number)
    if text == ZEROS:
        return 0
    sizes, element = _shape(program, function, number)
    if text.startswith(RANDOM):
        return 10 + 10 * math.prod(64 if s is None else s for s in sizes)
    _, found = values(text, sizes, element)
    return sum(_magnitude(v) + 1 for v in found.reshape(-1).tolist() if v != 0)


def _magnitude(value: float) -> int:
    return min(math.ceil(abs(value)), _CAP) if math.isfinite(value) else _CAP


def _shape(program: Program, function: Function, number: int) -> tuple[tuple[int | None, ...], str]:
    text = program.type_text(function.entry.arguments[number])
    shape = shape_of(text)
    return (tuple(shape.sizes), shape.element) if shape is not None else ((), text)


# -- passes ------------------------------------------------------------------------------------------------------------


def zero_inputs(module: ir.Module, choose: Choose) -> None:
    """Run an argument on zeros: `{reduce.input = "random:3"}` becomes `{reduce.input = "zeros"}`."""
    _rewrite(module, choose, lambda text, sizes, element: [("zeros", ZEROS)] if text != ZEROS else [])


def spell_inputs(module: ir.Module, choose: Choose) -> None:
    """Write out a random input of few elements: `"random:3"` becomes `"2xf32=4 -1"`."""

    def spell(text: str, sizes: tuple[int | None, ...], element: str) -> list[tuple[str, str]]:
        if not text.startswith(RANDOM) or math.prod(64 if s is None else s for s in sizes) > SPELLED_ELEMENTS:
            return []
        dims, found = values(text, sizes, element)
        return [("written out", write_explicit(dims, element, found.reshape(-1).tolist()))]

    _rewrite(module, choose, spell)


def zero_input_elements(module: ir.Module, choose: Choose) -> None:
    """Make an element of an input 0: `"2xf32=4 -1"` becomes `"2xf32=4 0"`.

    From the last: sizes that shrink later keep the first elements, among which the fault should be.
    """
    _rewrite_elements(module, choose, 0, lambda value: value != 0)


def one_input_elements(module: ir.Module, choose: Choose) -> None:
    """Make an element of an input 1: `"2xf32=4 -1"` becomes `"2xf32=1 -1"`."""
    _rewrite_elements(module, choose, 1, lambda value: not abs(value) <= 1)  # a NaN too


_Simpler = Callable[[str, "tuple[int | None, ...]", str], "list[tuple[str, str]]"]


def _arguments(module: ir.Module) -> list[tuple[Program, Function, int]]:
    program = Program(module)
    if RUNS not in program.root.op.attributes:
        return []
    return [(program, f, n) for f in program.functions if _is_entry(f) for n in range(len(f.entry.arguments))]


def _rewrite(module: ir.Module, choose: Choose, simpler: _Simpler) -> None:
    sites: list[tuple[str, tuple[Function, int, str]]] = []
    for program, function, number in _arguments(module):
        name = program.name(function.entry.arguments[number])
        for label, text in simpler(input_of(function, number), *_shape(program, function, number)):
            sites.append((f"{program.label(function.node)} input of {name}: {label}", (function, number, text)))
    for function, number, text in chosen(sites, choose):
        set_input(function, number, text)


def _rewrite_elements(module: ir.Module, choose: Choose, new: int, wanted: Callable[[float], bool]) -> None:
    sites: list[tuple[str, tuple[int, int]]] = []
    found: list[tuple[Function, int, str, tuple[int, ...], list[float]]] = []
    for program, function, number in _arguments(module):
        text = input_of(function, number)
        if text == ZEROS or text.startswith(RANDOM):
            continue
        sizes, element = _shape(program, function, number)
        dims, array = values(text, sizes, element)
        name = program.name(function.entry.arguments[number])
        found.append((function, number, element, dims, array.reshape(-1).tolist()))
        for place, value in reversed(list(enumerate(found[-1][4]))):
            if wanted(value):
                label = f"{program.label(function.node)} input of {name} element {place}: {written(value)} → {new}"
                sites.append((label, (len(found) - 1, place)))
    picked = chosen(sites, choose)
    for which, place in picked:
        found[which][4][place] = new
    for which in dict.fromkeys(which for which, _ in picked):
        function, number, element, dims, numbers = found[which]
        set_input(function, number, write_explicit(dims, element, numbers))
