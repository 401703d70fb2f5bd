"""Worker processes: starting them, asking them, and surviving whatever they do.

Owns processes and pipes. A `Slot` is what one thread of the evaluator drives: one editing worker, and compiling
workers by their flags. A worker that crashes, hangs, eats memory or talks nonsense costs itself and is replaced on
the next question. Nothing here knows what a verdict is.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import tempfile
import time
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from oracles.diagnostics import parse_stderr
from oracles.experiment import Observation, Status
from reducer import framing, wire
from reducer.errors import FlagError, ToolchainError
from reducer.toolchain.releases import Toolchain, environment

WORKER = Path(__file__).resolve().parents[1] / "worker"
PROGRAM_NAME = "program.mlir"  # the same name in worker/compile.py: what diagnostics are looked up by
START_TIMEOUT_S = 120.0
START_ATTEMPTS = 3
EDIT_TIMEOUT_S = 120.0
WARM_COMPILERS = 3
STDERR_LIMIT_BYTES = 32 * 1024 * 1024
STDERR_KEPT_CHARS = 8_000

# One thread in each library, and crash frames printed by the library itself: the same text on every machine.
ENVIRONMENT = {
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "LLVM_DISABLE_SYMBOLIZATION": "1",
    "PYTHONDONTWRITEBYTECODE": "1",
}


class WorkerLostError(Exception):
    """The worker died, or did not answer in time, or answered nonsense. `timed_out` tells which."""

    def __init__(self, why: str, *, timed_out: bool = False) -> None:
        super().__init__(why)
        self.timed_out = timed_out


class Worker:
    """One worker process."""

    def __init__(self, toolchain: Toolchain, role: str, flags: tuple[str, ...], memory_bytes: int) -> None:
        self._toolchain = toolchain
        self._flags = flags
        # appending: the worker truncates the file between programs, and all who hold it write at its end
        descriptor, name = tempfile.mkstemp(prefix="iree-reduce-")
        append = os.open(name, os.O_RDWR | os.O_APPEND)
        os.unlink(name)
        self._output = descriptor
        to_worker, self._requests = os.pipe()
        self._replies, from_worker = os.pipe()
        self._descriptors: tuple[int, ...] = (self._requests, self._replies, self._output)
        argv = [str(toolchain.python), str(WORKER), "--read", str(to_worker), "--write", str(from_worker)]
        argv += ["--memory", str(memory_bytes), role, *flags]
        try:
            self.process = subprocess.Popen(
                argv, stdin=subprocess.DEVNULL, stdout=append, stderr=append, pass_fds=(to_worker, from_worker),
                env={**environment(toolchain), **ENVIRONMENT}, start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise ToolchainError(f"cannot start {toolchain.python}: {error.strerror}; is it executable?") from error
        finally:
            for descriptor in (to_worker, from_worker, append):
                os.close(descriptor)
        with contextlib.ExitStack() as undo:  # whatever interrupts it: no process is left
            undo.callback(self.close)
            self._greet()
            undo.pop_all()

    def _greet(self) -> None:
        try:
            hello = self._receive(START_TIMEOUT_S)
        except WorkerLostError as error:
            code = None if error.timed_out else self.ended()
            said = self.last_words().strip()
            if code == -signal.SIGKILL:
                raise WorkerLostError("killed while it was starting") from error
            raise _start_error(self._toolchain, said, error) from error
        assert isinstance(hello, wire.Hello)
        self.hello = hello

    def ask(self, request: wire.Request, timeout_s: float) -> Any:
        """The reply to `request`. Raises WorkerLostError; the worker is of no use then."""
        self.send(request, timeout_s)
        return self.receive(timeout_s)

    def send(self, request: wire.Request, timeout_s: float) -> None:
        """Ask, without waiting for the reply. Raises WorkerLostError."""
        self._send(framing.encode(request), timeout_s)

    def receive(self, timeout_s: float) -> Any:
        """The reply to what was sent. Raises WorkerLostError."""
        return self._receive(timeout_s)

    def _send(self, data: bytes, timeout_s: float) -> None:
        deadline = time.monotonic() + timeout_s
        os.set_blocking(self._requests, False)
        view = memoryview(data)
        while view:
            _, ready, _ = select.select([], [self._requests], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                raise WorkerLostError("the worker does not read", timed_out=True)
            try:
                view = view[os.write(self._requests, view) :]
            except BrokenPipeError:
                raise WorkerLostError("the worker is gone") from None

    def _receive(self, timeout_s: float) -> Any:
        deadline = time.monotonic() + timeout_s
        head = self._read(4, deadline)
        length = int.from_bytes(head, "big")
        if length > framing.MAX_FRAME_BYTES:
            raise WorkerLostError(f"the worker announced a message of {length} bytes")
        try:
            return framing.decode(self._read(length, deadline))
        except framing.WireError as error:
            raise WorkerLostError(str(error)) from error

    def _read(self, count: int, deadline: float) -> bytes:
        parts: list[bytes] = []
        while count:
            ready, _, _ = select.select([self._replies], [], [], max(0.0, deadline - time.monotonic()))
            if not ready:
                raise WorkerLostError("no answer in time", timed_out=True)
            part = os.read(self._replies, min(count, 1 << 20))
            if not part:
                raise WorkerLostError("the worker is gone")
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def last_words(self) -> str:
        """What standard output and error hold, bounded."""
        return os.pread(self._output, STDERR_LIMIT_BYTES, 0).decode("utf-8", "replace")

    def close(self) -> int:
        """End the process and everything it started; its exit code (negative: the signal). Again, it does nothing."""
        if self.process.poll() is None:
            self.kill()
        code = self.process.wait()
        descriptors, self._descriptors = self._descriptors, ()
        for descriptor in descriptors:
            os.close(descriptor)
        return code

    def kill(self) -> None:
        """End the process at once (safe from another thread)."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def ended(self, grace_s: float = 5.0) -> int | None:
        """The exit code of a process that is going down by itself; None if it is still there."""
        try:
            return self.process.wait(grace_s)
        except subprocess.TimeoutExpired:
            return None


