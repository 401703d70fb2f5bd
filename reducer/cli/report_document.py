"""Fills the document of a report: from a run folder, or from a repro alone, and from what the stock tools say of it.

Owns what a report may show: everything goes through `report.neutral` here.
"""

from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from oracles.experiment import Observation, Status
from oracles.judging import DEBUG_INFO
from oracles.signature import crash_fault
from oracles.verdict import Verdict
from reducer.bisecting.judging import commit_of
from reducer.case import Case
from reducer.cli.check import judge_plan
from reducer.cli.handover import make_check
from reducer.cli.neutralise import Neutral, canonical, make_neutral, outlined
from reducer.cli.requests import CaseRequest, ReportRequest
from reducer.cli.setup import Plan, plan_case
from reducer.cli.stock import judge_file
from reducer.errors import InputError
from reducer.header import program_digest
from reducer.journal import RESULT, SEED, STEPS
from reducer.report.document import Document, FlowPhase, Measure, Step
from reducer.report.lit import header_lines
from reducer.report.neutral import prose, rename, rename_in_pattern, symbols
from reducer.report.repro import Repro
from reducer.report.shell import Check, Script
from reducer.toolchain import oneshot
from reducer.toolchain.flags import drop_flags
from reducer.toolchain.pool import Limits, Slot

FILE_NAME = "repro.mlir"
TIMEOUT_S = 300.0
_HISTORY = ("digest", "oracle", "target", "releases", "changes", "summary", "original", "notes")
_TRIAGE = ("digest", "release", "targets", "sets", "why")
KEYS = {"bisect": _HISTORY, "triage": _TRIAGE}
SHOWN_ERRORS = 6
SHOWN_FRAMES = 8
ERROR_CHARS = 400
_VALUE = re.compile(r"%[\w$.-]*\w")
_TARGET = re.compile(r'(#hal\.\w+\.target<"[^"]*").*')
_NOT_SEEN = re.compile(r"\A.*? not seen: (?=.)", re.DOTALL)
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
    asked = replace(request.case, program=str(sources.program))
    plan = plan_case(asked, lambda line: None)
    slot = Slot(plan.case.toolchain, Limits(plan.settled.timeout or TIMEOUT_S, 0))
    try:
        text = canonical(slot, plan.source.text, plan.shown_as)
        names = symbols(text)
        if plan.settled.match is not None:
            plan = plan_case(replace(asked, match=rename_in_pattern(plan.settled.match, names)), lambda line: None)
        with tempfile.TemporaryDirectory(prefix="iree-reduce-") as folder:
            subject = _Subject(plan, Path(folder) / FILE_NAME)
            verdict = subject.judge(rename(text, names))
            if not verdict.interesting:
                return _not_shown(asked, plan)
            held = subject.holding(verdict)
            shown = make_neutral(slot, text, names, held.judge, minimal=bool(sources.result.get("minimal")))
            document = _document(subject, held.judge(shown.program), shown)
        said = {**dict.fromkeys(symbols(_seed(sources, slot)), "_"), **names}
        own = _digests(plan, sources)
        history, triage = _read(request.bisect, "bisect", own), _read(request.triage, "triage", own)
        _refuse_another(request, history, held.case)
        document = replace(
            document, history=_neutral(history, said, shown.program), triage=_neutral(triage, said, shown.program)
        )  # fmt: skip
        return _with_run(document, sources, slot, said) if sources.run is not None else document
    finally:
        slot.close()


def _not_shown(asked: CaseRequest, plan: Plan) -> str:
    """What the program as it is shows instead of the fault. Raises InputError if it does show it."""
    verdict = judge_plan(plan_case(asked, lambda line: None), asked)
    if verdict.interesting:
        raise InputError(
            f"{plan.shown_as} shows its fault, but not with neutral names in place of its own, and those are not "
            "reported; rename its symbols @main, @f1, @s1 … until it still does"
        )
    return verdict.reason


