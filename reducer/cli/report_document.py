"""Fills the document of a report: from a run folder, or from a repro alone, and from what the stock tools say of it.

Owns what a report may show: everything goes through `report.neutral` here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from oracles.experiment import Observation, Status
from oracles.signature import crash_fault
from oracles.verdict import Verdict
from reducer.bisecting.judging import commit_of
from reducer.case import Case
from reducer.cli.check import judge_plan
from reducer.cli.handover import make_check
from reducer.cli.requests import CaseRequest, ReportRequest
from reducer.cli.setup import Plan, plan_case
from reducer.errors import InputError
from reducer.journal import RESULT, SEED, STEPS
from reducer.report.document import Document, FlowPhase, Measure, Step
from reducer.report.neutral import outline, rename, symbols, uncommented
from reducer.report.repro import Repro
from reducer.report.shell import RunGoesWrong
from reducer.toolchain import oneshot
from reducer.toolchain.flags import drop_flags
from reducer.toolchain.pool import Limits, Slot
from reducer.wire import Edited, MeasureRequest

FILE_NAME = "repro.mlir"
TIMEOUT_S = 300.0
SHOWN_ERRORS = 6
SHOWN_FRAMES = 8
ERROR_CHARS = 400
_SEVERAL = re.compile(r": \d+ of \d+ sites\Z")


@dataclass(frozen=True)
class Sources:
    """Where a report comes from. run: a run folder, None for a repro alone; result: its `result.json`."""

    program: Path
    run: Path | None
    result: Mapping[str, Any]


def find_sources(name: str) -> Sources:
    """The repro and, if there is one, the run that made it. Raises InputError."""
    path = Path(name)
    if not path.is_dir():
        return Sources(path, None, {})
    try:
        result = json.loads((path / RESULT).read_text("utf-8"))
        program = Path(result["program"])
    except OSError as error:
        raise InputError(f"{path} is no run folder of a finished reduction ({RESULT}: {error.strerror})") from error
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path / RESULT} is damaged: {error}; reduce again") from error
    beside = path.parent / program.name
    found = next((p for p in (program, beside) if p.is_file()), None)
    if found is None:
        raise InputError(f"the program of {path} is gone: there is neither {program} nor {beside}")
    return Sources(found, path, result)


def load(request: ReportRequest, sources: Sources) -> Document | str:
    """The document; or what was seen instead of the fault. Raises ReducerError."""
    asked = CaseRequest(program=str(sources.program), iree=request.iree)
    plan = plan_case(asked, lambda line: None)
    verdict = judge_plan(plan, asked)
    if not verdict.interesting:
        return verdict.reason
    names = symbols(uncommented(plan.source.text)[0])
    document = _document(plan, verdict, names)
    document = replace(document, history=_read(request.bisect), triage=_read(request.triage))
    return _with_run(document, sources, plan.case, names) if sources.run is not None else document


def _document(plan: Plan, verdict: Verdict, names: Mapping[str, str]) -> Document:
    case = plan.case
    own, first = uncommented(plan.source.text)
    program = rename(own, names)
    places = (e.location.line - first for e in verdict.evidence if e.location is not None)
    run = verdict.run
    if run is not None:
        run = replace(run, function=names.get(run.function, run.function))
    repro = Repro(
        program=program, file_name=FILE_NAME, release=case.toolchain.release, flags=case.command(),
        phase=verdict.phase or "end", seen=rename(f"{case.oracle.name}: {verdict.reason}", names), run=run,
        directive=replace(
            plan.settled, iree=case.toolchain.release or None, target=case.target or None,
            flags=case.flags if case.target else (*case.target_flags, *case.flags),
            inputs=run.inputs if run is not None else None,
        ),
    )  # fmt: skip
    check = make_check(case, verdict)
    return Document(
        repro=repro,
        check=replace(check, run=run) if isinstance(check, RunGoesWrong) and run is not None else check,
        target=case.target,
        commit=commit_of(case.toolchain),
        reason=rename(verdict.reason, names),
        signature=verdict.signature,
        error=tuple(rename(line, names) for line in _error(case, plan, verdict)),
        comparison=tuple((label, rename(said, names)) for label, said in verdict.comparison),
        marked=tuple(dict.fromkeys(line for line in places if 0 < line <= program.count("\n"))),
        flows=_flows(case, plan, names),
    )


def _compile(case: Case, plan: Plan, flags: Sequence[str], phase: str, *, ir: bool) -> Observation:
    assert plan.source.path is not None
    return oneshot.compile_once(
        case.toolchain, plan.source.path, tuple(flags), phase, timeout_s=TIMEOUT_S, memory_bytes=None, want_ir=ir,
        want_passes=False,
    )  # fmt: skip


def _error(case: Case, plan: Plan, verdict: Verdict) -> list[str]:
    """What the compiler says, without what it quotes of the program at length; nothing if it succeeds."""
    seen = _compile(case, plan, case.command(), verdict.phase or "end", ir=False)
    if seen.status is Status.CRASHED:
        return [crash_fault(seen, "class").message, *(f"  {frame}" for frame in seen.frames[:SHOWN_FRAMES])]
    lines = []
    for error in seen.errors[:SHOWN_ERRORS]:
        where = f"{FILE_NAME}:{error.location.line}:{error.location.column}: " if error.location is not None else ""
        lines.append(f"{where}error: {error.message.splitlines()[0]}"[:ERROR_CHARS])
    return lines


def _flows(case: Case, plan: Plan, names: Mapping[str, str]) -> tuple[FlowPhase, ...]:
    """The flow phase without the flags of the case and the oracle, and with them, where there is one."""
    given = case.command()
    without = drop_flags(given, [*case.flags, *case.oracle.flags])
    ways = [("without the flags", without), ("with the flags", given)] if without != given else [("", given)]
    seen = [(caption, _compile(case, plan, flags, "flow", ir=True)) for caption, flags in ways]
    return tuple(
        FlowPhase(caption, rename(flow.ir, _dispatched(flow.ir, names)))
        for caption, flow in seen
        if flow.status is Status.OK
    )


def _dispatched(ir: str, names: Mapping[str, str]) -> dict[str, str]:
    """New names for what the compiler calls after the program's functions (`@secret_dispatch_0`); its own stay."""
    longest = sorted(names, key=len, reverse=True)

    def new(name: str) -> str:
        old = next((old for old in longest if name.startswith(old)), "")
        return names[old] + name.removeprefix(old) if old else name

    return {name: new(name) for name in symbols(ir)}


