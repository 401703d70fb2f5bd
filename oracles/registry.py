"""The oracles by name, in the order in which they are listed, and how to make one from what a user gives.

Owns the checking of the user's words: every mistake is a UsageError of one line. Adding an oracle is adding a row here.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

from oracles.crash import Crash
from oracles.diagnostic import DiagnosticError
from oracles.dispatch_count import DispatchCount
from oracles.dispatches import FLAG_CONSUMER
from oracles.experiment import NUMPY, Run
from oracles.hang import Hang
from oracles.judging import Wanted
from oracles.no_op_flag import NoOpFlag
from oracles.run_fault import RunFault
from oracles.script import Script
from oracles.signature import LEVELS, Level
from oracles.translation_error import TranslationError
from oracles.two_dispatches import TwoDispatches
from oracles.unsupported_fusion import UnsupportedFusion
from oracles.verdict import Oracle
from oracles.wrong_result import WrongResult

DEFAULT_TIMEOUT_S = 30.0
_VALUES = {"expect": "N", "script": "CMD, a command that is run with the program's path appended"}


class UsageError(ValueError):
    """A request that no oracle can be made from; the message says what, shows the value and names what to try."""


@dataclass(frozen=True)
class Options:
    """What a user may say about an oracle; see `make`."""

    wanted: Wanted
    flag: str | None
    expect: int | None
    timeout_s: float | None
    script: tuple[str, ...] | None
    exit_interesting: str
    run: Run


@dataclass(frozen=True)
class OracleKind:
    """A row of the list of oracles. summary: one line, for people. needs: the options that must be given."""

    name: str
    summary: str
    factory: Callable[[Options], Oracle]
    needs: tuple[str, ...] = ()


def _script(options: Options) -> Oracle:
    if options.exit_interesting == "zero":
        return Script(options.script or ())
    if options.exit_interesting == "nonzero":
        return Script(options.script or (), "nonzero")
    raise UsageError(f"--exit-interesting is {options.exit_interesting!r}: try zero or nonzero")


def _dispatch_count(options: Options) -> Oracle:
    assert options.expect is not None
    if options.expect < 0:
        raise UsageError(f"--expect is {options.expect}: try 0 or more")
    return DispatchCount(options.expect, options.wanted)


def _hang(options: Options) -> Oracle:
    return Hang(_limit_s(options))


def _limit_s(options: Options) -> float:
    timeout_s = DEFAULT_TIMEOUT_S if options.timeout_s is None else options.timeout_s
    if not timeout_s > 0:
        raise UsageError(f"--timeout is {timeout_s:g}: try a number of seconds above 0")
    return timeout_s


ORACLES: tuple[OracleKind, ...] = (
    OracleKind(
        NoOpFlag.name,
        "a padding-fusion flag (--flag) changes nothing about where the work goes",
        lambda options: NoOpFlag(_flag(options.flag), options.wanted),
    ),
    OracleKind(
        TwoDispatches.name,
        "with the producer flag a pad and the convolution that it feeds are in different dispatches",
        lambda options: TwoDispatches(wanted=options.wanted),
    ),
    OracleKind(DispatchCount.name, "more dispatches than --expect", _dispatch_count, ("expect",)),
    OracleKind(
        TranslationError.name,
        "an executable fails to translate for the target",
        lambda options: TranslationError(options.wanted),
    ),
    OracleKind(
        UnsupportedFusion.name,
        "with both padding-fusion flags the pad is fused and the dispatch fails to translate",
        lambda options: UnsupportedFusion(options.wanted),
    ),
    OracleKind(Crash.name, "the compiler dies", lambda options: Crash(options.wanted)),
    OracleKind(Hang.name, "compilation takes longer than --timeout, and in a new process than twice that", _hang),
    OracleKind(
        DiagnosticError.name,
        "any error of the compiler, by what it says (--match)",
        lambda options: DiagnosticError(options.wanted),
    ),
    OracleKind(
        WrongResult.name,
        "it compiles and runs, and a result is not what the program means (--input, --reference, --rtol, --atol)",
        lambda options: WrongResult(options.wanted, options.run),
    ),
    OracleKind(
        "run-failure",
        "it compiles, and its run ends with an error of the runtime",
        lambda options: RunFault("run-failure", options.wanted, options.run),
    ),
    OracleKind(
        "run-crash",
        "it compiles, and its run crashes",
        lambda options: RunFault("run-crash", options.wanted, options.run),
    ),
    OracleKind(
        "run-hang",
        "it compiles, and its run does not end in --timeout",
        lambda options: RunFault("run-hang", options.wanted, replace(options.run, timeout_s=_limit_s(options))),
    ),
    OracleKind(Script.name, "your own script (--script) says so by its exit code", _script, ("script",)),
)


def make(
    name: str,
    *,
    match: str | None = None,
    level: str = "message",
    flag: str | None = None,
    expect: int | None = None,
    timeout_s: float | None = None,
    script: tuple[str, ...] | None = None,
    exit_interesting: str = "zero",
    reference: str = NUMPY,
    rtol: float | None = None,
    atol: float | None = None,
) -> Oracle:
    """Make the oracle `name`.

    match: a regular expression that takes the place of the seed's signature.
    level: how much of a signature must stay the same, one of LEVELS.
    flag: of no-op-flag; the consumer flag by default. expect: of dispatch-count. timeout_s: of hang, seconds.
    script: of script, argv. exit_interesting: of script, "zero" or "nonzero".
    reference, rtol, atol: of the oracles that run programs, see `experiment.Run`. Raises UsageError.
    """
    kind = next((k for k in ORACLES if k.name == name), None)
    if kind is None:
        raise UsageError(_unknown(name))
    wanted = Wanted(None, _regex(match), _level(level))
    run = _run(reference, rtol, atol)
    options = Options(wanted, flag, expect, timeout_s, script, exit_interesting, run)
    for need in kind.needs:
        if getattr(options, need) in (None, ()):
            raise UsageError(f"{name} needs --{need}: add --{need} {_VALUES[need]}")
    return kind.factory(options)


def _run(reference: str, rtol: float | None, atol: float | None) -> Run:
    if not re.fullmatch(rf"{NUMPY}|vmvx|flags:none|release:\S+", reference):
        raise UsageError(f"--reference is {reference!r}: try {NUMPY}, vmvx, flags:none or release:3.12.0")
    for name, value in (("--rtol", rtol), ("--atol", atol)):
        if value is not None and not 0 <= value < math.inf:
            raise UsageError(f"{name} is {value:g}: try a number from 0 on, such as 1e-5")
    return Run(reference, rtol, atol)


def runs_programs(oracle: Oracle) -> bool:
    """Whether the oracle runs what it compiles."""
    return isinstance(oracle, WrongResult | RunFault)


def _unknown(name: str) -> str:
    names = [kind.name for kind in ORACLES]
    near = difflib.get_close_matches(name, names, n=2)
    hint = f"did you mean {' or '.join(near)}?" if near else f"known are {', '.join(names)}"
    return f"unknown oracle {name!r}: {hint}"


def _regex(pattern: str | None) -> str | None:
    if pattern is None:
        return None
    try:
        re.compile(pattern)
    except re.error as error:
        raise UsageError(
            f"--match is {pattern!r}, no regular expression: {error}; try re.escape for plain text"
        ) from error
    return pattern


def _level(level: str) -> Level:
    for known in LEVELS:
        if level == known:
            return known
    raise UsageError(f"unknown signature level {level!r}: try {', '.join(LEVELS)}")


def _flag(flag: str | None) -> str:
    if flag is None:
        return FLAG_CONSUMER
    if not re.match(r"--?[A-Za-z]", flag):
        raise UsageError(f"--flag is {flag!r}: try an option of iree-compile, as in --flag={FLAG_CONSUMER}")
    return flag
