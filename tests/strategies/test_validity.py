"""Everything that is drawn parses, verifies, and has a value that is defined."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.strategies import SearchStrategy
from iree.compiler import ir

from reducer.passes import input_values
from reducer.reference import Entry, Value, entry_functions, evaluate
from reducer.reference.types import element, shape
from reducer.strategies import Program, convolutions, elementwise, pad_conv_programs, pads, programs

MANY = settings(
    max_examples=600, phases=[Phase.generate], database=None, deadline=None, derandomize=True,
    suppress_health_check=list(HealthCheck),
)  # fmt: skip
SOME = settings(MANY, max_examples=150)

STRATEGIES = {
    "convolutions": convolutions(),
    "elementwise": elementwise(),
    "pad_conv_programs": pad_conv_programs(),
    "pads": pads(),
    "programs": programs(),
}


@cache
def context() -> ir.Context:
    return ir.Context()


def arguments(program: Program, entry: Entry) -> list[Value]:
    """The program's inputs; each must fit the argument's type."""
    found = []
    for text, type_ in zip(program.inputs, entry.arguments, strict=True):
        given_ = input_values.parse_explicit(text)
        sizes = shape(type_) or ()
        assert all(wanted in (None, size) for wanted, size in zip(sizes, given_.dims, strict=True)), (type_, text)
        assert text.partition("=")[0] == "x".join([*map(str, given_.dims), element(type_).name])
        found.append(Value(np.array(given_.values).reshape(given_.dims).astype(element(type_).dtype)))
    return found


@pytest.mark.parametrize("name", STRATEGIES)
def test_all_parse_and_verify(name: str) -> None:
    @MANY
    @given(STRATEGIES[name])
    def check(program: Program) -> None:
        assert ir.Module.parse(program.text, context()).operation.verify()

    check()


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_element_is_defined(name: str) -> None:
    @SOME
    @given(STRATEGIES[name])
    def check(program: Program) -> None:
        module = ir.Module.parse(program.text, context())
        (entry,) = entry_functions(module)
        assert entry.name == "main"
        results = evaluate(module, "main", arguments(program, entry))
        assert results
        for result in results:
            assert result.undefined is None
            assert result.error is None or np.isfinite(result.error).all()

    check()


def test_a_strategy_draws_many_different_programs() -> None:
    drawn: list[str] = []
    strategy: SearchStrategy[Program] = pad_conv_programs()

    @SOME
    @given(strategy)
    def collect(program: Program) -> None:
        drawn.append(program.text)

    collect()
    assert len(set(drawn)) > 0.9 * len(drawn)
