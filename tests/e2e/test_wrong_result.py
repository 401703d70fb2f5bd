"""Programs that return wrong numbers or fail as they run: reduced by the command line, shown by stock tools."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from reducer.toolchain.releases import Toolchain
from tests.cli.command import reduce
from tests.e2e.running import running, wait_for

INPUTS = Path(__file__).parent / "inputs"
CONSUMER = "--iree-dispatch-creation-enable-fuse-padding-into-linalg-consumer-ops"
PRODUCER = "--iree-dispatch-creation-enable-fuse-padding-into-linalg-producer-ops"


@dataclass(frozen=True)
class Wrong:
    """A file of inputs/, where it goes wrong, and how few ops it was measured to reduce to.

    signature: its beginning.
    """

    file: str
    release: str
    before: int
    after: int
    flags: tuple[str, ...] = ()
    target: str = "llvm-cpu"
    oracle: str = "wrong-result"
    function: str = "main"
    signature: str = "wrong value"


CASES = (
    Wrong("dynamic_pad_value", "3.13.0", 10, 5, (CONSUMER,)),
    Wrong("p2014", "3.13.0", 18, 5, (PRODUCER,)),
    Wrong("p5012", "3.13.0", 27, 7, (CONSUMER,), "vmvx", "run-failure", signature="failed: "),
    Wrong("chained_pads", "3.6.0", 12, 9),
    Wrong("040-gather-strided", "3.10.0", 8, 6, function="rows"),
)


@dataclass(frozen=True)
class Done:
    """A finished reduction."""

    wrong: Wrong
    iree: Toolchain
    folder: Path
    code: int
    stderr: str
    document: dict[str, Any]

    @property
    def program(self) -> str:
        return (self.folder / f"{self.wrong.file}.reduced.mlir").read_text()

    def script(self) -> int:
        """The exit status of the written script, which has nothing but the two stock tools."""
        tools = {"IREE_COMPILE": str(self.iree.iree_compile), "IREE_RUN_MODULE": str(self.iree.iree_run_module)}
        script = self.folder / f"{self.wrong.file}.reduced.sh"
        return subprocess.run([script], env={**os.environ, **tools}, capture_output=True, check=False).returncode


@pytest.fixture(scope="module", params=CASES, ids=lambda wrong: wrong.file)
def done(
    request: pytest.FixtureRequest, toolchain: Callable[[str], Toolchain], tmp_path_factory: pytest.TempPathFactory
) -> Done:
    wrong: Wrong = request.param
    iree = toolchain(wrong.release)
    folder = tmp_path_factory.mktemp("wrong")
    shutil.copy(INPUTS / f"{wrong.file}.mlir", folder)
    ended = reduce(
        "-j2", "--oracle", wrong.oracle, "--iree", wrong.release, "--target", wrong.target, "--json", "out.json",
        f"{wrong.file}.mlir", "--", *wrong.flags, cwd=folder, timeout_s=600.0,
    )  # fmt: skip
    return Done(wrong, iree, folder, ended.returncode, ended.stderr, json.loads((folder / "out.json").read_text()))


def test_it_is_reduced_and_confirmed(done: Done) -> None:
    document = done.document
    assert (done.code, done.stderr) == (0, "")
    assert (document["outcome"], document["confirmed"], document["minimal"]) == ("reduced", True, True)
    assert document["before"]["ops"] == done.wrong.before
    assert document["after"]["ops"] <= done.wrong.after
    assert document["signature"].startswith(done.wrong.signature)
    assert document["notes"] == []


def test_the_document_has_what_went_in_and_came_out(done: Done) -> None:
    document = done.document
    assert document["function"] == done.wrong.function
    arguments = done.program.partition(f"@{done.wrong.function}(")[2].partition(") ->")[0]
    assert len(document["inputs"]) == arguments.count("%")
    assert len(document["expected"]) == 1
    assert len(document["got"]) == (1 if done.wrong.oracle == "wrong-result" else 0)
    assert document["got"] != document["expected"]


def test_stock_tools_show_it(done: Done) -> None:
    assert done.script() == 0


def test_the_written_program_shows_it(done: Done) -> None:
    checked = reduce("check", f"{done.wrong.file}.reduced.mlir", cwd=done.folder)
    assert (checked.returncode, checked.stderr) == (0, "")
    assert f"signature: {done.document['signature']}" in checked.stdout.splitlines()


def test_the_written_program_is_plain(done: Done) -> None:
    """Inputs hang on the program while it is reduced; a compiler would pass them on, but nobody wants to read them."""
    assert "reduce." not in done.program.partition("\n\n")[2]


SMALL = """\
func.func @main(%x: tensor<2x2xf32>, %v: f32) -> tensor<2x3xf32> {
  %e = tensor.empty() : tensor<2x2xf32>
  %t = linalg.transpose ins(%x : tensor<2x2xf32>) outs(%e : tensor<2x2xf32>) permutation = [1, 0]
  %p = tensor.pad %t low[0, 1] high[0, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %v : f32
  } : tensor<2x2xf32> to tensor<2x3xf32>
  return %p : tensor<2x3xf32>
}
"""
BY_SMALL = ("--oracle", "wrong-result", "--json", "out.json", "small.mlir")


def _document(folder: Path) -> dict[str, Any]:
    document: dict[str, Any] = json.loads((folder / "out.json").read_text())
    return document


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a reduction of the small program that nobody disturbed, with two jobs."""
    folder = tmp_path_factory.mktemp("whole")
    (folder / "small.mlir").write_text(SMALL)
    assert reduce("-q", "-j2", *BY_SMALL, "--", PRODUCER, cwd=folder, timeout_s=300.0).returncode == 0
    return folder


