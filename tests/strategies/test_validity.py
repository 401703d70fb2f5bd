"""Everything that is drawn parses, verifies, and has a value that is defined."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given

from reducer.strategies import Program, convolutions, elementwise, pad_conv_programs, pads, programs
from tests.strategies.checking import drawing, parse, results

STRATEGIES = {
    "convolutions": convolutions(),
    "elementwise": elementwise(),
    "pad_conv_programs": pad_conv_programs(),
    "pads": pads(),
    "programs": programs(),
}


@pytest.mark.parametrize("name", STRATEGIES)
def test_all_parse_and_verify(name: str) -> None:
    @drawing(300)
    @given(STRATEGIES[name])
    def check(program: Program) -> None:
        parse(program)

    check()


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_element_is_defined(name: str) -> None:
    @drawing(80)
    @given(STRATEGIES[name])
    def check(program: Program) -> None:
        found = results(program)
        assert found
        for result in found:
            assert result.undefined is None
            assert result.error is None or np.isfinite(result.error).all()

    check()


def test_a_strategy_draws_many_different_programs() -> None:
    drawn: list[str] = []

    @drawing(150)
    @given(pad_conv_programs())
    def collect(program: Program) -> None:
        drawn.append(program.text)

    collect()
    assert len(set(drawn)) > 0.6 * len(drawn)  # Hypothesis repeats itself, the smallest programs most of all
