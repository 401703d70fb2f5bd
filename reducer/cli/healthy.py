"""What a healthy compilation takes on this machine, and so which `--timeout` can tell a hang from a slow one.

Asked of the same release under the same flags, in fresh processes, before any program is judged to hang.
"""

from __future__ import annotations

import math
import tempfile
from pathlib import Path

from oracles.hang import Hang
from reducer.case import Case
from reducer.errors import InputError
from reducer.toolchain.oneshot import compile_command, run_limited

HEALTHY = """\
func.func @healthy(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""
"""One dispatch, so that all of the compiler is passed through."""
MARGIN = 5.0
_MOST_S = 60.0


def refuse_short_timeout(case: Case) -> None:
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
        program = Path(folder) / "healthy.mlir"
        program.write_text(HEALTHY, encoding="utf-8")
        argv = [str(case.toolchain.iree_compile), str(program), *compile_command(case.command(), "end")[1:]]
        return run_limited(argv, timeout_s=_MOST_S, memory_bytes=None).seconds
