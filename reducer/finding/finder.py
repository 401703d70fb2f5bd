"""A search for faults: rounds of programs, judged in every way; what was not seen before is reduced and kept.

Owns what is known (and so passed over), the counts, and the order of things. The same seed gives the same programs in
the same order; how many of them there is time for depends on the machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from hypothesis.strategies import SearchStrategy

from oracles.registry import make
from reducer.case import Case, Limits, Result
from reducer.errors import ReducerError
from reducer.finding.examples import rounds
from reducer.finding.inspector import Inspector, Seen
from reducer.finding.sightings import Sighting, identity
from reducer.finding.ways import Way
from reducer.session import Options, Session
from reducer.strategies import Program
from reducer.toolchain import pool
from reducer.toolchain.releases import Toolchain

MINIMISE_S = 90.0
"""The longest that one find is reduced."""


@dataclass(frozen=True)
class Hunt:
    """What is looked for. out: a folder for the runs of the reductions; known: identities that are passed over.

    first: the round to begin with. limit_s: None for no end.
    """

    toolchain: Toolchain
    oracles: tuple[str, ...]
    ways: tuple[Way, ...]
    strategy: SearchStrategy[Program]
    out: Path
    seed: int
    jobs: int
    limit_s: float | None
    known: frozenset[str] = frozenset()
    first: int = 0


@dataclass(frozen=True)
class Find:
    """A fault that was reduced and confirmed. number: from 1; program: the one it was first seen on."""

    number: int
    sighting: Sighting
    program: Program
    result: Result


@dataclass
class Tally:
    """What happened so far. times: by identity; passed: identities whose reduction came to nothing new, and why."""

    started: float = field(default_factory=time.monotonic)
    programs: int = 0
    verdicts: int = 0
    round: int = 0
    times: dict[str, int] = field(default_factory=dict)
    passed: dict[str, str] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        """Since the start."""
        return time.monotonic() - self.started


class Finder:
    """One search. tell: called after each program judged, and with each new find."""

    def __init__(self, hunt: Hunt, tell: Callable[[Tally, Find | None], None]) -> None:
        self._hunt = hunt
        self._tell = tell
        self.tally = Tally()
        self.finds: list[Find] = []
        self._known = set(hunt.known)
        self._reduced: set[tuple[str, str]] = set()

    def run(self) -> list[Find]:
        """Search until the time is up or a KeyboardInterrupt ends it; the finds so far are in `finds` either way."""
        hunt = self._hunt
        limits = pool.Limits(60.0, 0)
        inspector = Inspector(hunt.toolchain, hunt.oracles, hunt.jobs, limits)
        try:
            for number, programs in rounds(hunt.strategy, hunt.seed, hunt.first):
                self.tally.round = number
                for sighting, program in self._sight(inspector, programs):
                    self._reduce(sighting, program)
                if self._is_over():
                    return self.finds
        finally:
            inspector.close()
        return self.finds

    def _is_over(self) -> bool:
        return self._hunt.limit_s is not None and self.tally.seconds >= self._hunt.limit_s

    def _sight(self, inspector: Inspector, programs: Sequence[Program]) -> Iterator[tuple[Sighting, Program]]:
        """What is new, way by way. A fault that a program shows without flags is not looked for with some."""
        self.tally.programs += len(programs)
        plain: dict[str, set[str]] = {}
        for way in self._hunt.ways:
            new: list[tuple[Sighting, Program]] = []

            def see(seen: Seen, new: list[tuple[Sighting, Program]] = new) -> None:
                self.tally.verdicts += seen.verdicts
                shown = plain.setdefault(seen.program.text, set())
                for sighting in seen.sightings:
                    less = f"{sighting.oracle} {sighting.way.target} {sighting.signature}"
                    if less not in shown and self._count(sighting):
                        new.append((sighting, seen.program))
                    shown.add(less)
                self._tell(self.tally, None)

            for at in range(0, len(programs), 10):
                inspector.judge(programs[at : at + 10], way, see)
                yield from new
                new.clear()
                if self._is_over():
                    return

    def _count(self, sighting: Sighting) -> bool:
        """Whether it is new."""
        times = self.tally.times
        times[sighting.key] = times.get(sighting.key, 0) + 1
        is_new = sighting.key not in self._known
        self._known.add(sighting.key)
        return is_new

    def _reduce(self, sighting: Sighting, program: Program) -> None:
        """Reduce what is new, and keep it if it is confirmed and is not something known after all."""
        hunt, way = self._hunt, sighting.way
        case = Case(
            "found", program.text, make(sighting.oracle), hunt.toolchain, way.target, way.target_flags,
            () if sighting.oracle in _OWN_FLAGS else way.flags, inputs=program.inputs,
        )  # fmt: skip
        left_s = MINIMISE_S if hunt.limit_s is None else min(MINIMISE_S, hunt.limit_s - self.tally.seconds)
        run_dir = hunt.out / f".run-{len(self.tally.passed) + len(self.finds) + 1:03}"
        options = Options(run_dir, Limits(total_s=max(left_s, 10.0)), hunt.jobs)
        try:
            result = Session(case, options, lambda event: None).run()
        except ReducerError as error:
            self.tally.passed[sighting.key] = str(error)
            return
        self._keep(sighting, program, result)

    def _keep(self, sighting: Sighting, program: Program, result: Result) -> None:
        if not result.confirmed:
            self.tally.passed[sighting.key] = f"{result.outcome}: {result.verdict.reason}"
            return
        target = sighting.way.target
        final = identity(sighting.oracle, target, result.flags, result.verdict.signature)
        is_another = final != sighting.key and final in self._known
        same = (f"{sighting.oracle} {target} {' '.join(result.flags)}", result.program)
        if is_another or same in self._reduced:
            self.tally.passed[sighting.key] = "the same as one that was found before"
            return
        self._known.add(final)
        self._reduced.add(same)
        needed = replace(sighting, way=replace(sighting.way, flags=result.flags))
        find = Find(len(self.finds) + 1, needed, program, result)
        self.finds.append(find)
        self._tell(self.tally, find)


_OWN_FLAGS = ("no-op-flag", "two-dispatches")
