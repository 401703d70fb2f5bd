"""The words of `reduce bisect`."""

from __future__ import annotations

from typing import Annotated

from reducer.cli.options import (
    Atol,
    ExitInteresting,
    Expect,
    Flag,
    Inputs,
    Iree,
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
    option,
)
from reducer.cli.requests import BisectRequest


def bisect(
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
    oldest: Annotated[str | None, option("VERSION", "The oldest release to ask. Default: 2.9.0.", "--from")] = None,
    newest: Annotated[str | None, option("VERSION", "The newest to ask. Default: of all there are.", "--to")] = None,
    everything: Annotated[bool, option(None, "Ask every release between, not only where two differ.", "--all")] = False,
    original: Annotated[
        str | None,
        option("FILE", "The program it was reduced from, to be asked too. Default: that of its run.", "--original"),
    ] = None,
    by_pass: Annotated[
        bool,
        option(None, "Say which pass of the compiler first shows it, instead. It prints at most 3 MB of IR.", "--pass"),
    ] = False,
    git_run: Annotated[bool, option(None, "Print a script for `git bisect run`, instead.", "--git-run")] = False,
    quiet: Quiet = False,
    json: Annotated[str | None, option("FILE", "Write it all as JSON, - to standard output.", "--json")] = None,
) -> BisectRequest:
    """Say which releases show a fault, since when and until when.

    The fault is held to what it is on --iree (or the header's release): that one is asked first. 0 if it shows there,
    whatever the others say; 1 if it does not; 2 for bad input.
    """
    case = case_request(
        program=program, oracle=oracle, iree=iree, target=target, flag=flag, expect=expect, match=match,
        signature=signature, script=script, exit_interesting=exit_interesting, timeout=timeout, memory=memory,
        inputs=inputs, reference=reference, rtol=rtol, atol=atol,
    )  # fmt: skip
    return BisectRequest(
        case, oldest=oldest, newest=newest, everything=everything, original=original, by_pass=by_pass,
        git_run=git_run, verbosity=-1 if quiet else 0, json=json,
    )  # fmt: skip
