"""A worker that takes for ever over programs that hold a word.

Run in place of reducer/worker:

python slow_worker.py WORD WORKER-DIRECTORY --read … (as reducer/worker/entry.py says)
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from oracles.experiment import Observation
    from reducer.wire import CompileRequest


def main() -> None:
    word, worker, *arguments = sys.argv[1:]
    sys.path.insert(0, str(Path(worker).parents[1]))
    from reducer.worker import compile as compiling
    from reducer.worker.entry import main as serve

    original = compiling.Compiler.compile

    def compile_slowly(self: compiling.Compiler, request: CompileRequest) -> Observation:
        while word in request.program:
            time.sleep(1)
        return original(self, request)

    setattr(compiling.Compiler, "compile", compile_slowly)  # noqa: B010 (mypy forbids assigning to a method)
    serve(arguments)


main()
