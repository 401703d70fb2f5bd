"""Draws programs with Hypothesis: the same ones for the same seed, as many as are asked for."""

from __future__ import annotations

from collections.abc import Iterator

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

from reducer.strategies import Program

RUNS = 8
EXAMPLES = 12
"""A round is so many runs of Hypothesis, of so many programs each.

The runs are short: after its first ten examples Hypothesis mostly varies what it drew before, and programs that are
nearly the same show the same faults.
"""


def rounds(strategy: SearchStrategy[Program], number: int, first: int) -> Iterator[tuple[int, list[Program]]]:
    """Rounds of distinct programs, with their numbers, from round `first` on. number: the search's seed.

    What came before round `first` is drawn too, so that a search that is gone on with is the one it was.
    """
    seen: set[str] = set()
    at = 0
    while True:
        fresh = []
        for run in range(RUNS):
            for program in _draw(strategy, number * 1_000_003 + at * RUNS + run):
                if program.text not in seen:
                    seen.add(program.text)
                    fresh.append(program)
        if at >= first:
            yield at, fresh
        at += 1


def _draw(strategy: SearchStrategy[Program], number: int) -> list[Program]:
    drawn: list[Program] = []

    @seed(number)
    @settings(
        max_examples=EXAMPLES, phases=[Phase.generate], database=None, deadline=None,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(strategy)
    def collect(program: Program) -> None:
        drawn.append(program)

    collect()
    return drawn
