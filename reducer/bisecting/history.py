"""Which releases show a fault: what to ask next, and what the answers come to. Pure.

A release shows the fault, does not, or cannot judge it (it cannot parse the program, does not know a flag). Between two
neighbours that agree, what was not asked is taken to be as they are, and is said to be: faults come and go.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum


class Shown(Enum):
    """What a release said."""

    YES = "shows it"
    NO = "does not"
    CANNOT_TELL = "cannot judge"


@dataclass(frozen=True)
class Answer:
    """One release's. why: one line, for people; commit: that it was built from, "" if it does not say."""

    shown: Shown
    why: str = ""
    commit: str = ""


@dataclass(frozen=True)
class Change:
    """Two releases that differ, with none between them that could judge. begins: whether the fault begins there."""

    before: str
    after: str
    begins: bool


@dataclass(frozen=True)
class Stretch:
    """Releases in a row that say the same. asked: those of them that were asked; the others are assumed."""

    shown: Shown
    first: str
    last: str
    asked: tuple[str, ...]


def next_release(releases: Sequence[str], answers: Mapping[str, Answer], first: str, *, everything: bool) -> str | None:
    """The release to ask next; None if enough is known.

    releases: oldest first. first: the one that the fault was seen on, asked before any other if it is one of them.
    everything: ask them all. Otherwise both ends are asked, and wherever two differ, what lies between is halved.
    """
    unasked = [release for release in releases if release not in answers]
    if not unasked:
        return None
    if first in unasked:
        return first
    if everything:
        return unasked[0]
    for inwards in (list(releases), list(reversed(releases))):
        for release in inwards:
            if release not in answers:
                return release
            if answers[release].shown is not Shown.CANNOT_TELL:
                break
    for before, after in _neighbours(releases, answers):
        between = [r for r in unasked if releases.index(before) < releases.index(r) < releases.index(after)]
        if between and answers[before].shown is not answers[after].shown:
            return between[len(between) // 2]
    return None


def _neighbours(releases: Sequence[str], answers: Mapping[str, Answer]) -> list[tuple[str, str]]:
    """Pairs of releases that could judge, with none between them that did."""
    judged = [r for r in releases if r in answers and answers[r].shown is not Shown.CANNOT_TELL]
    return list(itertools.pairwise(judged))


def changes(releases: Sequence[str], answers: Mapping[str, Answer]) -> tuple[Change, ...]:
    """Where the fault begins or ends, oldest first."""
    return tuple(
        Change(before, after, begins=answers[after].shown is Shown.YES)
        for before, after in _neighbours(releases, answers)
        if answers[before].shown is not answers[after].shown
    )


def stretches(releases: Sequence[str], answers: Mapping[str, Answer]) -> tuple[Stretch, ...]:
    """The releases in rows of the same answer, oldest first; what was not asked belongs to its neighbours' row."""
    found: list[Stretch] = []
    for release in releases:
        answer = answers.get(release)
        if answer is None:
            if found:
                found[-1] = _longer(found[-1], release, ())
        elif found and found[-1].shown is answer.shown:
            found[-1] = _longer(found[-1], release, (release,))
        else:
            found.append(Stretch(answer.shown, release, release, (release,)))
    return tuple(found)


def _longer(stretch: Stretch, release: str, asked: tuple[str, ...]) -> Stretch:
    return Stretch(stretch.shown, stretch.first, release, stretch.asked + asked)


def summary(releases: Sequence[str], answers: Mapping[str, Answer]) -> list[str]:
    """What the answers come to, in a few lines for people."""
    shown = [s for s in stretches(releases, answers) if s.shown is Shown.YES]
    if not shown:
        return ["no release that could judge it shows it"]
    turns = changes(releases, answers)
    lines = [f"shown by {', '.join(_span(s) for s in shown)}"]
    for turn in turns:
        lines.append(
            f"first bad {turn.after}, last good {turn.before}"
            if turn.begins
            else f"last bad {turn.before}, first good {turn.after}"
        )
    if len([turn for turn in turns if turn.begins]) > 1 or (len(turns) > 1 and not turns[0].begins):
        lines.append("it comes and goes: the history is not monotonic")
    elif len(turns) > 1:
        lines.append("it came and went again: the history is not monotonic")
    if not turns:
        lines.append("every release that could judge it shows it")
    return lines


def _span(stretch: Stretch) -> str:
    return stretch.first if stretch.first == stretch.last else f"{stretch.first} … {stretch.last}"
