"""The words of `reduce triage`."""

from __future__ import annotations

from typing import Annotated

from reducer.cli.options import Iree, Jobs, Memory, Program, Quiet, Seed, cores, option
from reducer.cli.quantities import parse_memory_bytes, parse_seconds
from reducer.cli.requests import TriageRequest


def triage(
    *,
    program: Program = None,
    iree: Iree = None,
    target: Annotated[
        list[str] | None,
        option("NAMES", "What to compile for, with commas between or repeated. Default: llvm-cpu.", "--target"),
    ] = None,
    compare: Annotated[
        list[str] | None,
        option(
            "FLAGS", "A set of flags, in place of the usual four; repeated. The first is the baseline.", "--compare"
        ),
    ] = None,
    inputs: Annotated[
        list[str] | None, option("VALUE", "An argument, as in 2x2xf32=1,2,3,4, f32=7 or @file.npy.", "--input")
    ] = None,
    seed: Seed = 0,
    jobs: Jobs = None,
    timeout: Annotated[str, option("TIME", "Of one compilation: 30, 90s, 10m.", "--timeout")] = "30s",
    memory: Memory = None,
    no_why: Annotated[bool, option(None, "The facts alone: do not look for reasons.", "--no-why")] = False,
    quiet: Quiet = False,
    json: Annotated[str | None, option("FILE", "Write it all as JSON, - to standard output.", "--json")] = None,
) -> TriageRequest:
    """Say what flags do to a program, and why: dispatches, where each pad went, translation, numbers.

    Compared are the padding-fusion flags (none, consumer, producer, both), or what --compare says; flags after `--` are
    in every set. Reasons are found by trying: other programs, other flags.
    0 if some set shows a fault or has a flag without effect, 1 if nothing is wrong, 2 for bad input.
    """
    return TriageRequest(
        program, iree=iree, targets=_names(target or []), compare=tuple(compare or ()), inputs=tuple(inputs or ()),
        jobs=jobs or cores(), timeout_s=parse_seconds(timeout, "--timeout"),
        memory_bytes=parse_memory_bytes(memory, "--memory") if memory is not None else 0, seed=seed, why=not no_why,
        verbosity=-1 if quiet else 0, json=json,
    )  # fmt: skip


def _names(words: list[str]) -> tuple[str, ...]:
    names = (name.strip() for word in words for name in word.split(","))
    return tuple(dict.fromkeys(name for name in names if name))
