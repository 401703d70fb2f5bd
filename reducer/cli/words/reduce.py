"""The words of `reduce PROGRAM`."""

from __future__ import annotations

import importlib.metadata
from typing import Annotated

import typer

from reducer.cli.options import (
    Atol,
    ExitInteresting,
    Expect,
    Flag,
    Inputs,
    Iree,
    Jobs,
    Json,
    LimitTests,
    LimitTime,
    Match,
    Memory,
    OracleName,
    Output,
    Program,
    Quiet,
    Reference,
    Resume,
    Rtol,
    Script,
    Seed,
    Signature,
    Target,
    Timeout,
    Verbose,
    case_request,
    cores,
)
from reducer.cli.quantities import parse_seconds
from reducer.cli.requests import ReduceRequest
from reducer.errors import ToolchainError
from reducer.toolchain.releases import installed


def _show_version(wanted: bool) -> None:
    if not wanted:
        return
    try:
        iree = f"IREE {installed().release}"
    except ToolchainError:
        iree = "no IREE installed"
    print(f"reduce {importlib.metadata.version('iree-bug-reducer')} ({iree})")
    raise typer.Exit


Version = Annotated[
    bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
]


def reduce(
    *,
    program: Program = None,
    oracle: OracleName = None,
    iree: Iree = None,
    target: Target = None,
    flag: Flag = None,
    expect: Expect = None,
    match: Match = None,
    signature: Signature = None,
    script: Script = None,
    exit_interesting: ExitInteresting = None,
    inputs: Inputs = None,
    reference: Reference = None,
    rtol: Rtol = None,
    atol: Atol = None,
    output: Output = None,
    jobs: Jobs = None,
    timeout: Timeout = None,
    memory: Memory = None,
    limit_time: LimitTime = None,
    limit_tests: LimitTests = None,
    seed: Seed = 0,
    resume: Resume = False,
    quiet: Quiet = False,
    verbose: Verbose = False,
    json: Json = None,
    version: Version = False,
) -> ReduceRequest:
    """Reduce an MLIR program on which IREE misbehaves to the smallest one that shows the same fault.

    Flags for iree-compile, or a whole pasted command line, stand after `--`. What the file's header says
    (`// RUN: iree-compile %s …`, `// reduce: oracle=… target=…`) is the default.
    """
    case = case_request(
        program=program, oracle=oracle, iree=iree, target=target, flag=flag, expect=expect, match=match,
        signature=signature, script=script, exit_interesting=exit_interesting, timeout=timeout, memory=memory,
        inputs=inputs, reference=reference, rtol=rtol, atol=atol,
    )  # fmt: skip
    limit_time_s = parse_seconds(limit_time, "--limit-time") if limit_time is not None else None
    return ReduceRequest(case, output, jobs or cores(), limit_time_s, limit_tests, seed, resume, verbose - quiet, json)
