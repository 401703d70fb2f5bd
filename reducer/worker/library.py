"""The compiler library through its C API (iree/compiler/embedding_api.h), by ctypes alone.

Owns the calls and the lifetimes of what they return. The `iree.compiler` package would do the same, but importing it
costs a worker ten times what loading the library does, and workers that die of a fault are started again and again.
"""

from __future__ import annotations

import ctypes
import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ctypes import POINTER, byref, c_bool, c_char_p, c_int, c_size_t, c_uint64, c_void_p
from pathlib import Path
from typing import Any

NAMES = ("libIREECompiler.so", "libIREECompiler.dylib")
STANDARD_PIPELINE = 0

_SIGNATURES: dict[str, tuple[Any, list[Any]]] = {
    "SetupGlobalCL": (None, [c_int, POINTER(c_char_p), c_char_p, c_bool]),
    "GlobalInitialize": (None, []),
    "ErrorGetMessage": (c_char_p, [c_void_p]),
    "ErrorDestroy": (None, [c_void_p]),
    "SessionCreate": (c_void_p, []),
    "SessionDestroy": (None, [c_void_p]),
    "SourceWrapBuffer": (c_void_p, [c_void_p, c_char_p, c_char_p, c_size_t, c_bool, POINTER(c_void_p)]),
    "SourceDestroy": (None, [c_void_p]),
    "InvocationCreate": (c_void_p, [c_void_p]),
    "InvocationDestroy": (None, [c_void_p]),
    "InvocationEnableConsoleDiagnostics": (None, [c_void_p]),
    "InvocationParseSource": (c_bool, [c_void_p, c_void_p]),
    "InvocationSetCompileToPhase": (None, [c_void_p, c_char_p]),
    "InvocationPipeline": (c_bool, [c_void_p, c_int]),
    "InvocationOutputIR": (c_void_p, [c_void_p, c_void_p]),
    "InvocationOutputVMBytecode": (c_void_p, [c_void_p, c_void_p]),
    "OutputOpenMembuffer": (c_void_p, [POINTER(c_void_p)]),
    "OutputMapMemory": (c_void_p, [c_void_p, POINTER(c_void_p), POINTER(c_uint64)]),
    "OutputDestroy": (None, [c_void_p]),
}


def _load_unwinder() -> None:
    """Load what walks the stack now: in a crash it may be too late, under a limit on memory for one."""
    with suppress(OSError):
        ctypes.CDLL("libgcc_s.so.1")


class CallError(Exception):
    """The library refused a call; its own words."""


def find_library() -> Path:
    """The compiler library of this interpreter's `iree.compiler`. Raises ImportError if there is none."""
    spec = importlib.util.find_spec("iree")
    for folder in (spec.submodule_search_locations if spec else None) or ():
        for name in NAMES:
            path = Path(folder) / "compiler" / "_mlir_libs" / name
            if path.exists():
                return path
    from iree.compiler.api import ctypes_dl  # a build tree keeps it elsewhere, and its package knows where

    return Path(ctypes_dl._probe_iree_compiler_dylib())


class Library:
    """The loaded and initialised library, its flags set."""

    def __init__(self, argv: list[str]) -> None:
        """Set the flags as the `iree-compile` binary does, crash handler included. Exits the process on a bad flag."""
        _load_unwinder()
        library = ctypes.CDLL(str(find_library()))
        for name, (result, arguments) in _SIGNATURES.items():
            function = getattr(library, f"ireeCompiler{name}")
            function.restype, function.argtypes = result, arguments
        self._library = library
        self._session: Any = None
        # kept: the crash handler prints them
        self._argv = (c_char_p * len(argv))(*[c_char_p(arg.encode()) for arg in argv])
        library.ireeCompilerGlobalInitialize()
        library.ireeCompilerSetupGlobalCL(len(argv), self._argv, b"iree-compile", True)

    def renew(self) -> None:
        """Forget the session, and with it all that its context has interned; the next invocation makes a new one."""
        if self._session is not None:
            self._library.ireeCompilerSessionDestroy(self._session)
            self._session = None

    @contextmanager
    def invocation(self, name: str, program: bytes) -> Iterator[Invocation]:
        """A fresh invocation, with the program as its source, in the session of the one before if there is one."""
        library = self._library
        if self._session is None:
            self._session = library.ireeCompilerSessionCreate()
        invocation = library.ireeCompilerInvocationCreate(self._session)
        source = c_void_p()
        text = program + b"\0"
        try:
            library.ireeCompilerInvocationEnableConsoleDiagnostics(invocation)
            wrap = library.ireeCompilerSourceWrapBuffer
            self._check(wrap(self._session, name.encode(), text, len(text), True, byref(source)))
            yield Invocation(self, invocation, source)
        finally:
            library.ireeCompilerInvocationDestroy(invocation)
            if source:
                library.ireeCompilerSourceDestroy(source)

    def call(self, name: str, *arguments: Any) -> Any:
        """Call a function of the API that returns no error."""
        return getattr(self._library, f"ireeCompiler{name}")(*arguments)

    def output(self, name: str, invocation: Any) -> bytes:
        """What one of the output functions writes. Raises CallError."""
        library = self._library
        output, contents, size = c_void_p(), c_void_p(), c_uint64()
        self._check(library.ireeCompilerOutputOpenMembuffer(byref(output)))
        try:
            self._check(getattr(library, f"ireeCompiler{name}")(invocation, output))
            self._check(library.ireeCompilerOutputMapMemory(output, byref(contents), byref(size)))
            return ctypes.string_at(contents, size.value) if contents else b""
        finally:
            library.ireeCompilerOutputDestroy(output)

    def _check(self, error: Any) -> None:
        if error:
            message = self._library.ireeCompilerErrorGetMessage(error).decode("utf-8", "replace")
            self._library.ireeCompilerErrorDestroy(error)
            raise CallError(message)


class Invocation:
    """One compilation. Its methods are to be called in this order."""

    def __init__(self, library: Library, invocation: Any, source: Any) -> None:
        self._library, self._invocation, self._source = library, invocation, source

    def parse(self) -> bool:
        """Read and verify the program."""
        return bool(self._library.call("InvocationParseSource", self._invocation, self._source))

    def compile(self, phase: str) -> bool:
        """Run the standard pipeline as far as `phase`."""
        self._library.call("InvocationSetCompileToPhase", self._invocation, phase.encode())
        return bool(self._library.call("InvocationPipeline", self._invocation, STANDARD_PIPELINE))

    def ir(self) -> str:
        """The IR as it is now. Raises CallError."""
        return self._library.output("InvocationOutputIR", self._invocation).decode("utf-8", "replace")

    def bytecode(self) -> bytes:
        """The compiled VM module. Raises CallError."""
        return self._library.output("InvocationOutputVMBytecode", self._invocation)
