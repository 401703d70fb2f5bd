"""Which sites of a pass to try together, given what has succeeded so far. Pure: no program, no process.

Delta debugging over a list that shrinks as candidates succeed: all sites at once, then halves, quarters … down to
single sites. The key is that a search is a value: its candidates are listed as if none of them succeeded, so that
they can be tried in parallel ahead of time, and a success yields a new search. The result is therefore the same
however many run at once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

SMALL = 4  # up to this many sites, go from all of them straight to single ones


@dataclass(frozen=True)
class Search:
    """A search over `count` sites that has got to chunks of `chunk` sites, of which it looks at the one at `start`."""

    count: int
    chunk: int
    start: int = 0

    @staticmethod
    def over(count: int) -> Search:
        """A new search over `count` sites."""
        return Search(count, count)

    def candidates(self) -> Iterator[tuple[int, int]]:
        """The (chunk, start) still to try if nothing succeeds, in order."""
        chunk, start = min(self.chunk, self.count), self.start
        while chunk >= 1:
            while start < self.count:
                yield chunk, start
                start += chunk
            chunk, start = _smaller(chunk), 0

    def sites(self, chunk: int, start: int) -> tuple[int, ...]:
        """The sites of one candidate."""
        return tuple(range(start, min(start + chunk, self.count)))

    def succeeded(self, chunk: int, start: int, count: int) -> Search:
        """The search to go on with after that candidate was accepted and left `count` sites.

        It stays where it is: the sites of the accepted chunk are gone, and others have moved up into their place.
        """
        return Search(count, min(chunk, count), min(start, count))


def _smaller(chunk: int) -> int:
    if chunk == 1:
        return 0
    return 1 if chunk <= SMALL else (chunk + 1) // 2
