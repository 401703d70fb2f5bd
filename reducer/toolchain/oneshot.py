"""One question, one fresh process: the stock `iree-compile`, or the user's script.

Owns what a process may use (time, address space, output) and that nothing of it is left behind: it runs in a session of
its own, which is killed as a group; what a script starts is also known by a mark in its environment, because `timeout`
and `setsid` leave the group. It keeps no state and decides nothing: a limit that is hit is an observation.
"""

from __future__ import annotations

import contextlib
import os
import re
import select
import shutil
import signal
import subprocess
import tempfile
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from oracles.diagnostics import Parsed, parse_stderr
from oracles.experiment import Observation, Status
from reducer.errors import InputError, ToolchainError
from reducer.toolchain.releases import Toolchain

HEAD_BYTES = 2 * 1024 * 1024
"""How much of what a process prints is kept from its beginning (the diagnostics) ..."""
TAIL_BYTES = 1024 * 1024
"""... and from its end (the frames of a crash)."""
FILE_BYTES = 2 * 1024**3
"""The largest file that a process may write."""

PASSES_FLAGS = (
    "--mlir-print-ir-after-failure",
    "--mlir-disable-threading",
    "--mlir-elide-elementsattrs-if-larger=16",
    "--mlir-elide-resource-strings-if-larger=16",
)
"""Failing passes are printed in one thread: IREE 3.3.0 with several deadlocked in 1 of 15 runs on a failing program."""

QUIET = {"LLVM_DISABLE_SYMBOLIZATION": "1"}
"""Crash frames as the library prints them, whether or not this machine has an `llvm-symbolizer`: as in the workers."""

MARK = "IREE_REDUCE_SCRIPT"
"""The variable by which everything is known that a script has started."""

_KILL_ROUNDS = 100
_POLL_S = 0.05
_PARSE_TIMEOUT_S = 60.0
_PARSED = re.compile(r"must precede compile-to phase")
_OUT_OF_MEMORY = re.compile(
    r"out of memory|std::bad_alloc|Cannot allocate memory|Allocation failed|failed to map segment", re.I
)


Stopped = Callable[[], bool]


def never() -> bool:
    """Nobody asks a process to stop before its time is up."""
    return False


@dataclass(frozen=True)
class Ended:
    """How a process ended. code: as `subprocess` has it, negative for a signal; None if its time ran out."""

    code: int | None
    seconds: float
    output: str


def compile_command(flags: Sequence[str], phase: str) -> tuple[str, ...]:
    """The stock command line that compiles to `phase`, without the program's path; its output goes nowhere."""
    to = () if phase == "end" else (f"--compile-to={phase}",)
    return ("iree-compile", *flags, *to, "-o", "/dev/null")


def compile_once(
    toolchain: Toolchain,
    program_path: Path,
    flags: Sequence[str],
    phase: str,
    *,
    timeout_s: float,
    memory_bytes: int | None,
    want_ir: bool = False,
    want_passes: bool = False,
    output: Path | None = None,
    stopped: Stopped = never,
) -> Observation:
    """Compile the program at `program_path` to `phase` with the stock `iree-compile` in a fresh process.

    timeout_s: seconds; memory_bytes: address space, None for no limit.
    want_ir: fill in `ir` (for phases before "vm"). want_passes: fill in `failing_passes`, by a second compilation if
        the first fails. (Printing the IR on failure is not harmless enough for the first: it walks IR that a fault may
        have left half-freed, and turns one crash into another.)
    output: a file for the compiled module, of a compilation to "end".
    stopped: see `run_limited`.
    """
    command = compile_command(flags, phase)
    program_path = program_path.absolute()  # a name may begin like a flag
    with tempfile.TemporaryDirectory(prefix="iree-reduce-") as scratch:
        written = Path(scratch) / "out.mlir" if want_ir else output or Path(os.devnull)
        argv = [str(toolchain.iree_compile), str(program_path), *command[1:-1], str(written)]
        ended = run_limited(argv, timeout_s=timeout_s, memory_bytes=memory_bytes, extra_env=QUIET, stopped=stopped)
        ir = written.read_text("utf-8", "replace") if want_ir and ended.code == 0 and written.exists() else ""
    parsed = parse_stderr(ended.output, str(program_path))
    observation = replace(_observation(ended, parsed), failing_passes=(), ir=ir, command=command)
    if observation.status is not Status.FAILED or parsed.usage:
        return observation
    if want_passes:
        named = {_bare(flag) for flag in flags}  # IREE refuses some flags the second time
        own = [flag for flag in PASSES_FLAGS if _bare(flag) not in named]
        argv = [str(toolchain.iree_compile), str(program_path), *command[1:], *own]
        again = run_limited(argv, timeout_s=timeout_s, memory_bytes=memory_bytes, extra_env=QUIET, stopped=stopped)
        passes = parse_stderr(again.output, str(program_path)).failing_passes
        if passes:
            return replace(observation, failing_passes=passes)
    return replace(observation, parsed=_is_parsed(toolchain, program_path, flags, memory_bytes, stopped))


