"""A command that shows a pass alone is only given if it shows the same fault."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from oracles.registry import make
from oracles.verdict import Outcome, Verdict
from reducer.bisecting.pipeline import Culprit, find_pass
from reducer.case import Case
from reducer.toolchain.releases import Toolchain

FAILS = """\
{place}: error: {message}
// -----// IR Dump After APass Failed: iree-a-pass //----- //
module {{
}}
"""
BEFORE = "// -----// IR Dump Before APass: iree-a-pass //----- //\nmodule {\n}\n"
MESSAGE = "failed to legalize operation 'linalg.generic' that was explicitly marked illegal"


def culprit(folder: Path, toolchain: Toolchain, alone: str) -> Culprit:
    """What is found with an `iree-compile` that fails in a pass, and an `iree-opt` that prints this."""
    for name, said in (("iree-compile", FAILS.format(place="p.mlir:1:1", message=MESSAGE)), ("iree-opt", alone)):
        (folder / f"{name}.txt").write_text(said)
        (folder / name).write_text(f'#!/bin/sh\ncat "$0.txt" >&2\nexit {int(bool(said))}\n')
        (folder / name).chmod(0o755)
    (folder / "p.mlir").write_text("module {\n}\n")
    there = replace(toolchain, iree_compile=folder / "iree-compile")
    case = Case("p", "module {\n}\n", make("diagnostic"), there, "llvm-cpu", (), ())
    verdict = Verdict(Outcome.INTERESTING, "it fails", MESSAGE)
    found = find_pass(case, folder / "p.mlir", verdict)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("alone", "shows"),
    [
        (FAILS.format(place="before.mlir:9:9", message=MESSAGE), True),
        (FAILS.format(place="before.mlir:9:9", message="'func.func' op requires something else"), False),
        (FAILS.format(place="x", message=MESSAGE).replace("APass", "BPass"), False),
        (f"before.mlir:9:9: error: {MESSAGE}\n", False),
        ("", False),
    ],
)
def test_the_command_shows_the_same_fault(alone: str, shows: bool, tmp_path: Path, installed: Toolchain) -> None:
    found = culprit(tmp_path, installed, alone)
    assert (found.name, found.argument) == ("APass", "iree-a-pass")
    command = ("iree-opt", "{before}", "--pass-pipeline=builtin.module(iree-a-pass)") if shows else ()
    assert found.opt_command == command
