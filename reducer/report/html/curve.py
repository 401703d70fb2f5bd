"""How the program got smaller: ops and tensor elements against tests, one colour a pass. SVG by drawsvg."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import drawsvg

from reducer.report.document import Document, Step
from reducer.report.html.graph import inline

COLOURS = 8
"""Colours of passes in the style sheet, `p0` to `p7`; more passes begin again."""

_WIDTH, _HEIGHT = 520, 200
_LEFT, _RIGHT, _TOP, _BOTTOM = 84, 16, 26, 36
_FONT = 12


def draw_curves(document: Document) -> str:
    """Two pictures, one below the other."""
    passes = list(dict.fromkeys(step.pass_name for step in document.steps))
    steps = document.steps
    if document.before is not None:
        first = Step(0, 0.0, "", "the seed", document.before.ops, document.before.elements)
        steps = (first, *steps)
    ops = _curve("operations", steps, passes, lambda step: step.ops, document)
    return ops + _curve("tensor elements", steps, passes, lambda step: step.elements, document)


def _curve(
    title: str, steps: Sequence[Step], passes: Sequence[str], value: Callable[[Step], int], document: Document
) -> str:
    last = max(document.tests, steps[-1].tests, 1)
    largest = max(*map(value, steps), 2)
    decades = max(1, math.ceil(math.log10(largest)))

    def x(tests: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * tests / last

    def y(size: float) -> float:
        return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * math.log10(max(size, 1)) / decades

    picture = drawsvg.Drawing(_WIDTH, _HEIGHT)
    picture.append(drawsvg.Text(title, _FONT + 1, _LEFT, 15, class_="title"))
    for decade in range(decades + 1):
        at = y(10**decade)
        picture.append(drawsvg.Line(_LEFT, at, _WIDTH - _RIGHT, at, class_="grid"))
        picture.append(drawsvg.Text(f"{10**decade:,}", _FONT, _LEFT - 6, at + 4, text_anchor="end", class_="label"))
    for share in (0.0, 0.5, 1.0):
        at = share * last
        seconds = f" ({document.seconds:.0f} s)" if share == 1.0 and document.seconds else ""
        anchor = {0.0: "start", 0.5: "middle", 1.0: "end"}[share]
        label = f"{at:.0f} tests{seconds}" if share else "0"
        picture.append(drawsvg.Text(label, _FONT, x(at), _HEIGHT - 12, text_anchor=anchor, class_="label"))
    path = drawsvg.Path(class_="edge")
    path.M(x(steps[0].tests), y(value(steps[0])))
    for step in steps[1:]:
        path.H(x(step.tests)).V(y(value(step)))
    path.H(x(last))
    picture.append(path)
    for step in steps:
        colour = f"p{passes.index(step.pass_name) % COLOURS}" if step.pass_name else "seed"
        when = f"after {step.tests} tests, {step.seconds:.1f} s ({step.pass_name})"
        said = f"{step.label}: {value(step):,} {title} {when}"
        dot = drawsvg.Circle(x(step.tests), y(value(step)), 4.5, class_=f"dot {colour}")
        dot.append_title(said)
        picture.append(dot)
    return inline(picture, f"{title} against tests, from {value(steps[0]):,} to {value(steps[-1]):,}")
