"""`reduce bisect`: since when does it show, and until when?"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from oracles.verdict import Verdict
from reducer.bisecting.git_run import write_git_run
from reducer.bisecting.history import Answer, Change, Shown, changes, next_release, summary
from reducer.bisecting.judging import Bench, across_releases, ask
from reducer.bisecting.pipeline import find_pass
from reducer.case import Case
from reducer.cli.check import judge_plan, refuse_invalid
from reducer.cli.console import Out
from reducer.cli.exits import Exit
from reducer.cli.handover import make_check
from reducer.cli.json_file import check_json_path, write_json
from reducer.cli.outputs import check_writable
from reducer.cli.requests import BisectRequest, CaseRequest
from reducer.cli.setup import Plan, plan_case
from reducer.cli.summary import holding, relative, show_start
from reducer.errors import InputError, nearest
from reducer.header import program_digest
from reducer.journal import write_atomic
from reducer.report.repro import Repro
from reducer.report.shell import write_script
from reducer.toolchain import install
from reducer.toolchain.releases import KNOWN_RELEASES
from reducer.toolchain.targets import version

COMPARE = "https://github.com/iree-org/iree/compare/{good}...{bad}"
COMMIT_CHARS = 10


@dataclass(frozen=True)
class _Found:
    """A history. seed: what the original program does where it was asked; None if there is none."""

    releases: tuple[str, ...]
    answers: dict[str, Answer]
    seed: dict[str, Answer] | None


def run_bisect(request: BisectRequest) -> Exit:
    """Ask the releases, and say what they say. Raises ReducerError for what cannot be judged at all."""
    out = Out(request.verbosity, to_stderr=request.json == "-" or request.git_run)
    releases = _releases(request)
    if request.by_pass and (given := _of_other_releases(request)):
        raise InputError(f"--pass asks one release alone, that of --iree: leave {given} out, or --pass")
    plan = plan_case(request.case, out.say)
    if request.by_pass:
        _check_ir_files(plan)
    keep = [plan.source.path] if plan.source.path is not None else []
    if request.json is not None:
        check_json_path(request.json, keep)
    show_start(out, plan.case, plan.shown_as)
    case = replace(plan.case, oracle=across_releases(plan.case.oracle))
    verdict = judge_plan(replace(plan, case=case), request.case)
    refuse_invalid(plan, verdict)
    if not verdict.interesting:
        out.result(f"IREE {case.toolchain.release} does not show the fault: {verdict.reason}")
        out.result("name a release that does with --iree: that one's fault is what the others are asked about")
        return Exit.NO_FAULT
    out.say(f"holding on to: {holding(case.oracle, verdict)}")
    case = replace(case, oracle=case.oracle.hold(verdict))
    if request.by_pass:
        return _by_pass(request, plan, case, verdict, out)
    original = None if request.git_run else _original(request, plan, case, out)
    found = _history(replace(plan, case=case), request, releases, original, out)
    if request.git_run:
        sys.stdout.write(_git_run(plan, verdict, found))
        return Exit.CONFIRMED
    for line in _lines(found):
        out.result(line)
    if request.json is not None:
        document = _document(found, case, verdict)
        write_json(request.json, {"program": plan.shown_as, "digest": program_digest(plan.source.text), **document})
    return Exit.CONFIRMED


def _of_other_releases(request: BisectRequest) -> str:
    """The first option given that is about other releases than the case's own; "" if there is none."""
    given = {"--from": request.oldest, "--to": request.newest, "--all": request.everything or None}
    given |= {"--original": request.original, "--git-run": request.git_run or None}
    return next((name for name, value in given.items() if value is not None), "")


def _releases(request: BisectRequest) -> tuple[str, ...]:
    """The releases that are asked, oldest first. Raises InputError."""
    newest = install.newest_published()
    known = [*KNOWN_RELEASES, *([newest] if newest and version(newest) > version(KNOWN_RELEASES[-1]) else [])]
    for option, release in (("--from", request.oldest), ("--to", request.newest)):
        if release is not None and release not in known:
            hint = nearest(release, known) or f"; known are {', '.join(known)}"
            raise InputError(f"{option} {release}: there is no such release{hint}")
    first = known.index(request.oldest) if request.oldest is not None else 0
    last = known.index(request.newest) if request.newest is not None else len(known) - 1
    if first > last:
        raise InputError(f"--from {request.oldest} is newer than --to {request.newest}; exchange them")
    return tuple(known[first : last + 1])