def observed(ended: Ended, name: str) -> Observation:
    """What a process that was given the file `name` says of itself; of its failing passes too, if it names them."""
    return _observation(ended, parse_stderr(ended.output, name))


def _observation(ended: Ended, parsed: Parsed) -> Observation:
    return Observation(
        status=_status(ended),
        seconds=ended.seconds,
        exit_code=_exit_code(ended),
        signal=_signal(ended),
        diagnostics=parsed.diagnostics,
        failing_passes=parsed.failing_passes,
        frames=parsed.frames,
        stderr=ended.output,
    )


def run_script(
    toolchain: Toolchain, argv: Sequence[str], program_path: Path, timeout_s: float, *, stopped: Stopped = never
) -> Observation:
    """Run the user's script with the program's path appended; `exit_code` is its answer.

    The toolchain's `iree-compile` and `iree-run-module` are the first on its PATH.
    Raises InputError if it cannot be started at all.
    """
    command = (*argv, str(program_path))
    mark = uuid.uuid4().hex
    tools = (str(toolchain.iree_compile.parent), str(toolchain.iree_run_module.parent))
    path = os.pathsep.join((*tools, os.environ.get("PATH", os.defpath)))
    try:
        ended = run_limited(
            command, timeout_s=timeout_s, memory_bytes=None, limit_files=False,
            extra_env={MARK: mark, "PATH": path}, stopped=stopped,
        )  # fmt: skip
    except ToolchainError as error:
        raise InputError(f"the script cannot be run: {error}; give an executable file") from error
    finally:
        _end_marked(mark)
    return Observation(
        status=_status(ended), seconds=ended.seconds, exit_code=_exit_code(ended), signal=_signal(ended),
        stderr=ended.output, command=tuple(argv),
    )  # fmt: skip


def run_limited(
    argv: Sequence[str],
    *,
    timeout_s: float,
    memory_bytes: int | None,
    limit_files: bool = True,
    extra_env: Mapping[str, str] | None = None,
    stopped: Stopped = never,
) -> Ended:
    """Run a command in a session of its own, and end with it whatever it has started.

    Its two outputs are read as one, bounded by HEAD_BYTES and TAIL_BYTES. The limits are set by a shell that then
    becomes the command, not between fork and exec: the main process has threads. The limit on processor time, far above
    what `timeout_s` allows, ends the command even if the main process is killed and nobody is left to watch it.
    stopped: asked all the time, from the thread that waits; as soon as it says so, the time is up.
    Raises ToolchainError if it cannot be started.
    """
    limits = ["ulimit -c 0", f"ulimit -t {int(timeout_s + 1) * (os.cpu_count() or 1) + 10}"]
    if limit_files:
        limits.append(f"ulimit -f {FILE_BYTES // 512}")
    if memory_bytes is not None:
        limits.append(f"ulimit -v {max(memory_bytes // 1024, 1)}")
    if shutil.which(argv[0]) is None:
        raise ToolchainError(f"{argv[0]} is not an executable file")
    shell = ["/bin/sh", "-c", "; ".join(limits) + '; exec "$@"', "sh", *argv]
    start = time.monotonic()
    try:
        process = subprocess.Popen(
            shell, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
            env={**os.environ, **(extra_env or {})},
        )  # fmt: skip
    except OSError as error:
        raise ToolchainError(f"{argv[0]} cannot be run: {error.strerror or error}") from error
    try:
        kept, finished = _follow(process, start + timeout_s, stopped)
    finally:
        _end_group(process)
    seconds = time.monotonic() - start
    return Ended(process.returncode if finished else None, seconds, kept.text())


