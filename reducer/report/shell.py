"""NAME.reduced.sh: shows the fault with the stock `iree-compile` alone, and says by its exit status whether it does.

POSIX sh, `grep -o`, and for a hang `timeout`. What counts as the fault is one of the checks below. A check looks at
*this* program, so it may be simpler than the oracle, which had to hold for every candidate; it must still tell a
compiler that has the fault from one that does not.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass

from oracles.experiment import FunctionRun
from reducer.report.lit import shortened
from reducer.report.repro import Repro, run_arguments
from reducer.toolchain.flags import drop_flags


@dataclass(frozen=True)
class SaysError:
    """The compilation fails, and each of these texts stands in what it prints."""

    texts: tuple[str, ...]


@dataclass(frozen=True)
class PassFails:
    """The compilation fails in a pass, named by its class (`ConcretizePadResultShapePass`)."""

    pass_name: str


@dataclass(frozen=True)
class Crashes:
    """The compiler dies of a signal (any: with freed memory it can be another one each time)."""


@dataclass(frozen=True)
class Hangs:
    """The compilation takes longer than this."""

    timeout_s: float


@dataclass(frozen=True)
class SameWork:
    """With and without the flag the same dispatches hold the same ops."""

    flag: str


@dataclass(frozen=True)
class Dispatches:
    """There are at least so many dispatches, and `op`, if given, is in one of them."""

    at_least: int
    op: str = ""


@dataclass(frozen=True)
class Script:
    """The user's own script says so: by exit status 0, or with `nonzero` by any other."""

    argv: tuple[str, ...]
    nonzero: bool = False


@dataclass(frozen=True)
class RunGoesWrong:
    """The program compiles, and its run ends as the oracle of this name (`wrong-result`, `run-crash` …) says."""

    run: FunctionRun
    oracle: str
    timeout_s: float


Check = RunGoesWrong | SaysError | PassFails | Crashes | Hangs | SameWork | Dispatches | Script

_HEAD = """\
#!/bin/sh
# {seen}
# {needs}
# The compiler is the iree-compile on PATH, or $IREE_COMPILE. The program is {file_name} beside this script, or $1.
{runner}# Exit status: 0 the fault shows, 1 it does not, 2 it cannot be told.
set -u
compiler=${{IREE_COMPILE:-iree-compile}}
name={quoted_name}
program=${{1:-$(dirname -- "$0")/$name}}
command -v "$compiler" >/dev/null || {{ echo "there is no $compiler; set IREE_COMPILE" >&2; exit 2; }}
[ -r "$program" ] || {{ echo "cannot read $program" >&2; exit 2; }}
{version}work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
"""

_RUNNER = "# What runs it is the iree-run-module on PATH, or $IREE_RUN_MODULE.\n"

_COMPILE = """
# Compiles with the flags given; what the compiler says is kept in $work/log, and {what} shown.
compile() {{
  "$compiler" "$program" "$@" >"$work/log" 2>&1
  status=$?
  {show} "$work/log"
}}
"""
_SAYING_ALL = _COMPILE.format(what="is", show="cat")
_SAYING_WHICH_PASSES = _COMPILE.format(what="which passes fail is", show="grep -oE 'IR Dump After .* Failed'")
"""Where a pass fails without a word, all else that is printed is IR, hundreds of lines of it."""

_WORK = """
# The dispatches, and the ops of interest inside each.
work_of() {
  "$compiler" "$program" "$@" --compile-to=flow -o "$work/flow.mlir" >&2 || exit 2
  grep -oE 'flow\\.(executable private|dispatch @)|tensor\\.pad|(linalg|iree_linalg_ext)\\.[a-z_0-9]+' \\
    "$work/flow.mlir" || :
}
"""

_VERDICT = """
if {condition}; then
  echo {shows}
  exit 0
fi
echo {shows_not}
exit 1
"""


def write_script(repro: Repro, check: Check) -> str:
    """The text of the script. Its exit status says whether the fault shows: 0 yes, 1 no, 2 cannot be told."""
    return _head(repro, isinstance(check, RunGoesWrong)) + _body(repro, check)


def _head(repro: Repro, runs: bool) -> str:
    published = re.fullmatch(r"\d+\.\d+\.\d+", repro.release) is not None
    needs = f"Seen with IREE {repro.release or 'from a build tree'}."
    if published:
        packages = ("iree-base-compiler", "iree-base-runtime")[: 1 + runs]
        needs = f"Needs IREE {repro.release}: pip install {' '.join(f'{p}=={repro.release}' for p in packages)}"
    version = (
        f'"$compiler" --version 2>&1 | grep -qF {shlex.quote("version " + repro.release)} ||\n'
        f"  echo {shlex.quote(f'note: this is not IREE {repro.release}')} >&2\n"
        if repro.release
        else ""
    )
    return _HEAD.format(
        seen=shortened(repro.seen), needs=needs, file_name=shortened(repro.file_name), runner=_RUNNER if runs else "",
        quoted_name=shlex.quote(repro.file_name), version=version,
    )  # fmt: skip


