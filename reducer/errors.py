"""Everything that ends a run because of what the user gave us or what the machine lacks.

Each error is one line for people: what was wrong, the value, and what to try next. Only `cli` prints it and exits (with
code 2). What a compiler does wrong is never an error here: it is an observation.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class ReducerError(Exception):
    """One clear line: what was wrong, which value, what to try. Newlines in the text are folded into spaces."""

    def __init__(self, message: str) -> None:
        super().__init__(" ".join(message.split()))


class InputError(ReducerError):
    """The program, its header or an option cannot be used."""


class ToolchainError(ReducerError):
    """A release of IREE cannot be found, installed or run."""


class TargetError(ReducerError):
    """A target that the reducer or the release does not know."""


class FlagError(ReducerError):
    """A compiler flag that the release rejects, or that a file may not ask for."""


class OutputError(ReducerError):
    """A result cannot be written."""


def nearest(value: str, known: Iterable[str], count: int = 3) -> str:
    """Say which known names resemble `value`, as a clause to append (`; did you mean a or b?`), or "" if none does."""
    close = difflib.get_close_matches(value, list(known), n=count, cutoff=0.6)
    return f"; did you mean {' or '.join(close)}?" if close else ""