def _bare(flag: str) -> str:
    return flag.partition("=")[0].lstrip("-")


class _Kept:
    """The beginning and the end of a stream of bytes."""

    def __init__(self) -> None:
        self._head = bytearray()
        self._tail = bytearray()
        self._lost = 0

    def add(self, data: bytes) -> None:
        room = HEAD_BYTES - len(self._head)
        self._head += data[:room]
        self._tail += data[room:] if room < len(data) else b""
        if len(self._tail) > 2 * TAIL_BYTES:
            self._lost += len(self._tail) - TAIL_BYTES
            del self._tail[:-TAIL_BYTES]

    def text(self) -> str:
        middle = f"\n[{self._lost} bytes left out]\n".encode() if self._lost else b""
        return (bytes(self._head) + middle + bytes(self._tail)).decode("utf-8", "replace")


def _follow(process: subprocess.Popen[bytes], deadline: float, stopped: Stopped) -> tuple[_Kept, bool]:
    """Read what the process prints until it ends or its time is up; says which.

    The end is the process's own, not its output's: something that it started may hold the pipe open for ever.
    """
    assert process.stdout is not None
    kept = _Kept()
    pipe = process.stdout.fileno()
    is_open = True
    while True:
        ended = _has_ended(process)
        wait_s = 0.0 if ended else max(0.0, min(_POLL_S, deadline - time.monotonic()))
        if is_open:
            while select.select([pipe], [], [], wait_s)[0]:
                data = os.read(pipe, 1 << 16)
                if not data:
                    is_open = False
                    break
                kept.add(data)
                if time.monotonic() > deadline or stopped():
                    break
                wait_s = 0.0
        elif not ended:
            time.sleep(min(wait_s, 0.002))
        if ended:
            return kept, True
        if time.monotonic() > deadline or stopped():
            return kept, False


def _has_ended(process: subprocess.Popen[bytes]) -> bool:
    """Whether it has ended, leaving its entry in the process table, so that its group's number stays taken."""
    return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None


def _end_group(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if process.stdout is not None:
        process.stdout.close()


def _end_marked(mark: str) -> None:
    """Kill every process that has this mark, and what those start meanwhile."""
    entry = f"{MARK}={mark}".encode()
    for _ in range(_KILL_ROUNDS):
        pids = [pid for pid in _processes() if entry in _environ(pid)]
        if not pids:
            return
        for pid in pids:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.001)


def _processes() -> list[int]:
    with os.scandir("/proc") as entries:
        return [int(entry.name) for entry in entries if entry.name.isdigit()]


def _environ(pid: int) -> list[bytes]:
    """What a process was started with; nothing of one that has ended or is somebody else's."""
    try:
        return Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return []


def _exit_code(ended: Ended) -> int | None:
    return ended.code if ended.code is not None and ended.code >= 0 else None


def _signal(ended: Ended) -> int | None:
    return -ended.code if ended.code is not None and ended.code < 0 else None


def _status(ended: Ended) -> Status:
    if ended.code is None:
        return Status.TIMED_OUT
    if ended.code == 0:
        return Status.OK
    if ended.code == -signal.SIGKILL or _OUT_OF_MEMORY.search(ended.output):
        return Status.OUT_OF_MEMORY
    return Status.CRASHED if ended.code < 0 else Status.FAILED


def _is_parsed(
    toolchain: Toolchain, program_path: Path, flags: Sequence[str], memory_bytes: int | None, stopped: Stopped
) -> bool:
    """Whether the release accepts the program before any pass.

    Asked by a second, very short compilation: from the start to the start. A program that was read is answered with the
    complaint that there is nothing to do.
    """
    argv = [str(toolchain.iree_compile), str(program_path), *compile_command(flags, "start")[1:]]
    ended = run_limited(argv, timeout_s=_PARSE_TIMEOUT_S, memory_bytes=memory_bytes, stopped=stopped)
    return ended.code == 0 or _PARSED.search(ended.output) is not None