@dataclass(frozen=True)
class _Subject:
    """What is judged and compiled: a program under the plan's case, in a file that is called as in the report.

    seen: verdicts by program: a crash is not the same crash twice, so nothing is asked twice.
    """

    plan: Plan
    path: Path
    seen: dict[str, Verdict] = field(default_factory=dict)

    @property
    def case(self) -> Case:
        return self.plan.case

    def judge(self, program: str) -> Verdict:
        """The verdict on a program, by fresh stock processes."""
        self.path.write_text(program, encoding="utf-8")
        if program not in self.seen:
            case = replace(self.case, program=program)
            self.seen[program] = judge_file(case, self.path, timeout_s=self.plan.settled.timeout, memory_bytes=0)
        return self.seen[program]

    def holding(self, verdict: Verdict) -> _Subject:
        """The same, where only this very fault counts."""
        return replace(self, plan=replace(self.plan, case=replace(self.case, oracle=self.case.oracle.hold(verdict))))

    def compile(self, flags: Sequence[str], phase: str, *, ir: bool) -> Observation:
        """One compilation of the program that was judged last."""
        return oneshot.compile_once(
            self.case.toolchain, self.path, tuple(flags), phase, timeout_s=TIMEOUT_S, memory_bytes=None, want_ir=ir,
            want_passes=False,
        )  # fmt: skip


def _document(subject: _Subject, verdict: Verdict, shown: Neutral) -> Document:
    plan, case = subject.plan, subject.case
    places = (e.location.line for e in verdict.evidence if e.location is not None)
    repro = Repro(
        program=shown.program, file_name=FILE_NAME, release=case.toolchain.release, flags=case.command(),
        phase=verdict.phase or "end", seen=f"{case.oracle.name}: {verdict.reason}", run=verdict.run,
        directive=replace(
            plan.settled, iree=case.toolchain.release or None, target=case.target or None,
            flags=case.flags if case.target else (*case.target_flags, *case.flags),
            inputs=verdict.run.inputs if verdict.run is not None else None,
        ),
    )  # fmt: skip
    return Document(
        repro=repro,
        check=_without_folders(make_check(case, verdict)),
        target=case.target,
        commit=commit_of(case.toolchain),
        reason=verdict.reason,
        signature=verdict.signature,
        error=tuple(_error(subject, verdict, header_lines(repro))),
        comparison=verdict.comparison,
        marked=tuple(dict.fromkeys(line for line in places if 0 < line <= shown.program.count("\n"))),
        flows=_flows(subject),
        kept=shown.kept,
    )


def _without_folders(check: Check) -> Check:
    """A script of the user's is looked for in the current directory: where it lies here is nobody's business."""
    if not isinstance(check, Script):
        return check
    return replace(check, argv=tuple(f"./{Path(word).name}" if "/" in word else word for word in check.argv))


def _error(subject: _Subject, verdict: Verdict, above: int) -> list[str]:
    """What the compiler says, without what it quotes of the program at length; nothing if it succeeds.

    above: lines above the program in the file that is handed out, in which places are given.
    """
    seen = subject.compile(subject.case.command(), verdict.phase or "end", ir=False)
    if seen.status is Status.CRASHED:
        return [crash_fault(seen, "class").message, *(f"  {frame}" for frame in seen.frames[:SHOWN_FRAMES])]
    lines = []
    for error in seen.errors[:SHOWN_ERRORS]:
        place = error.location
        where = f"{FILE_NAME}:{place.line + above}:{place.column}: " if place is not None and place.line else ""
        message = _TARGET.sub(r"\1, …>", error.message.splitlines()[0])
        lines.append(f"{where}error: {message}"[:ERROR_CHARS])
    return lines


def _flows(subject: _Subject) -> tuple[FlowPhase, ...]:
    """The flow phase without the flags of the case and the oracle, and with them, where there is one.

    With the places that its ops carry, which say what of the program they were made from.
    """
    case = subject.case
    given = case.command()
    without = drop_flags(given, [*case.flags, *case.oracle.flags])
    ways = [("without the flags", without), ("with the flags", given)] if without != given else [("", given)]
    seen = [
        (caption, subject.compile([*drop_flags(flags, [DEBUG_INFO]), DEBUG_INFO], "flow", ir=True))
        for caption, flags in ways
    ]
    path = str(subject.path)
    return tuple(FlowPhase(said, flow.ir.replace(path, FILE_NAME)) for said, flow in seen if flow.status is Status.OK)


