"""`reduce find`: a search for faults, its live table, and a folder for each find.

Owns the files of a search: one folder a find, and `state.json`, by which it can be gone on with and its finds passed
over by another one.
"""

from __future__ import annotations

import json
import shlex
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oracles.registry import ORACLES
from reducer.cli.console import Out
from reducer.cli.exits import Exit
from reducer.cli.handover import make_check, make_repro
from reducer.cli.interrupts import Interrupts
from reducer.cli.quantities import count, show_seconds
from reducer.cli.requests import FindRequest
from reducer.errors import InputError, OutputError, nearest
from reducer.finding.ways import ways
from reducer.header import Directive
from reducer.journal import write_atomic
from reducer.report.lit import write_repro
from reducer.report.shell import write_script
from reducer.toolchain.flags import check_flags, normalise
from reducer.toolchain.releases import Toolchain, resolve

if TYPE_CHECKING:
    from reducer.finding.finder import Find, Hunt, Tally

SEARCHED = tuple(
    kind.name for kind in ORACLES if kind.name not in ("script", "hang", "dispatch-count", "unsupported-fusion")
)
"""What a search can look for: what needs no limit or script of the user's. (A fusion that does not compile is a
`translation-error` with both flags.)"""

STATE = "state.json"


@dataclass(frozen=True)
class _State:
    """A search as it is kept. what: the options that make it this one; times: how often each identity was seen."""

    what: dict[str, Any]
    round: int
    programs: int
    finds: int
    times: dict[str, int]


def run_find(request: FindRequest, interrupts: Interrupts) -> Exit:
    """Search, say what was found, and leave a folder for each find. 0 if there is one, 1 if there is none."""
    from reducer.finding.finder import Finder

    out = Out(request.verbosity)
    toolchain = resolve(request.iree, out.say)
    folder = Path(request.out)
    hunt, before = _hunt(request, toolchain, folder)
    out.say(f"looking for {', '.join(hunt.oracles)} · IREE {toolchain.release} · {', '.join(request.targets)}")
    found = before.finds

    def tell(tally: Tally, find: Find | None) -> None:
        nonlocal found
        if find is None:
            return
        found += 1
        with interrupts.shield():
            path = _write(folder / f"{found:03}-{find.sighting.oracle}", find)
            save(tally)
        out.result(_row(found, find, tally, path))

    def save(tally: Tally) -> None:
        _save(folder, _State(_what(request), max(hunt.first, tally.round), tally.programs, found, tally.times), before)

    finder = Finder(hunt, tell)
    code = Exit.CONFIRMED
    try:
        finder.run()
    except KeyboardInterrupt:
        code = Exit.INTERRUPTED
    with interrupts.shield():
        save(finder.tally)
        for run in folder.glob(".run-*"):
            shutil.rmtree(run, ignore_errors=True)
    _show_end(out, finder.tally, found)
    return code if code is Exit.INTERRUPTED or found else Exit.NO_FAULT


def _hunt(request: FindRequest, toolchain: Toolchain, folder: Path) -> tuple[Hunt, _State]:
    from reducer.finding.finder import Hunt
    from reducer.strategies import programs

    own = normalise(list(request.words or ()))
    oracles = _oracles(request.oracles)
    tried = ways(request.targets, toolchain.release, own)
    for way in tried:
        check_flags(toolchain, (*way.target_flags, *way.flags))
    if any(not way.target.startswith(("llvm-cpu", "vmvx")) for way in tried):
        oracles = tuple(name for name in oracles if not name.startswith(("wrong-", "run-"))) or oracles
    before = _opened(request, folder)
    known = {key for other in request.known for key in _state(Path(other)).times} | set(before.times)
    hunt = Hunt(
        toolchain, oracles, tried, programs(), folder, request.seed, request.jobs, request.limit_time_s,
        frozenset(known), before.round,
    )  # fmt: skip
    return hunt, before


def _oracles(names: Sequence[str]) -> tuple[str, ...]:
    for name in names:
        if name not in SEARCHED:
            hint = nearest(name, SEARCHED) or f"; known are {', '.join(SEARCHED)}"
            raise InputError(f"cannot look for {name!r}{hint}")
    return tuple(dict.fromkeys(names)) or SEARCHED


