"""The words of `reduce report`."""

from __future__ import annotations

from typing import Annotated

import typer

from reducer.cli.options import ExitInteresting, Iree, Match, OracleName, Quiet, Script, Target, option
from reducer.cli.requests import CaseRequest, ReportRequest


def report(
    *,
    run: Annotated[str, typer.Argument(metavar="RUN|FILE", help="A run folder of `reduce`, or a repro.")],
    form: Annotated[
        list[str] | None, option("NAME", "md, html, json, lit or sh; repeated. Default: md, html and lit.", "--format")
    ] = None,
    output: Annotated[
        str | None, option("FOLDER", "Default: `report` in the run folder, or `NAME.report` here.", "-o", "--output")
    ] = None,
    bisect: Annotated[str | None, option("FILE", "What `reduce bisect --json` wrote.", "--bisect")] = None,
    triage: Annotated[str | None, option("FILE", "What `reduce triage --json` wrote.", "--triage")] = None,
    oracle: OracleName = None,
    iree: Iree = None,
    target: Target = None,
    match: Match = None,
    script: Script = None,
    exit_interesting: ExitInteresting = None,
    quiet: Quiet = False,
) -> ReportRequest:
    """Write a bug report: text to paste, a page to look at, a test for lit.

    Names, strings and weights of the original program are left out. 0 if it is written, 1 if the repro does not show
    its fault, 2 for bad input.
    """
    case = CaseRequest(
        program=None, oracle=oracle, iree=iree, target=target, match=match, script=script,
        exit_interesting=exit_interesting,
    )  # fmt: skip
    return ReportRequest(run, case, tuple(form or ()), output, bisect, triage, verbosity=-1 if quiet else 0)
