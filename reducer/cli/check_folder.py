"""`reduce check FOLDER`: a folder of repros as a regression suite, each judged by what its own header says.

Owns the table, the exit code and the JUnit file. How one file is judged is `check.py`'s business.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from xml.etree import ElementTree

from oracles.verdict import Outcome, Verdict
from reducer.cli.console import Out, printable
from reducer.cli.exits import Exit
from reducer.cli.json_file import ADVICE
from reducer.cli.outputs import check_writable
from reducer.cli.quantities import count
from reducer.cli.requests import CaseRequest, CheckRequest
from reducer.cli.setup import Plan
from reducer.errors import InputError, OutputError, ReducerError
from reducer.journal import write_atomic

SUFFIXES = (".mlir", ".mlirbc")
SHOWS, FIXED, ERROR = "shows the fault", "does not", "error"

Judge = Callable[[CaseRequest], tuple[Plan, Verdict]]


@dataclass(frozen=True)
class Row:
    """One file. outcome: SHOWS, FIXED or ERROR; question: oracle, release and target; said: the verdict's reason."""

    file: Path
    outcome: str
    question: str
    said: str
    seconds: float


def run_check_folder(request: CheckRequest, folder: Path, judge: Judge) -> Exit:
    """Judge every program under the folder; 0 if all are as wanted, 1 if one is not, 2 if one cannot be judged."""
    out = Out(request.verbosity)
    files = sorted(path for path in folder.rglob("*") if path.suffix in SUFFIXES and path.is_file())
    files = [path for path in files if not any(part.endswith((".run", ".report")) for part in path.parts)]
    if not files:
        raise InputError(f"{folder} holds no program; give a folder with .mlir files")
    if request.junit is not None and not Path(request.junit).absolute().parent.is_dir():
        raise OutputError(f"cannot write --junit {request.junit}: there is no such directory")
    if request.junit is not None:
        check_writable(Path(request.junit).absolute().parent, f"--junit {request.junit}", ADVICE)
    width = max(len(str(path.relative_to(folder))) for path in files)
    rows = []
    for file in files:
        row = _row(request.case, file, judge)
        rows.append(row)
        out.say(f"{file.relative_to(folder)!s:<{width}}  {row.outcome:<{len(SHOWS)}}  {row.question}: {row.said}")
    wanted = FIXED if request.fixed else SHOWS
    if request.junit is not None:
        write_atomic(Path(request.junit), junit(rows, folder, wanted), ADVICE)
    shows, fixed, errors = (sum(row.outcome == outcome for row in rows) for outcome in (SHOWS, FIXED, ERROR))
    out.say(f"{count(len(rows), 'file')}: {shows} with the fault, {fixed} without, {count(errors, 'error')}")
    if any(row.outcome == ERROR for row in rows):
        return Exit.BAD_INPUT
    return Exit.CONFIRMED if all(row.outcome == wanted for row in rows) else Exit.NO_FAULT


def _row(case: CaseRequest, file: Path, judge: Judge) -> Row:
    started = time.monotonic()
    question = case.oracle or "?"
    try:
        plan, verdict = judge(replace(case, program=str(file)))
    except ReducerError as error:
        return Row(file, ERROR, question, str(error), time.monotonic() - started)
    target = plan.case.target or "its own flags"
    question = f"{plan.case.oracle.name}, IREE {plan.case.toolchain.release}, {target}"
    outcome = SHOWS if verdict.interesting else FIXED if verdict.outcome is Outcome.NOT_INTERESTING else ERROR
    return Row(file, outcome, question, verdict.reason, time.monotonic() - started)


def junit(rows: list[Row], folder: Path, wanted: str) -> str:
    """The rows as a JUnit document: a failure where the outcome is not `wanted`, an error where there is none."""
    failures = sum(row.outcome not in (wanted, ERROR) for row in rows)
    errors = sum(row.outcome == ERROR for row in rows)
    suite = ElementTree.Element(
        "testsuite", name="reduce check", tests=str(len(rows)), failures=str(failures), errors=str(errors),
        time=f"{sum(row.seconds for row in rows):.3f}",
    )  # fmt: skip
    for row in rows:
        name = str(row.file.relative_to(folder))
        test = ElementTree.SubElement(
            suite, "testcase", classname=row.question, name=name, time=f"{row.seconds:.3f}"
        )
        if row.outcome == ERROR:
            ElementTree.SubElement(test, "error", message=printable(row.said))
        elif row.outcome != wanted:
            ElementTree.SubElement(test, "failure", message=printable(f"{row.outcome}: {row.said}"))
    ElementTree.indent(suite)
    return ElementTree.tostring(suite, encoding="unicode", xml_declaration=True) + "\n"
