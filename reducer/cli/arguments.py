"""The words of the command line, as typer sees them. Makes requests and carries nothing out.

What stands after `--` never reaches typer: it belongs to `iree-compile`.
"""

from __future__ import annotations

import importlib.metadata
import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Annotated

import typer
from typer.models import OptionInfo

from oracles.registry import ORACLES
from reducer.cli.exits import MEANINGS
from reducer.cli.quantities import parse_memory_bytes, parse_seconds
from reducer.cli.requests import CaseRequest, CheckRequest, FindRequest, ListRequest, ReduceRequest, Request
from reducer.errors import InputError, ToolchainError
from reducer.toolchain.releases import installed

COMMANDS = ("check", "find", "list")
INTERRUPTED = 130
EPILOG = "\n\n".join(
    (
        "Other commands: `reduce check FILE` judges a file with fresh stock processes; `reduce list oracles|targets|"
        "passes|releases` says what there is. A program called check or list is written ./check or ./list.",
        "\b\nExit codes:\n" + "\n".join(f"  {int(code):>3}  {meaning}" for code, meaning in MEANINGS),
    )
)


def _option(
    metavar: str | None, about: str, *names: str, low: int | None = None, high: int | None = None
) -> OptionInfo:
    option: OptionInfo = typer.Option(*names, metavar=metavar, help=about, min=low, max=high)
    return option


Program = Annotated[
    str | None, typer.Argument(metavar="PROGRAM", help="An .mlir or .mlirbc file, - for standard input.")
]
OracleName = Annotated[
    str | None, _option("NAME", f"The fault: {', '.join(kind.name for kind in ORACLES)}.", "--oracle")
]
Iree = Annotated[
    str | None,
    _option("VERSION|PATH", "A release, newest, or a virtual environment. Default: the installed one.", "--iree"),
]
Target = Annotated[str | None, _option("NAME", "What to compile for. Default: llvm-cpu.", "--target")]
Flag = Annotated[str | None, _option("FLAG", "no-op-flag: the flag that does nothing.", "--flag")]
Expect = Annotated[int | None, _option("N", "dispatch-count: how many there should be.", "--expect", low=0)]
Match = Annotated[str | None, _option("REGEX", "What the error must say, instead of the seed's words.", "--match")]
Signature = Annotated[
    str | None, _option("LEVEL", "How much must stay the same: exact, message (default) or class.", "--signature")
]
Script = Annotated[str | None, _option("CMD", "script: run with the candidate's path appended.", "--script")]
ExitInteresting = Annotated[
    str | None, _option("zero|nonzero", "script: which exit code shows the fault.", "--exit-interesting")
]
Inputs = Annotated[
    list[str] | None,
    _option("VALUE", "wrong-result, run-*: an argument, as in 2x2xf32=1,2,3,4, f32=7 or @file.npy.", "--input"),
]
Reference = Annotated[
    str | None,
    _option("HOW", "wrong-result, run-*: numpy (default), vmvx, release:VERSION or flags:none.", "--reference"),
]
Rtol = Annotated[float | None, _option("X", "wrong-result: relative tolerance, in place of the bounds.", "--rtol")]
Atol = Annotated[float | None, _option("X", "wrong-result: absolute tolerance, in place of the bounds.", "--atol")]
Explain = Annotated[bool, _option(None, "wrong-result, run-*: tell what was compared and how.", "--explain")]
Fixed = Annotated[bool, _option(None, "A folder: no file should show its fault any more.", "--fixed")]
Junit = Annotated[str | None, _option("FILE", "A folder: write the outcome as JUnit XML.", "--junit")]
Timeout = Annotated[
    str | None, _option("TIME", "Of one compilation: 30, 90s, 10m. Default: ten times the seed's.", "--timeout")
]
Memory = Annotated[str | None, _option("SIZE", "Address space of one compilation, e.g. 8G.", "--memory")]
Output = Annotated[str | None, _option("FILE", "Default: NAME.reduced.mlir, here.", "-o", "--output")]
Jobs = Annotated[int | None, _option("N", "Default: the number of cores.", "-j", "--jobs", low=1, high=256)]
LimitTime = Annotated[str | None, _option("TIME", "Stop with the best so far.", "--limit-time")]
LimitTests = Annotated[int | None, _option("N", "Stop with the best so far.", "--limit-tests", low=1)]
Seed = Annotated[int, _option("N", "Of the random choices.", "--seed", low=0)]
Resume = Annotated[bool, _option(None, "Go on with the run folder of an interrupted reduction.", "--resume")]
Quiet = Annotated[bool, _option(None, "Say only what is wrong.", "-q", "--quiet")]
Verbose = Annotated[bool, _option(None, "Tell every test.", "-v", "--verbose")]
Json = Annotated[str | None, _option("FILE", "Write the result as JSON, - to standard output.", "--json")]

