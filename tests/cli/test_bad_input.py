"""Bad input: one clear line on standard error, exit code 2, nothing lost."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from tests.cli.command import HEALTHY, REDUCE, SILENT, error_line, reduce


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "model.mlir").write_text(HEALTHY)
    (tmp_path / "silent.mlir").write_text(SILENT)
    return tmp_path


BY_SCRIPT = ("silent.mlir", "--oracle", "script", "--script", "grep -q linalg.conv_1d")
CRASH = ("model.mlir", "--oracle", "crash")
RUN = ("model.mlir", "--oracle", "wrong-result")
CASES = {
    "no program": ((), "no program given"),
    "no such file": (("modle.mlir",), "no such file: modle.mlir; did you mean model.mlir"),
    "directory": (("folder",), "folder is a directory"),
    "empty": (("empty.mlir",), "empty.mlir is empty"),
    "blank": (("blank.mlir",), "blank.mlir is empty"),
    "binary": (("blob.mlir",), "blob.mlir is neither MLIR text nor MLIR bytecode"),
    "NUL": (("nul.mlir",), "nul.mlir is neither MLIR text nor MLIR bytecode"),
    "unknown oracle": (("model.mlir", "--oracle", "no-op-flga"), "'no-op-flga': did you mean no-op-flag"),
    "no oracle": (("model.mlir",), "which fault? name it with --oracle: no-op-flag"),
    "unknown target": ((*CRASH, "--target", "cudda:sm_80"), "did you mean cuda:sm_80"),
    "half a target": ((*CRASH, "--target", "cuda"), "for instance cuda:sm_80"),
    "unknown release": ((*CRASH, "--iree", "3.7.2"), "no IREE release '3.7.2'; did you mean 3.7.1"),
    "half a release": ((*CRASH, "--iree", "3.13"), "there is no IREE release '3.13'; write 3.13.0"),
    "old release": ((*CRASH, "--iree", "2.8.0"), "older than 2.9.0"),
    "no release": ((*CRASH, "--iree", "./nowhere"), "nowhere: no such file or directory"),
    "unknown option": (("model.mlir", "--orcale", "crash"), "No such option: --orcale"),
    "unknown flag": (
        (*CRASH, "--", "--iree-opt-levle=O2"),
        "unknown command line argument '--iree-opt-levle=O2'; did you mean --iree-opt-level",
    ),
    "flag value": ((*CRASH, "--", "--iree-opt-level=O9"), "O9"),
    "stray word": ((*CRASH, "--", "O2"), "'O2' is neither a flag"),
    "two programs": ((*CRASH, "--", "x.mlir"), "more than one program: model.mlir and x.mlir"),
    "extra word": (("model.mlir", "other.mlir", "--oracle", "crash"), "(other.mlir) (flags for iree-compile stand"),
    "expect missing": (("model.mlir", "--oracle", "dispatch-count"), "dispatch-count needs --expect"),
    "script missing": (("model.mlir", "--oracle", "script"), "script needs --script"),
    "script gone": (("model.mlir", "--oracle", "script", "--script", "./no-such"), "no-such is not an executable file"),
    "bad regex": ((*CRASH, "--match", "("), "--match is '('"),
    "bad level": ((*CRASH, "--signature", "exakt"), "unknown signature level 'exakt'"),
    "bad memory": ((*CRASH, "--memory", "lots"), "--memory 'lots' is not a size"),
    "little memory": ((*CRASH, "--memory", "5M"), "--memory 5M is too little: a program of one addition"),
    "bad time": ((*CRASH, "--timeout", "0"), "--timeout '0' is not a time"),
    "short hang": (
        ("model.mlir", "--oracle", "hang", "--timeout", "50ms"),
        "--timeout 0.05 cannot tell a hang from a slow compilation: a program of one addition takes ",
    ),
    "bad jobs": ((*CRASH, "--jobs", "0"), "--jobs"),
    "output folder": ((*CRASH, "-o", "folder"), "-o folder is a directory"),
    "output nowhere": ((*CRASH, "-o", "no/where.mlir"), "there is no directory"),
    "output device": ((*CRASH, "-o", "/dev/null"), "not a regular file"),
    "output not writable": ((*CRASH, "-o", "/proc/out.mlir"), "cannot write /proc/out.mlir"),
    "output is seed": ((*CRASH, "-o", "model.mlir"), "is an input and would be overwritten"),
    "json is seed": ((*CRASH, "--json", "model.mlir"), "a file of this command and would be overwritten"),
    "json nowhere": ((*CRASH, "--json", "no/where.json"), "cannot write --json"),
    "nothing to resume": ((*CRASH, "--resume"), "nothing to resume"),
    "not MLIR": (("poem.mlir", "--oracle", "crash"), "1:1"),
    "wrong type": (("wrong.mlir", "--oracle", "crash"), "2:10"),
    "unknown op": (("gone.mlir", "--oracle", "crash"), "2:8"),
    "header flag": (("writes.mlir", "--oracle", "crash"), "--iree-hal-dump-executable-files-to"),
    "header key": (("key.mlir", "--oracle", "crash"), "unknown key 'orcale'; did you mean oracle?"),
    "inputs too many": (
        (*RUN, "--input", "4xf32=1", "--input", "f32=1"),
        "--input is given 2 times, which no function takes (@main 1 arguments)",
    ),
    "input values": ((*RUN, "--input", "4xf32=1,2,3"), "'4xf32=1,2,3' has 3 values where its shape has room for 4"),
    "input number": ((*RUN, "--input", "4xf32=1,2,3,x"), "has no number at 'x'; write it as in 2x2xf32=1,2,3,4"),
    "input empty": ((*RUN, "--input", ""), "the input '' has no number at ''"),
    "input type": ((*RUN, "--input", "4xf23=1"), "'4xf23=1' has no element type of IREE's: f23"),
    "input word": ((*RUN, "--input", "nonsense"), "'nonsense' has no element type of IREE's: nonsense"),
    "input shape": (
        (*RUN, "--input", "3xf32=1,2,3"),
        "the input '3xf32=1,2,3' does not fit argument 0 of @main, a tensor<4xf32>",
    ),
    "input rank": ((*RUN, "--input", "7"), "the input '7' does not fit argument 0 of @main, a tensor<4xf32>"),
    "input huge": ((*RUN, "--input", "99999999x99999999xf32=1"), "has more elements than can be written out"),
    "input missing": ((*RUN, "--input", "@missing.npy"), "--input @missing.npy: No such file or directory"),
    "input no NumPy": ((*RUN, "--input", "@model.mlir"), "--input @model.mlir is no file of numpy.save (.npy)"),
    "input nothing": ((*RUN, "--input", "@nothing.npy"), "--input @nothing.npy is no file of numpy.save (.npy)"),
    "input archive": ((*RUN, "--input", "@many.npz"), "--input @many.npz is no file of numpy.save (.npy)"),
    "input complex": ((*RUN, "--input", "@complex.npy"), "--input @complex.npy holds complex64; give whole numbers"),
    "input in a file": (("input.mlir",), "inputs=@x.npy: a file may not name another file; give it with --input"),
    "input unused": ((*CRASH, "--input", "4xf32=1"), "--input is for oracles that run the program, not for crash"),
    "reference": ((*RUN, "--reference", "foo"), "--reference is 'foo': try numpy, vmvx, flags:none or release:3.12.0"),
    "reference path": (
        (*RUN, "--reference", "release:./x"),
        "--reference release:./x: a release is a version, as in release:3.12.0, or newest",
    ),
    "reference unused": ((*CRASH, "--reference", "vmvx"), "--reference is for oracles that run the program, not for"),
    "tolerance below 0": ((*RUN, "--rtol", "-1"), "--rtol is -1: try a number from 0 on, such as 1e-5"),
    "tolerance without end": ((*RUN, "--atol", "inf"), "--atol is inf: try a number from 0 on, such as 1e-5"),
    "tolerance no number": ((*RUN, "--rtol", "x"), "Invalid value for '--rtol'"),
    "rtol unused": ((*CRASH, "--rtol", "0"), "--rtol is for oracles that run the program, not for crash"),
    "atol unused": ((*CRASH, "--atol", "1e-3"), "--atol is for oracles that run the program, not for crash"),
    "explain unused": (("check", *CRASH, "--explain"), "--explain is for oracles that run the program, not for crash"),
    "a run on a GPU": (
        (*RUN, "--target", "cuda:sm_80"),
        "wrong-result runs the program, and cuda:sm_80 cannot run here; try llvm-cpu or vmvx",
    ),
    "header oracle": (("oracle.mlir",), "unknown oracle 'cash': did you mean crash"),
}


@pytest.mark.parametrize("name", CASES)
def test_bad_input(name: str, here: Path) -> None:
    (here / "folder").mkdir()
    (here / "empty.mlir").touch()
    (here / "blank.mlir").write_text(" \n\n")
    (here / "blob.mlir").write_bytes(b"\x7fELF\xff\xfe\x00\x01")
    (here / "nul.mlir").write_bytes(b"module {\0}")
    (here / "poem.mlir").write_text("tiger, tiger, burning bright\n")
    (here / "wrong.mlir").write_text(HEALTHY.replace("return %x", "return %y"))
    (here / "gone.mlir").write_text(HEALTHY.replace("  return", "  %y = linalg.gone %x : tensor<4xf32>\n  return"))
    (here / "writes.mlir").write_text("// RUN: iree-compile %s --iree-hal-dump-executable-files-to=out\n" + HEALTHY)
    (here / "key.mlir").write_text("// reduce: orcale=crash\n" + HEALTHY)
    (here / "oracle.mlir").write_text("// reduce: oracle=cash\n" + HEALTHY)
    (here / "input.mlir").write_text("// reduce: oracle=wrong-result inputs=@x.npy\n" + HEALTHY)
    (here / "nothing.npy").touch()
    np.save(here / "complex.npy", np.zeros(4, np.complex64))
    np.savez(here / "many.npz", a=np.zeros(4, np.float32))
    words, said = CASES[name]
    assert said in error_line(reduce(*words, cwd=here))
    assert (here / "model.mlir").read_text() == HEALTHY
    assert not (here / "model.reduced.mlir").exists()


def test_errors_are_told_in_json_too(here: Path) -> None:
    done = reduce("modle.mlir", "--oracle", "crash", "--json", "out.json", cwd=here)
    document = json.loads((here / "out.json").read_text())
    assert document["outcome"] == "error"
    assert document["error"] == error_line(done)
    assert document["exit"] == 2
    assert document["confirmed"] is False


def test_check_has_the_same_words(here: Path) -> None:
    (here / "poem.mlir").write_text("tiger, tiger, burning bright\n")
    assert "no such file" in error_line(reduce("check", "--oracle", "crash", "gone.mlir", cwd=here))
    assert "1:1" in error_line(reduce("check", "--oracle", "crash", "poem.mlir", cwd=here))


def test_unknown_listing(here: Path) -> None:
    assert "cannot list 'oracels'; did you mean oracles?" in error_line(reduce("list", "oracels", cwd=here))
    assert "Missing argument" in error_line(reduce("list", cwd=here))


def test_release_that_cannot_be_installed(here: Path) -> None:
    """No network (nothing listens at the proxy), and a cache that is empty."""
    env = {
        "IREE_REDUCE_CACHE": str(here / "cache"), "UV_CACHE_DIR": str(here / "uv"), "UV_HTTP_RETRIES": "0",
        "HTTPS_PROXY": "http://127.0.0.1:9", "HTTP_PROXY": "http://127.0.0.1:9", "ALL_PROXY": "http://127.0.0.1:9",
        "NO_PROXY": "", "no_proxy": "", "UV_OFFLINE": "1",
    }  # fmt: skip
    done = reduce(*CRASH, "--iree", "3.3.0", "-q", cwd=here, env=env)
    assert "IREE 3.3.0" in error_line(done)


def _reduce_with_files_of(size: int, here: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """A limit on the size of files stands for a disk without space: the same writes fail, with another errno."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))

    return subprocess.run(
        [str(REDUCE), *BY_SCRIPT, "-q", *words], cwd=here, capture_output=True, text=True, preexec_fn=limit,
        timeout=120, check=False,
    )  # fmt: skip