def test_jobs_do_not_change_the_result(whole: Path, tmp_path: Path) -> None:
    (tmp_path / "small.mlir").write_text(SMALL)
    assert reduce("-q", "-j1", *BY_SMALL, "--", PRODUCER, cwd=tmp_path, timeout_s=300.0).returncode == 0
    for name in ("small.reduced.mlir", "small.reduced.sh"):
        assert (tmp_path / name).read_text() == (whole / name).read_text()
    both = (_document(tmp_path), _document(whole))
    for key in ("tests", "slips", "after", "inputs", "expected", "got"):
        assert both[0][key] == both[1][key]


def test_interrupted_and_resumed(whole: Path, tmp_path: Path) -> None:
    """The inputs are made simpler after the interruption, those of before it are read back from the journal."""
    (tmp_path / "small.mlir").write_text(SMALL)
    with running("-j2", *BY_SMALL, "--", PRODUCER, cwd=tmp_path) as process:
        wait_for(process, "zero_inputs:")
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        assert process.returncode == 130
    part = _document(tmp_path)
    assert (part["outcome"], part["confirmed"], part["exit"]) == ("interrupted", False, 130)
    assert part["after"]["ops"] == 5
    assert (tmp_path / "small.reduced.mlir").read_text() != (whole / "small.reduced.mlir").read_text()
    done = reduce("-q", "-j2", *BY_SMALL, "--resume", "--", PRODUCER, cwd=tmp_path, timeout_s=300.0)
    assert (done.returncode, done.stderr) == (0, "")
    for name in ("small.reduced.mlir", "small.reduced.sh"):
        assert (tmp_path / name).read_text() == (whole / name).read_text()
    resumed = _document(tmp_path)
    assert (resumed["outcome"], resumed["confirmed"], resumed["minimal"]) == ("reduced", True, True)


REMAINDER = """\
func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %r = arith.remf %x, %y : tensor<4xf32>
  return %r : tensor<4xf32>
}
"""


def test_what_the_runner_would_take_for_the_same_is_shown_all_the_same(installed: Toolchain, tmp_path: Path) -> None:
    """`iree-run-module` takes f32 within 1e-4 for equal. VMVX rounds the quotient of a remainder (3.13.0)."""
    (tmp_path / "small.mlir").write_text(REMAINDER)
    inputs = ("--input=4xf32=7e-5 8e-5 1.5e-4 1.7e-4", "--input=4xf32=1e-4 1e-4 1e-4 1e-4")
    ended = reduce("--target", "vmvx", *inputs, *BY_SMALL, cwd=tmp_path, timeout_s=300.0)
    assert (ended.returncode, ended.stderr) == (0, "")
    document = _document(tmp_path)
    assert (document["confirmed"], document["minimal"], document["after"]["elements"]) == (True, True, 3)
    script = (tmp_path / "small.reduced.sh").read_text()
    assert "--expected_f32_threshold=" in script
    tools = {"IREE_COMPILE": str(installed.iree_compile), "IREE_RUN_MODULE": str(installed.iree_run_module)}
    ran = subprocess.run([tmp_path / "small.reduced.sh"], env={**os.environ, **tools}, capture_output=True, check=False)
    assert ran.returncode == 0
    assert reduce("check", "small.reduced.mlir", cwd=tmp_path).returncode == 0


@pytest.mark.parametrize("reference", ["vmvx", "flags:none"])
def test_held_against_another_way_of_compiling(reference: str, tmp_path: Path) -> None:
    """Neither needs the flag; inputs that the user gives are what both run on."""
    inputs = [f"--input={text}" for text in ("2x1x3x1xf32=1,2,3,4,5,6", "f32=7", "1x2x1xf32=10,1")]
    asked = ("--oracle", "wrong-result", "--reference", reference, "--explain", *inputs)
    seed = str(INPUTS / "dynamic_pad_value.mlir")
    wrong = reduce("check", *asked, seed, "--", CONSUMER, cwd=tmp_path)
    assert (wrong.returncode, wrong.stderr) == (0, "")
    how = "8 elements compared within 1e-06 + 0.0001 of the value"
    assert f"result 0: wrong value at [0, 1, 0, 0]: 45.0, expected 77.0, {how}" in wrong.stdout
    assert "    expected 2x2x2x1xf32=12 23 77 77 45 56 77 77\n" in wrong.stdout
    right = reduce("check", *asked, seed, cwd=tmp_path)
    assert (right.returncode, right.stderr) == (1, "")
    assert f"result 0: right, {how}" in right.stdout
