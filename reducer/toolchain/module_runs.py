"""One run of a compiled module: the stock `iree-run-module` in a fresh process, whatever the generated code does to it.

Owns its command line and what its answer means. A process of its own costs 12 ms, a few percent of compiling the
smallest program, and its arguments are right on every release: the runtimes' Python bindings up to 3.6.0 deliver 0.0
for an f32 argument.
"""

from __future__ import annotations

import math
import re
import signal
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from reducer.toolchain.oneshot import Ended, Stopped, never, run_limited
from reducer.toolchain.releases import Toolchain
from reducer.toolchain.targets import version

DEVICE = "local-sync"
FLAGS_FILE = "run.flags"

# Results whose element type NumPy's files do not know are written as plain bytes. A torch program does not say the
# types of its results (`!hal.buffer_view`): they are mostly of the others.
NPY_ELEMENTS = frozenset({"f16", "f32", "f64", "i8", "i16", "i32", "i64", "!hal.buffer_view"})

# What it takes for the same, absolutely and, of the releases that know `--expected_rtol`, times the value.
_TOLERANCES = {"f16": 1e-3, "f32": 1e-4, "f64": 1e-4, "bf16": 1e-2}
_RELATIVE = 1e-5
_SINCE_RELATIVE = (3, 12)  # and for bf16

_STATUS = re.compile(r"\b([A-Z]{2,}(?:_[A-Z]+)*); ([^\n]*)")
_DIFFERS = re.compile(r"\[FAILED\]")


@dataclass(frozen=True)
class ModuleRun:
    """How a run ended: "returned", "failed", "crashed" or "timed out". said: the first line of a failure.

    agrees: whether what was returned is what was expected, by the tool's own tolerance; None if nothing was expected.
    """

    ended: str
    said: str
    seconds: float
    agrees: bool | None = None


def result_file(folder: Path, number: int, element: str) -> Path:
    """Where a result of this element type is written."""
    return folder / f"result{number}.{'npy' if element in NPY_ELEMENTS else 'bin'}"


def tolerances(margins: Sequence[tuple[str, float, float, float]], release: str) -> tuple[str, ...]:
    """Flags with which the release sees what is wrong, and nothing else if that can be: none if it does without.

    margins: an element type, what may be off, what is off most, and what was expected there; one a result.
    """
    relative = _RELATIVE if _has_relative(release) else 0.0
    known = _TOLERANCES if _has_relative(release) else {k: t for k, t in _TOLERANCES.items() if k != "bf16"}
    flags, exactly = [], False
    for kind in dict.fromkeys(m[0] for m in margins if m[0] in known):
        of_kind = [m for m in margins if m[0] == kind]
        allowed = max(m[1] for m in of_kind)
        _, _, apart, size = max(of_kind, key=lambda m: m[2])
        hidden = 0 < apart <= known[kind] + relative * size
        if not hidden and allowed <= known[kind]:
            continue
        flags.append(f"--expected_{kind}_threshold={_between(allowed, apart or math.inf)}")
        exactly = exactly or hidden
    return (*flags, "--expected_rtol=0") if exactly and relative else tuple(flags)


def _has_relative(release: str) -> bool:
    return (version(release) or _SINCE_RELATIVE) >= _SINCE_RELATIVE


def _between(allowed: float, apart: float) -> str:
    """A short number of at least what is allowed and less than what is off; failing that, of less than what is off."""
    least = allowed if allowed < apart else 0.0
    middle = least * 2 or (apart / 2 if math.isfinite(apart) else 0.0)
    if middle >= apart:
        middle = least + (apart - least) / 2
    for digits in range(1, 17):
        text = f"{middle:.{digits}g}"
        if least <= float(text) < apart:
            return text
    return repr(middle)


def run_module(
    toolchain: Toolchain,
    module: Path,
    function: str,
    inputs: Sequence[str],
    *,
    outputs: Sequence[Path] = (),
    tolerant: Sequence[str] = (),
    expected: Sequence[str] = (),
    timeout_s: float,
    memory_bytes: int | None = None,
    stopped: Stopped = never,
) -> ModuleRun:
    """Run a function of a compiled module.

    inputs, expected: as `--input=` and `--expected_output=` take them; outputs: files, one a result; tolerant: flags
    for the comparison.
    The flags go through a file beside the module: values may be longer than a command line.
    """
    flags = [f"--module={module}", f"--function={function}", f"--device={DEVICE}"]
    flags += [f"--input={text}" for text in inputs]
    flags += [f"--output=@{path}" for path in outputs]
    flags += [*tolerant, *(f"--expected_output={text}" for text in expected)]
    path = module.parent / FLAGS_FILE
    path.write_text("\n".join(flags) + "\n", "utf-8")
    argv = [str(toolchain.iree_run_module), f"--flagfile={path}"]
    ended = run_limited(argv, timeout_s=timeout_s, memory_bytes=memory_bytes, stopped=stopped)
    return _judged(ended, bool(expected))


def _judged(ended: Ended, expected: bool) -> ModuleRun:
    if ended.code is None:
        return ModuleRun("timed out", f"no end after {ended.seconds:.1f} s", ended.seconds)
    if ended.code < 0:
        return ModuleRun("crashed", f"died of {_name(-ended.code)}", ended.seconds)
    differs = expected and _DIFFERS.search(ended.output) is not None
    if ended.code == 0 or differs:
        return ModuleRun("returned", "", ended.seconds, None if not expected else not differs)
    return ModuleRun("failed", _first_failure(ended.output), ended.seconds)


def _first_failure(output: str) -> str:
    match = _STATUS.search(output)
    if match is not None:
        return f"{match[1]}; {match[2]}".strip(" ;")
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    return lines[-1] if lines else "no reason given"


def _name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
