"""Other ways to give a program and to get the result: standard input, bytecode, -o, -q, a terminal."""

from __future__ import annotations

import json
import os
import pty
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.command import REDUCE, SILENT, reduce

BY_SCRIPT = ("--oracle", "script", "--script", "grep -q linalg.conv_1d")


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "silent.mlir").write_text(SILENT)
    return tmp_path


def _script(folder: Path, body: str) -> str:
    path = folder / "judge.sh"
    path.write_text(f"#!/bin/sh\n{body}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return "./judge.sh"


def test_standard_input(here: Path) -> None:
    done = reduce("-q", *BY_SCRIPT, "-", stdin=SILENT.encode(), cwd=here)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert "linalg.conv_1d" in (here / "stdin.reduced.mlir").read_text()


def test_bytecode(here: Path) -> None:
    writes = (
        "import sys\nfrom iree.compiler import ir\n"
        "with ir.Context():\n"
        "    module = ir.Module.parse(open('silent.mlir').read())\n"
        "    module.operation.write_bytecode(open('model.mlirbc', 'wb'))\n"
    )
    subprocess.run([sys.executable, "-c", writes], cwd=here, check=True)
    flag = "--iree-dispatch-creation-enable-fuse-padding-into-linalg-consumer-ops"
    done = reduce("--oracle", "translation-error", "--limit-tests", "3", "-q", "model.mlirbc", "--", flag, cwd=here)
    assert (done.returncode, done.stderr) == (0, "")
    assert "linalg.conv_1d" in (here / "model.reduced.mlir").read_text()
    assert reduce("check", "--oracle", "translation-error", "-q", "model.mlirbc", "--", flag, cwd=here).returncode == 0
    assert reduce("check", "--oracle", "translation-error", "-q", "model.mlirbc", cwd=here).returncode == 1


def test_output_names(here: Path) -> None:
    (here / "sub").mkdir()
    (here / "sub" / "repro.sh").write_text("mine\n")
    assert reduce("-q", *BY_SCRIPT, "silent.mlir", "-o", "sub/repro.mlir", cwd=here).returncode == 0
    names = {path.name for path in (here / "sub").iterdir()}
    assert names == {"repro.mlir", "repro.sh", "repro.reduced.sh", "repro.reduced.run"}
    assert (here / "sub" / "repro.sh").read_text() == "mine\n"
    assert not (here / "silent.reduced.mlir").exists()


def test_the_result_can_be_reduced_again(here: Path) -> None:
    assert reduce("-q", *BY_SCRIPT, "silent.mlir", cwd=here).returncode == 0
    first = (here / "silent.reduced.mlir").read_text()
    assert reduce("-q", *BY_SCRIPT, "silent.reduced.mlir", cwd=here).returncode == 0
    assert (here / "silent.reduced.mlir").read_text() == first
    assert (here / "silent.reduced.reduced.mlir").read_text() == first


def test_a_second_result_says_that_it_replaces_the_first(here: Path) -> None:
    first, second = (reduce(*BY_SCRIPT, "silent.mlir", cwd=here) for _ in range(2))
    assert "  program  silent.reduced.mlir\n" in first.stdout
    assert "  program  silent.reduced.mlir (replaces an earlier result)\n" in second.stdout


def test_a_program_called_check(here: Path) -> None:
    (here / "check").write_text(SILENT)
    assert reduce("-q", *BY_SCRIPT, "check", cwd=here).returncode == 0
    assert (here / "check.reduced.mlir").exists()
    assert reduce("./check", *BY_SCRIPT, "-q", cwd=here).returncode == 0


def test_exit_interesting_nonzero(here: Path) -> None:
    words = ("--oracle", "script", "--script", "grep -vq linalg.conv_1d", "--exit-interesting", "nonzero")
    assert reduce("-q", *words, "silent.mlir", cwd=here).returncode == 1
    script = _script(here, 'grep -q linalg.conv_1d "$1" && exit 7\nexit 0')
    words = ("--oracle", "script", "--script", script, "--exit-interesting", "nonzero")
    assert reduce("-q", *words, "silent.mlir", cwd=here).returncode == 0


def test_an_unreliable_seed(here: Path) -> None:
    """Interesting the first time, not the second."""
    script = _script(here, "[ -e seen ] && exit 1\ntouch seen")
    done = reduce("--oracle", "script", "--script", script, "silent.mlir", "--json", "out.json", cwd=here)
    assert done.returncode == 1
    assert "shows the fault only some of the time" in done.stdout
    assert json.loads((here / "out.json").read_text())["outcome"] == "unreliable"


def test_what_cannot_be_confirmed_says_so(here: Path) -> None:
    """A script that has had enough after six answers: neither the result nor any step before it is confirmed."""
    script = _script(here, 'echo >> asked\n[ "$(wc -l < asked)" -le 6 ] && grep -q linalg.conv_1d "$1"')
    done = reduce("--oracle", "script", "--script", script, "-j", "1", "silent.mlir", "--json", "out.json", cwd=here)
    assert done.returncode == 3
    assert "NOT confirmed by the script" in done.stdout
    document = json.loads((here / "out.json").read_text())
    assert (document["confirmed"], document["exit"]) == (False, 3)


def test_progress_on_a_terminal(here: Path) -> None:
    main, other = pty.openpty()
    env = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "150"}
    script = _script(here, 'sleep 0.05\ngrep -q linalg.conv_1d "$1"')
    process = subprocess.Popen(
        [str(REDUCE), "--oracle", "script", "--script", script, "silent.mlir"],
        cwd=here, stdin=subprocess.DEVNULL, stdout=other, stderr=other, env=env,
    )  # fmt: skip
    os.close(other)
    shown = b""
    try:
        while data := os.read(main, 65536):
            shown += data
    except OSError:  # the terminal is gone with its last user
        pass
    assert process.wait(60) == 0
    text = shown.decode()
    assert "8 → " in text
    assert "tests (" in text
    assert "Reduced, confirmed by the script" in text
    assert "\x1b[?25h" in text  # the cursor is back


def test_a_reader_that_goes_away_changes_nothing(here: Path) -> None:
    command = f"'{REDUCE}' --oracle script --script 'grep -q linalg.conv_1d' silent.mlir | head -n 1"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"], cwd=here, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert (here / "silent.reduced.mlir").exists()


def test_verbose_tells_every_test(here: Path) -> None:
    done = reduce("-v", *BY_SCRIPT, "silent.mlir", cwd=here)
    assert "  + " in done.stdout
    assert ": the script exits with 1, interesting is 0" in done.stdout


def test_closed_streams_change_nothing(here: Path) -> None:
    command = f"'{REDUCE}' --oracle script --script 'grep -q linalg.conv_1d' silent.mlir <&- >&-"
    done = subprocess.run(["bash", "-c", command], cwd=here, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert (here / "silent.reduced.mlir").exists()


def test_the_document_on_a_pipe(here: Path) -> None:
    done = reduce(*BY_SCRIPT, "silent.mlir", "-q", "--json", "/dev/stdout", cwd=here)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["outcome"] == "reduced"


def test_a_name_with_everything_in_it(here: Path) -> None:
    name = "my 'model' $HOME; é"
    (here / f"{name}.mlir").write_text(SILENT)
    assert reduce(*BY_SCRIPT, "-q", f"{name}.mlir", cwd=here).returncode == 0
    assert (here / f"{name}.reduced.mlir").exists()
    script = subprocess.run([here / f"{name}.reduced.sh"], cwd="/", capture_output=True, text=True, check=False)
    assert "cannot read" not in script.stderr
