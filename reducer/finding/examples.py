"""Draws programs with Hypothesis: the same ones for the same seed, as many as are asked for."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

from reducer.strategies import Program

ROUND = 100
"""Programs a run of Hypothesis, which begins with small ones each time."""


def rounds(strategy: SearchStrategy[Program], number: int, first: int = 0) -> Iterator[tuple[int, list[Program]]]:
    """Rounds of distinct programs, with their numbers, from round `first` on. number: the search's seed."""
    seen: set[str] = set()
    at = first
    while True:
        drawn = _draw(strategy, number * 1_000_003 + at)
        fresh = [program for program in drawn if program.text not in seen]
        seen.update(program.text for program in fresh)
        yield at, fresh
        at += 1


def _draw(strategy: SearchStrategy[Program], number: int) -> list[Program]:
    drawn: list[Program] = []

    @seed(number)
    @settings(
        max_examples=ROUND, phases=[Phase.generate], database=None, deadline=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(strategy)
    def collect(program: Program) -> None:
        drawn.append(program)

    collect()
    return drawn
