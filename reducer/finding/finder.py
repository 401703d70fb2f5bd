"""A search for faults: rounds of programs, judged in every way; what was not seen before is reduced and kept.

Owns what is known (and so passed over), the counts, and when to reduce rather than to look on. The same seed gives the
same programs in the same order, and without a limit of time the same finds; how many of them there is time for depends
on the machine.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

from hypothesis.strategies import SearchStrategy

from oracles.registry import make
from reducer.case import Case, Limits, Result
from reducer.errors import ReducerError
from reducer.finding.coverage import Coverage, kinds
from reducer.finding.examples import rounds
from reducer.finding.inspector import Inspector
from reducer.finding.pending import Pending
from reducer.finding.sightings import FLOW_ORACLES, SLOW, Sighting, identity, is_vague
from reducer.finding.trial import Seen
from reducer.finding.ways import Way
from reducer.session import Options, Session
from reducer.strategies import Program
from reducer.toolchain import pool
from reducer.toolchain.releases import Toolchain

MINIMISE_S = 90.0
"""The longest that one find is reduced."""

LEAST_S = 10.0
"""With less than this left, nothing more is reduced."""

REDUCING = 2.0
"""How long finds are reduced, in all, for each second of looking."""

GROUP = 32
"""Programs judged before what is new among them is reduced."""

COMPILATION_S = 10.0
"""The longest that one compilation may take: some thirty times what they take. What takes longer is set aside."""


@dataclass(frozen=True)
class Hunt:
    """What is looked for. ways: by target; out: a folder for the runs of the reductions.

    known: identities and signatures that are passed over; families: what finds with a vague signature hold, by
    identity. first: the round to begin with. limit_s, limit_programs: when to end, None for never.
    """

    toolchain: Toolchain
    oracles: tuple[str, ...]
    ways: tuple[tuple[Way, ...], ...]
    strategy: SearchStrategy[Program]
    out: Path
    seed: int
    jobs: int
    limit_s: float | None
    limit_programs: int | None = None
    known: frozenset[str] = frozenset()
    families: tuple[tuple[str, frozenset[str]], ...] = ()
    first: int = 0


@dataclass(frozen=True)
class Find:
    """A fault that was reduced and confirmed. key: its first identity; program: the one it was first seen on."""

    key: str
    sighting: Sighting
    program: Program
    result: Result


@dataclass
class Tally:
    """What happened so far.

    times, targets: by identity; passed: identities whose reduction came to nothing new, and why; settled: identities
    that were reduced, however it ended; doing: for people, now. looking_s: how long programs were judged; for the rest
    of the time finds were reduced. slow: the first program, by identity, that took too long to compile.
    """

    started: float = field(default_factory=time.monotonic)
    programs: int = 0
    verdicts: int = 0
    round: int = 0
    looking_s: float = 0.0
    doing: str = ""
    times: dict[str, int] = field(default_factory=dict)
    targets: dict[str, list[str]] = field(default_factory=dict)
    passed: dict[str, str] = field(default_factory=dict)
    settled: list[str] = field(default_factory=list)
    slow: dict[str, tuple[Sighting, Program]] = field(default_factory=dict)
    coverage: Coverage = field(default_factory=Coverage)

    @property
    def seconds(self) -> float:
        """Since the start."""
        return time.monotonic() - self.started


class Finder:
    """One search. tell: called as things happen, and with each new find."""

    def __init__(self, hunt: Hunt, tell: Callable[[Tally, Find | None], None]) -> None:
        self._hunt = hunt
        self._tell = tell
        self.tally = Tally()
        self.finds: list[Find] = []
        self.pending = Pending()
        self._known = set(hunt.known)
        self._families = list(hunt.families)
        self._reduced: set[tuple[str, str]] = set()
        self._runs = 0

    def run(self) -> list[Find]:
        """Search until the time is up or a KeyboardInterrupt ends it; the finds so far are in `finds` either way."""
        hunt = self._hunt
        inspector = Inspector(hunt.toolchain, hunt.oracles, hunt.jobs, pool.Limits(COMPILATION_S, 0))
        try:
            for number, programs in rounds(hunt.strategy, hunt.seed, hunt.first):
                self.tally.round = number
                for at in range(0, len(programs), GROUP):
                    self._look(inspector, programs[at : at + GROUP][: self._wanted()])
                    self._reduce_some(last=self._is_over())
                    if self._is_over():
                        return self.finds
        finally:
            inspector.close()
        return self.finds

    def _wanted(self) -> int:
        """How many programs more there may be, of a group."""
        most = self._hunt.limit_programs
        return GROUP if most is None else max(0, most - self.tally.programs)

    def _is_over(self) -> bool:
        return self._left_s() <= 0 or self._wanted() == 0

    def _left_s(self) -> float:
        limit_s = self._hunt.limit_s
        return float("inf") if limit_s is None else limit_s - self.tally.seconds

    def _look(self, inspector: Inspector, programs: list[Program]) -> None:
        tally, began = self.tally, time.monotonic()
        tally.programs += len(programs)
        tally.doing = "looking"
        for program in programs:
            tally.coverage.add(program)
        for seen in inspector.judge(programs, self._hunt.ways, lambda: self._left_s() <= 0):
            tally.verdicts += seen.verdicts
            self._note(seen)
            self._tell(tally, None)
            if self._left_s() <= 0:
                break
        tally.looking_s += time.monotonic() - began

    def _note(self, seen: Seen) -> None:
        """Count what a program shows. A fault that it shows with fewer flags is not looked for with more."""
        shown: set[tuple[str, str]] = set()
        for sighting in seen.sightings:
            self.tally.coverage.fault(seen.program)
            fault = (sighting.oracle, sighting.signature)
            if sighting.oracle == SLOW:
                self.tally.slow.setdefault(sighting.key, (sighting, seen.program))
                continue
            if fault in shown:
                continue
            shown.add(fault)
            key, target = sighting.key, sighting.way.target
            self.tally.times[key] = self.tally.times.get(key, 0) + 1
            targets = self.tally.targets.setdefault(key, [])
            targets += [target] if target not in targets else []
            if self._is_new(sighting, seen.program):
                self._known.add(key)
                self.pending.add(sighting, seen.program)

    def _is_new(self, sighting: Sighting, program: Program) -> bool:
        """Whether a sighting is no known fault.

        One with a vague signature is known if the program holds all that a find with this signature needs.
        """
        key = sighting.key
        if sighting.signature in self._known:
            return False
        if key not in self._known:
            return True
        if not is_vague(sighting.oracle) or any(waiting.key == key for waiting in self.pending.sightings):
            return False
        return not any(key == of and needed <= kinds(program) for of, needed in self._families)

    def _reduce_some(self, *, last: bool) -> None:
        """Reduce what is new: all of it where there is time without end, or nothing more to look at."""
        tally = self.tally
        while len(self.pending) and self._left_s() > LEAST_S:
            reducing_s = tally.seconds - tally.looking_s
            if not last and self._hunt.limit_s is not None and reducing_s > REDUCING * tally.looking_s:
                return
            sighting, program = self.pending.take(tally.times)
            tally.doing = f"reducing {sighting.oracle}: {sighting.signature[:60]}"
            self._tell(tally, None)
            self._reduce(sighting, program)

    def _reduce(self, sighting: Sighting, program: Program) -> None:
        """Reduce what is new, and keep it if it is confirmed and is not something known after all.

        A crash from freed memory shows other frames each time: then its signal is held on to.
        """
        try:
            result = self._session(sighting, program, "message")
            if sighting.oracle == "crash" and not result.confirmed and result.outcome != "interrupted":
                result = self._session(sighting, program, "class")
        except ReducerError as error:
            self.tally.passed[sighting.key] = str(error)
        else:
            self._keep(sighting, program, result)
        self.tally.settled.append(sighting.key)

    def _session(self, sighting: Sighting, program: Program, level: str) -> Result:
        hunt, way = self._hunt, sighting.way
        case = Case(
            "found", program.text, make(sighting.oracle, level=level), hunt.toolchain, way.target, way.target_flags,
            () if sighting.oracle in FLOW_ORACLES else way.flags, inputs=program.inputs,
        )  # fmt: skip
        self._runs += 1
        left_s = max(LEAST_S, min(MINIMISE_S, self._left_s()))
        options = Options(hunt.out / f".run-{self._runs:03}", Limits(total_s=left_s), hunt.jobs)
        return Session(case, options, lambda event: None).run()

    def _keep(self, sighting: Sighting, program: Program, result: Result) -> None:
        if result.outcome == "interrupted":
            raise KeyboardInterrupt
        if not result.confirmed:
            self.tally.passed[sighting.key] = f"{result.outcome}: {result.verdict.reason}"
            return
        target = sighting.way.target
        final = identity(sighting.oracle, target, result.flags, result.verdict.signature)
        is_another = final != sighting.key and final in self._known and not is_vague(sighting.oracle)
        same = (f"{sighting.oracle} {target} {' '.join(result.flags)}", result.program)
        if is_another or same in self._reduced:
            self.tally.passed[sighting.key] = "the same as one that was found before"
            return
        self._known.add(final)
        self._families.append((final, kinds(Program(result.program))))
        self._reduced.add(same)
        self.tally.settled.append(final)
        needed = replace(sighting, way=replace(sighting.way, flags=result.flags))
        find = Find(sighting.key, needed, program, result)
        self.finds.append(find)
        self._tell(self.tally, find)
