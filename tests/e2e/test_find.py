"""`reduce find` as a user has it: what it leaves, that it can be stopped and gone on with, what it refuses."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import termios
from pathlib import Path

import pytest

from tests.cli.command import REDUCE, error_line, reduce
from tests.e2e.running import descendants, running, still_alive, wait_for

SMALL = (
    "find", "--oracle", "no-op-flag,translation-error", "--seed", "2", "--limit-time", "none", "--limit-programs", "8",
)  # fmt: skip
"""The same programs, and the same finds, each time."""


def state(folder: Path) -> dict[str, object]:
    read: dict[str, object] = json.loads((folder / "state.json").read_text())
    return read


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A search that has ended."""
    folder = tmp_path_factory.mktemp("find")
    done = reduce(*SMALL, "--out", "found", cwd=folder, timeout_s=300)
    assert (done.returncode, done.stderr) == (0, "")
    (folder / "stdout.txt").write_text(done.stdout)
    return folder / "found"


def test_every_find_has_a_folder_whose_repro_and_script_show_it(found: Path) -> None:
    folders = sorted(path for path in found.iterdir() if path.is_dir())
    assert {path.name[4:] for path in folders} == {"no-op-flag", "translation-error"}
    assert [path.name[:3] for path in folders] == [f"{n:03}" for n in range(1, len(folders) + 1)]
    for path in folders:
        files = {"find.json", "original.mlir", "report.md", "repro.mlir", "repro.sh"}
        assert {f.name for f in path.iterdir()} == files
        assert "### Steps to reproduce your issue" in (path / "report.md").read_text()
        find = json.loads((path / "find.json").read_text())
        assert find["ops"] <= 8
        assert find["minimal"]
        script = subprocess.run([path / "repro.sh"], capture_output=True, text=True, check=False)
        assert script.returncode == 0, script.stdout
    checked = reduce("check", str(found), cwd=found.parent)
    assert (checked.returncode, checked.stderr) == (0, ""), checked.stdout
    shown = (found.parent / "stdout.txt").read_text()
    assert f"{len(folders)} faults found; 8 programs in" in shown
    assert "translation-error: 'tensor.pad' op failed to tile operation" in shown


def test_gone_on_with_it_finds_nothing_twice_and_another_search_can_pass_over_it(found: Path, tmp_path: Path) -> None:
    before = state(found)
    done = reduce(*SMALL, "--out", "found", "--resume", cwd=found.parent, timeout_s=300)
    assert (done.returncode, done.stderr) == (0, "")
    after = state(found)
    assert after["finds"] == before["finds"]
    assert after["programs"] == 16
    known = reduce(*SMALL, "--out", str(tmp_path / "new"), "--known", "found", cwd=found.parent, timeout_s=300)
    assert (known.returncode, known.stderr) == (1, "")
    assert "0 faults found" in known.stdout
    signatures = tmp_path / "filed.txt"
    finds = [json.loads(path.read_text()) for path in sorted(found.glob("*/find.json"))]
    signatures.write_text("# filed\n\n" + "\n".join(find["signature"] for find in finds[1:]) + "\n")
    one = reduce(*SMALL, "--out", str(tmp_path / "one"), "--known", str(signatures), cwd=tmp_path, timeout_s=300)
    assert one.returncode == 0
    assert [find["signature"] for find in state(tmp_path / "one")["finds"]] == [finds[0]["signature"]]  # type: ignore[attr-defined]


