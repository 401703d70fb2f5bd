"""report.html: one file to look at. Nothing is fetched, nothing is run: text, SVG and a style sheet.

Owns the page. Everything from a program goes through the template's escaping or through Pygments', which escapes too.
"""

from __future__ import annotations

import shlex
from importlib.resources import files

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from reducer.report.document import Document
from reducer.report.html.curve import COLOURS, draw_curves
from reducer.report.html.graph import draw_flow
from reducer.report.html.highlight import highlight
from reducer.report.markdown import command, compare, expectation, privacy

_SHOWN_REFUSALS = 60


def write_html(document: Document) -> str:
    """The page."""
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    template = environment.from_string(files(__package__).joinpath("page.html.j2").read_text("utf-8"))
    passes = list(dict.fromkeys(step.pass_name for step in document.steps))
    return template.render(
        d=document,
        commands=[_lines(line) for line in command(document).splitlines()],
        expectation=expectation(document).replace("`", ""),
        program=highlight(document.repro.program, document.marked),
        seed=highlight(document.seed, ()) if document.seed else "",
        flows=[(flow.caption, Markup(draw_flow(flow.ir))) for flow in document.flows],
        curves=Markup(draw_curves(document)) if len(document.steps) > 1 else "",
        legend=[(name, number % COLOURS) for number, name in enumerate(passes)],
        refusals=document.refusals[:_SHOWN_REFUSALS],
        more_refusals=max(0, len(document.refusals) - _SHOWN_REFUSALS),
        compare=compare,
        privacy=privacy(document),
    )


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
