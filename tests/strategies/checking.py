"""Parses programs that were drawn, and evaluates them on their inputs."""

from __future__ import annotations

from functools import cache

import numpy as np
from hypothesis import HealthCheck, Phase, settings
from iree.compiler import ir

from reducer.passes import input_values
from reducer.reference import Entry, Value, entry_functions, evaluate
from reducer.reference.types import element, shape
from reducer.strategies import Program


def drawing(count: int) -> settings:
    """So many programs, the same ones each time."""
    return settings(
        max_examples=count, phases=[Phase.generate], database=None, deadline=None, derandomize=True,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip


@cache
def context() -> ir.Context:
    return ir.Context()


def parse(program: Program) -> ir.Module:
    """The program, verified."""
    module = ir.Module.parse(program.text, context())
    assert module.operation.verify()
    return module


def results(program: Program) -> list[Value]:
    """What the program returns for its inputs."""
    module = parse(program)
    (entry,) = entry_functions(module)
    assert entry.name == "main"
    return evaluate(module, "main", arguments(program, entry))


def arguments(program: Program, entry: Entry) -> list[Value]:
    """The program's inputs; each must fit the argument's type."""
    found = []
    for text, type_ in zip(program.inputs, entry.arguments, strict=True):
        given_ = input_values.parse_explicit(text)
        sizes = shape(type_) or ()
        assert all(wanted in (None, size) for wanted, size in zip(sizes, given_.dims, strict=True)), (type_, text)
        if given_.dims:
            assert text.partition("=")[0] == "x".join([*map(str, given_.dims), element(type_).name])
        else:  # `iree-run-module` wants a scalar's number alone, and a tensor of no dimensions with its type
            assert text.startswith(f"{element(type_).name}=") == type_.startswith("tensor")
        found.append(Value(np.array(given_.values).reshape(given_.dims).astype(element(type_).dtype)))
    return found
