"""The options that several commands share, as typer sees them, and the case that they name."""

from __future__ import annotations

import os
from typing import Annotated

import typer
from typer.models import OptionInfo

from oracles.registry import ORACLES
from reducer.cli.quantities import parse_memory_bytes, parse_seconds
from reducer.cli.requests import CaseRequest


def option(metavar: str | None, about: str, *names: str, low: int | None = None, high: int | None = None) -> OptionInfo:
    """An option of typer's. metavar: None for a switch; names: none for `--` and the argument's own name."""
    made: OptionInfo = typer.Option(*names, metavar=metavar, help=about, min=low, max=high)
    return made


Program = Annotated[
    str | None, typer.Argument(metavar="PROGRAM", help="An .mlir or .mlirbc file, - for standard input.")
]
OracleName = Annotated[
    str | None, option("NAME", f"The fault: {', '.join(kind.name for kind in ORACLES)}.", "--oracle")
]
Iree = Annotated[
    str | None,
    option("VERSION|PATH", "A release, newest, or a virtual environment. Default: the installed one.", "--iree"),
]
Target = Annotated[str | None, option("NAME", "What to compile for. Default: llvm-cpu.", "--target")]
Flag = Annotated[str | None, option("FLAG", "no-op-flag: the flag that does nothing.", "--flag")]
Expect = Annotated[int | None, option("N", "dispatch-count: how many there should be.", "--expect", low=0)]
Match = Annotated[str | None, option("REGEX", "What the error must say, instead of the seed's words.", "--match")]
Signature = Annotated[
    str | None, option("LEVEL", "How much must stay the same: exact, message (default) or class.", "--signature")
]
Script = Annotated[str | None, option("CMD", "script: run with the candidate's path appended.", "--script")]
ExitInteresting = Annotated[
    str | None, option("zero|nonzero", "script: which exit code shows the fault.", "--exit-interesting")
]
Inputs = Annotated[
    list[str] | None,
    option("VALUE", "wrong-result, run-*: an argument, as in 2x2xf32=1,2,3,4, f32=7 or @file.npy.", "--input"),
]
Reference = Annotated[
    str | None,
    option("HOW", "wrong-result, run-*: numpy (default), vmvx, release:VERSION or flags:none.", "--reference"),
]
Rtol = Annotated[float | None, option("X", "wrong-result: relative tolerance, in place of the bounds.", "--rtol")]
Atol = Annotated[float | None, option("X", "wrong-result: absolute tolerance, in place of the bounds.", "--atol")]
Explain = Annotated[bool, option(None, "wrong-result, run-*: tell what was compared and how.", "--explain")]
Fixed = Annotated[bool, option(None, "A folder: no file should show its fault any more.", "--fixed")]
Junit = Annotated[str | None, option("FILE", "A folder: write the outcome as JUnit XML.", "--junit")]
Timeout = Annotated[
    str | None, option("TIME", "Of one compilation: 30, 90s, 10m. Default: ten times the seed's.", "--timeout")
]
Memory = Annotated[str | None, option("SIZE", "Address space of one compilation, e.g. 8G.", "--memory")]
Output = Annotated[str | None, option("FILE", "Default: NAME.reduced.mlir, here.", "-o", "--output")]
Jobs = Annotated[int | None, option("N", "Default: the number of cores.", "-j", "--jobs", low=1, high=256)]
LimitTime = Annotated[str | None, option("TIME", "Stop with the best so far.", "--limit-time")]
LimitTests = Annotated[int | None, option("N", "Stop with the best so far.", "--limit-tests", low=1)]
Seed = Annotated[int, option("N", "Of the random choices.", "--seed", low=0)]
Resume = Annotated[bool, option(None, "Go on with the run folder of an interrupted reduction.", "--resume")]
Quiet = Annotated[bool, option(None, "Say only what is wrong.", "-q", "--quiet")]
Verbose = Annotated[bool, option(None, "Tell every test.", "-v", "--verbose")]
Json = Annotated[str | None, option("FILE", "Write the result as JSON, - to standard output.", "--json")]


def case_request(
    *,
    program: str | None,
    oracle: str | None,
    iree: str | None,
    target: str | None,
    flag: str | None,
    expect: int | None,
    match: str | None,
    signature: str | None,
    script: str | None,
    exit_interesting: str | None,
    timeout: str | None,
    memory: str | None,
    inputs: list[str] | None,
    reference: str | None,
    rtol: float | None,
    atol: float | None,
) -> CaseRequest:
    """The case that options and arguments name. Raises InputError for times and sizes that are none."""
    return CaseRequest(
        program=program,
        oracle=oracle,
        iree=iree,
        target=target,
        flag=flag,
        expect=expect,
        match=match,
        signature=signature,
        script=script,
        exit_interesting=exit_interesting,
        timeout_s=parse_seconds(timeout, "--timeout") if timeout is not None else None,
        memory_bytes=parse_memory_bytes(memory, "--memory") if memory is not None else 0,
        inputs=tuple(inputs or ()),
        reference=reference,
        rtol=rtol,
        atol=atol,
    )


def cores() -> int:
    """How many this process may use."""
    return len(os.sched_getaffinity(0))
