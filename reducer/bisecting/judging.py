"""Asks one release about a case of another: the same program, the same fault, its own spelling of the flags.

Owns the translation of a case to a release, and what counts as "cannot judge". How a case is judged is the caller's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from oracles.crash import Crash
from oracles.registry import runs_programs
from oracles.verdict import Oracle, Outcome, Verdict
from reducer.bisecting.history import Answer, Shown
from reducer.case import Case
from reducer.errors import FlagError, InputError, TargetError, ToolchainError
from reducer.toolchain.flag_history import history, spelling
from reducer.toolchain.flags import check_flags, split_flag
from reducer.toolchain.oneshot import run_limited
from reducer.toolchain.releases import Toolchain, resolve
from reducer.toolchain.targets import target_flags

_COMMIT = re.compile(r"version \S+ @ ([0-9a-f]{7,40})\b")
_VERSION_TIMEOUT_S = 60.0


@dataclass(frozen=True)
class Bench:
    """What releases are asked with.

    judge: the verdict on a case. report: told, in one line, of what takes long.
    """

    judge: Callable[[Case], Verdict]
    report: Callable[[str], None]


def across_releases(oracle: Oracle) -> Oracle:
    """The oracle as it can be asked of other releases: a crash has other frames in each, so its signal must do."""
    if isinstance(oracle, Crash) and oracle.wanted.match is None:
        return replace(oracle, wanted=replace(oracle.wanted, level="class"))
    return oracle


def ask(case: Case, release: str, bench: Bench) -> Answer:
    """What a release says of the fault that the case's oracle is held to."""
    try:
        toolchain = resolve(release, bench.report)
        there = translated(case, toolchain)
        check_flags(toolchain, there.command())
        verdict = bench.judge(there)
    except (ToolchainError, TargetError, FlagError, InputError) as error:
        return Answer(Shown.CANNOT_TELL, str(error), "")
    commit = commit_of(toolchain)
    never_ran = runs_programs(case.oracle) and not verdict.interesting and not verdict.runs
    if never_ran or verdict.outcome in (Outcome.INVALID, Outcome.UNRESOLVED):
        return Answer(Shown.CANNOT_TELL, verdict.reason, commit)
    return Answer(Shown.YES if verdict.interesting else Shown.NO, verdict.reason, commit)


def newest_showing(case: Case, releases: Sequence[str], bench: Bench) -> str:
    """The newest of these releases (oldest first) that shows the fault; "" if none does."""
    return next((r for r in reversed(releases) if ask(case, r, bench).shown is Shown.YES), "")


def translated(case: Case, toolchain: Toolchain) -> Case:
    """The case for another release. Raises FlagError for a flag that it does not know, TargetError."""
    release = toolchain.release
    chosen = target_flags(case.target, release) if case.target else spelled(case.target_flags, release)
    return replace(case, toolchain=toolchain, target_flags=chosen, flags=spelled(case.flags, release))


def spelled(flags: tuple[str, ...], release: str) -> tuple[str, ...]:
    """The flags as a release spells them. Raises FlagError for one that it does not know.

    Of flags that no release's help lists nothing is known: they stay as they are.
    """
    found = []
    for flag in flags:
        name, value = split_flag(flag)
        there = spelling(name, release)
        if there is None:
            raise FlagError(f"IREE {release} does not know {name}: it is {history(name, release)}")
        found.append(there if value is None else f"{there}={value}")
    return tuple(found)


def commit_of(toolchain: Toolchain) -> str:
    """The commit of IREE that a release was built from, as its `--version` says; "" if it does not."""
    command = (str(toolchain.iree_compile), "--version")
    said = _COMMIT.search(run_limited(command, timeout_s=_VERSION_TIMEOUT_S, memory_bytes=None).output)
    return said[1] if said is not None else ""
