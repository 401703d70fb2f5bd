"""Progress while a session runs: in place on a terminal, plain lines otherwise."""

from __future__ import annotations

import time
from collections import deque
from contextlib import ExitStack
from typing import TYPE_CHECKING

from reducer import events
from reducer.case import Case
from reducer.cli.console import Out, printable
from reducer.cli.quantities import count, show_seconds
from reducer.cli.summary import holding, judge_of, relative
from reducer.wire import Size

if TYPE_CHECKING:
    from rich.table import Table

RATE_WINDOW_S = 10.0
LABEL_CHARS = 160


class Progress:
    """Listens to the session that reduces `case`. Use as a context manager around it."""

    def __init__(self, out: Out, case: Case) -> None:
        self._out = out
        self._case = case
        self._started = time.monotonic()
        self._first: Size | None = None
        self._size: Size | None = None
        self._pass = "seed"
        self._tests = 0
        self._slips = 0
        self._recent: deque[float] = deque()
        self._shown = ExitStack()

    def __enter__(self) -> Progress:
        if self._out.live:
            from rich.live import Live

            live = Live(console=self._out.console, get_renderable=self._view, refresh_per_second=8, transient=True)
            self._shown.enter_context(live)
        return self

    def __exit__(self, *exception: object) -> None:
        self._shown.close()

    def see(self, event: events.Event) -> None:
        """Take note of an event, and show what is worth showing."""
        match event:
            case events.BaselineSeen(verdict, _, size, seconds):
                self._first = self._size = size
                if verdict.interesting:
                    self._out.say(f"seen in {show_seconds(seconds)}: {verdict.reason}")
                    self._out.say(f"holding on to: {holding(self._case.oracle, verdict)}")
            case events.PassStarted(name, sites):
                self._pass = name
                if self._out.verbosity > 0:
                    self._out.say(f"{name}: {count(sites, 'site')}")
            case events.Tested():
                self._tested(event)
            case events.Improved(size, flags, pass_name, tests):
                self._improved(size, flags, pass_name, tests)
            case events.SlipSaved(signature, path):
                self._slips += 1
                self._out.say(f"another fault, kept in {relative(path)}: {signature}")
            case events.Confirming(step_back):
                back = f", {count(step_back, 'step')} back" if step_back else ""
                self._pass = f"confirming{back}"
                self._out.say(f"asking {judge_of(self._case)}{back}")
            case events.Note(text):
                self._out.say(f"note: {text}")

    def _tested(self, event: events.Tested) -> None:
        self._tests = event.tests
        if event.asked:
            self._recent.append(time.monotonic())
        if self._out.verbosity > 0:
            sign = "+" if event.accepted else "-" if event.asked else "="
            self._out.say(f"  {sign} {event.label}: {event.reason}"[:LABEL_CHARS])

    def _improved(self, size: Size, flags: tuple[str, ...], pass_name: str, tests: int) -> None:
        self._size = size
        if not self._out.live:
            flag_count = len(self._case.command(flags))
            self._out.say(
                f"{show_seconds(time.monotonic() - self._started):>10} {count(tests, 'test'):>11}  {pass_name}: "
                f"{count(size.ops, 'op')}, {count(size.elements, 'element')}, {count(flag_count, 'flag')}"
            )

    def _rate(self) -> float:
        now = time.monotonic()
        while self._recent and self._recent[0] < now - RATE_WINDOW_S:
            self._recent.popleft()
        return len(self._recent) / min(RATE_WINDOW_S, max(now - self._started, 0.1))

    def _view(self) -> Table:
        from rich.table import Table

        table = Table.grid(padding=(0, 2))
        if self._first is None or self._size is None:
            table.add_row("judging the seed", show_seconds(time.monotonic() - self._started))
            return table
        first, size = self._first, self._size
        table.add_row(
            printable(self._pass),
            f"{first.ops:,} → {size.ops:,} ops",
            f"{first.elements:,} → {size.elements:,} elements",
            f"{count(self._tests, 'test')} ({self._rate():.1f}/s)",
            count(self._slips, "slip"),
            show_seconds(time.monotonic() - self._started),
        )
        return table
