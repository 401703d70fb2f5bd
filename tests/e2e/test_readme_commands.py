"""The README's commands work when pasted."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

from reducer.toolchain.releases import Toolchain
from tests.cli.command import REDUCE, SEEDS


def test_more_ways_to_use_it(toolchain: Callable[[str], Toolchain], tmp_path: Path) -> None:
    toolchain("3.3.0")
    text = (SEEDS.parent / "README.md").read_text()
    block = text.partition("More ways to use it:\n\n```sh\n")[2].partition("```")[0]
    commands = block.splitlines()
    assert len(commands) >= 6
    (tmp_path / "seeds").symlink_to(SEEDS)
    env = {**os.environ, "PATH": f"{REDUCE.parent}{os.pathsep}{os.environ['PATH']}"}
    for command in commands:
        words = ["bash", "-c", command]
        done = subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr) == (0, ""), command
    names = {path.name for path in tmp_path.glob("*.mlir")} - {"repro.mlir"}
    reduced = ("onnx_wrap_pad", "silent_consumer_flag", "stdin", "wrong_pad_value")
    assert names == {f"{name}.reduced.mlir" for name in reduced}
