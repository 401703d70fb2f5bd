"""What is said at the start and at the end of a reduction, as text and as JSON."""

from __future__ import annotations

import shlex
from pathlib import Path

from oracles.experiment import FunctionRun
from oracles.judging import ANY
from oracles.script import Script
from oracles.verdict import Oracle, Verdict
from reducer.case import Case, Result
from reducer.cli.console import Out
from reducer.cli.outputs import Outputs
from reducer.cli.quantities import count, show_seconds
from reducer.cli.runs import shortened
from reducer.wire import Size

SHORT_LINES = 30


def show_start(out: Out, case: Case, shown_as: str) -> None:
    """Which question is asked, as a command line to paste."""
    out.say(f"{shown_as}: {case.oracle.name} · IREE {case.toolchain.release}")
    out.say(f"$ {command_line(case, shown_as)}")


def show_no_fault(out: Out, verdict: Verdict, *, unreliable: bool) -> None:
    """What was seen instead of the fault, side by side, and what to try next."""
    kind = "shows the fault only some of the time" if unreliable else "does not show the fault"
    out.result(f"The seed {kind}: {verdict.reason}")
    width = max((len(label) for label, _ in verdict.comparison), default=0)
    for label, description in verdict.comparison:
        out.result(f"  {label + ':':<{width + 1}} {description}")
    if verdict.advice:
        out.result(f"Next: {verdict.advice}")


def show_end(
    out: Out, result: Result, outputs: Outputs, *, confirmed: bool, interrupted: bool, replaced: bool
) -> None:
    """Before and after, the cost, where the files are, and the program itself if it is short.

    replaced: whether the result of an earlier reduction had to go.
    """
    out.say()
    out.say(_headline(result, confirmed=confirmed, interrupted=interrupted))
    before, after = sizes(result)
    for key in before:
        out.say(f"  {key:<9}{before[key]:>12,} → {after[key]:,}")
    slips = f", {count(result.slips, 'other fault')} kept" if result.slips else ""
    out.say(f"  {count(result.tests, 'test')} in {show_seconds(result.seconds)}{slips}")
    instead = " (replaces an earlier result)" if replaced else ""
    for label, path in (("program", outputs.program), ("script", outputs.script), ("run", outputs.run_dir)):
        out.say(f"  {label:<9}{relative(path)}{instead if label == 'program' else ''}")
    if len(result.program.splitlines()) <= SHORT_LINES:
        out.say()
        out.say(result.program.rstrip("\n"))
    if result.verdict.run is not None:
        out.say()
        for line in ran(result.verdict.run):
            out.say(line)


def ran(run: FunctionRun) -> list[str]:
    """What a program was run on, what it should return and what it returned, one line each; the first difference."""
    lines = [f"  {'input':<9}{text}" for text in run.inputs]
    for number, result in enumerate(run.results):
        if result.kind in ("same", "unknown"):
            continue
        if number < len(run.expected):
            lines += [f"  {'expected':<9}{run.expected[number]}", f"  {'got':<9}{run.got[number]}"]
        where = f"[{', '.join(map(str, result.index))}]"
        lines.append(f"  result {number} differs first at {where}: {result.got}, expected {result.expected}")
    return [shortened(line) for line in lines + ([f"  {run.ended}: {run.said}"] if run.said else [])]


def _headline(result: Result, *, confirmed: bool, interrupted: bool) -> str:
    if interrupted:
        return "Interrupted: this is the best so far, not known to be minimal and not confirmed."
    said = f"{'' if confirmed else 'NOT '}confirmed by {judge_of(result.case)}"
    if result.minimal:
        return f"Reduced, {said}; 1-minimal: no single remaining site, flag or number can be simplified."
    why = "Stopped at a limit" if result.outcome == "limit" else "Reduced"
    return f"{why}, {said}; not known to be minimal."


def holding(oracle: Oracle, verdict: Verdict) -> str:
    """What the fault is told from others by."""
    match = getattr(oracle, "wanted", ANY).match
    return f"whatever matches {match!r}" if match is not None else verdict.signature or verdict.reason


def judge_of(case: Case) -> str:
    """Who confirms a result."""
    return "the script" if isinstance(case.oracle, Script) else "the stock iree-compile"


def sizes(result: Result) -> tuple[dict[str, int], dict[str, int]]:
    """Ops, elements, flags and bytes of the seed and of the result. flags counts the whole command's."""

    def one(size: Size, flags: tuple[str, ...]) -> dict[str, int]:
        flag_count = len(result.case.command(flags))
        return {"ops": size.ops, "elements": size.elements, "flags": flag_count, "bytes": size.text_bytes}

    return one(result.before, result.flags_before), one(result.after, result.flags)


def command_line(case: Case, program: str) -> str:
    """A line to paste into a shell, that shows the fault on `program`."""
    if isinstance(case.oracle, Script):
        return shlex.join((*case.oracle.argv, program))
    return shlex.join(("iree-compile", *case.command(), program, "-o", "/dev/null"))


def relative(path: Path) -> str:
    """A path as the user would type it here."""
    return str(path.relative_to(Path.cwd())) if path.is_relative_to(Path.cwd()) else str(path)
