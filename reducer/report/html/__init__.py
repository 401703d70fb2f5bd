"""report.html: one file to look at. Nothing is fetched, nothing is run: text, SVG and a style sheet.

Owns the page. Everything from a program goes through the template's escaping, or through Pygments' or drawsvg's, which
escape too.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from importlib.resources import files

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup, escape

from reducer.report.document import Document
from reducer.report.html.boxes import draw_graph
from reducer.report.html.curve import COLOURS, draw_curves, passes_of
from reducer.report.html.graph import read_graph
from reducer.report.html.highlight import highlight
from reducer.report.lit import header_lines
from reducer.report.markdown import command, compare, expectation, privacy, subject

_SHOWN_REFUSALS = 60
_CODE = re.compile(r"`([^`]+)`")
_NUMBERS = re.compile(r"[^\s\[\]=]+")
_OUTCOMES = {"shows it": "shows", "does not": "fine", "not asked": "unasked"}


def write_html(document: Document) -> str:
    """The page."""
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters.update(code=in_code, outcome=lambda said: _OUTCOMES.get(said, "other"))
    template = environment.from_string(files(__package__).joinpath("page.html.j2").read_text("utf-8"))
    above = header_lines(document.repro)
    graphs = [(flow.caption, read_graph(flow.ir, document.repro.program)) for flow in document.flows]
    return template.render(
        d=document,
        command="\n".join(_lines(line) for line in command(document).splitlines()),
        expectation=expectation(document),
        program=highlight(document.repro.program, document.marked),
        above=above,
        seed=highlight(document.seed, ()) if document.seed else "",
        graphs=[(caption, graph.said, Markup(draw_graph(graph, above))) for caption, graph in graphs],
        alike=len(graphs) > 1 and len({graph for _, graph in graphs}) == 1,
        comparison=mark_differences(document.comparison),
        curves=[Markup(curve) for curve in draw_curves(document)] if len(document.steps) > 1 else [],
        legend=[(name, number % COLOURS) for number, name in enumerate(passes_of(document))],
        colours=range(COLOURS),
        refusals=document.refusals[:_SHOWN_REFUSALS],
        more_refusals=max(0, len(document.refusals) - _SHOWN_REFUSALS),
        compare=compare,
        subject=subject,
        privacy=privacy(document, outlined=bool(document.seed)),
    )


def in_code(text: str) -> Markup:
    """Prose with what stands in backticks as code."""
    parts = _CODE.split(text)
    html = [Markup("<code>{}</code>").format(part) if number % 2 else escape(part) for number, part in enumerate(parts)]
    return Markup("").join(html)


def mark_differences(comparison: Sequence[tuple[str, str]]) -> list[tuple[str, Markup]]:
    """Rows of what was seen; of values that were expected and that were got, what differs is marked."""
    said = dict(comparison)
    wanted, got = (_NUMBERS.findall(said.get(label, "")) for label in ("expected", "got"))
    if not wanted or len(wanted) != len(got):
        return [(label, in_code(text)) for label, text in comparison]
    differs = [a != b for a, b in zip(wanted, got, strict=True)]
    rows = []
    for label, text in comparison:
        rows.append((label, _marked(text, differs) if label in ("expected", "got") else in_code(text)))
    return rows


def _marked(text: str, differs: Sequence[bool]) -> Markup:
    html, at = [], 0
    for match, other in zip(_NUMBERS.finditer(text), differs, strict=True):
        html += [escape(text[at : match.start()]), Markup("<mark>{}</mark>" if other else "{}").format(match[0])]
        at = match.end()
    return Markup("<code>{}</code>").format(Markup("").join([*html, escape(text[at:])]))


def _lines(line: str) -> str:
    """A command over several lines, a flag each, that a shell still takes for one."""
    words = [shlex.quote(word) for word in shlex.split(line)]
    rows = [" ".join(words[:2])]
    for word in words[2:]:
        if rows[-1] == "-o":
            rows[-1] += f" {word}"
        else:
            rows.append(word)
    return " \\\n  ".join(rows)
