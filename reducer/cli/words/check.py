"""The words of `reduce check`."""

from __future__ import annotations

from reducer.cli.options import (
    Atol,
    ExitInteresting,
    Expect,
    Explain,
    Fixed,
    Flag,
    Inputs,
    Iree,
    Junit,
    Match,
    Memory,
    OracleName,
    Program,
    Quiet,
    Reference,
    Rtol,
    Script,
    Signature,
    Target,
    Timeout,
    case_request,
)
from reducer.cli.requests import CheckRequest


def check(
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
    timeout: Timeout = None,
    memory: Memory = None,
    explain: Explain = False,
    fixed: Fixed = False,
    junit: Junit = None,
    quiet: Quiet = False,
) -> CheckRequest:
    """Say whether a file shows the fault that its header (or --oracle) names: 0 if it does, 1 if not, 2 for bad input.

    Of a folder, all files are judged: 0 if all of them do (with --fixed: if none does any more).
    Every compilation is a fresh process of the stock iree-compile.
    """
    case = case_request(
        program=program, oracle=oracle, iree=iree, target=target, flag=flag, expect=expect, match=match,
        signature=signature, script=script, exit_interesting=exit_interesting, timeout=timeout, memory=memory,
        inputs=inputs, reference=reference, rtol=rtol, atol=atol,
    )  # fmt: skip
    return CheckRequest(case, -1 if quiet else 0, explain, fixed, junit)