def _body(repro: Repro, check: Check) -> str:
    flags = _words(repro.flags)
    to = "" if repro.phase == "end" else f" \\\n  --compile-to={repro.phase}"
    telling = _SAYING_WHICH_PASSES if isinstance(check, PassFails) else _SAYING_ALL
    compiling = f"{telling}\ncompile{flags}{to} \\\n  -o /dev/null"
    match check:
        case SaysError(texts):
            first_lines = [text.splitlines()[0] for text in texts if text.strip()]
            found = [f'grep -qF -e {shlex.quote(line)} "$work/log"' for line in first_lines]
            return compiling + "\n" + _verdict(" && ".join(['[ "$status" -ne 0 ]', *found]), "this error")
        case PassFails(pass_name):
            dump = shlex.quote(f"IR Dump After {pass_name} Failed")
            condition = f'[ "$status" -ne 0 ] && grep -qF -e {dump} "$work/log"'
            # in one thread: with several, some releases deadlock over printing IR
            own = ("--mlir-print-ir-after-failure", "--mlir-disable-threading")
            printing = "".join(f" \\\n  {flag}" for flag in own if flag not in repro.flags)
            return f"{compiling}{printing}\n" + _verdict(condition, f"{pass_name} fails")
        case Crashes():
            return compiling + "\n" + _verdict('[ "$status" -ge 128 ]', "the compiler crashes")
        case Hangs(timeout_s):
            return _hang(f"{flags}{to}", timeout_s)
        case SameWork(flag):
            return _same_work(repro.flags, flag)
        case Dispatches(at_least, op):
            return _dispatches(flags, at_least, op)
        case RunGoesWrong():
            return _run_goes_wrong(flags, check)
        case Script(argv, nonzero):
            condition = f'{"! " if nonzero else ""}{shlex.join(argv)} "$program"'
            return "\n" + _verdict(condition, "the script says that it is interesting")


def _same_work(flags: tuple[str, ...], flag: str) -> str:
    rest = drop_flags(flags, [flag])
    given = tuple(f for f in flags if f not in rest) or (flag,)
    return (
        f"{_WORK}\nwith=$(work_of{_words((*rest, *given))}) || exit 2\nwithout=$(work_of{_words(rest)}) || exit 2\n"
        'echo "with the flag:"; echo "$with"; echo "without:"; echo "$without"\n'
        + _verdict('[ "$with" = "$without" ]', f"{flag} changes nothing")
    )


def _dispatches(arguments: str, at_least: int, op: str) -> str:
    held = f' && echo "$found" | grep -qxF {shlex.quote(op)}' if op else ""
    what = f"{at_least} or more dispatches" + (f", {op} in one of them" if op else "")
    return (
        f'{_WORK}\nfound=$(work_of{arguments}) || exit 2\necho "$found"\n'
        'count=$(echo "$found" | grep -cF "flow.dispatch @")\n' + _verdict(f'[ "$count" -ge {at_least} ]{held}', what)
    )


_NEEDS_TIMEOUT = 'command -v timeout >/dev/null || { echo "there is no timeout command" >&2; exit 2; }\n'


def _hang(arguments: str, timeout_s: float) -> str:
    return (
        f"\n{_NEEDS_TIMEOUT}"
        f'timeout -s KILL {timeout_s:g} "$compiler" "$program"{arguments} \\\n  -o /dev/null\nstatus=$?\n'
        + _verdict('[ "$status" -eq 137 ] || [ "$status" -eq 124 ]', f"it takes longer than {timeout_s:g} s")
    )


_RUNNING = """
command -v "$runner" >/dev/null || {{ echo "there is no $runner; set IREE_RUN_MODULE" >&2; exit 2; }}
"$compiler" "$program"{flags} \\
  -o "$work/module.vmfb" 2>"$work/log" || {{ cat "$work/log"; echo "it does not compile" >&2; exit 2; }}
{limit}"$runner" --module="$work/module.vmfb" --device=local-sync{arguments} >"$work/log" 2>&1
status=$?
cat "$work/log"
"""

_ENDINGS = {
    "wrong-result": ("[ \"$status\" -ne 0 ] && grep -qF '[FAILED]' \"$work/log\"", "the result is wrong"),
    "run-failure": ('[ "$status" -ne 0 ] && [ "$status" -lt 128 ]', "the run fails"),
    "run-crash": ('[ "$status" -ge 128 ]', "the run crashes"),
    "run-hang": ('[ "$status" -eq 137 ] || [ "$status" -eq 124 ]', "the run does not end"),
}


def _run_goes_wrong(flags: str, check: RunGoesWrong) -> str:
    """Compile to a file and run that; what it should return is compared by `iree-run-module` itself."""
    run = check.run
    arguments = run_arguments(run, compared=check.oracle == "wrong-result")
    hangs = check.oracle == "run-hang"
    limit = f"timeout -s KILL {check.timeout_s:g} " if hangs else ""
    running = _RUNNING.format(flags=flags, limit=limit, arguments=_words(tuple(arguments)))
    needs = f"\n{_NEEDS_TIMEOUT}" if hangs else "\n"
    return needs + "runner=${IREE_RUN_MODULE:-iree-run-module}" + running + _verdict(*_ENDINGS[check.oracle])


def _words(flags: tuple[str, ...]) -> str:
    return "".join(f" \\\n  {shlex.quote(flag)}" for flag in flags)


def _verdict(condition: str, what: str) -> str:
    return _VERDICT.format(
        condition=condition,
        shows=shlex.quote(f"the fault shows: {what}"),
        shows_not=shlex.quote(f"the fault does not show (it would be: {what})"),
    )
