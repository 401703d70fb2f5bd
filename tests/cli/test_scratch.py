"""Nothing is left in the folder for temporary files, by those that end and, later, by those that are killed."""

from __future__ import annotations

import fcntl
import tempfile
import time
from pathlib import Path

import pytest

from reducer.cli.scratch import scratch
from tests.cli.command import SILENT, reduce
from tests.e2e.running import running, wait_for


def test_everything_goes_into_one_folder_that_goes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with scratch():
        inner = Path(tempfile.mkdtemp(prefix="iree-reduce-"))
        assert inner.parent.parent == tmp_path
    assert tempfile.tempdir == str(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_only_what_nobody_holds_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    for name in ("iree-reduce-held", "iree-reduce-stale", "iree-reduce-other"):
        (tmp_path / name).mkdir()
    (tmp_path / "iree-reduce-stale" / ".lock").touch()
    (tmp_path / "iree-reduce-stale" / "program.mlir").touch()
    with (tmp_path / "iree-reduce-held" / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with scratch():
            pass
    assert sorted(p.name for p in tmp_path.iterdir()) == ["iree-reduce-held", "iree-reduce-other"]


def test_what_a_killed_reduction_left_goes_with_the_next(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The script takes its time; the reduction is killed in the middle of it."""
    (tmp_path / "tmp").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    (tmp_path / "silent.mlir").write_text(SILENT)
    (tmp_path / "slow.sh").write_text("#!/bin/sh\necho asked >>asked\nsleep 1\n")
    (tmp_path / "slow.sh").chmod(0o755)
    with running("--oracle", "script", "--script", "./slow.sh", "silent.mlir", cwd=tmp_path) as process:
        wait_for(process, "$ ")
        while not (tmp_path / "asked").exists():
            time.sleep(0.05)
        process.kill()
        process.communicate(timeout=30)
    assert list((tmp_path / "tmp").glob("iree-reduce-*")) != []
    assert reduce("list", "oracles", cwd=tmp_path).returncode == 0
    assert list((tmp_path / "tmp").glob("iree-reduce-*")) == []