USAGE_ERROR: type[BaseException] = typer.BadParameter.__mro__[1]  # click's, or the copy of it that newer typers carry


def parse(words: Sequence[str]) -> Request | None:
    """The request that the words make; None if they asked for help or the version, which is printed.

    Raises InputError for anything that cannot be understood.
    """
    own, after = _split(words)
    name = own[0] if own and own[0] in COMMANDS else "reduce"
    app = typer.Typer(add_completion=False, rich_markup_mode=None)
    if name == "reduce":
        app.command(options_metavar="[OPTIONS] --oracle NAME", epilog=EPILOG)(_reduce)
    elif name == "check":
        app.command()(_check)
    elif name == "find":
        app.command()(_find)
    else:
        app.command()(_list)
    shown = "reduce" if name == "reduce" else f"reduce {name}"
    try:
        request = typer.main.get_command(app).main(
            list(own if name == "reduce" else own[1:]), prog_name=shown, standalone_mode=False
        )
    except USAGE_ERROR as error:
        raise InputError(f"{_said(error)}; see `{shown} --help`") from error
    except typer.Abort:
        raise KeyboardInterrupt from None
    if request == INTERRUPTED:  # typer's answer to a signal that comes while it reads the words
        raise KeyboardInterrupt
    if isinstance(request, ReduceRequest | CheckRequest):
        return replace(request, case=replace(request.case, words=after))
    if isinstance(request, FindRequest):
        return replace(request, words=after)
    return request if isinstance(request, ListRequest) else None


def _split(words: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...] | None]:
    if "--" not in words:
        return tuple(words), None
    at = list(words).index("--")
    return tuple(words[:at]), tuple(words[at + 1 :])


def _said(error: BaseException) -> str:
    message = error.format_message() if hasattr(error, "format_message") else str(error)
    text = " ".join(message.split()).rstrip(".")
    if "unexpected extra argument" in text:
        text += " (flags for iree-compile stand after --; `check` and `list` come first)"
    return text


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


def _reduce(
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
    case = _case(
        program=program, oracle=oracle, iree=iree, target=target, flag=flag, expect=expect, match=match,
        signature=signature, script=script, exit_interesting=exit_interesting, timeout=timeout, memory=memory,
        inputs=inputs, reference=reference, rtol=rtol, atol=atol,
    )  # fmt: skip
    limit_time_s = parse_seconds(limit_time, "--limit-time") if limit_time is not None else None
    return ReduceRequest(
        case, output, jobs or _cores(), limit_time_s, limit_tests, seed, resume, verbose - quiet, json
    )


def _check(
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
    case = _case(
        program=program, oracle=oracle, iree=iree, target=target, flag=flag, expect=expect, match=match,
        signature=signature, script=script, exit_interesting=exit_interesting, timeout=timeout, memory=memory,
        inputs=inputs, reference=reference, rtol=rtol, atol=atol,
    )  # fmt: skip
    return CheckRequest(case, -1 if quiet else 0, explain, fixed, junit)


def _find(
    *,
    oracle: Annotated[
        str | None, _option("NAMES", "What to look for, with commas between. Default: whatever there is.", "--oracle")
    ] = None,
    all_: Annotated[bool, _option(None, "Look for whatever there is.", "--all")] = False,
    target: Annotated[str, _option("NAMES", "What to compile for, with commas between.", "--target")] = "llvm-cpu",
    out: Annotated[str, _option("FOLDER", "Where the finds go.", "--out")] = "found",
    known: Annotated[
        list[str] | None, _option("FOLDER", "Of an earlier search: pass over what it has seen.", "--known")
    ] = None,
    iree: Iree = None,
    jobs: Jobs = None,
    limit_time: Annotated[str, _option("TIME", "When to stop: 90s, 10m; none for never.", "--limit-time")] = "10m",
    seed: Seed = 0,
    resume: Annotated[bool, _option(None, "Go on with the search in --out.", "--resume")] = False,
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
        jobs=jobs or _cores(), limit_time_s=limit_s, seed=seed, resume=resume, verbosity=-1 if quiet else 0,
    )  # fmt: skip


def _names(words: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in words.split(",") if word.strip())


def _list(
    what: Annotated[str, typer.Argument(metavar="oracles|targets|passes|releases", help="What to list.")],
    iree: Iree = None,
) -> ListRequest:
    """Say which oracles, targets, passes or releases there are."""
    return ListRequest(what, iree)


def _case(
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


def _cores() -> int:
    return len(os.sched_getaffinity(0))