def test_stopped_in_the_middle_and_gone_on_with(tmp_path: Path) -> None:
    with running(*SMALL, "--out", "found", cwd=tmp_path) as process:
        wait_for(process, "into the search")
        started = descendants(process.pid)
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=60)
        assert process.returncode == 130
    assert (tmp_path / "stderr.txt").read_text() == ""
    assert "1 fault found" in rest
    assert started
    assert still_alive(started) == set()
    assert not list((tmp_path / "found").glob(".run-*"))
    first = state(tmp_path / "found")["finds"]
    done = reduce(*SMALL, "--out", "found", "--resume", cwd=tmp_path, timeout_s=300)
    assert (done.returncode, done.stderr) == (0, "")
    finds = state(tmp_path / "found")["finds"]
    assert isinstance(finds, list)
    assert finds[:1] == first
    assert len(finds) > 1
    assert len({find["key"] for find in finds}) == len(finds)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--oracle", "no-op"), "cannot look for 'no-op'; did you mean no-op-flag?"),
        (("--oracle", "hang"), "cannot look for 'hang'; did you mean run-hang?"),
        (("--oracle", "x"), "cannot look for 'x'; known are no-op-flag, two-dispatches,"),
        (("--all", "--oracle", "crash"), "--all and --oracle crash do not go together; give one of them"),
        (("--target", "lvm-cpu"), "unknown target 'lvm-cpu'"),
        (("--oracle", "wrong-result", "--target", "cuda:sm_80"), "wrong-result runs programs, which needs targets"),
        (("--known", "nowhere"), "cannot read --known nowhere: No such file or directory"),
        (("--known", "."), ". holds no search (state.json: No such file or directory)"),
        (("--known", "bytes"), "--known bytes is neither a search's folder nor a list of signatures"),
        (("--resume", "--out", "empty"), "empty holds no search"),
        (("--resume", "--out", "damaged"), "damaged/state.json is damaged"),
        (("--out", "full"), "--out full is not an empty folder; --resume goes on with its search, or choose another"),
        (("--out", "bytes"), "--out bytes is not an empty folder"),
        (("--out", "bytes/found"), "cannot write --out bytes/found: Not a directory"),
        (("--limit-time", "soon"), "--limit-time"),
        (("--limit-programs", "0"), "--limit-programs"),
        (("--", "--iree-no-such-flag"), "--iree-no-such-flag"),
        (("seed.mlir",), "seed.mlir"),
    ],
)
def test_bad_input_is_one_line(words: tuple[str, ...], said: str, tmp_path: Path) -> None:
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "empty").mkdir()
    for name in ("full", "damaged"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "state.json").write_text("{")
    before = sorted(tmp_path.rglob("*"))
    assert said in error_line(reduce("find", *words, cwd=tmp_path))
    assert [path for path in sorted(tmp_path.rglob("*")) if path.name != "found"] == before


def test_other_options_are_another_search(tmp_path: Path) -> None:
    words = ("find", "--oracle", "no-op-flag", "--limit-programs", "1", "--out", "found")
    assert reduce(*words, cwd=tmp_path).returncode in (0, 1)
    done = reduce(*words, "--seed", "4", "--resume", cwd=tmp_path)
    assert error_line(done) == "cannot go on with found: other options (seed); choose another --out"


def test_on_a_terminal_a_table_grows_in_place(tmp_path: Path) -> None:
    """Each frame fits: on a narrow terminal what is said of a fault gives way, and no number does."""
    ours, theirs = pty.openpty()
    columns = 90
    termios.tcsetwinsize(theirs, (40, columns))
    words = ("--oracle", "no-op-flag,two-dispatches", "--limit-time", "none", "--limit-programs", "16", "--seed", "2")
    environment = {k: v for k, v in os.environ.items() if k not in ("COLUMNS", "LINES", "NO_COLOR")} | {"TERM": "xterm"}
    with subprocess.Popen([str(REDUCE), "find", *words], cwd=tmp_path, stdout=theirs, env=environment) as process:
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 65536):
                shown += part
        except OSError:  # how a terminal says that nobody writes to it any more
            pass
        finally:
            os.close(ours)
    assert process.returncode == 0
    rows = re.split(r"[\r\n]+", re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", shown.decode()))
    frame = [row.rstrip() for row in rows if len(row) == columns - 2]  # the table's, but for a gap
    assert any(re.fullmatch(r" +fault +target +flags +seen +smallest", row) for row in frame), rows
    find = r"\d  (no-op-flag|two-dispatches).* llvm-cpu +(producer|consumer) +\d+ x +\d+ → \d+ ops, \d+ elements? *"
    assert any(re.fullmatch(find, row) for row in frame), rows
    assert any(re.match(r"\d+\.\d s · 16 programs · [\d,]+ verdicts a minute · ", row) for row in rows), rows
