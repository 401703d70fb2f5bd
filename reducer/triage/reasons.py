"""Why a flag does nothing: the values that say so, and how they are put into words. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

Kind = Literal["refused", "program", "flags", "op", "pairs", "unexplained", "unchanged"]
MOST_PAIRS = 6
ADDED, TAKEN = "+", "-"
ALONE = "alone"


@dataclass(frozen=True)
class Trial:
    """Something that was tried: a change of the program, or a flag added or taken away.

    name: of the change, or the flag (`+ --iree-…`, `- --iree-…`). says: what is true then, a clause after "if"; of a
        flag ALONE, if it does the same without the padding-fusion flags.
    place: where the pad went; met: whether that is where it should go; moved: whether it is another place than before.
    """

    name: str
    says: str
    place: str
    met: bool
    moved: bool


@dataclass(frozen=True)
class Reason:
    """An answer to why, and what was seen that says so.

    kind: "refused": the release does not know or take a flag; "program", "flags": a single change of that makes it take
        effect; "op": nothing else does, but a convolution in the place of the op that uses the pad; "pairs": two
        changes of the program together; "unexplained": nothing that was tried; "unchanged": a set without
        padding-fusion flags, of which only is told what it reaches.
    sets: names of the sets of flags that it is about. pads: the pads, as the program calls them.
    changes, flags: all that was tried.
    """

    kind: Kind
    sets: tuple[str, ...]
    pads: tuple[str, ...]
    says: str
    evidence: tuple[str, ...] = ()
    changes: tuple[Trial, ...] = ()
    flags: tuple[Trial, ...] = ()


@dataclass(frozen=True)
class Tried:
    """Everything that was tried for one pad under one set of flags.

    more: how many pads went the same way, for all of which this one was looked into.
    op: the first structured op that uses the pad, "" if none does; others: what else uses it.
    pairs: of changes of the program, tried where no single one met. acts: where nothing met, on how many variants of
        the program the flag changes any dispatch, and how many there are, the program among them.
    """

    pad: str
    place: str
    op: str = ""
    others: tuple[str, ...] = ()
    changes: tuple[Trial, ...] = ()
    pairs: tuple[Trial, ...] = ()
    flags: tuple[Trial, ...] = ()
    acts: tuple[int, int] | None = None
    more: int = 0

    @property
    def is_met(self) -> bool:
        """Whether anything that was tried puts the pad where it should go."""
        return any(t.met for t in (*self.changes, *self.pairs, *self.flags))


REPLACED = "convolution"
"""The change that is no reason while another is one: anything may be replaced by what works."""


def conclude(tried: Tried, flag_set: str, found: tuple[str, ...]) -> Reason:
    """What the trials say. found: what is known besides, in sentences."""
    changes = [t for t in tried.changes if t.met]
    specific = [t for t in changes if t.name != REPLACED]
    clauses = [f"if {t.says}" for t in specific]
    if changes and not specific:
        op = tried.op or "what uses it"
        clauses = [f"if a plain convolution takes the place of {op}, which is not what a pad is fused into"]
    clauses += [_flag_clause(t) for t in tried.flags if t.met]
    kind: Kind = "program" if specific else "op" if changes else "flags"
    pairs = [t for t in tried.pairs if t.met]
    if not clauses:
        kind, clauses = "pairs", [f"if {t.says}" for t in pairs[:MOST_PAIRS]]
    pad, it = (f"{tried.pad} and {tried.more} more", tried.pad) if tried.more else (tried.pad, "it")
    says = f"{pad} {'are' if tried.more else 'is'} not fused: {tried.place}."
    if clauses:
        says += f" {it[0].upper()}{it[1:]} is fused {'; '.join(clauses)}."
    elif not tried.op and tried.others:
        kind, says = "op", f"{says} No structured op uses {it}, only {', '.join(dict.fromkeys(tried.others))}."
    else:
        kind, says = "unexplained", f"{says} Nothing that was tried fuses {it}{_acts(tried.acts)}."
    evidence = (*found, *_evidence(tried))
    return Reason(kind, (flag_set,), (pad,), says, evidence, (*tried.changes, *tried.pairs), tried.flags)


def _acts(acts: tuple[int, int] | None) -> str:
    if acts is None or acts[0]:
        return ""
    return f": the flag changes no dispatch of the program, nor of any of {_many(acts[1] - 1, 'variant')}"


def _flag_clause(trial: Trial) -> str:
    sign, _, flag = trial.name.partition(" ")
    said = f"with {flag} added" if sign == ADDED else f"without {flag}"
    return f"{said} (whatever the padding-fusion flags)" if trial.says == ALONE else said


def _clause(trial: Trial) -> str:
    return _flag_clause(trial) if trial.name[0] in (ADDED, TAKEN) else f"if {trial.says}"


def _evidence(tried: Tried) -> list[str]:
    """What was tried and what came of it; what moved nothing in one line."""
    single = (*tried.changes, *tried.flags)
    lines = [f"{_clause(t)}: {t.place}" for t in single if t.met]
    lines += [f"{_clause(t)}: {t.place}" for t in tried.pairs[:MOST_PAIRS] if t.met]
    lines += [f"{_clause(t)}: {t.place}" for t in single if t.moved and not t.met]
    still = [t.name for t in tried.changes if not t.moved and not t.met]
    pairs = sum(not t.met for t in tried.pairs)
    flags = sum(not t.moved and not t.met for t in tried.flags)
    parts = [", ".join(still)] if still else []
    parts += [f"{_many(pairs, 'pair')} of changes"] if pairs else []
    parts += [_many(flags, "other flag")] if flags else []
    return [*lines, f"of no effect: {'; '.join(parts)}"] if parts else lines


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def merged(reasons: Iterable[Reason]) -> tuple[Reason, ...]:
    """Reasons that say the same of several sets, said once, with what was seen of the first; in order."""
    found: dict[tuple[str, str], Reason] = {}
    for reason in reasons:
        key = (reason.kind, reason.says)
        known = found.get(key)
        found[key] = replace(known, sets=(*known.sets, *reason.sets)) if known is not None else reason
    return tuple(found.values())
