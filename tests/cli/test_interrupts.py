"""An interrupt while modules are imported: there, Python turns it into errors of other kinds."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.command import SILENT, reduce

INTERRUPTED_CLASS = """\
import os, signal
class Descriptor:
    def __set_name__(self, owner, name):
        os.kill(os.getpid(), signal.SIGINT)
class Owner:
    descriptor = Descriptor()
"""


@pytest.mark.parametrize(("module", "said"), [("typer", "interrupted"), ("hypothesis", "error: interrupted")])
def test_an_interrupt_while_a_module_is_imported(module: str, said: str, tmp_path: Path) -> None:
    """typer is among the first, hypothesis comes when the reduction is about to begin."""
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / f"{module}.py").write_text(INTERRUPTED_CLASS)
    (tmp_path / "silent.mlir").write_text(SILENT)
    done = reduce(
        "-q", "silent.mlir", "--oracle", "script", "--script", "grep -q linalg.conv_1d",
        cwd=tmp_path, env={"PYTHONPATH": str(tmp_path / "modules")},
    )  # fmt: skip
    assert done.stderr == f"reduce: {said}\n"
    assert done.returncode == 130
