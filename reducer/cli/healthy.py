"""What a healthy compilation takes on this machine, and so which limits make sense.

Which `--timeout` can tell a hang from a slow compilation, and which `--memory` lets anything be compiled. Asked of the
same release under the same flags, in fresh processes, before any program is judged.
"""

from __future__ import annotations

import math
import tempfile
from pathlib import Path

from oracles.experiment import Status
from oracles.hang import Hang
from reducer.case import Case
from reducer.cli.quantities import show_memory
from reducer.errors import InputError
from reducer.toolchain import oneshot

HEALTHY = """\
func.func @healthy(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
"""One dispatch, so that all of the compiler is passed through."""
MARGIN = 5.0
_MOST_S = 60.0


def refuse_limits(case: Case, memory_bytes: int) -> None:
    """Raise InputError for a limit under which healthy programs fail too. memory_bytes: 0 is no limit."""
    if memory_bytes:
        _refuse_small_memory(case, memory_bytes)
    _refuse_short_timeout(case)


def too_little(memory_bytes: int, why: str) -> InputError:
    """The error for a `--memory` with which nothing works."""
    return InputError(f"--memory {show_memory(memory_bytes)} is too little: {why}; give more, for instance 4G")


def _refuse_small_memory(case: Case, memory_bytes: int) -> None:
    with tempfile.TemporaryDirectory(prefix="iree-reduce-") as folder:
        seen = oneshot.compile_once(
            case.toolchain, _written(folder), case.command(), "end", timeout_s=_MOST_S, memory_bytes=memory_bytes
        )
    if seen.status is Status.OUT_OF_MEMORY:
        raise too_little(memory_bytes, "a program of one addition cannot be compiled in it")


def _refuse_short_timeout(case: Case) -> None:
    """Raise InputError if the oracle is `hang` and its limit is less than MARGIN healthy compilations."""
    if not isinstance(case.oracle, Hang):
        return
    timeout_s = case.oracle.timeout_s
    seconds = _healthy_s(case)
    if timeout_s < MARGIN * seconds:
        seconds = min(seconds, _healthy_s(case))  # the first one may have waited for the disk, or for other processes
    if timeout_s < MARGIN * seconds:
        raise InputError(
            f"--timeout {timeout_s:g} cannot tell a hang from a slow compilation: a program of one addition takes "
            f"{seconds:.2f} s here; give --timeout {math.ceil(MARGIN * seconds)} or more"
        )


def _healthy_s(case: Case) -> float:
    """Seconds; however it ends, for a fault that shows in every program takes its time too."""
    with tempfile.TemporaryDirectory(prefix="iree-reduce-") as folder:
        words = oneshot.compile_command(case.command(), "end")[1:]
        argv = [str(case.toolchain.iree_compile), str(_written(folder)), *words]
        return oneshot.run_limited(argv, timeout_s=_MOST_S, memory_bytes=None).seconds


def _written(folder: str) -> Path:
    program = Path(folder) / "healthy.mlir"
    program.write_text(HEALTHY, encoding="utf-8")
    return program