def _what(request: FindRequest) -> dict[str, Any]:
    return {
        "oracles": list(request.oracles), "targets": list(request.targets), "iree": request.iree,
        "seed": request.seed, "flags": list(request.words or ()),
    }  # fmt: skip


def _opened(request: FindRequest, folder: Path) -> _State:
    """The search in the folder, to go on with; or an empty one in a new folder. Raises InputError, OutputError."""
    if request.resume:
        state = _state(folder)
        changed = sorted(key for key, value in _what(request).items() if state.what.get(key) != value)
        if changed:
            raise InputError(f"cannot go on with {folder}: other options ({', '.join(changed)}); choose another --out")
        return state
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise OutputError(f"--out {folder} is not an empty folder; --resume goes on with its search, or choose another")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot write --out {folder}: {error.strerror}") from error
    return _State(_what(request), 0, 0, 0, {})


def _state(folder: Path) -> _State:
    try:
        return _State(**json.loads((folder / STATE).read_text("utf-8")))
    except OSError as error:
        raise InputError(f"{folder} holds no search ({STATE}: {error.strerror})") from error
    except (ValueError, TypeError) as error:
        raise InputError(f"{folder / STATE} is damaged: {error}") from error


def _save(folder: Path, now: _State, before: _State) -> None:
    """Write what a search has come to, what it began with included."""
    keys = dict.fromkeys([*before.times, *now.times])
    times = {key: before.times.get(key, 0) + now.times.get(key, 0) for key in keys}
    state = replace(now, programs=before.programs + now.programs, times=times)
    write_atomic(folder / STATE, json.dumps(asdict(state), indent=1) + "\n")


def _write(folder: Path, find: Find) -> Path:
    """The find's folder: the repro, its script, the program that led to it, and what is known of it."""
    folder.mkdir(parents=True, exist_ok=True)
    result, sighting = find.result, find.sighting
    repro = make_repro(result, Directive(oracle=sighting.oracle), "repro.mlir")
    write_atomic(folder / "repro.mlir", write_repro(repro))
    write_atomic(folder / "repro.sh", write_script(repro, make_check(result.case, result.verdict)))
    (folder / "repro.sh").chmod(0o755)
    inputs = "; ".join(find.program.inputs)
    write_atomic(folder / "original.mlir", f"// inputs: {inputs}\n{find.program.text}")
    known = {
        "oracle": sighting.oracle, "release": result.case.toolchain.release, "target": sighting.way.target,
        "flags": list(result.flags), "signature": result.verdict.signature, "reason": result.verdict.reason,
        "ops": result.after.ops, "elements": result.after.elements, "minimal": result.minimal, "tests": result.tests,
        "seconds": round(result.seconds, 1),
    }  # fmt: skip
    write_atomic(folder / "find.json", json.dumps(known, indent=1) + "\n")
    return folder


def _row(number: int, find: Find, tally: Tally, folder: Path) -> str:
    result = find.result
    size = f"{result.before.ops} → {result.after.ops} ops, {result.after.elements} elements"
    flags = shlex.join(result.flags) or "default flags"
    return (
        f"{number:>3}  {find.sighting.oracle} · {find.sighting.way.target} · {flags}\n"
        f"     {result.verdict.reason[:200]}\n"
        f"     {size} · {count(tally.programs, 'program')} and {show_seconds(tally.seconds)} into the search · {folder}"
    )


def _show_end(out: Out, tally: Tally, found: int) -> None:
    minutes = max(tally.seconds, 0.001) / 60
    out.say(
        f"{count(found, 'fault')} found; {count(tally.programs, 'program')} in {show_seconds(tally.seconds)}, "
        f"{tally.verdicts / minutes:.0f} verdicts a minute"
    )
    for key, number in sorted(tally.times.items(), key=lambda item: -item[1]):
        why = f"  ({tally.passed[key]})" if key in tally.passed else ""
        out.say(f"  {number:>5} x  {key}{why}"[:300])
