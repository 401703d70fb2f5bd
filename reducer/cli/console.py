"""Printing for people: two streams, three levels of detail.

What a run has to say goes to standard output (to standard error if `--json -` needs the former); what is wrong goes to
standard error, one line each. Text of programs and diagnostics is printed as it is: never as markup, never wrapped. A
stream that breaks (`| head`, a full disk) falls silent: no result depends on being heard.
"""

from __future__ import annotations

import os
import sys
from functools import cached_property
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console


class Out:
    """The two streams of one command. verbosity: -1 quiet, 0 normal, 1 verbose."""

    def __init__(self, verbosity: int, *, to_stderr: bool = False) -> None:
        self.verbosity = verbosity
        self._stream: TextIO | None = sys.stderr if to_stderr else sys.stdout  # None if it was closed from the start
        watched = self._stream is not None and self._stream.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        self.live = watched and verbosity == 0
        """Whether progress can be shown in place, on a terminal that somebody watches."""

    @cached_property
    def console(self) -> Console:
        """The stream for what changes in place. Imported when needed: most commands end before that."""
        from rich.console import Console

        return Console(file=self._stream, markup=False, highlight=False, emoji=False, soft_wrap=True)

    def say(self, text: str = "") -> None:
        """Something worth knowing, unless quiet."""
        if self.verbosity >= 0:
            self.result(text)

    def result(self, text: str) -> None:
        """What the command was run for: printed even when quiet."""
        if self.live:
            self.console.print(printable(text))
        else:
            write_line(self._stream, text)


def warn(text: str) -> None:
    """Something that the user should not miss, on standard error."""
    write_line(sys.stderr, f"reduce: warning: {text}")


def error(text: str) -> None:
    """Why the command failed: one line on standard error."""
    write_line(sys.stderr, f"reduce: error: {' '.join(text.split())}")


def write_line(stream: TextIO | None, text: str) -> None:
    """Write a line, whatever characters are in it; onto a closed or broken stream nothing is written, now or later."""
    if stream is None:
        return
    encoding = stream.encoding or "utf-8"
    safe = printable(text).encode(encoding, "replace").decode(encoding)
    try:
        stream.write(safe + "\n")
        stream.flush()
    except OSError:
        silence(stream)


def silence(stream: TextIO) -> None:
    """Send the rest of a broken stream nowhere, so that flushing it at exit fails no more."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def printable(text: str) -> str:
    """The text without what a terminal would obey or an encoder refuse."""
    text = text.encode("utf-8", "replace").decode("utf-8")
    return "".join(c if c.isprintable() or c in "\n\t" else "\N{REPLACEMENT CHARACTER}" for c in text)
