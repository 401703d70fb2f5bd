"""What holds of every program and every vector."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reducer.parameters import Invalid, assign
from tests.parameters.programs import ALL, listed, parse

PROGRAMS = sorted(ALL)
CORPUS = Path(__file__).parents[1] / "golden" / "corpus"


@pytest.mark.parametrize("name", PROGRAMS)
def test_own_values_reproduce_the_program(name: str) -> None:
    module = parse(ALL[name])
    before = str(module)
    assign(module, [p.value for p in listed(ALL[name])])
    assert str(module) == before


@pytest.mark.parametrize("name", PROGRAMS)
def test_ranges_hold_the_values(name: str) -> None:
    for p in listed(ALL[name]):
        assert p.low <= p.value <= p.high
        assert p.low <= p.simplest <= p.high
        assert p.value != p.simplest
        assert not p.labels or p.high == len(p.labels) - 1


@pytest.mark.parametrize("name", PROGRAMS)
def test_listing_changes_nothing(name: str) -> None:
    module = parse(ALL[name])
    before = str(module)
    assert listed(ALL[name]) == listed(ALL[name])
    assert str(module) == before


@given(st.data())
@settings(max_examples=300, deadline=None, derandomize=True, database=None)
def test_vectors_are_invalid_or_verify(data: st.DataObject) -> None:
    text = ALL[data.draw(st.sampled_from(PROGRAMS))]
    found = listed(text)
    values = [data.draw(st.integers(p.low, p.high) | st.sampled_from((p.value, p.simplest))) for p in found]
    module = parse(text)
    try:
        assign(module, values)
    except Invalid:
        return
    assert module.operation.verify()
    printed = str(module)
    assert str(parse(printed)) == printed


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*.mlir")), ids=lambda path: path.stem)
def test_every_program_of_the_corpus_keeps_its_text_under_its_own_values(path: Path) -> None:
    """What the bindings cannot read (complex constants), or no rule is known for, keeps its shape."""
    module = parse(path.read_text("utf-8"))
    before = str(module)
    assign(module, [p.value for p in listed(path.read_text("utf-8"))])
    assert str(module) == before