def test_full_disk(here: Path) -> None:
    done = _reduce_with_files_of(100, here)
    assert "cannot write" in error_line(done)
    assert (here / "silent.mlir").read_text() == SILENT
    assert not (here / "silent.reduced.mlir").exists()


def test_a_disk_that_fills_up_while_reducing_leaves_the_best_so_far(here: Path) -> None:
    """The journal does not fit, the program does."""
    done = _reduce_with_files_of(1024, here, "--json", "out.json")
    assert done.returncode == 3
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"reduce: error: cannot write {here / 'silent.reduced.run'}/")
    assert line.endswith(
        ": File too large; free some space, then go on with --resume; "
        "the best so far, not confirmed, is silent.reduced.mlir"
    )
    best = (here / "silent.reduced.mlir").read_text()
    assert "linalg.conv_1d" in best
    assert best.count(" = ") < SILENT.count(" = ")
    document = json.loads((here / "out.json").read_text())
    assert (document["outcome"], document["exit"]) == ("error", 3)
    assert document["error"] == line.removeprefix("reduce: error: ")
    assert reduce(*BY_SCRIPT, "-q", "--resume", cwd=here).returncode == 0
    assert len((here / "silent.reduced.mlir").read_text()) < len(best)


def test_full_standard_output_changes_nothing(here: Path) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [str(REDUCE), *BY_SCRIPT], cwd=here, stdout=full, stderr=subprocess.PIPE, text=True, timeout=120,
            check=False,
        )  # fmt: skip
    assert done.stderr == ""
    assert done.returncode == 0
    assert (here / "silent.reduced.mlir").exists()


