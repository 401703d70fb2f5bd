"""The worker's loop: read a request, answer it, until the main process goes away.

Owns the process: its pipes, its limits, and the promise that whatever a request does, the answer is a message. Standard
output and error belong to the compiler: both go to one file that the main process made, so that the last words of a
crash survive it. Messages have a pipe of their own.

    python reducer/worker --read FD --write FD --memory BYTES (edit | compile [FLAG ...])
"""

from __future__ import annotations

import os
import resource
import sys
import threading
import time
from collections.abc import Callable
from typing import Any, BinaryIO

from oracles.experiment import Observation
from reducer import framing, wire

PARENT_POLL_S = 1.0
OUTPUT_LIMIT_BYTES = 256 * 1024 * 1024  # past this, what the compiler prints is lost (and the disk is not full)


def main(argv: list[str]) -> None:
    """Serve requests on the pipes named in `argv` (see the module's docstring) until they close."""
    read_fd, write_fd, memory_bytes = int(argv[1]), int(argv[3]), int(argv[5])
    role, flags = argv[6], argv[7:]
    _limit(memory_bytes)
    threading.Thread(target=_watch_parent, args=(os.getppid(),), daemon=True).start()
    with open(read_fd, "rb", buffering=0) as requests, open(write_fd, "wb") as replies:
        answer = _editing() if role == "edit" else _compiling(flags)
        _serve(requests, replies, answer)


def _editing() -> tuple[wire.Hello, Callable[[Any], wire.Reply]]:
    from reducer.worker.edit import Editor

    editor = Editor()
    judge: Any = None

    def answer(request: Any) -> wire.Reply:
        nonlocal judge
        if not isinstance(request, wire.EvaluateRequest | wire.CompareRequest):
            return editor.answer(request)
        if judge is None:
            try:
                from reducer.worker.judge import Judge
            except ImportError as error:
                return wire.Failure(f"{error}; try `pip install ml-dtypes` beside that IREE")
            judge = Judge()
        reply: wire.Reply
        reply = judge.evaluate(request) if isinstance(request, wire.EvaluateRequest) else judge.compare(request)
        return reply

    return _hello(editor.pass_names), answer


def _compiling(flags: list[str]) -> tuple[wire.Hello, Callable[[Any], wire.Reply]]:
    from reducer.worker.compile import Compiler

    compiler = Compiler(flags)

    def answer(request: Any) -> Observation:
        assert isinstance(request, wire.CompileRequest)
        return compiler.compile(request)

    return _hello(()), answer


def _hello(passes: tuple[str, ...]) -> wire.Hello:
    return wire.Hello(python=sys.version.split()[0], pid=os.getpid(), passes=passes)


def _serve(requests: Any, replies: BinaryIO, service: tuple[wire.Hello, Callable[[Any], wire.Reply]]) -> None:
    hello, answer = service
    framing.write_message(replies, hello)
    while True:
        try:
            request = framing.read_message(requests)
        except framing.WireError:
            return
        try:
            reply = answer(request)
        except Exception as error:  # the process boundary: a defect of ours becomes a message
            reply = wire.Failure(f"{type(error).__name__}: {error}")
        framing.write_message(replies, reply)


def _limit(memory_bytes: int) -> None:
    """Bound the address space and what is printed, and refuse core files."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (OUTPUT_LIMIT_BYTES, OUTPUT_LIMIT_BYTES))
    if memory_bytes:
        resource.setrlimit(resource.RLIMIT_AS, (memory_bytes, memory_bytes))


def _watch_parent(parent: int) -> None:
    """Die with the main process even in the middle of a compilation (which does not hold the interpreter's lock)."""
    while os.getppid() == parent:
        time.sleep(PARENT_POLL_S)
    os._exit(1)
