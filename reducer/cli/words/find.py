"""The words of `reduce find`."""

from __future__ import annotations

from typing import Annotated

from reducer.cli.options import Iree, Jobs, Quiet, Seed, cores, option
from reducer.cli.quantities import parse_seconds
from reducer.cli.requests import FindRequest
from reducer.errors import InputError


def find(
    *,
    oracle: Annotated[
        str | None, option("NAMES", "What to look for, with commas between. Default: whatever there is.", "--oracle")
    ] = None,
    all_: Annotated[bool, option(None, "Look for whatever there is.", "--all")] = False,
    target: Annotated[str, option("NAMES", "What to compile for, with commas between.", "--target")] = "llvm-cpu",
    out: Annotated[str, option("FOLDER", "Where the finds go.", "--out")] = "found",
    known: Annotated[
        list[str] | None,
        option("FOLDER|FILE", "Pass over the finds of another search, or the signatures in a file.", "--known"),
    ] = None,
    iree: Iree = None,
    jobs: Jobs = None,
    limit_time: Annotated[str, option("TIME", "When to stop: 90s, 10m (default), none.", "--limit-time")] = "10m",
    limit_programs: Annotated[
        int | None, option("N", "When to stop: after so many programs.", "--limit-programs", low=1)
    ] = None,
    newest: Annotated[
        bool, option(None, "Say of each find which release is the newest that shows it.", "--newest")
    ] = False,
    seed: Seed = 0,
    resume: Annotated[bool, option(None, "Go on with the search in --out.", "--resume")] = False,
    quiet: Quiet = False,
) -> FindRequest:
    """Look for faults: draw programs, compile and run them, reduce what goes wrong, and keep each fault once.

    Tried are the padding-fusion flags (none, consumer, producer, both) and the flags after `--`. Each find gets a
    folder: the reduced program, a script, the program it came from. 0 if something was found, 1 if not.
    """
    if all_ and oracle is not None:
        raise InputError(f"--all and --oracle {oracle} do not go together; give one of them")
    limit_s = None if limit_time == "none" else parse_seconds(limit_time, "--limit-time")
    return FindRequest(
        oracles=_names(oracle or ""), targets=_names(target), out=out, iree=iree, known=tuple(known or ()),
        jobs=jobs or cores(), limit_time_s=limit_s, limit_programs=limit_programs, newest=newest, seed=seed,
        resume=resume, verbosity=-1 if quiet else 0,
    )  # fmt: skip


def _names(words: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in words.split(",") if word.strip())
