"""The files of a search: one folder a find, and `state.json`, by which it is gone on with or passed over by another."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oracles.hang import Hang
from oracles.judging import ANY
from reducer.cli.handover import make_check, make_original, make_repro
from reducer.cli.requests import FindRequest
from reducer.errors import InputError, OutputError
from reducer.header import Directive, directive_line
from reducer.journal import write_atomic
from reducer.report.lit import write_repro
from reducer.report.shell import write_script

if TYPE_CHECKING:
    from reducer.finding.finder import Find
    from reducer.finding.sightings import Sighting

STATE = "state.json"
SLOW_S = 10.0


@dataclass(frozen=True)
class State:
    """A search as it is kept.

    what: the options that make it this one; round: the one it has come to; settled: identities of what was reduced;
    times: how often each identity was seen; finds: of each, what its `find.json` says, and its folder's name.
    """

    what: dict[str, Any]
    round: int
    programs: int
    settled: list[str]
    times: dict[str, int]
    finds: list[dict[str, Any]]


def options(request: FindRequest) -> dict[str, Any]:
    """What makes a search this one: with the same, it draws the same programs and judges them in the same ways."""
    return {
        "oracles": list(request.oracles), "targets": list(request.targets), "iree": request.iree,
        "seed": request.seed, "flags": list(request.words or ()),
    }  # fmt: skip


def opened(request: FindRequest, folder: Path) -> State:
    """The search in the folder, to go on with; or an empty one in a new folder. Raises InputError, OutputError."""
    if request.resume:
        state = read_state(folder)
        changed = sorted(key for key, value in options(request).items() if state.what.get(key) != value)
        if changed:
            raise InputError(f"cannot go on with {folder}: other options ({', '.join(changed)}); choose another --out")
        return state
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise OutputError(f"--out {folder} is not an empty folder; --resume goes on with its search, or choose another")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise OutputError(f"cannot write --out {folder}: {error.strerror}") from error
    return State(options(request), 0, 0, [], {}, [])


def read_state(folder: Path) -> State:
    """The search that a folder holds. Raises InputError."""
    try:
        return State(**json.loads((folder / STATE).read_text("utf-8")))
    except OSError as error:
        raise InputError(f"{folder} holds no search ({STATE}: {error.strerror})") from error
    except (ValueError, TypeError) as error:
        raise InputError(f"{folder / STATE} is damaged: {error}") from error


@dataclass(frozen=True)
class Known:
    """What is passed over: identities or signatures; and, of finds with a vague signature, what they hold."""

    faults: frozenset[str] = frozenset()
    families: tuple[tuple[str, frozenset[str]], ...] = ()

    def and_(self, other: Known) -> Known:
        """Both."""
        return Known(self.faults | other.faults, self.families + other.families)


def known_of(state: State) -> Known:
    """What a search has settled."""
    families = tuple((find["key"], frozenset(find["family"])) for find in state.finds)
    return Known(frozenset(state.settled), families)


def read_known(name: str) -> Known:
    """What `--known` says to pass over: the settled faults of a search, or the lines of a file. Raises InputError.

    A line is a signature, or an identity as a search prints it; empty lines and those that begin with # are skipped.
    """
    path = Path(name)
    if path.is_dir():
        return known_of(read_state(path))
    try:
        lines = path.read_text("utf-8").splitlines()
    except OSError as error:
        raise InputError(f"cannot read --known {name}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"--known {name} is neither a search's folder nor a list of signatures: {error}") from error
    return Known(frozenset(line.strip() for line in lines if line.strip() and not line.startswith("#")))


def save(folder: Path, now: State, before: State) -> None:
    """Write what a search has come to, what it began with included."""
    keys = dict.fromkeys([*before.times, *now.times])
    times = {key: before.times.get(key, 0) + now.times.get(key, 0) for key in keys}
    settled = list(dict.fromkeys([*before.settled, *now.settled]))
    state = replace(now, programs=before.programs + now.programs, times=times, settled=settled)
    write_atomic(folder / STATE, json.dumps(asdict(state), indent=1) + "\n")


def write_slow(folder: Path, sighting: Sighting, program: str, release: str) -> Path:
    """A program that took too long to compile, for `reduce`: a search has no time for it."""
    way, number = sighting.way, len(list(folder.glob("slow-*.mlir"))) + 1
    directive = Directive(oracle=Hang.name, iree=release or None, target=way.target, timeout=SLOW_S, flags=way.flags)
    path = folder / f"slow-{number:03}.mlir"
    write_atomic(path, f"{directive_line(directive)}\n\n{program}")
    return path


def family(find: Find) -> list[str]:
    """What the reduced program holds."""
    from reducer.finding.coverage import kinds
    from reducer.strategies import Program

    return sorted(kinds(Program(find.result.program)))


def write_find(folder: Path, find: Find, newest: str) -> dict[str, Any]:
    """Fill a find's folder: the repro, its script, the program that led to it, and what is known of it.

    newest: the newest release that shows it, "" if that was not asked.
    """
    folder.mkdir(parents=True, exist_ok=True)
    result, sighting = find.result, find.sighting
    wanted = getattr(result.case.oracle, "wanted", ANY)
    level = None if wanted.level == ANY.level else wanted.level
    repro = make_repro(result, Directive(oracle=sighting.oracle, signature=level), "repro.mlir")
    write_atomic(folder / "repro.mlir", write_repro(repro))
    write_atomic(folder / "repro.sh", write_script(repro, make_check(result.case, result.verdict)))
    (folder / "repro.sh").chmod(0o755)
    case, program = result.case, find.program.text
    original = make_original(repro, case, program, "original.mlir", seen=sighting.reason)
    write_atomic(folder / "original.mlir", write_repro(original))
    known = {
        "folder": folder.name, "oracle": sighting.oracle, "release": result.case.toolchain.release,
        "newest": newest, "target": sighting.way.target, "flags": [*result.case.oracle.flags, *result.flags],
        "signature": result.verdict.signature, "key": find.key, "family": family(find), "reason": result.verdict.reason,
        "ops_before": result.before.ops, "ops": result.after.ops, "elements": result.after.elements,
        "minimal": result.minimal, "tests": result.tests, "seconds": round(result.seconds, 1),
    }  # fmt: skip
    write_atomic(folder / "find.json", json.dumps(known, indent=1) + "\n")
    return known
