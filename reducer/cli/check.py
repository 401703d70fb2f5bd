"""`reduce check`: does this file show the fault? Judged by fresh stock processes, as a reader would.

A folder is judged file by file: see `check_folder.py`.
"""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from oracles.registry import runs_programs
from oracles.verdict import Outcome, Verdict
from reducer.cli.check_folder import run_check_folder
from reducer.cli.console import Out
from reducer.cli.exits import Exit
from reducer.cli.healthy import refuse_limits
from reducer.cli.requests import CaseRequest, CheckRequest
from reducer.cli.runs import explanation
from reducer.cli.setup import Plan, plan_case
from reducer.cli.stock import DEFAULT_TIMEOUT_S, judge_file
from reducer.cli.summary import show_start
from reducer.errors import InputError
from reducer.toolchain.pool import Limits, Slot
from reducer.toolchain.releases import Toolchain
from reducer.wire import Edited, MeasureRequest


def run_check(request: CheckRequest) -> Exit:
    """Judge the file and say what was seen. Raises ReducerError for what cannot be judged."""
    folder = Path(request.case.program) if request.case.program is not None else None
    if folder is not None and folder.is_dir():
        if request.explain:
            raise InputError(f"--explain is for one file; name one in {folder}")
        return run_check_folder(request, folder, _planned)
    if request.fixed or request.junit is not None:
        raise InputError(f"--{'fixed' if request.fixed else 'junit'} is for folders; name one")
    out = Out(request.verbosity)
    plan = plan_case(request.case, out.say)
    case = plan.case
    show_start(out, case, plan.shown_as)
    refuse_limits(case, request.case.memory_bytes)
    if request.explain and not runs_programs(case.oracle):
        raise InputError(f"--explain is for oracles that run the program, not for {case.oracle.name}")
    verdict = judge_plan(plan, request.case)
    if request.explain:
        for line in explanation(verdict):
            out.result(line)
    refuse_invalid(plan, verdict)
    if verdict.interesting:
        out.say(f"shows the fault: {verdict.reason}")
        if verdict.signature:
            out.say(f"signature: {verdict.signature}")
        return Exit.CONFIRMED
    out.result(f"does not show the fault: {verdict.reason}")
    for label, description in verdict.comparison:
        out.result(f"  {label}: {description}")
    if verdict.advice:
        out.say(f"Next: {verdict.advice}")
    return Exit.NO_FAULT


def _planned(case: CaseRequest) -> tuple[Plan, Verdict]:
    """One file of a folder. Raises ReducerError."""
    plan = plan_case(case, lambda line: None)
    refuse_limits(plan.case, case.memory_bytes)
    return plan, judge_plan(plan, case)


def refuse_invalid(plan: Plan, verdict: Verdict) -> None:
    """Raise InputError if the verdict is that the plan's program is none."""
    if verdict.outcome is Outcome.INVALID:
        release = plan.case.toolchain.release
        raise InputError(f"{plan.shown_as}: IREE {release} cannot use this program: {verdict.reason}")


def judge_plan(plan: Plan, request: CaseRequest) -> Verdict:
    """The verdict on the program of a plan, by fresh stock processes."""
    timeout_s, memory_bytes = plan.settled.timeout, request.memory_bytes
    if plan.source.path is not None and not plan.source.bytecode:
        return judge_file(plan.case, plan.source.path, timeout_s=timeout_s, memory_bytes=memory_bytes)
    text = plan.source.text
    if plan.source.bytecode:
        text = bytecode_as_text(plan.case.program, plan.case.toolchain, plan.shown_as)
    with tempfile.TemporaryDirectory(prefix="iree-reduce-") as folder:
        copy = Path(folder) / "program.mlir"
        copy.write_text(text, encoding="utf-8")
        return judge_file(replace(plan.case, program=text), copy, timeout_s=timeout_s, memory_bytes=memory_bytes)


def bytecode_as_text(program: str, toolchain: Toolchain, shown_as: str) -> str:
    """Bytecode as text, which is what oracles read; by the release's own printer. Raises InputError."""
    slot = Slot(toolchain, Limits(DEFAULT_TIMEOUT_S, 0))
    try:
        edited = slot.edit(MeasureRequest(program))
    finally:
        slot.close()
    if not isinstance(edited, Edited) or edited.invalid:
        why = edited.invalid if isinstance(edited, Edited) else edited.message
        raise InputError(f"{shown_as}: IREE {toolchain.release} cannot read this bytecode: {why}")
    return edited.program
