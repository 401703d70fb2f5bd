"""A real reduction through the command line: the files, the document, and that a stock compiler agrees."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from reducer.toolchain.releases import Toolchain
from tests.cli.command import SEEDS, SILENT, reduce

SIGNATURE = "silent failure of ConcretizePadResultShapePass"


@dataclass(frozen=True)
class Done:
    """A finished reduction of `silent.mlir`."""

    folder: Path
    code: int
    stdout: str
    stderr: str
    document: dict[str, Any]

    @property
    def program(self) -> str:
        return (self.folder / "silent.reduced.mlir").read_text()


def _reduced(folder: Path, jobs: str) -> Done:
    (folder / "silent.mlir").write_text(SILENT)
    done = reduce("silent.mlir", "-j", jobs, "--json", "out.json", cwd=folder)
    document = json.loads((folder / "out.json").read_text())
    return Done(folder, done.returncode, done.stdout, done.stderr, document)


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Done:
    return _reduced(tmp_path_factory.mktemp("silent"), "2")


def test_it_is_reduced_and_confirmed(done: Done) -> None:
    assert (done.code, done.stderr) == (0, "")
    assert "Reduced, confirmed by the stock iree-compile; 1-minimal" in done.stdout
    assert done.document["after"]["ops"] <= 5
    assert done.document["after"]["elements"] < done.document["before"]["elements"]


def test_it_says_what_it_holds_on_to(done: Done) -> None:
    lines = done.stdout.splitlines()
    assert lines[0].startswith("silent.mlir: translation-error · IREE 3.")
    assert lines[1].startswith("$ iree-compile --iree-hal-target-backends=llvm-cpu")
    assert lines[3] == f"holding on to: {SIGNATURE}"


def test_the_document(done: Done, installed: Toolchain) -> None:
    document = done.document
    assert document["outcome"] == "reduced"
    assert document["confirmed"] is True
    assert document["minimal"] is True
    assert document["oracle"] == "translation-error"
    assert document["release"] == installed.release
    assert document["target"] == "llvm-cpu"
    assert document["signature"] == SIGNATURE
    assert document["before"] == {"ops": 8, "elements": 15, "flags": 3, "bytes": document["before"]["bytes"]}
    assert document["after"]["flags"] == len(document["flags"]) == 3
    assert document["program"] == str(done.folder / "silent.reduced.mlir")
    assert document["script"] == str(done.folder / "silent.reduced.sh")
    assert document["tests"] > 0
    assert document["seconds"] > 0
    assert document["slips"] == len(list((done.folder / "silent.reduced.run" / "other-faults").glob("*.mlir")))
    assert (document["error"], document["exit"]) == (None, 0)


def test_the_seed_is_untouched(done: Done) -> None:
    assert (done.folder / "silent.mlir").read_text() == SILENT


def test_the_run_folder(done: Done) -> None:
    run = done.folder / "silent.reduced.run"
    minimality = (run / "minimality.txt").read_text().splitlines()
    assert minimality[0] == "# Every single simplification of the result was tried. What happened instead:"
    assert any("becomes an argument: " in line for line in minimality)
    assert all(": " in line for line in minimality[1:])
    assert (run / "journal.jsonl").exists()
    assert (run / "steps" / "0001.mlir").exists()


def test_the_header_is_enough_to_check(done: Done) -> None:
    checked = reduce("check", "silent.reduced.mlir", cwd=done.folder)
    assert (checked.returncode, checked.stderr) == (0, "")
    assert f"shows the fault: {SIGNATURE}" in checked.stdout


def test_the_run_line_can_be_pasted(done: Done, installed: Toolchain) -> None:
    match = re.search(r"^// RUN: iree-compile (.*)$", done.program, re.M)
    assert match is not None
    words = [word.replace("%s", "silent.reduced.mlir") for word in shlex.split(match[1])]
    run = subprocess.run([installed.iree_compile, *words], cwd=done.folder, capture_output=True, text=True, check=False)
    assert run.returncode == 1
    assert "failed to run translation of source executable" in run.stderr


def test_the_script_needs_only_the_compiler(done: Done, installed: Toolchain, tmp_path: Path) -> None:
    env = {**os.environ, "IREE_COMPILE": str(installed.iree_compile)}
    script = str(done.folder / "silent.reduced.sh")
    shows = subprocess.run([script], env=env, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert shows.returncode == 0
    healthy = tmp_path / "healthy.mlir"
    healthy.write_text("func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n  return %x : tensor<4xf32>\n}\n")
    does_not = subprocess.run([script, str(healthy)], env=env, capture_output=True, text=True, check=False)
    assert does_not.returncode == 1


def test_jobs_do_not_change_the_result(done: Done, tmp_path: Path) -> None:
    alone = _reduced(tmp_path, "1")
    assert alone.program == done.program
    assert {k: alone.document[k] for k in ("tests", "slips", "after")} == {
        k: done.document[k] for k in ("tests", "slips", "after")
    }


def test_a_seed_without_the_fault(tmp_path: Path) -> None:
    seed = str(SEEDS / "pad_conv.mlir")
    done = reduce("--oracle", "no-op-flag", seed, "--json", "-", cwd=tmp_path)
    assert done.returncode == 1
    document = json.loads(done.stdout)
    assert (document["outcome"], document["confirmed"], document["program"]) == ("no-fault", False, None)
    assert "The seed does not show the fault: with the flag the pad is inside" in done.stderr
    assert "  with the flag: 1 dispatch, `tensor.pad` inside the convolution's" in done.stderr
    assert "Next: try an older release with --iree" in done.stderr
    assert not list(tmp_path.glob("*.mlir"))


def test_the_command_line_wins_over_the_header(tmp_path: Path) -> None:
    """Without the flag there is no fault; `--` with nothing behind it says that there are no flags."""
    (tmp_path / "silent.mlir").write_text(SILENT)
    assert reduce("check", "-q", "silent.mlir", cwd=tmp_path).returncode == 0
    assert reduce("check", "-q", "silent.mlir", "--", cwd=tmp_path).returncode == 1
    assert reduce("check", "-q", "--target", "vmvx", "--oracle", "crash", "silent.mlir", cwd=tmp_path).returncode == 1


def test_a_pasted_command_line(tmp_path: Path) -> None:
    (tmp_path / "silent.mlir").write_text(SILENT)
    flag = "--iree-dispatch-creation-enable-fuse-padding-into-linalg-consumer-ops"
    pasted = ("iree-compile", "silent.mlir", "--iree-hal-target-backends", "llvm-cpu", flag, "-o", "out.vmfb")
    options = ("--oracle", "translation-error", "--limit-tests", "4", "--json", "out.json")
    done = reduce(*options, "--", *pasted, cwd=tmp_path)
    assert done.returncode == 0
    document = json.loads((tmp_path / "out.json").read_text())
    assert document["flags"] == ["--iree-hal-target-backends=llvm-cpu", flag]
    assert document["outcome"] == "limit"
    assert document["minimal"] is False
    assert document["confirmed"] is True
    assert document["tests"] == 4
    assert "Stopped at a limit, confirmed by the stock iree-compile; not known to be minimal." in done.stdout
    assert reduce("check", "-q", "silent.reduced.mlir", cwd=tmp_path).returncode == 0


def test_the_seed_alone_may_use_up_the_tests(tmp_path: Path) -> None:
    (tmp_path / "silent.mlir").write_text(SILENT)
    options = ("--oracle", "script", "--script", "grep -q linalg.conv_1d", "--limit-tests", "2", "--json", "out.json")
    assert reduce(*options, "silent.mlir", cwd=tmp_path).returncode == 0
    document = json.loads((tmp_path / "out.json").read_text())
    assert (document["outcome"], document["tests"]) == ("limit", 2)
