"""The document of `--json`: its fields, and where it may be written.

Refuses to overwrite anything that the command line names as an input or writes otherwise, before anything is done.
"""

from __future__ import annotations

import json
import os
import shlex
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from reducer.case import Result
from reducer.cli.exits import Exit
from reducer.cli.outputs import Outputs, check_writable
from reducer.cli.requests import ReduceRequest
from reducer.cli.summary import sizes
from reducer.errors import OutputError
from reducer.journal import write_atomic

ADVICE = "free some space, or name a file elsewhere"


class JsonError(OutputError):
    """The document itself cannot be written, so it cannot say so."""


def result_json(result: Result, outputs: Outputs | None, *, confirmed: bool, code: Exit) -> dict[str, Any]:
    """The document of `--json`, with the fields that the README lists. outputs: None if nothing was written."""
    case = result.case
    before, after = sizes(result)
    run = result.verdict.run
    return {
        "outcome": "interrupted" if code is Exit.INTERRUPTED else result.outcome,
        "confirmed": confirmed,
        "minimal": result.minimal,
        "oracle": case.oracle.name,
        "release": case.toolchain.release,
        "target": case.target,
        "flags": list(case.command(result.flags)),
        "signature": result.verdict.signature,
        "reason": result.verdict.reason,
        "function": run.function if run else None,
        "inputs": list(run.inputs) if run else None,
        "expected": list(run.expected) if run else None,
        "got": list(run.got) if run else None,
        "before": before,
        "after": after,
        "tests": result.tests,
        "seconds": round(result.seconds, 3),
        "slips": result.slips,
        "program": str(outputs.program) if outputs else None,
        "script": str(outputs.script) if outputs else None,
        "run": str(result.run_dir),
        "notes": list(result.notes),
        "error": None,
        "exit": int(code),
    }


def error_json(outcome: str, message: str, code: Exit) -> dict[str, Any]:
    """The same fields for a run that ended before it had a result."""
    keys = (
        "oracle", "release", "target", "flags", "signature", "reason", "function", "inputs",
        "expected", "got", "before", "after", "tests", "seconds", "slips",
        "program", "script", "run",
    )  # fmt: skip
    known = {"outcome": outcome, "confirmed": False, "minimal": False, "notes": [], "error": message, "exit": int(code)}
    return {**known, **dict.fromkeys(keys)}


def check_json(request: ReduceRequest, *others: Path) -> None:
    """Raise JsonError now if the document could not be written at the end, or only over another file.

    others: what the reduction writes.
    """
    if request.json is not None:
        check_json_path(request.json, [*_named(request), *map(str, others)])


def check_json_path(where: str, keep: Iterable[str | Path]) -> None:
    """Raise JsonError if a document could not be written there, or only over one of the files to `keep`."""
    if where == "-":
        return
    path = Path(where)
    if path.is_dir():
        raise JsonError(f"--json {where} is a directory; name a file in it")
    if not path.parent.is_dir():
        raise JsonError(f"cannot write --json {where}: there is no directory {path.parent}")
    if os.path.realpath(path) in [os.path.realpath(word) for word in keep]:
        raise JsonError(f"--json {where} is a file of this command and would be overwritten; choose another")
    if path.is_file() or not path.exists():
        try:
            check_writable(Path(os.path.realpath(path)).parent, f"--json {where}", ADVICE)
        except OutputError as error:
            raise JsonError(str(error)) from error


def _named(request: ReduceRequest) -> list[str]:
    """Every word of the command line that could be a file which must stay."""
    case = request.case
    words = [word for word in (case.program, request.output, *(case.words or ())) if word]
    try:
        return words + shlex.split(case.script or "")
    except ValueError:
        return words


def write_json(where: str, document: dict[str, Any]) -> None:
    """Write to a file (atomically, if it is a regular one) or to standard output for `-`. Raises JsonError."""
    text = json.dumps(document, indent=2) + "\n"
    if where == "-":
        sys.stdout.write(text)
        sys.stdout.flush()
        return
    path = Path(where)
    if path.is_file() or not path.exists():
        write_atomic(Path(os.path.realpath(path)), text, ADVICE)
        return
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise JsonError(f"cannot write --json {where}: {error.strerror}") from error
