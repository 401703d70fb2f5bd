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


def test_from_failure_to_bug_report(toolchain: Callable[[str], Toolchain], tmp_path: Path) -> None:
    """The four commands of that section, and the history that it shows."""
    toolchain("3.3.0")
    text = (SEEDS.parent / "README.md").read_text()
    block = text.partition("three more commands answer:\n\n```sh\n")[2].partition("```")[0]
    commands = block.splitlines()
    assert [command.split()[1] for command in commands] == ["--oracle", "triage", "bisect", "report"]
    (tmp_path / "seeds").symlink_to(SEEDS)
    env = {**os.environ, "PATH": f"{REDUCE.parent}{os.pathsep}{os.environ['PATH']}"}
    said = {}
    for command in commands:
        words = ["bash", "-c", command]
        done = subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
        assert (done.returncode, "error" in done.stderr) == (0, False), (command, done.stderr)
        said[command.split()[1]] = done.stdout
    shown = text.partition("$ reduce bisect noop.mlir\n")[2].partition("```")[0].splitlines()
    for line in shown:
        if line.strip() != "…" and not line.startswith("not asked"):
            assert line in said["bisect"].splitlines(), line
    assert sorted(path.name for path in (tmp_path / "noop.reduced.run" / "report").iterdir()) == [
        "report.html", "report.md", "repro.lit.mlir", "repro.mlir",
    ]  # fmt: skip
    markdown = (tmp_path / "noop.reduced.run" / "report" / "report.md").read_text()
    assert "last bad 3.10.0, first good 3.11.0" in markdown
    assert "the program that it was reduced from differs" in markdown
    assert "| consumer | linalg.conv_2d |" in markdown
