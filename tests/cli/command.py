"""The real entry point as a subprocess, and the programs that the tests put before it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

REDUCE = Path(sys.executable).parent / "reduce"
SEEDS = Path(__file__).resolve().parents[2] / "seeds"

SILENT = (SEEDS / "silent_consumer_flag.mlir").read_text()
"""Fails to translate on every release from 3.7.0 on, in a fifth of a second."""

HEALTHY = """\
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
"""


def reduce(
    *words: str, cwd: Path, stdin: bytes = b"", env: dict[str, str] | None = None, timeout_s: float = 120.0
) -> subprocess.CompletedProcess[str]:
    """Run `reduce` to its end."""
    done = subprocess.run(
        [str(REDUCE), *words], cwd=cwd, input=stdin, capture_output=True, env={**os.environ, **(env or {})},
        timeout=timeout_s, check=False,
    )  # fmt: skip
    return subprocess.CompletedProcess(done.args, done.returncode, done.stdout.decode(), done.stderr.decode())


def error_line(done: subprocess.CompletedProcess[str]) -> str:
    """What a command said was wrong. Asserts that it is bad input, told in one line, and nothing else."""
    assert "Traceback" not in done.stderr
    lines = done.stderr.splitlines()
    assert len(lines) == 1, done.stderr
    assert lines[0].startswith("reduce: error: ")
    assert done.returncode == 2
    return lines[0].removeprefix("reduce: error: ")
