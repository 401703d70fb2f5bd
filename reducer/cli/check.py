"""`reduce check`: does this file show the fault? Judged by fresh stock processes, as a reader would."""

from __future__ import annotations

import tempfile
from pathlib import Path

from oracles.verdict import Outcome, Verdict
from reducer.cli.console import Out
from reducer.cli.exits import Exit
from reducer.cli.requests import CheckRequest
from reducer.cli.setup import Plan, plan_case
from reducer.cli.stock import judge_file
from reducer.cli.summary import command_line
from reducer.errors import InputError


def run_check(request: CheckRequest) -> Exit:
    """Judge the file and say what was seen. Raises ReducerError for what cannot be judged."""
    out = Out(request.verbosity)
    plan = plan_case(request.case, out.say)
    case = plan.case
    out.say(f"{plan.shown_as}: {case.oracle.name} · IREE {case.toolchain.release}")
    out.say(f"$ {command_line(case.command(), plan.shown_as)}")
    verdict = _judge(plan, request)
    if verdict.outcome is Outcome.INVALID:
        raise InputError(f"{plan.shown_as}: IREE {case.toolchain.release} cannot use this program: {verdict.reason}")
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


def _judge(plan: Plan, request: CheckRequest) -> Verdict:
    timeout_s, memory_bytes = plan.settled.timeout, request.case.memory_bytes
    if plan.source.path is not None:
        return judge_file(plan.case, plan.source.path, timeout_s=timeout_s, memory_bytes=memory_bytes)
    with tempfile.TemporaryDirectory(prefix="iree-reduce-") as folder:
        copy = Path(folder) / "stdin.mlir"
        copy.write_bytes(plan.source.text.encode("utf-8", "surrogateescape"))
        return judge_file(plan.case, copy, timeout_s=timeout_s, memory_bytes=memory_bytes)
