"""The search over sites, driven by oracles that are plain functions of the set of sites that is still there."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reducer.search import Search


def drive(items: list[int], interesting: Callable[[list[int]], bool]) -> tuple[list[int], int]:
    """Remove what can be removed from `items`; what is left, and how often `interesting` was asked."""
    search, asked = Search.over(len(items)), 0
    while search.count:
        for chunk, start in search.candidates():
            gone = set(search.sites(chunk, start))
            rest = [item for i, item in enumerate(items) if i not in gone]
            asked += 1
            if interesting(rest):
                items = rest
                search = search.succeeded(chunk, start, len(items))
                break
        else:
            break
    return items, asked


def test_everything_goes_in_one_test() -> None:
    assert drive(list(range(1000)), lambda rest: True) == ([], 1)


def test_a_small_list_goes_from_all_to_single_sites() -> None:
    assert list(Search.over(3).candidates()) == [(3, 0), (1, 0), (1, 1), (1, 2)]


def test_halves_then_quarters_then_single_sites() -> None:
    assert list(Search.over(8).candidates()) == [
        (8, 0), (4, 0), (4, 4), (1, 0), (1, 1), (1, 2), (1, 3), (1, 4), (1, 5), (1, 6), (1, 7),
    ]  # fmt: skip


def test_one_needed_site_among_a_thousand_is_found_in_about_twice_log2_tests() -> None:
    left, asked = drive(list(range(1000)), lambda rest: 637 in rest)
    assert left == [637]
    assert asked <= 30


def test_a_success_is_followed_by_the_next_chunk_not_by_a_restart() -> None:
    search = Search.over(8).succeeded(4, 0, 4)
    assert next(search.candidates()) == (4, 0)
    search = Search(count=8, chunk=2, start=4).succeeded(2, 4, 6)
    assert next(search.candidates()) == (2, 4)


@given(st.sets(st.integers(0, 40), max_size=6), st.integers(0, 41))
def test_what_is_left_is_one_minimal(needed: set[int], count: int) -> None:
    needed = {n for n in needed if n < count}
    left, _ = drive(list(range(count)), lambda rest: needed <= set(rest))
    assert left == sorted(needed)


@pytest.mark.parametrize("count", [0, 1, 5, 17])
def test_every_site_is_tried_alone_before_a_search_ends(count: int) -> None:
    tried = {start for chunk, start in Search.over(count).candidates() if chunk == 1}
    assert tried == set(range(count))