def test_a_defect_of_ours_is_one_line(here: Path) -> None:
    """An exception that nobody expected: told as our own fault, with a file that has the traceback."""
    script = (
        "import sys\nfrom reducer.cli import app\n"
        "def broken(words):\n    raise ZeroDivisionError('planted')\n"
        "app.parse = broken\nsys.exit(app.run([]))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=here, capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, "TMPDIR": str(here)},
    )  # fmt: skip
    assert done.returncode == 3
    assert "Traceback" not in done.stderr
    assert "please report it (ZeroDivisionError: planted)" in done.stderr
    details = Path(done.stderr.rsplit(" ", 1)[1].strip())
    assert "Traceback" in details.read_text()


@pytest.mark.parametrize("oracle", ["no-op-flag", "two-dispatches", "crash", "wrong-result"])
@pytest.mark.parametrize("command", [("check",), ()])
def test_a_text_that_is_no_program_has_no_verdict(oracle: str, command: tuple[str, ...], tmp_path: Path) -> None:
    """Not even by an oracle that reads the text and finds nothing in it that it looks for."""
    (tmp_path / "broken.mlir").write_text("func.func @f( {\n")
    said = error_line(reduce(*command, "--oracle", oracle, "broken.mlir", cwd=tmp_path))
    assert "IREE 3.13.0 cannot use" in said
    assert "1:14: expected non-function type" in said
