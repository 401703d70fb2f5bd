"""`reduce check FOLDER`: the table, the exit code and the JUnit file."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.command import reduce

WITH = """\
// reduce: oracle=diagnostic match="failed to legalize" flags=--iree-opt-level=O1
func.func @f(%arg0: tensor<2xf32>) -> tensor<2xf32> {
  %0 = "tosa.custom"(%arg0) {operator_name = "x", domain_name = "y", implementation_attrs = ""}
    : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}
"""
WITHOUT = '// reduce: oracle=diagnostic match="failed to legalize"\nfunc.func @f() { return }\n'
NOTHING_ASKED = "func.func @f() { return }\n"


@pytest.fixture
def repros(tmp_path: Path) -> Path:
    folder = tmp_path / "repros"
    (folder / "old").mkdir(parents=True)
    (folder / "old.run" / "steps").mkdir(parents=True)
    (folder / "old.run" / "steps" / "0001.mlir").write_text(NOTHING_ASKED)
    (folder / "notes.txt").write_text("not a program")
    return folder


def test_every_file_shows_its_fault(repros: Path, tmp_path: Path) -> None:
    (repros / "a.mlir").write_text(WITH)
    (repros / "old" / "b.mlir").write_text(WITH)
    done = reduce("check", "repros", cwd=tmp_path)
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr) == (0, "")
    assert [line.split("  ")[0].strip() for line in lines[:2]] == ["a.mlir", "old/b.mlir"]
    assert lines[2] == "2 files: 2 with the fault, 0 without, 0 errors"
    assert reduce("check", "repros", "--fixed", cwd=tmp_path).returncode == 1


def test_one_that_is_fixed_is_a_failure_in_the_document(repros: Path, tmp_path: Path) -> None:
    (repros / "a.mlir").write_text(WITH)
    (repros / "b.mlir").write_text(WITHOUT)
    done = reduce("check", "repros", "--junit", "out.xml", "-q", cwd=tmp_path)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "")
    suite = ElementTree.parse(tmp_path / "out.xml").getroot()
    assert {key: suite.get(key) for key in ("tests", "failures", "errors")} == {
        "tests": "2", "failures": "1", "errors": "0",
    }  # fmt: skip
    failed = [case.get("name") for case in suite if case.find("failure") is not None]
    assert failed == ["b.mlir"]


def test_with_fixed_no_file_may_show_its_fault_any_more(repros: Path, tmp_path: Path) -> None:
    (repros / "b.mlir").write_text(WITHOUT)
    assert reduce("check", "repros", "--fixed", cwd=tmp_path).returncode == 0
    assert reduce("check", "repros", cwd=tmp_path).returncode == 1


def test_a_file_that_cannot_be_judged_is_an_error_and_the_others_are_judged(repros: Path, tmp_path: Path) -> None:
    (repros / "a.mlir").write_text(NOTHING_ASKED)
    (repros / "b.mlir").write_text(WITH)
    done = reduce("check", "repros", cwd=tmp_path)
    assert done.returncode == 2
    assert "which fault?" in done.stdout.splitlines()[0]
    assert done.stdout.splitlines()[-1] == "2 files: 1 with the fault, 0 without, 1 error"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("check", "empty"), "empty holds no program"),
        (("check", "repros", "--junit", "no/such/out.xml"), "cannot write --junit no/such/out.xml"),
        (("check", "repros/a.mlir", "--fixed"), "--fixed is for folders"),
        (("check", "repros", "--explain"), "--explain is for one file; name one in repros"),
        (("repros", "--oracle", "crash"), "repros is a directory"),
    ],
)
def test_bad_input_is_one_line(words: tuple[str, ...], said: str, repros: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (repros / "a.mlir").write_text(WITH)
    done = reduce(*words, cwd=tmp_path)
    assert (done.returncode, len(done.stderr.splitlines())) == (2, 1)
    assert said in done.stderr
