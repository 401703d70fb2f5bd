"""Compiles programs in this process through IREE's C API, with the compiler library loaded and initialised once.

Owns the library's global state: flags are set once, at start, because many of IREE's are process-global. Each program
is a fresh session and invocation. Diagnostics are read back from the file that standard error was made (see
entry.py).
"""

from __future__ import annotations

import ctypes
import os
import sys
import time
from typing import Any

from oracles.diagnostics import parse_stderr
from oracles.experiment import Observation, Status
from reducer import wire

# What a program is called in diagnostics; the parser of standard error looks for it.
PROGRAM_NAME = "program.mlir"

# Standard error that is kept of one compilation. IR dumps after a failed pass can be long; what matters comes first.
STDERR_LIMIT_BYTES = 32 * 1024 * 1024
STDERR_KEPT_CHARS = 8_000

# Added unless the user's flags set them: one thread a worker ...
OWN_FLAGS = ("--mlir-disable-threading",)
# ... and failing passes named on standard error, the IR that comes with them kept short.
NAME_PASSES_FLAGS = (
    "--mlir-print-ir-after-failure",
    "--mlir-elide-elementsattrs-if-larger=32",
    "--mlir-elide-resource-strings-if-larger=32",
)


class Compiler:
    """The compiler library under one set of flags. Raises SystemExit (from the library) if a flag is unknown."""

    def __init__(self, flags: list[str], *, name_passes: bool) -> None:
        from iree.compiler.api import ctypes_dl

        self._api = ctypes_dl
        self._library = ctypes_dl._dylib
        named = {flag.split("=", 1)[0].lstrip("-") for flag in flags}
        wanted = OWN_FLAGS + (NAME_PASSES_FLAGS if name_passes else ())
        own = [flag for flag in wanted if flag.split("=", 1)[0].lstrip("-") not in named]
        self._set_flags(["iree-compile", *flags, *own])
        set_phase = self._library.ireeCompilerInvocationSetCompileToPhase
        set_phase.argtypes, set_phase.restype = [ctypes.c_void_p, ctypes.c_char_p], None
        self._set_phase = set_phase

    def _set_flags(self, argv: list[str]) -> None:
        """Parse the flags as the `iree-compile` binary does, its crash handler installed.

        The C strings stay alive with this object: the crash handler prints them.
        """
        self._argv = (ctypes.c_char_p * len(argv))(*[ctypes.c_char_p(arg.encode()) for arg in argv])
        self._library.ireeCompilerSetupGlobalCL(len(argv), self._argv, b"iree-compile", True)

    def compile(self, request: wire.CompileRequest) -> Observation:
        """Compile to the phase asked for. Never raises for what the program or the compiler does."""
        _forget_output()
        started = time.perf_counter()
        parsed, succeeded, ir = self._invoke(request)
        seconds = time.perf_counter() - started
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

    def _invoke(self, request: wire.CompileRequest) -> tuple[bool, bool, str]:
        """(parsed, succeeded, IR at the phase if asked for)."""
        api = self._api
        with api.Session() as session, session.invocation() as invocation:
            invocation.enable_console_diagnostics()
            source = request.program.encode("utf-8", "surrogateescape") + b"\0"
            wrapped = api.Source.wrap_buffer(session, source, buffer_name=PROGRAM_NAME)
            if not invocation.parse_source(wrapped):
                return False, False, ""
            self._set_phase(invocation._inv_p, request.phase.encode())
            if not invocation.execute():
                return True, False, ""
            try:
                return True, True, self._output(invocation, request)
            except ValueError as error:
                print(f"error: {error}", file=sys.stderr, flush=True)
                return True, False, ""

    def _output(self, invocation: Any, request: wire.CompileRequest) -> str:
        """Serialise as the binary would: bytecode at the end (that step can fail too), IR before it."""
        output = self._api.Output.open_membuffer()
        try:
            if request.phase == "end":
                invocation.output_vm_bytecode(output)
                return ""
            if not request.ir:
                return ""
            invocation.output_ir(output)
            return bytes(output.map_memory()).decode("utf-8", "replace")
        finally:
            output.close()


def _forget_output() -> None:
    sys.stdout.flush()
    sys.stderr.flush()
    os.ftruncate(2, 0)


def _output_bytes() -> int:
    return os.fstat(2).st_size


def _read_output() -> str:
    sys.stderr.flush()
    return os.pread(2, STDERR_LIMIT_BYTES, 0).decode("utf-8", "replace")