def _with_run(document: Document, sources: Sources, slot: Slot, names: Mapping[str, str]) -> Document:
    """The same with what the reduction's run folder tells. names: of the result's and the seed's symbols."""
    assert sources.run is not None
    result = sources.result
    before, after = (Measure(**result[key]) if result.get(key) else None for key in ("before", "after"))
    minimal = bool(result.get("minimal"))
    return replace(
        document, before=before, after=after, tests=result.get("tests") or 0, seconds=result.get("seconds") or 0.0,
        minimal=minimal, outcome=result.get("outcome") or "", steps=_steps(sources.run / STEPS, names),
        refusals=_refusals(result, names) if minimal else (),
        seed=outlined(slot, seed) if (seed := _seed(sources, slot)) else "",
    )  # fmt: skip


def _steps(path: Path, names: Mapping[str, str]) -> tuple[Step, ...]:
    try:
        rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    except (OSError, ValueError):
        return ()
    return tuple(
        Step(r["tests"], r["seconds"], r["pass"], prose(r["label"], names), r["ops"], r["elements"]) for r in rows
    )


def _refusals(result: Mapping[str, Any], names: Mapping[str, str]) -> tuple[tuple[str, str], ...]:
    """The single simplifications that make the fault go away; those of several sites at once say nothing more.

    Only of a reduction that came to its end are they about its result.
    """
    rows = [(change, _NOT_SEEN.sub("", instead)) for change, instead, judged in result.get("refusals", ()) if judged]
    single = [row for row in rows if not _SEVERAL.search(row[0])]
    return tuple((prose(change, names), prose(instead, names)) for change, instead in single)


def _seed(sources: Sources, slot: Slot) -> str:
    """The seed in canonical form; "" if there is none, or none that the release can read."""
    if sources.run is None:
        return ""
    try:
        return canonical(slot, (sources.run / SEED).read_text("utf-8", "surrogateescape"), SEED)
    except (OSError, InputError):
        return ""


def _refuse_another(request: ReportRequest, history: Mapping[str, Any] | None, case: Case) -> None:
    """Raise InputError if the history is another fault's."""
    for key, own in (("oracle", case.oracle.name), ("target", case.target)):
        if history is not None and history[key] != own:
            raise InputError(f"{request.bisect} is about another fault: its {key} is {history[key]}, not {own}")


def _digests(plan: Plan, sources: Sources) -> tuple[str, ...]:
    """What the documents of other commands may be about: the repro, and what it was reduced from."""
    texts = [plan.source.text]
    if sources.run is not None and (sources.run / SEED).is_file():
        texts.append((sources.run / SEED).read_text("utf-8", "surrogateescape"))
    return tuple(map(program_digest, texts))


def _read(name: str | None, command: str, own: tuple[str, ...]) -> Mapping[str, Any] | None:
    """A document of another command, about one of the programs with these digests; `of_seed`: not the first."""
    if name is None:
        return None
    try:
        document = json.loads(Path(name).read_text("utf-8"))
    except OSError as error:
        raise InputError(f"cannot read {name}: {error.strerror}") from error
    except ValueError as error:
        raise InputError(f"{name} is no JSON document: {error}") from error
    if not isinstance(document, dict) or not document.keys() >= set(KEYS[command]):
        raise InputError(f"{name} is no document of `reduce {command} --json`")
    if document["digest"] not in own:
        raise InputError(f"{name} is about another program, {document.get('program')}; make it anew of this one")
    return {**document, "of_seed": document["digest"] != own[0]}


def _neutral(document: Mapping[str, Any] | None, names: Mapping[str, str], program: str) -> Mapping[str, Any] | None:
    """The same without the names of the original and of its file."""
    if document is None:
        return None
    shown = frozenset(_VALUE.findall(program))
    return {key: _said(value, names, shown) for key, value in document.items() if key not in ("program", "digest")}


def _said(value: Any, names: Mapping[str, str], shown: frozenset[str]) -> Any:
    """The strings in a document as prose, with values named only as the report's program names its own."""
    if isinstance(value, str):
        return _VALUE.sub(lambda m: m[0] if m[0] in shown else "%_", prose(value, names))
    if isinstance(value, list):
        return [_said(item, names, shown) for item in value]
    return {key: _said(item, names, shown) for key, item in value.items()} if isinstance(value, dict) else value
