"""A worker that misbehaves at every ninth compilation, counted over all processes of a test.

Run in place of reducer/worker:

python evil_worker.py MODE COUNTER-FILE WORKER-DIRECTORY --read … (as reducer/worker/entry.py says)
"""

from __future__ import annotations

import os
import signal
import sys
import time
from pathlib import Path

EVERY, AT = 9, 3


def misbehave(mode: str, replies: int) -> None:
    """Do what `mode` says; most of these do not return."""
    if mode == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    if mode == "hangs":
        time.sleep(3600)
    if mode == "eats memory":
        bytearray(1 << 45)
    if mode == "prints megabytes":
        for _ in range(40):
            os.write(2, b"x" * (1 << 20))
    if mode == "writes to standard output":
        os.write(1, b"\x00\x00\x00\x05hello")
    if mode == "answers nonsense":
        os.write(replies, b"\xff\xff\xff\xff")
        time.sleep(3600)
    if mode == "exits":
        os._exit(1)


def main() -> None:
    mode, counter, worker, *arguments = sys.argv[1:]
    sys.path.insert(0, str(Path(worker).parents[1]))
    from reducer.worker import compile as compiling
    from reducer.worker.entry import main as serve

    original = compiling.Compiler.compile
    faked: list[object] = []

    def compile_or_not(self: compiling.Compiler, request: object) -> object:
        if mode == "fakes the fault":  # whatever the first program showed, all others show too
            faked.append(faked[0] if faked else original(self, request))  # type: ignore[arg-type]
            return faked[0]
        with open(counter, "ab") as file:
            file.write(b".")
        if Path(counter).stat().st_size % EVERY == AT:
            misbehave(mode, int(arguments[3]))
        return original(self, request)  # type: ignore[arg-type]

    compiling.Compiler.compile = compile_or_not  # type: ignore[assignment,method-assign]
    serve(arguments)


main()