def _start_error(toolchain: Toolchain, said: str, error: WorkerLostError) -> Exception:
    """Why a worker did not start: a flag that IREE refused, in IREE's words, or a toolchain that does not work."""
    lines = [line for line in said.splitlines() if line.strip()]
    for line in lines:
        if line.startswith("iree-compile: "):
            return FlagError(f"IREE {toolchain.release} refuses a flag: {line.removeprefix('iree-compile: ')}")
    last = lines[-1] if lines else str(error)
    return ToolchainError(f"IREE {toolchain.release} at {toolchain.python} does not start: {last}")


@dataclass
class Limits:
    """Of one experiment: seconds, and bytes of address space (0: unlimited)."""

    timeout_s: float
    memory_bytes: int


class Slot:
    """The workers of one thread. Not safe to share between threads, but for `kill`.

    warm: how many sets of flags are kept warm. patient: whether what a limit ended is asked again in a new process.
    """

    def __init__(
        self, toolchain: Toolchain, limits: Limits, warm: int = WARM_COMPILERS, *, patient: bool = True
    ) -> None:
        self._toolchain = toolchain
        self.limits = limits
        self._warm = warm
        self._patient = patient
        self._editor: Worker | None = None
        self._compilers: OrderedDict[tuple[str, ...], Worker] = OrderedDict()
        self.lost = 0
        self._retired = False
        self._busy: Worker | None = None

    def _start(self, role: str, flags: tuple[str, ...], memory_bytes: int) -> Worker:
        for _ in range(START_ATTEMPTS):  # somebody else may have killed it
            if self._retired:
                raise WorkerLostError("this slot is closed")
            try:
                self._busy = Worker(self._toolchain, role, flags, memory_bytes)
            except WorkerLostError:
                self.lost += 1
                continue
            if self._retired:  # closed while it was starting
                self._busy.kill()
            return self._busy
        why = f"{START_ATTEMPTS} workers were killed while they were starting; is there enough memory?"
        raise ToolchainError(f"IREE {self._toolchain.release} at {self._toolchain.python} does not start: {why}")

    def edit(self, request: wire.Request) -> Any:
        """An `Edited`, `Sites`, `Parameters`; a `Failure` where the edit crashed or hung its worker."""
        for attempt in (1, 2):  # somebody else may have killed the first worker
            if self._editor is None:
                self._editor = self._start("edit", (), 0)
            self._busy = self._editor
            try:
                return self._editor.ask(request, EDIT_TIMEOUT_S)
            except WorkerLostError as error:
                self._editor.close()
                self._editor = None
                self.lost += 1
                if attempt == 2 or error.timed_out:
                    return wire.Failure(f"the editing worker was lost: {error}")
        raise AssertionError("unreachable")

    def begin(self, request: wire.Request) -> None:
        """Put a question to the editing worker whose answer is called for with `finish`, and nothing before that."""
        if self._editor is None:
            self._editor = self._start("edit", (), 0)
        with contextlib.suppress(WorkerLostError):  # `finish` will find out
            self._editor.send(request, EDIT_TIMEOUT_S)

    def finish(self, timeout_s: float) -> Any:
        """The answer to what was begun; a `Failure` where it took too long or cost the worker."""
        assert self._editor is not None
        self._busy = self._editor
        try:
            return self._editor.receive(timeout_s)
        except WorkerLostError as error:
            self._editor.close()
            self._editor = None
            self.lost += 1
            return wire.Failure(f"it took longer than {timeout_s:.0f} s" if error.timed_out else str(error))

    @property
    def passes(self) -> tuple[str, ...]:
        """The names of the passes, in order."""
        if self._editor is None:
            self._editor = self._start("edit", (), 0)
        return self._editor.hello.passes

    def compile(self, flags: tuple[str, ...], request: wire.CompileRequest, timeout_s: float) -> Observation:
        """What compiling showed; a worker that dies of it, or takes too long, is an observation too.

        A time-out or a lack of memory in a process that had compiled before, or a process that somebody else killed,
        is asked again in a new one: state left behind, or the machine's own trouble, must not pass for a fault of the
        program. (What a crash is worth, a stock process must say: the evaluator asks one.)
        """
        was_warm = flags in self._compilers
        seen = self._compile(flags, request, timeout_s)
        limited = seen.status in (Status.TIMED_OUT, Status.OUT_OF_MEMORY)
        if limited and self._patient and (was_warm or seen.signal == signal.SIGKILL):
            return self._compile(flags, request, timeout_s)
        return seen

    def _compile(self, flags: tuple[str, ...], request: wire.CompileRequest, timeout_s: float) -> Observation:
        worker = self._compilers.get(flags)
        if worker is None:
            while len(self._compilers) >= self._warm:
                self._compilers.popitem(last=False)[1].close()
            worker = self._start("compile", flags, self.limits.memory_bytes)
            self._compilers[flags] = worker  # also while it is asked: whoever is interrupted closes it
        self._compilers.move_to_end(flags)
        self._busy = worker
        started = time.monotonic()
        try:
            reply = worker.ask(request, timeout_s)
        except WorkerLostError as error:
            self.lost += 1
            del self._compilers[flags]
            return _autopsy(worker, error, time.monotonic() - started)
        if isinstance(reply, Observation):
            return reply
        del self._compilers[flags]
        worker.close()
        self.lost += 1
        why = reply.message if isinstance(reply, wire.Failure) else f"a worker answered {type(reply).__name__}"
        status = Status.OUT_OF_MEMORY if "MemoryError" in why else Status.CRASHED
        return Observation(status, time.monotonic() - started, stderr=why)

    def retire(self) -> None:
        """From another thread: kill what is running and start nothing more, so that the owning thread comes back."""
        self._retired = True
        for worker in (self._busy, self._editor, *tuple(self._compilers.values())):
            if worker is not None:
                worker.kill()

    def close(self) -> None:
        """End all workers."""
        for worker in (*self._compilers.values(), self._editor, self._busy):  # busy: one that is nowhere else yet
            if worker is not None:
                worker.close()
        self._compilers.clear()
        self._editor = self._busy = None


def _autopsy(worker: Worker, error: WorkerLostError, seconds: float) -> Observation:
    """Turn the death of a worker into an observation, from its exit code and its last words."""
    timed_out = error.timed_out
    code = None if timed_out else worker.ended()
    text = worker.last_words()
    worker.close()
    said = parse_stderr(text, PROGRAM_NAME)
    if timed_out:
        status = Status.TIMED_OUT
    elif out_of_memory(text) or code == -signal.SIGKILL:
        status = Status.OUT_OF_MEMORY
    else:
        status = Status.CRASHED  # or the library called exit(); a stock process will tell
    return Observation(
        status=status,
        seconds=seconds,
        exit_code=code if code is not None and code >= 0 else None,
        signal=-code if code is not None and code < 0 else None,
        diagnostics=said.diagnostics,
        failing_passes=said.failing_passes,
        frames=said.frames,
        stderr=text[:STDERR_KEPT_CHARS],
    )


def out_of_memory(text: str) -> bool:
    """Whether a process's last words say that it ran out of memory."""
    return any(words in text for words in ("out of memory", "bad_alloc", "Allocation failed", "MemoryError"))
