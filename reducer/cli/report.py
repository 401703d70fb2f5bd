"""`reduce report`: a run, or a repro, as a bug report in the formats that are asked for."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from reducer.cli.console import Out
from reducer.cli.exits import Exit
from reducer.cli.outputs import check_writable
from reducer.cli.report_document import Sources, find_sources, load
from reducer.cli.requests import ReportRequest
from reducer.cli.summary import relative
from reducer.errors import InputError, OutputError, nearest
from reducer.journal import write_atomic
from reducer.report.document import Document
from reducer.report.html import write_html
from reducer.report.lit import write_repro
from reducer.report.lit_test import write_lit_test
from reducer.report.markdown import write_markdown
from reducer.report.shell import write_script


def _write_json(document: Document) -> str:
    return json.dumps(asdict(document), ensure_ascii=False, indent=1) + "\n"


def _write_sh(document: Document) -> str:
    return write_script(document.repro, document.check)


FORMATS: dict[str, tuple[str, Callable[[Document], str]]] = {
    "md": ("report.md", write_markdown),
    "html": ("report.html", write_html),
    "json": ("report.json", _write_json),
    "lit": ("repro.lit.mlir", write_lit_test),
    "sh": ("repro.sh", _write_sh),
}
"""By name: the file and how its text is made."""

DEFAULT = ("md", "html", "lit")


def _folder(sources: Sources) -> Path:
    """In the run folder; of a repro alone, in the current directory: `repro.report` for `repro.mlir`."""
    if sources.run is not None:
        return sources.run / "report"
    return Path("stdin.report" if str(sources.program) == "-" else f"{sources.program.stem}.report")


def run_report(request: ReportRequest) -> Exit:
    """Write the report's files. Raises ReducerError."""
    out = Out(request.verbosity)
    for name in request.formats:
        if name not in FORMATS:
            raise InputError(f"unknown --format {name}{nearest(name, FORMATS) or '; known are ' + ', '.join(FORMATS)}")
    sources = find_sources(request.run)
    folder = Path(request.output) if request.output is not None else _folder(sources)
    exists = next(path for path in (folder.absolute(), *folder.absolute().parents) if path.exists())
    check_writable(exists, str(folder), "choose another folder with -o")
    loaded = load(request, sources)
    if isinstance(loaded, str):
        out.result(f"{sources.program} does not show its fault: {loaded}")
        return Exit.NO_FAULT
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot write {folder}: {error.strerror}; choose another folder with -o") from error
    write_atomic(folder / "repro.mlir", write_repro(loaded.repro))
    for name in request.formats or DEFAULT:
        file, write = FORMATS[name]
        try:
            text = write(loaded)
        except InputError:
            if request.formats:
                raise
            continue  # a default that this fault has none of
        write_atomic(folder / file, text)
        if name == "sh":
            (folder / file).chmod(0o755)
        out.result(f"{name:<5} {relative(folder / file)}")
    return Exit.CONFIRMED
