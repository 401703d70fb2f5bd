"""What a search has found, as it goes: a table in place on a terminal, a few lines a find otherwise."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from oracles.dispatches import FLAG_CONSUMER, FLAG_PRODUCER
from reducer.cli.console import Out, printable
from reducer.cli.quantities import count, show_seconds

if TYPE_CHECKING:
    from rich.console import RenderableType

    from reducer.finding.coverage import Coverage
    from reducer.finding.finder import Tally

SHOWN_OPS = 12
HEADINGS = ("", "fault", "target", "flags", "seen", "smallest", "newest release")
FAULT = 1
LEAST_FAULT = 20
"""The column that gives way on a narrow terminal, and how far."""

OTHER_LINES = 4
"""Of a terminal: the headings, where the search is, and room to spare. The last finds are shown, not the first."""

GAP = "  "
_SHORT = {FLAG_CONSUMER: "consumer", FLAG_PRODUCER: "producer"}


class FindTable:
    """Shows a search. finds: each as in its `find.json`. Use as a context manager around the search."""

    def __init__(self, out: Out, finds: Sequence[dict[str, Any]]) -> None:
        self._out = out
        self._finds = list(finds)
        self._tally: Tally | None = None
        self._shown = ExitStack()

    def __enter__(self) -> FindTable:
        if self._out.live:
            from rich.live import Live

            live = Live(console=self._out.console, get_renderable=self._view, refresh_per_second=4, transient=True)
            self._shown.enter_context(live)
        return self

    def __exit__(self, *exception: object) -> None:
        self._shown.close()

    def see(self, tally: Tally) -> None:
        """Take note of where the search is."""
        self._tally = tally

    def add(self, find: dict[str, Any], seconds: float) -> None:
        """One more find, so many seconds into the search."""
        self._finds.append(find)
        if not self._out.live:
            newest = f" · shown up to {find['newest']}" if find["newest"] else ""
            self._out.result(
                f"{len(self._finds):>3}  {find['oracle']} · {find['target']} · {short_flags(find)}\n"
                f"     {one_line(find['reason'])}\n"
                f"     {size(find)}{newest} · {show_seconds(seconds)} into the search · {find['folder']}"
            )

    def end(self, tally: Tally) -> None:
        """All finds, with how often each was seen."""
        rows = self._rows(tally)
        widths = _widths(rows)
        for row in rows if self._finds else []:
            self._out.say(GAP.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())

    def _rows(self, tally: Tally) -> list[tuple[str, ...]]:
        """A row a find under the headings. The newest release is left out where nobody asked for it."""
        rows: list[tuple[str, ...]] = [HEADINGS]
        for number, find in enumerate(self._finds, 1):
            targets = tally.targets.get(find["key"], [])
            where = ", ".join([find["target"], *(t for t in targets if t != find["target"])])
            seen = f"{tally.times.get(find['key'], 0)} x"
            row = (str(number), name(find), where, short_flags(find), seen, size(find), find.get("newest", ""))
            rows.append(row)
        return rows if any(row[-1] for row in rows[1:]) else [row[:-1] for row in rows]

    def _view(self) -> RenderableType:
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        if self._tally is None:
            return Text("starting")
        headings, *rows = self._rows(self._tally)
        widths = _widths([headings, *rows])
        rows = rows[-max(1, self._out.console.height - OTHER_LINES) :]
        others = sum(widths) - widths[FAULT] + len(GAP) * len(widths)
        widths[FAULT] = max(LEAST_FAULT, min(widths[FAULT], self._out.console.width - others))
        table = Table(box=None, pad_edge=False, header_style="bold")
        for heading, width in zip(headings, widths, strict=True):
            table.add_column(heading, overflow="ellipsis", no_wrap=True, width=width)
        for row in rows:
            table.add_row(*map(printable, row))
        return Group(table, Text(printable(status(self._tally))))


def _widths(rows: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(len, column)) for column in zip(*rows, strict=True)]


def status(tally: Tally) -> str:
    """Where a search is, in a line."""
    return (
        f"{show_seconds(tally.seconds)} · {count(tally.programs, 'program')} · {rate(tally):,.0f} verdicts a minute · "
        f"{tally.doing}"
    )


def rate(tally: Tally) -> float:
    """Verdicts a minute of looking."""
    return tally.verdicts / max(tally.looking_s, 0.001) * 60


def show_coverage(out: Out, coverage: Coverage) -> None:
    """The ops that were tried most, with how many programs had them and how many faults those showed."""
    rows = [(kind.removeprefix("linalg."), programs, faults) for kind, programs, faults in coverage.shown(SHOWN_OPS)]
    if rows:
        out.say("tried (programs, faults seen): " + ", ".join(f"{kind} {a}/{b}" for kind, a, b in rows) + " …")


def short_flags(find: dict[str, Any]) -> str:
    """The flags that a find needs, for people."""
    return " ".join(_SHORT.get(flag, flag) for flag in find["flags"]) or "default"


def name(find: dict[str, Any]) -> str:
    """Its oracle and what is particular about it."""
    said = one_line(find["signature"])
    return (said if said.startswith(find["oracle"]) else f"{find['oracle']}: {said}")[:76]


def size(find: dict[str, Any]) -> str:
    """From where it was reduced to what."""
    return f"{find['ops_before']} → {count(find['ops'], 'op')}, {count(find['elements'], 'element')}"


def one_line(text: str) -> str:
    """The first line, without what makes it longer than a screen."""
    return text.splitlines()[0][:160] if text else ""
