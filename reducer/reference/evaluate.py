"""Evaluation of a whole module: entry functions, and a function's results for its arguments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reducer.reference import (
    calls,
    cast_ops,
    control_flow,
    float_ops,
    int_ops,
    linalg_ops,
    math_ops,
    slice_ops,
    softmax,
    tensor_ops,
    types,
)
from reducer.reference.float_ops import Scalar
from reducer.reference.machine import Handler, Machine
from reducer.reference.poison import keeping_promises
from reducer.reference.program import load
from reducer.reference.rounding import flushed
from reducer.reference.values import Value

SCALARS: Mapping[str, Scalar] = {
    name: keeping_promises(op)
    for name, op in {**float_ops.OPS, **int_ops.OPS, **cast_ops.OPS, **math_ops.OPS}.items()
}
HANDLERS: Mapping[str, Handler] = {
    **calls.OPS,
    **control_flow.OPS, **linalg_ops.OPS, **slice_ops.OPS, **softmax.OPS, **tensor_ops.OPS,
}  # fmt: skip


@dataclass(frozen=True)
class Entry:
    """A public function with a body.

    arguments, results: their types as text; argument_attributes: the text of each argument's attributes, by name.
    """

    name: str
    arguments: tuple[str, ...]
    results: tuple[str, ...]
    argument_attributes: tuple[dict[str, str], ...]


def entry_functions(module: Any) -> list[Entry]:
    """The functions that can be called from outside, in the order of the module."""
    found = []
    for view in module.body.operations:
        op = view.operation
        table = op.attributes
        if "sym_name" not in table or "function_type" not in table or not len(op.regions):
            continue
        blocks = list(op.regions[0].blocks)
        if not blocks or ("sym_visibility" in table and str(table["sym_visibility"]).strip('"') != "public"):
            continue
        type_ = table["function_type"].value
        arguments = tuple(str(t) for t in type_.inputs)
        attributes = [_dictionary(a) for a in table["arg_attrs"]] if "arg_attrs" in table else [{} for _ in arguments]
        results = tuple(str(t) for t in type_.results)
        found.append(Entry(str(table["sym_name"]).strip('"'), arguments, results, tuple(attributes)))
    return found


def _dictionary(attribute: Any) -> dict[str, str]:
    return {attribute[i].name: str(attribute[i].attr) for i in range(len(attribute))}


def evaluate(module: Any, function: str, arguments: Sequence[Value]) -> list[Value]:
    """The function's results. Fences among the arguments may be anything: they are not looked at.

    Raises CannotEvaluateError for what is not known here, UndefinedError for what MLIR leaves open as a whole; single
    undefined elements are in the results. Raises ValueError if the arguments do not fit the function.
    """
    program = load(module)
    node = program.functions.get(function)
    if node is None:
        raise ValueError(f"no function @{function}: {', '.join(program.functions) or 'none at all'}")
    block = node.regions[0][0]
    if len(arguments) != len(block.arguments):
        raise ValueError(f"@{function} takes {len(block.arguments)} arguments, not {len(arguments)}")
    for number, (value, type_) in enumerate(zip(arguments, block.types, strict=True)):
        _check(number, value, type_)
    machine = Machine(program, HANDLERS, SCALARS)
    _initialise(machine)
    return calls.call(machine, function, [flushed(a) for a in arguments])


def _initialise(machine: Machine) -> None:
    """Run the module's initialisers, which fill its globals."""
    for node in machine.program.initializers:
        if node.regions:
            calls.run_blocks(machine, node.regions[0], [])


def _check(number: int, value: Value, type_: str) -> None:
    if type_.startswith("!"):
        return
    sizes, kind = types.shape(type_) or (), types.element(type_)
    fits = len(sizes) == value.data.ndim and all(w in (None, n) for w, n in zip(sizes, value.shape, strict=True))
    if not fits or value.data.dtype != kind.dtype:
        raise ValueError(f"argument {number} is {value.data.dtype}{list(value.shape)}, not {type_}")
