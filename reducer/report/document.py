"""Everything that a report shows, in plain values: what the formats (`markdown`, `html`, `lit_test` …) are given.

Owns no wording and reads no file. Whoever fills it has made it neutral first (`neutral.py`): no format shows more.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from reducer.report.repro import Repro
from reducer.report.shell import Check

_QUOTED_OP = re.compile(r": (?:%\S+ = )?\"[\w.$]+\"\(")


@dataclass(frozen=True)
class Measure:
    """How big a program is, with the flags that it needs."""

    ops: int
    elements: int
    flags: int
    bytes: int


@dataclass(frozen=True)
class Step:
    """A program that was smaller than all before it. tests, seconds: until then; label: what made it so."""

    tests: int
    seconds: float
    pass_name: str
    label: str
    ops: int
    elements: int


@dataclass(frozen=True)
class FlowPhase:
    """The program at the flow phase. caption: under which flags; ir: as IREE prints it."""

    caption: str
    ir: str


@dataclass(frozen=True)
class Document:
    """A report.

    repro: the reduced program. check: how a script tells the fault. commit: that the release was built from, "" if
    unknown. error: the compiler's own words, trimmed. marked: lines of the repro's program, from 1, with the ops at
    fault. seed: what it was reduced from, "" if unknown. steps, before, after, tests, seconds: of the reduction, if
    there was one; outcome: how it ended ("reduced", "limit", "interrupted"). refusals: single simplifications of the
    result, and what happened instead. flows: without the flags, and with them. history: the document of `reduce bisect
    --json`; triage: of `reduce triage --json`; None if they were not asked. kept: what the fault needs of the original,
    as counts (`2 attributes`): nothing else of it is in here but the outline.
    """

    repro: Repro
    check: Check
    target: str
    commit: str
    reason: str
    signature: str
    error: tuple[str, ...] = ()
    comparison: tuple[tuple[str, str], ...] = ()
    marked: tuple[int, ...] = ()
    seed: str = ""
    before: Measure | None = None
    after: Measure | None = None
    tests: int = 0
    seconds: float = 0.0
    minimal: bool = False
    outcome: str = ""
    steps: tuple[Step, ...] = ()
    refusals: tuple[tuple[str, str], ...] = ()
    flows: tuple[FlowPhase, ...] = ()
    history: Mapping[str, Any] | None = None
    triage: Mapping[str, Any] | None = None
    kept: tuple[str, ...] = ()

    @property
    def oracle(self) -> str:
        """The name of the fault's oracle."""
        return self.repro.directive.oracle or ""

    @property
    def title(self) -> str:
        """One line: what goes wrong, where."""
        where = f" on {self.target}" if self.target else ""
        said = self.summary.splitlines()[0].split(" < ")[0]
        return f"[{self.oracle}] {said[:120]}{where} (IREE {self.repro.release or 'build'})"

    @property
    def ending(self) -> str:
        """What the reduction leaves open, a clause; "" if nothing."""
        if self.minimal or self.before is None:
            return ""
        early = {"interrupted": "it was interrupted", "limit": "it stopped at a limit"}
        return f"{early.get(self.outcome, 'not everything could be tried')}: something simpler may show the same"

    @property
    def summary(self) -> str:
        """The reason without the oracle's name before it and the op that a diagnostic quotes after it."""
        return _QUOTED_OP.split(self.reason.removeprefix(f"{self.oracle}: "), maxsplit=1)[0]
