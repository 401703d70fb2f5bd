"""What a session tells whoever watches it. Values only: printing is `cli`'s business, writing the journal's."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from oracles.verdict import Verdict
from reducer.wire import Size


@dataclass(frozen=True)
class BaselineSeen:
    """The oracle's verdict on the seed (asked twice), and the command line that shows it."""

    verdict: Verdict
    command: tuple[str, ...]
    size: Size
    seconds: float


@dataclass(frozen=True)
class PassStarted:
    """A pass (or "slice", "flags", "numbers") begins on a program with that many sites."""

    name: str
    sites: int


@dataclass(frozen=True)
class Tested:
    """A candidate was judged (or, with `asked` False, rejected or remembered without asking the oracle)."""

    label: str
    accepted: bool
    reason: str
    asked: bool
    tests: int


@dataclass(frozen=True)
class Improved:
    """The best program so far."""

    size: Size
    flags: tuple[str, ...]
    pass_name: str
    tests: int


@dataclass(frozen=True)
class SlipSaved:
    """A different fault was seen and kept."""

    signature: str
    path: Path


@dataclass(frozen=True)
class Confirming:
    """The stock compiler is asked about the final program."""

    step_back: int


@dataclass(frozen=True)
class Note:
    """Something the user should know."""

    text: str


Event = BaselineSeen | PassStarted | Tested | Improved | SlipSaved | Confirming | Note
Emit = Callable[[Event], None]
