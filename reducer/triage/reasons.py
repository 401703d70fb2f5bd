"""Why a flag does nothing: the values that say so. Pure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

Kind = Literal["flag", "reach", "pass", "program", "op", "flags", "overridden"]


@dataclass(frozen=True)
class Reason:
    """One answer to why, and what was seen that says so.

    sets: the names of the sets of flags that it is about.
    kind: "flag": whether the release knows it; "reach": what in the compiler it changes; "pass": which pass ends it;
        "program": which change of the program makes it take effect; "op": none does, it is the op; "flags": which other
        flag makes it take effect; "overridden": which flag keeps it from it.
    """

    kind: Kind
    sets: tuple[str, ...]
    says: str
    evidence: tuple[str, ...] = ()


def merged(reasons: list[Reason]) -> tuple[Reason, ...]:
    """Reasons that are the same for several sets, said once; in order."""
    found: dict[tuple[str, str, tuple[str, ...]], Reason] = {}
    for reason in reasons:
        key = (reason.kind, reason.says, reason.evidence)
        known = found.get(key)
        found[key] = replace(known, sets=(*known.sets, *reason.sets)) if known is not None else reason
    return tuple(found.values())
