"""report.md: a bug report in the shape that IREE's own template asks for, ready to paste."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from reducer.report.document import Document
from reducer.report.lit import write_repro
from reducer.report.repro import run_arguments
from reducer.report.shell import RunGoesWrong, SameWork, Script
from reducer.toolchain.flags import drop_flags

_COMPONENTS = {
    "no-op-flag": "Compiler (dispatch creation)",
    "two-dispatches": "Compiler (dispatch creation)",
    "dispatch-count": "Compiler (dispatch creation)",
    "translation-error": "Compiler (code generation)",
    "unsupported-fusion": "Compiler (dispatch creation, code generation)",
    "wrong-result": "Compiler (code generation); the program compiles",
    "run-failure": "Compiler or runtime; the program compiles",
    "run-crash": "Compiler or runtime; the program compiles",
    "run-hang": "Compiler or runtime; the program compiles",
}
_SHOWN_REFUSALS = 40
_PRIVACY = (
    "Symbols have neutral names, blobs and tensors of weights are gone or splats, comments and attributes that are not "
    "MLIR's or IREE's are left out."
)


def write_markdown(document: Document) -> str:
    """The report."""
    sections = (
        ("What happened?", _what(document)),
        ("Steps to reproduce your issue", _steps(document)),
        ("What component(s) does this issue relate to?", [_COMPONENTS.get(document.oracle, "Compiler")]),
        ("Version information", _version(document)),
        ("Additional context", _context(document)),
    )
    parts = [f"# {_inline(document.title)}", ""]
    for heading, lines in sections:
        parts += [f"### {heading}", "", *lines, ""]
    return "\n".join(parts).rstrip("\n") + "\n"


def _what(document: Document) -> list[str]:
    lines = [_inline(document.summary)]
    if document.comparison:
        lines += ["", "| | |", "|---|---|"]
        lines += [f"| {_cell(label)} | {_cell(said)} |" for label, said in document.comparison]
    if document.error:
        lines += ["", *_fenced("\n".join(document.error), "text")]
    return lines


def _steps(document: Document) -> list[str]:
    name = document.repro.file_name
    lines = [
        f"1. Save this as `{name}` ({_header(document)}):", "",
        *_fenced(write_repro(document.repro).strip("\n"), "mlir"), "",
        f"2. Run, with {_packages(document)}:", "", *_fenced(command(document), "sh"),
    ]  # fmt: skip
    return [*lines, "", expectation(document)]


def _header(document: Document) -> str:
    """What the lines above the program are for."""
    name = document.repro.file_name
    if isinstance(document.check, Script):
        return f"`reduce check {name} --script` with the script asks the same"
    return f"its header says how; `reduce check {name}` asks the same"


def command(document: Document) -> str:
    """What is typed, one or two commands, a line each."""
    repro, run = document.repro, document.repro.run
    if isinstance(document.check, Script):
        return shlex.join([*document.check.argv, repro.file_name])
    if isinstance(document.check, SameWork):
        return "\n".join(
            shlex.join(["iree-compile", repro.file_name, *flags, "--compile-to=flow", "-o", "-"])
            for flags in (repro.flags, drop_flags(repro.flags, [document.check.flag]))
        )
    words = ["iree-compile", repro.file_name, *repro.flags]
    if run is None:
        to = [] if repro.phase == "end" else [f"--compile-to={repro.phase}"]
        return shlex.join([*words, *to, "-o", "-" if repro.phase == "flow" else "/dev/null"])
    module = f"{repro.file_name.removesuffix('.mlir')}.vmfb"
    running = ["iree-run-module", f"--module={module}", "--device=local-sync", *run_arguments(run, compared=True)]
    return shlex.join([*words, "-o", module]) + "\n" + shlex.join(running)


def expectation(document: Document) -> str:
    """What to look for in what the command prints."""
    said = {
        "no-op-flag": "Both print the same dispatches: with the flag too, the pad stays outside the convolution's.",
        "two-dispatches": "The pad and the convolution are in two dispatches.",
        "dispatch-count": "There are more dispatches than there should be.",
        "crash": "The compiler dies.",
        "hang": "It does not end.",
        "wrong-result": "`iree-run-module` says `[FAILED]`: the result is not what the program means.",
        "run-failure": "The run fails.",
        "run-crash": "The run dies.",
        "run-hang": "The run does not end.",
    }
    if document.oracle in said:
        return said[document.oracle]
    if document.reason.startswith("silent failure of "):
        name = document.reason.removeprefix("silent failure of ")
        how = "`--mlir-print-ir-after-failure --mlir-disable-threading` names it"
        return f"It fails in `{name}` ({how}), with no error of its own."
    if document.oracle == "script":
        return "A script judged it, which is not in this report: say here what it looks for."
    return "It fails with the error above."


def _packages(document: Document) -> str:
    release = document.repro.release
    if not release:
        return "your build"
    needs = ["iree-base-compiler", *(["iree-base-runtime"] if isinstance(document.check, RunGoesWrong) else [])]
    return f"`pip install {' '.join(f'{name}=={release}' for name in needs)}`"


def _version(document: Document) -> list[str]:
    commit = f", built from {document.commit}" if document.commit else ""
    lines = [f"IREE {document.repro.release or 'from a build tree'}{commit}."]
    if document.target:
        lines[0] += f" Target: `{document.target}`."
    if document.history is not None:
        said = [*document.history["summary"], *document.history["notes"]]
        lines += ["", f"The releases, asked about {subject(document.history)}:"]
        lines += ["", *(f"- {_inline(line)}" for line in said)]
        for change in document.history["changes"]:
            first, then = change["commits"]
            if first and then:
                lines.append(f"- {change['before']} → {change['after']}: {compare(first, then)}")
        lines += ["", "| release | |", "|---|---|"]
        lines += [f"| {row['release']} | {_cell(row['outcome'])} |" for row in document.history["releases"]]
    return lines


def subject(document: Mapping[str, Any]) -> str:
    """Which program a history or a triage is about."""
    return "the program that it was reduced from" if document["of_seed"] else "this program"


def compare(first: str, then: str) -> str:
    """Where the commits between two are shown."""
    return f"https://github.com/iree-org/iree/compare/{first}...{then}"


def _context(document: Document) -> list[str]:
    lines: list[str] = []
    if document.triage is not None:
        lines += _triage(document.triage)
    if document.refusals:
        lines += ["Nothing in it can be simpler. Single changes that make it go away, and what happens instead:", ""]
        shown = document.refusals[:_SHOWN_REFUSALS]
        lines += [f"- {_inline(change)}: {_inline(instead)}" for change, instead in shown]
        if len(document.refusals) > len(shown):
            lines.append(f"- … and {len(document.refusals) - len(shown)} more")
        lines.append("")
    if document.before is not None and document.after is not None:
        before, after = document.before, document.after
        lines += [
            f"Reduced by `reduce` (iree-bug-reducer) in {document.tests} tests and {document.seconds:.0f} s, from "
            f"{before.ops:,} operations, {before.elements:,} tensor elements and {before.flags} flags to "
            f"{after.ops:,}, {after.elements:,} and {after.flags}{document.ending and f'; {document.ending}'}.", "",
        ]  # fmt: skip
    return [*lines, privacy(document, outlined=False)]


def privacy(document: Document, *, outlined: bool) -> str:
    """What of the original is in the report. outlined: whether an outline of it is shown too."""
    said = [_PRIVACY]
    if document.kept:
        said.append(f"Of the original stay, since the fault does not show without: {', '.join(document.kept)}.")
    if outlined:
        said.append("Of the original program an outline is shown: its ops, types and whole numbers.")
    elif not document.kept:
        said.append("Nothing else of the original program is in this report.")
    return " ".join(said)


def _triage(triage: Mapping[str, Any]) -> list[str]:
    lines = [f"What the flags do to {subject(triage)}:", ""]
    lines += ["| flags | dispatches | pads | targets |", "|---|---|---|---|"]
    for row in triage["sets"]:
        dispatches = "; ".join(", ".join(ops) or "a copy" for ops in row["dispatches"] or []) or "-"
        pads = "; ".join(_pad(pad) for pad in row["pads"]) or "-"
        cells = (row["name"], dispatches, pads, _targets(row["targets"]))
        lines.append(f"| {' | '.join(map(_cell, cells))} |")
    lines += ["", *(f"- {_inline(', '.join(reason['sets']))}: {_inline(reason['says'])}" for reason in triage["why"])]
    return [*lines, ""]


def _pad(pad: Mapping[str, Any]) -> str:
    places = (place["where"] + (f": {place['op']}" if place["op"] else "") for place in pad["places"])
    return "; ".join(places) or "gone"


def _targets(targets: Sequence[Mapping[str, Any]]) -> str:
    return "; ".join(f"{t['target']}: {t['signature'] or t['status']}" for t in targets)


def _fenced(text: str, language: str) -> list[str]:
    """A code block, with a fence that the text cannot close."""
    fence = "```"
    while fence in text:
        fence += "`"
    return [f"{fence}{language}", text, fence]


def _inline(text: str) -> str:
    return " ".join(text.split()).replace("<", "&lt;")


def _cell(text: str) -> str:
    return _inline(text).replace("|", "\\|")
