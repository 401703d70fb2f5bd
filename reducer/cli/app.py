"""From words to an exit code: carries out a request, and turns whatever goes wrong into one line.

Owns the process boundary. The first word decides: a command's name, or a reduction.
"""

from __future__ import annotations

import os
import tempfile
import traceback
from collections.abc import Sequence

from reducer.cli import console
from reducer.cli.arguments import parse
from reducer.cli.bisect import run_bisect
from reducer.cli.check import run_check
from reducer.cli.exits import Exit
from reducer.cli.find import run_find
from reducer.cli.listing import run_list
from reducer.cli.outputs import no_space
from reducer.cli.reduce import run_reduce
from reducer.cli.report import run_report
from reducer.cli.requests import (
    BisectRequest,
    CheckRequest,
    FindRequest,
    ReduceRequest,
    ReportRequest,
    Request,
    TriageRequest,
)
from reducer.cli.scratch import scratch
from reducer.cli.triage import run_triage
from reducer.errors import ReducerError
from reducer.interrupts import Interrupts, watching


def run(words: Sequence[str]) -> int:
    """Carry out what the words ask for; the process's exit code."""
    with watching() as interrupts:
        try:
            return int(_run(words, interrupts))
        except ReducerError as error:
            console.error(str(error))
            return int(Exit.BAD_INPUT)
        except KeyboardInterrupt:
            console.error("interrupted")
            return int(Exit.INTERRUPTED)
        except Exception as error:  # the process boundary
            if interrupts.seen and _comes_of_interrupt(error):
                console.error("interrupted")
                return int(Exit.INTERRUPTED)
            full = no_space(error) if isinstance(error, OSError) else None
            if full is None:
                return int(_defect(error))
            console.error(str(full))
            return int(Exit.BAD_INPUT)


def _run(words: Sequence[str], interrupts: Interrupts) -> Exit:
    request: Request | None = parse(words)
    if request is None:
        return Exit.CONFIRMED
    with scratch():
        if isinstance(request, ReduceRequest):
            return run_reduce(request, interrupts)
        if isinstance(request, CheckRequest):
            return run_check(request)
        if isinstance(request, BisectRequest):
            return run_bisect(request)
        if isinstance(request, ReportRequest):
            return run_report(request)
        if isinstance(request, FindRequest):
            return run_find(request, interrupts)
        if isinstance(request, TriageRequest):
            return run_triage(request)
        return run_list(request)


def _comes_of_interrupt(error: BaseException | None) -> bool:
    """Whether a KeyboardInterrupt is behind it: Python turns one into a RuntimeError in the middle of a class."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__cause__ or error.__context__
    return error is not None


def _defect(error: Exception) -> Exit:
    """Say that it is our own fault, and where the details are."""
    where = ""
    try:
        descriptor, where = tempfile.mkstemp(prefix="iree-reduce-defect-", suffix=".txt")
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace") as file:
            file.write("".join(traceback.format_exception(error)))
    except OSError:
        where = "nowhere: the disk is full"
    what = f"{type(error).__name__}: {error}"
    console.error(f"this is a defect of the reducer, please report it ({what}); details: {where}")
    return Exit.UNCONFIRMED