def _history(
    plan: Plan, request: BisectRequest, releases: Sequence[str], original: _Original | None, out: Out
) -> _Found:
    case = plan.case
    bench = _bench(plan, request.case, out)
    answers: dict[str, Answer] = {}
    own = case.toolchain.release
    while (release := next_release(releases, answers, own, everything=request.everything)) is not None:
        answers[release] = ask(case, release, bench)
        out.say(_row(release, answers[release]))
    if original is None:
        return _Found(tuple(releases), answers, None)
    ends = [r for c in changes(releases, answers) for r in (c.before, c.after)] or [releases[0], releases[-1]]
    out.say(f"asking about {original.plan.shown_as} too")
    there = _bench(original.plan, original.words, out)
    seen = {release: ask(original.plan.case, release, there) for release in dict.fromkeys(ends)}
    return _Found(tuple(releases), answers, seen)


def _bench(plan: Plan, request: CaseRequest, out: Out) -> Bench:
    def judge(case: Case) -> Verdict:
        return judge_plan(replace(plan, case=case), request)

    return Bench(judge, out.say)


@dataclass(frozen=True)
class _Original:
    """The program before it was reduced, as the same case."""

    plan: Plan
    words: CaseRequest


def _original(request: BisectRequest, plan: Plan, case: Case, out: Out) -> _Original | None:
    """What is to be asked too; None if it is not known. Raises InputError for one that the release cannot use."""
    path = Path(request.original) if request.original is not None else _original_of(plan)
    if path is None:
        return None
    words = replace(
        request.case, program=str(path), oracle=case.oracle.name, iree=case.toolchain.release,
        match=plan.settled.match, signature=plan.settled.signature,
    )  # fmt: skip
    seed = plan_case(words, out.say)
    seed = replace(seed, case=replace(seed.case, oracle=case.oracle))
    if request.original is not None:
        refuse_invalid(seed, judge_plan(seed, words))
    return _Original(seed, words)


def _original_of(plan: Plan) -> Path | None:
    """The program that this one was reduced from, as a run or a search keeps it."""
    if plan.source.path is None:
        return None
    folder, stem = plan.source.path.parent, plan.source.path.stem
    places = (folder / f"{stem}.run" / "seed.mlir", folder / f"{stem}.reduced.run" / "seed.mlir")
    kept = (*places, *([folder / "original.mlir"] if plan.source.path.name == "repro.mlir" else []))
    return next((path for path in kept if path.is_file()), None)


def _git_run(plan: Plan, verdict: Verdict, found: _Found) -> str:
    """The script for the newest change; where there is none, from the oldest release to the newest."""
    turns = changes(found.releases, found.answers)
    turn = turns[-1] if turns else Change(found.releases[0], found.releases[-1], begins=True)
    commits = [found.answers[r].commit if r in found.answers else "" for r in (turn.before, turn.after)]
    first, then = (commit or f"v{r}" for commit, r in zip(commits, (turn.before, turn.after), strict=True))
    case, name = plan.case, Path(plan.shown_as).name if plan.source.path is not None else "program.mlir"
    repro = Repro(
        program=plan.source.text, file_name=name, release="", flags=case.command(), phase=verdict.phase or "end",
        directive=plan.settled, seen=f"{case.oracle.name}: {verdict.reason}", run=verdict.run,
    )  # fmt: skip
    return write_git_run(
        plan.source.text, write_script(repro, make_check(case, verdict)), seen=repro.seen, name=name,
        here="bisect.sh", first=first, then=then, fixes=not turn.begins, runs=verdict.run is not None,
    )  # fmt: skip


_ADVICE = "copy the program to a place that can be written"


def _check_ir_files(plan: Plan) -> None:
    """Raise InputError, OutputError if the IR cannot be written beside the program."""
    if plan.source.path is None or plan.source.bytecode:
        raise InputError("--pass needs a program in a text file, beside which it can write the IR")
    check_writable(plan.source.path.absolute().parent, f"the IR beside {plan.shown_as}", _ADVICE)


