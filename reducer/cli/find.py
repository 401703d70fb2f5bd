"""`reduce find`: a search for faults. Carries out the request; files and table have modules of their own."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from oracles.registry import ORACLES
from oracles.verdict import Verdict
from reducer.bisecting.judging import Bench, across_releases, newest_showing
from reducer.case import Case
from reducer.cli.console import Out
from reducer.cli.exits import Exit
from reducer.cli.find_files import SLOW_S, State, known_of, opened, options, read_known, save, write_find, write_slow
from reducer.cli.find_table import FindTable, rate, show_coverage
from reducer.cli.quantities import count, show_seconds
from reducer.cli.report_document import Sources, load
from reducer.cli.requests import CaseRequest, FindRequest, ReportRequest
from reducer.cli.stock import judge_file
from reducer.cli.summary import sizes
from reducer.errors import InputError, ReducerError, nearest
from reducer.finding.ways import ways
from reducer.interrupts import Interrupts
from reducer.journal import write_atomic
from reducer.report.document import Measure
from reducer.report.markdown import write_markdown
from reducer.toolchain.flags import check_flags, normalise
from reducer.toolchain.releases import KNOWN_RELEASES, Toolchain, resolve

if TYPE_CHECKING:
    from reducer.finding.finder import Find, Finder, Hunt, Tally

SEARCHED = tuple(
    kind.name for kind in ORACLES if kind.name not in ("script", "hang", "dispatch-count", "unsupported-fusion")
)
"""What a search can look for: what needs no limit or script of the user's. (A fusion that does not compile is a
`translation-error` with both flags.)"""

COMPILATION_S = 60.0
_RUNS = ("wrong-result", "run-")
_RUNNABLE = ("llvm-cpu", "vmvx")


def run_find(request: FindRequest, interrupts: Interrupts) -> Exit:
    """Search, say what was found, and leave a folder for each find. 0 if there is one, 1 if there is none."""
    from reducer.finding.finder import Finder

    out = Out(request.verbosity)
    toolchain = resolve(request.iree, out.say)
    folder = Path(request.out)
    hunt, before = _hunt(request, toolchain, folder)
    out.say(f"looking for {', '.join(hunt.oracles)} · IREE {toolchain.release} · {', '.join(request.targets)}")
    finds = list(before.finds)
    table = FindTable(out, finds)

    def tell(tally: Tally, find: Find | None) -> None:
        table.see(tally)
        if find is not None:
            with interrupts.shield():
                path = folder / f"{len(finds) + 1:03}-{find.sighting.oracle}"
                finds.append(write_find(path, find, _newest(find) if request.newest else ""))
                _write_report(path, find)
                save(folder, _state(request, finder, finds), before)
            table.add(finds[-1], tally.seconds)

    finder = Finder(hunt, tell)
    code = Exit.CONFIRMED
    with table:
        try:
            finder.run()
        except KeyboardInterrupt:
            code = Exit.INTERRUPTED
    with interrupts.shield():
        save(folder, _state(request, finder, finds), before)
        for run in folder.glob(".run-*"):
            shutil.rmtree(run, ignore_errors=True)
    for sighting, program in finder.tally.slow.values():
        path = write_slow(folder, sighting, program.text, toolchain.release)
        out.say(f"still compiling after {SLOW_S:.0f} s, for `reduce`: {path}")
    _show_end(out, finder, finds, table)
    return code if code is Exit.INTERRUPTED or finds else Exit.NO_FAULT


def _write_report(folder: Path, find: Find) -> None:
    """The text of a bug report beside the repro; none where the header alone no longer shows the fault."""
    repro, result = folder / "repro.mlir", find.result
    try:
        document = load(ReportRequest(str(repro), CaseRequest(None)), Sources(repro, None, {}))
    except ReducerError:
        return
    if not isinstance(document, str):
        before, after = (Measure(**size) for size in sizes(result))
        measured = replace(document, before=before, after=after, tests=result.tests, seconds=result.seconds)
        write_atomic(folder / "report.md", write_markdown(measured))


def _newest(find: Find) -> str:
    """The newest release that shows a find."""
    result = find.result
    oracle = across_releases(result.case.oracle)
    case = replace(
        result.case, program=result.program, flags=result.flags, oracle=oracle,
        inputs=result.verdict.run.inputs if result.verdict.run is not None else (),
    )  # fmt: skip

    def judge(asked: Case) -> Verdict:
        with tempfile.TemporaryDirectory(prefix="iree-reduce-") as folder:
            file = Path(folder) / "program.mlir"
            file.write_text(asked.program, encoding="utf-8")
            return judge_file(asked, file, timeout_s=COMPILATION_S, memory_bytes=0)

    verdict = judge(case)
    if not verdict.interesting:
        return ""
    held = replace(case, oracle=oracle.hold(verdict))
    return newest_showing(held, KNOWN_RELEASES, Bench(judge, lambda line: None))


def _state(request: FindRequest, finder: Finder, finds: list[dict[str, object]]) -> State:
    tally = finder.tally
    return State(options(request), tally.round, tally.programs, tally.settled, tally.times, finds)


def _hunt(request: FindRequest, toolchain: Toolchain, folder: Path) -> tuple[Hunt, State]:
    from reducer.finding.finder import Hunt
    from reducer.strategies import programs

    own = normalise(list(request.words or ()))
    tried = ways(request.targets, toolchain.release, own)
    for way in (way for of_target in tried for way in of_target):
        check_flags(toolchain, (*way.target_flags, *way.flags))
    oracles = _oracles(request.oracles, request.targets)
    others = [read_known(name) for name in request.known]
    before = opened(request, folder)
    known = known_of(before)
    for other in others:
        known = known.and_(other)
    hunt = Hunt(
        toolchain, oracles, tried, programs(), folder, request.seed, request.jobs, request.limit_time_s,
        request.limit_programs, known.faults, known.families, before.round,
    )  # fmt: skip
    return hunt, before


def _oracles(names: Sequence[str], targets: Sequence[str]) -> tuple[str, ...]:
    """The named oracles, or all that can be of use. Raises InputError."""
    for name in names:
        if name not in SEARCHED:
            hint = nearest(name, SEARCHED) or f"; known are {', '.join(SEARCHED)}"
            raise InputError(f"cannot look for {name!r}{hint}")
    runnable = all(target.split(":")[0] in _RUNNABLE for target in targets)
    asked = [name for name in names if name.startswith(_RUNS)]
    if asked and not runnable:
        raise InputError(f"{asked[0]} runs programs, which needs targets among {', '.join(_RUNNABLE)}")
    return tuple(dict.fromkeys(names)) or tuple(n for n in SEARCHED if runnable or not n.startswith(_RUNS))


def _show_end(out: Out, finder: Finder, finds: list[dict[str, object]], table: FindTable) -> None:
    tally = finder.tally
    out.say(
        f"{count(len(finds), 'fault')} found; {count(tally.programs, 'program')} in {show_seconds(tally.seconds)}, "
        f"{rate(tally):,.0f} verdicts a minute of looking ({show_seconds(tally.looking_s)})"
    )
    table.end(tally)
    show_coverage(out, tally.coverage)
    for sighting in finder.pending.sightings:
        out.say(f"seen, not reduced: {sighting.key}"[:300])
    for key, why in tally.passed.items():
        out.say(f"passed over: {key} ({why})"[:300])
