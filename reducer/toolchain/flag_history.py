"""Which release knows which `--iree-` flag: since when, until when, and what it is called elsewhere.

Owns the table `flag_history.txt`, one line a flag: its name, the first and the last release that know it, as each
release's own `--help-hidden` says (no flag that went has ever come back). What a flag means, and whether this compiler
takes it, is not its business: `flags.py` asks the compiler.
"""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from reducer.toolchain.flags import split_flag
from reducer.toolchain.targets import version

TABLE = Path(__file__).with_name("flag_history.txt")
MEASURED = ("2.9.0", "3.13.0")
"""The first and the last release that the table was made from."""

_PART = re.compile(
    r"--iree-(?:dispatch-creation|global-opt(?:imization)?|flow|stream|hal|hip|rocm|opt|vm|codegen)-(?:experimental-)?"
)
_CLOSE = 0.85


@dataclass(frozen=True)
class Span:
    """The releases that know a flag, from `first` to `last`, both included."""

    flag: str
    first: str
    last: str

    def holds(self, release: str) -> bool:
        """Whether it is one of them; a release after the last one measured counts as that."""
        at = min(version(release) or version(MEASURED[1]), version(MEASURED[1]))
        return version(self.first) <= at <= version(self.last)


@cache
def table() -> dict[str, Span]:
    """All spans, by the flag's name."""
    rows = (line.split() for line in TABLE.read_text("utf-8").splitlines())
    return {name: Span(name, first, last) for name, first, last in rows}


def span(flag: str) -> Span | None:
    """The releases that know a flag (with or without a value); None if no release that was measured does."""
    return table().get(split_flag(flag)[0])


def relatives(flag: str, release: str) -> tuple[str, ...]:
    """What a flag that `release` does not know may be called there: the same name of another part, or one close to it.

    A flag that stood beside this one in some release is another flag, unless this one was on its way out. What appeared
    when this one went comes before what appeared later.
    """
    name = split_flag(flag)[0]
    gone = span(name)
    others = [s for s in table().values() if s.flag != name and s.holds(release) and not _stood_beside(s, gone)]
    at_once = [s for s in others if gone is not None and version(s.first) <= version(_after(gone.last))]
    for choice in (at_once, others):
        same = [s.flag for s in choice if _PART.sub("", s.flag, count=1) == _PART.sub("", name, count=1)]
        if found := same or difflib.get_close_matches(name, [s.flag for s in choice], n=2, cutoff=_CLOSE):
            return tuple(found)
    return ()


def spelling(flag: str, release: str) -> str | None:
    """The name of a flag in a release, an older or a newer one than the flag is from; None if it has none there.

    A flag that no release lists keeps its name.
    """
    name = split_flag(flag)[0]
    known = span(name)
    if known is None or known.holds(release):
        return name
    if version(release) > version(known.last):
        found: tuple[str, ...] = relatives(name, release)
    else:
        older = [s.flag for s in table().values() if s.holds(release) and not s.holds(known.last)]
        found = tuple(other for other in older if relatives(other, known.last) == (name,))
    return found[0] if len(found) == 1 else None


def history(flag: str, release: str) -> str:
    """A clause on a flag: `known since 3.3.0`, `gone since 3.7.0: use --iree-…`, `unknown to every release …`."""
    name = split_flag(flag)[0]
    known = span(name)
    use = f": there it is {' or '.join(found)}" if (found := relatives(name, release)) else ""
    if known is None:
        return f"unknown to every release from {MEASURED[0]} to {MEASURED[1]}{use}"
    if known.holds(release):
        since = "" if known.first == MEASURED[0] else f" since {known.first}"
        until = "" if known.last == MEASURED[1] else f" until {known.last}"
        return f"known{since}{until}" if since or until else f"known from {MEASURED[0]} to {MEASURED[1]}"
    if version(release) < version(known.first):
        return f"known since {known.first} only{use}"
    return f"gone since {_after(known.last)}{use}"


def _stood_beside(other: Span, gone: Span | None) -> bool:
    """Whether some release but the last that knows `gone` knows both."""
    return gone is not None and version(other.first) < version(gone.last)


def _after(release: str) -> str:
    """The release that follows one, of those that the table was made from; the last one follows itself."""
    ends = {s.first for s in table().values()} | {s.last for s in table().values()}
    return min((r for r in ends if version(r) > version(release)), key=version, default=release)