def _by_pass(request: BisectRequest, plan: Plan, case: Case, verdict: Verdict, out: Out) -> Exit:
    """Say which pass it is, and leave the IR before and after it beside the program."""
    assert plan.source.path is not None
    culprit = find_pass(case, plan.source.path, verdict)
    if culprit is None:
        out.result("no pass can be told: IREE does not say which one it was")
        return Exit.NO_FAULT
    path = plan.source.path
    before, after = (path.with_name(f"{path.stem}.{when}-{culprit.name}.mlir") for when in ("before", "after"))
    write_atomic(before, culprit.before, _ADVICE)
    out.result(f"{culprit.name} ({culprit.argument}){f' on {culprit.on}' if culprit.on else ''}: {culprit.why}")
    out.result(f"  IR before  {relative(before)}")
    if culprit.after:
        write_atomic(after, culprit.after, _ADVICE)
        out.result(f"  IR after   {relative(after)}")
    command = tuple(word.replace("{before}", str(relative(before))) for word in culprit.opt_command)
    out.result(f"  alone      {shlex.join(command)}" if command else "  alone      no iree-opt command shows it")
    if request.json is not None:
        document = {
            "program": plan.shown_as, "digest": program_digest(plan.source.text),
            "pass": culprit.name, "argument": culprit.argument, "on": culprit.on, "why": culprit.why,
            "before": str(before), "after": str(after) if culprit.after else None, "iree_opt": list(command),
        }  # fmt: skip
        write_json(request.json, document)
    return Exit.CONFIRMED


def _row(release: str, answer: Answer) -> str:
    why = answer.why.splitlines()[0] if answer.why else ""
    return f"{release:>8}  {answer.shown.value:<12}  {why}"[:200]


def _lines(found: _Found) -> list[str]:
    """The history for people, with the commits of each change."""
    answers = found.answers
    lines = ["", *summary(found.releases, answers)]
    for change in changes(found.releases, answers):
        lines += _range(change, answers)
    silent = [r for r in found.releases if r in answers and answers[r].shown is Shown.CANNOT_TELL]
    if silent:
        lines.append(f"cannot judge: {', '.join(silent)}")
    unasked = [r for r in found.releases if r not in answers]
    if unasked:
        lines.append(f"not asked, taken to be as their neighbours are (--all asks them): {', '.join(unasked)}")
    return lines + _seed_lines(found)


def _range(change: Change, answers: dict[str, Answer]) -> list[str]:
    before, after = (answers[release].commit for release in (change.before, change.after))
    if not before or not after:
        return []
    return [
        f"  {change.before} is {before[:COMMIT_CHARS]}, {change.after} is {after[:COMMIT_CHARS]}: "
        f"git log {before[:COMMIT_CHARS]}..{after[:COMMIT_CHARS]}",
        f"  {COMPARE.format(good=before, bad=after)}",
    ]


def _seed_lines(found: _Found) -> list[str]:
    if found.seed is None:
        return []
    differ = [r for r, a in found.seed.items() if r in found.answers and a.shown is not found.answers[r].shown]
    asked = ", ".join(found.seed)
    if not differ:
        return [f"the program that it was reduced from agrees ({asked})"]
    said = "; ".join(f"{r}: it {found.seed[r].shown.value} ({_first(found.seed[r].why)})" for r in differ)
    return [f"the program that it was reduced from differs: {said}"]


def _first(text: str) -> str:
    return text.splitlines()[0][:120] if text else "no reason given"


def _document(found: _Found, case: Case, verdict: Verdict) -> dict[str, Any]:
    """The JSON document."""
    turns = [
        {
            "before": change.before, "after": change.after, "begins": change.begins,
            "commits": [found.answers[change.before].commit, found.answers[change.after].commit],
        }
        for change in changes(found.releases, found.answers)
    ]  # fmt: skip
    return {
        "oracle": case.oracle.name, "release": case.toolchain.release, "target": case.target,
        "flags": list(case.command()), "signature": verdict.signature,
        "releases": [_entry(release, found.answers.get(release)) for release in found.releases],
        "changes": turns, "summary": summary(found.releases, found.answers),
        "original": None if found.seed is None else [_entry(r, a) for r, a in found.seed.items()],
        "notes": _seed_lines(found),
    }  # fmt: skip


def _entry(release: str, answer: Answer | None) -> dict[str, Any]:
    if answer is None:
        return {"release": release, "outcome": "not asked", "why": "", "commit": ""}
    return {"release": release, "outcome": answer.shown.value, "why": answer.why, "commit": answer.commit}
