"""What was seen and is not reduced yet, the most unlike what was found so far first. Pure.

Reducing takes longer than seeing, so the order decides what a short search comes back with: one fault of each kind
before a second of any, and of a kind what was seen most.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from reducer.finding.sightings import Sighting
from reducer.strategies import Program


class Pending:
    """Sightings with a program that shows each."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Sighting, Program]] = []
        self._taken: Counter[tuple[str, ...]] = Counter()

    def __len__(self) -> int:
        return len(self._waiting)

    @property
    def sightings(self) -> tuple[Sighting, ...]:
        """All of them, in the order seen."""
        return tuple(sighting for sighting, _ in self._waiting)

    def add(self, sighting: Sighting, program: Program) -> None:
        """Wait for a turn."""
        self._waiting.append((sighting, program))

    def take(self, times: Mapping[str, int]) -> tuple[Sighting, Program]:
        """The next one: of the kind of which the fewest were taken, the one seen most, and first.

        times: how often, by identity. Raises ValueError if none waits.
        """
        order = [(self._turns(sighting), -times.get(sighting.key, 0)) for sighting, _ in self._waiting]
        chosen = order.index(min(order))
        sighting, program = self._waiting.pop(chosen)
        self._taken.update(_kinds(sighting))
        return sighting, program

    def _turns(self, sighting: Sighting) -> tuple[int, ...]:
        return tuple(self._taken[kind] for kind in _kinds(sighting))


def _kinds(sighting: Sighting) -> tuple[tuple[str, ...], ...]:
    """From the narrow to the wide."""
    way = sighting.way
    return (
        ("way", sighting.oracle, *sorted(way.flags)),
        ("oracle", sighting.oracle),
    )
