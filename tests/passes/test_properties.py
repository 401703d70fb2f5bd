"""What holds for every pass on every program of the corpus, whatever subset of the sites is chosen."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reducer.passes import PASSES, Pass, editing
from reducer.passes.bindings import plain_ops
from reducer.passes.size import measure
from tests.passes.golden import CORPUS, context

PROGRAMS = sorted(CORPUS.glob("*.mlir"))

# Passes that never make a valid program invalid; the others may, and rely on the verifier.
ALWAYS_VALID = {
    *("flatten_modules", "drop_functions", "inline_calls", "drop_results", "straighten_branches"),
    *("cut_ops", "cut_constants", "drop_dead_ops", "simplify_bodies", "inline_regions", "make_constant"),
    *("merge_constants", "splat_constants", "drop_generic_outputs", "drop_arguments", "merge_arguments"),
}

# How many ops a pass may add for each site: a body that yields a constant needs the constant.
GROWTH = {"simplify_bodies": 1}


@cache
def canonical(name: str) -> str:
    return editing.print_canonical(editing.parse(context(), (CORPUS / name).read_text()))


@pytest.mark.parametrize("program", [p.name for p in PROGRAMS])
def test_canonical_text_is_a_fixed_point(program: str) -> None:
    text = canonical(program)
    module = editing.parse(context(), text)
    assert editing.print_canonical(module) == text
    assert editing.verify(module) == ""


@pytest.mark.parametrize("program", [p.name for p in PROGRAMS])
@pytest.mark.parametrize("pass_", PASSES, ids=lambda p: p.__name__)
def test_listing_changes_nothing_and_labels_are_single_lines(pass_: Pass, program: str) -> None:
    module = editing.parse(context(), canonical(program))
    labels = editing.list_sites(pass_, module)
    assert editing.print_canonical(module) == canonical(program)
    assert editing.list_sites(pass_, module) == labels
    assert all(label and "\n" not in label for label in labels)


@pytest.mark.parametrize("program", [p.name for p in PROGRAMS])
@pytest.mark.parametrize("pass_", PASSES, ids=lambda p: p.__name__)
@settings(max_examples=8, derandomize=True, deadline=None, database=None)
@given(random=st.randoms(use_true_random=False))
def test_any_subset_of_sites_can_be_applied(pass_: Pass, program: str, random: Random) -> None:
    labels = editing.list_sites(pass_, editing.parse(context(), canonical(program)))
    share = random.random()
    sites = [i for i in range(len(labels)) if random.random() < share]
    before = editing.parse(context(), canonical(program))
    after = editing.parse(context(), canonical(program))

    asked: list[str] = []

    def choose(label: str) -> bool:
        asked.append(label)
        return len(asked) - 1 in sites

    with plain_ops():
        pass_(after, choose)

    assert asked == labels, "the sites must not depend on the answers"
    problem = editing.verify(after)
    assert problem == "" or pass_.__name__ not in ALWAYS_VALID
    if not problem:
        assert measure(after).ops <= measure(before).ops + GROWTH.get(pass_.__name__, 0) * len(sites)
        text = editing.print_canonical(after)
        assert editing.print_canonical(editing.parse(context(), text)) == text


@pytest.mark.parametrize("program", [p.name for p in PROGRAMS])
@pytest.mark.parametrize("pass_", PASSES, ids=lambda p: p.__name__)
def test_applying_no_site_changes_nothing(pass_: Pass, program: str) -> None:
    module = editing.parse(context(), canonical(program))
    editing.apply(pass_, module, [])
    assert editing.print_canonical(module) == canonical(program)
