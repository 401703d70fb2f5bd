"""How the program got smaller: ops and tensor elements against tests and against time, as SVG by drawsvg.

A step has the colour of the pass that made it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import drawsvg

from reducer.report.document import Document, Step
from reducer.report.html.boxes import inline

COLOURS = 8
"""Colours of passes in the style sheet, `p0` to `p7`; more passes begin again."""

_WIDTH, _HEIGHT = 420, 190
_LEFT, _RIGHT, _TOP, _BOTTOM = 74, 34, 30, 30
_FONT = 12
_MARKS = 6


@dataclass(frozen=True)
class _Axis:
    """What is measured of a step. unit: after its numbers; ends: the last that there is, after the last step."""

    of: Callable[[Step], float]
    unit: str
    ends: float


def passes_of(document: Document) -> tuple[str, ...]:
    """The passes that made the program smaller, in the order in which they first did: what has a colour."""
    return tuple(dict.fromkeys(step.pass_name for step in document.steps))


def draw_curves(document: Document) -> tuple[str, ...]:
    """Four pictures: ops against tests and seconds, elements against tests and seconds."""
    steps = document.steps
    if document.before is not None:
        steps = (Step(0, 0.0, "", "the seed", document.before.ops, document.before.elements), *steps)
    passes = passes_of(document)
    across = (
        _Axis(lambda step: step.tests, "tests", max(document.tests, steps[-1].tests, 1)),
        _Axis(lambda step: step.seconds, "s", max(document.seconds, steps[-1].seconds, 0.1)),
    )
    sizes: tuple[tuple[str, Callable[[Step], int]], ...] = (
        ("operations", lambda step: step.ops),
        ("tensor elements", lambda step: step.elements),
    )
    return tuple(_Curve(title, size, axis).draw(steps, passes) for title, size in sizes for axis in across)


@dataclass(frozen=True)
class _Curve:
    """One picture: a size, on a logarithmic scale, against something linear."""

    title: str
    size: Callable[[Step], int]
    axis: _Axis

    def draw(self, steps: Sequence[Step], passes: Sequence[str]) -> str:
        sizes = [max(1, self.size(step)) for step in steps]
        marks = _marks(min(sizes), max(sizes))
        low, high = marks[0], marks[-1]
        picture = drawsvg.Drawing(_WIDTH, _HEIGHT)
        over = "tests" if self.axis.unit == "tests" else "seconds"
        picture.append(drawsvg.Text(f"{self.title} over {over}", _FONT + 1, _LEFT, 14, class_="title"))

        def x(step: Step) -> float:
            return _LEFT + (_WIDTH - _LEFT - _RIGHT) * self.axis.of(step) / self.axis.ends

        def y(size: float) -> float:
            share = math.log(max(size, 1) / low) / math.log(high / low)
            return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * share

        self._scales(picture, marks, y)
        for before, step in pairwise(steps):
            path = drawsvg.Path(class_=f"step {_colour(step, passes)}")
            picture.append(path.M(x(before), y(self.size(before))).H(x(step)).V(y(self.size(step))))
        rest = drawsvg.Path(class_="step rest")
        picture.append(rest.M(x(steps[-1]), y(sizes[-1])).H(_WIDTH - _RIGHT))
        for step in steps:
            dot = drawsvg.Circle(x(step), y(self.size(step)), 3.5, class_=f"dot {_colour(step, passes)}")
            dot.append_title(self._said(step))
            picture.append(dot)
        last = drawsvg.Text(f"{sizes[-1]:,}", _FONT + 1, _WIDTH - _RIGHT + 5, y(sizes[-1]) + 4, class_="title")
        picture.append(last)
        return inline(picture, f"{self.title} over {over}, from {self.size(steps[0]):,} to {self.size(steps[-1]):,}")

    def _scales(self, picture: drawsvg.Drawing, marks: Sequence[int], y: Callable[[float], float]) -> None:
        for mark in marks:
            at = y(mark)
            picture.append(drawsvg.Line(_LEFT, at, _WIDTH - _RIGHT, at, class_="grid"))
            picture.append(drawsvg.Text(f"{mark:,}", _FONT, _LEFT - 7, at + 4, text_anchor="end", class_="label"))
        for share, anchor in ((0.0, "middle"), (0.5, "middle"), (1.0, "end")):
            at = _LEFT + share * (_WIDTH - _LEFT - _RIGHT)
            said = f"{_short(share * self.axis.ends)} {self.axis.unit}" if share else "0"
            picture.append(drawsvg.Text(said, _FONT, at, _HEIGHT - 9, text_anchor=anchor, class_="label"))

    def _said(self, step: Step) -> str:
        where = f"{self.size(step):,} {self.title} after {step.tests} tests, {step.seconds:.1f} s"
        return f"{where}: {step.pass_name}, {step.label}" if step.pass_name else f"{where}: {step.label}"


def _marks(smallest: int, largest: int) -> list[int]:
    """What a scale shows, from below the smallest to above the largest: 1, 2 and 5 times powers of ten, or fewer."""
    marks = [times * 10**decade for decade in range(len(str(largest)) + 1) for times in (1, 2, 5)]
    first = max((at for at, mark in enumerate(marks) if mark < smallest), default=0)
    last = next(at for at, mark in enumerate(marks) if mark >= largest and at > first)
    shown = marks[first : last + 1]
    if len(shown) <= _MARKS:
        return shown
    first, last = len(str(smallest)) - 1, len(str(largest - 1))
    every = math.ceil((last - first) / (_MARKS - 1))
    return [10**decade for decade in range(first, last + every, every)]


def _short(number: float) -> str:
    return f"{number:,.0f}" if number >= 10 or number == int(number) else f"{number:.1f}"


def _colour(step: Step, passes: Sequence[str]) -> str:
    return f"p{passes.index(step.pass_name) % COLOURS}" if step.pass_name else "seed"