def _with_run(document: Document, sources: Sources, case: Case, names: Mapping[str, str]) -> Document:
    """The same with what the reduction's run folder tells."""
    assert sources.run is not None
    result = sources.result
    before, after = (Measure(**result[key]) if result.get(key) else None for key in ("before", "after"))
    return replace(
        document, before=before, after=after, tests=result.get("tests") or 0, seconds=result.get("seconds") or 0.0,
        minimal=bool(result.get("minimal")), steps=_steps(sources.run / STEPS, names),
        refusals=_refusals(result, names), seed=_seed(sources.run / SEED, case),
    )  # fmt: skip


def _steps(path: Path, names: Mapping[str, str]) -> tuple[Step, ...]:
    try:
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    except (OSError, ValueError):
        return ()
    return tuple(
        Step(r["tests"], r["seconds"], r["pass"], rename(r["label"], names), r["ops"], r["elements"]) for r in rows
    )


def _refusals(result: Mapping[str, Any], names: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The single simplifications that were refused; those of several sites at once say nothing more."""
    rows = [(rename(change, names), rename(instead, names)) for change, instead in result.get("refusals", ())]
    return tuple((change, instead) for change, instead in rows if not _SEVERAL.search(change))


def _seed(path: Path, case: Case) -> str:
    """An outline of the seed, in the release's own words; "" if it cannot be read."""
    try:
        text = path.read_text("utf-8", "surrogateescape")
    except OSError:
        return ""
    slot = Slot(case.toolchain, Limits(TIMEOUT_S, 0))
    try:
        edited = slot.edit(MeasureRequest(text))
    finally:
        slot.close()
    return outline(edited.program) if isinstance(edited, Edited) and not edited.invalid else ""


def _read(name: str | None) -> Mapping[str, Any] | None:
    if name is None:
        return None
    try:
        document = json.loads(Path(name).read_text("utf-8"))
    except OSError as error:
        raise InputError(f"cannot read {name}: {error.strerror}") from error
    except ValueError as error:
        raise InputError(f"{name} is no JSON document: {error}") from error
    if not isinstance(document, dict):
        raise InputError(f"{name} is no document of `reduce bisect --json` or `reduce triage --json`")
    return document
