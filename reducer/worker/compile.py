"""Compiles programs in this process through IREE's C API, with the compiler library loaded and initialised once.

Owns the library's global state: flags are set once, at start, because many of IREE's are process-global. Each program
is a fresh invocation; a session, whose context is expensive to fill with dialects, serves a few dozen small programs
that compile, none of them further than the flow phase: what the later phases load slows down every canonicalizer of the
earlier ones. Diagnostics are read back from the file that standard error was made (see entry.py).
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from oracles.diagnostics import parse_stderr
from oracles.experiment import Observation, Status
from reducer import wire
from reducer.worker.library import CallError, Library

# What a program is called in diagnostics; the parser of standard error looks for it.
PROGRAM_NAME = "program.mlir"

# Standard error that is kept of one compilation. IR dumps after a failed pass can be long; what matters comes first.
STDERR_LIMIT_BYTES = 32 * 1024 * 1024
STDERR_KEPT_CHARS = 8_000

# A session's context keeps every attribute that it ever saw, and every blob: a new one after so many programs, or a
# program of so many bytes.
SESSION_PROGRAMS = 50
SESSION_PROGRAM_BYTES = 200_000
SESSION_PHASES = ("input", "flow")

# Added unless the user's flags set them: one thread a worker, and failing passes named on standard error, the IR that
# comes with them kept short.
OWN_FLAGS = (
    "--mlir-disable-threading",
    "--mlir-print-ir-after-failure",
    "--mlir-elide-elementsattrs-if-larger=32",
    "--mlir-elide-resource-strings-if-larger=32",
)


class Compiler:
    """The compiler library under one set of flags. Raises SystemExit (from the library) if a flag is unknown."""

    def __init__(self, flags: list[str]) -> None:
        named = {flag.split("=", 1)[0].lstrip("-") for flag in flags}
        own = [flag for flag in OWN_FLAGS if flag.split("=", 1)[0].lstrip("-") not in named]
        self._library = Library(["iree-compile", *flags, *own])
        self._programs = 0  # of the session

    def compile(self, request: wire.CompileRequest) -> Observation:
        """Compile to the phase asked for. Never raises for what the program or the compiler does."""
        _forget_output()
        started = time.perf_counter()
        parsed, succeeded, ir = self._invoke(request)
        seconds = time.perf_counter() - started
        self._programs += 1
        if not succeeded or self._is_session_used_up(request):
            self._library.renew()
            self._programs = 0
        text = "" if succeeded and not _output_bytes() else _read_output()
        said = parse_stderr(text, PROGRAM_NAME)
        return Observation(
            status=Status.OK if succeeded else Status.FAILED,
            seconds=seconds,
            parsed=parsed,
            exit_code=0 if succeeded else 1,
            diagnostics=said.diagnostics,
            failing_passes=said.failing_passes,
            ir=ir,
            stderr=text[:STDERR_KEPT_CHARS],
        )

    def _is_session_used_up(self, request: wire.CompileRequest) -> bool:
        large = len(request.program) > SESSION_PROGRAM_BYTES
        return large or self._programs >= SESSION_PROGRAMS or request.phase not in SESSION_PHASES

    def _invoke(self, request: wire.CompileRequest) -> tuple[bool, bool, str]:
        """(parsed, succeeded, IR at the phase if asked for). Serialises at the end, as the binary would."""
        source = request.program.encode("utf-8", "surrogateescape")
        with self._library.invocation(PROGRAM_NAME, source) as invocation:
            if not invocation.parse():
                return False, False, ""
            if not invocation.compile(request.phase):
                return True, False, ""
            try:
                if request.phase == "end":
                    module = invocation.bytecode()
                    if request.output:
                        Path(request.output).write_bytes(module)
                return True, True, invocation.ir() if request.ir else ""
            except CallError as error:
                print(f"error: {error}", file=sys.stderr, flush=True)
                return True, False, ""


def _forget_output() -> None:
    sys.stdout.flush()
    sys.stderr.flush()
    os.ftruncate(2, 0)


def _output_bytes() -> int:
    return os.fstat(2).st_size


def _read_output() -> str:
    sys.stderr.flush()
    return os.pread(2, STDERR_LIMIT_BYTES, 0).decode("utf-8", "replace")
