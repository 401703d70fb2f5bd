"""Where results go, and what is never overwritten."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from reducer.cli.outputs import check_outputs, choose_outputs, no_space
from reducer.errors import OutputError


def _names(output: str | None, name: str, attempt: int = 1) -> tuple[str, ...]:
    chosen = choose_outputs(output, name, attempt)
    return tuple(str(p.relative_to(Path.cwd())) for p in (chosen.program, chosen.script, chosen.run_dir))


def test_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert _names(None, "pad") == ("pad.reduced.mlir", "pad.reduced.sh", "pad.reduced.run")
    assert _names(None, "pad", 2) == ("pad.reduced-2.mlir", "pad.reduced-2.sh", "pad.reduced-2.run")
    assert _names(None, "pad.reduced") == (
        "pad.reduced.reduced.mlir", "pad.reduced.reduced.sh", "pad.reduced.reduced.run",
    )  # fmt: skip
    assert _names("a/repro.mlir", "pad") == ("a/repro.mlir", "a/repro.reduced.sh", "a/repro.reduced.run")
    assert _names("repro.mlir", "pad", 3) == ("repro-3.mlir", "repro.reduced-3.sh", "repro.reduced-3.run")
    assert _names("x.reduced.mlir", "pad") == ("x.reduced.mlir", "x.reduced.sh", "x.reduced.run")
    assert _names("repro.txt", "pad") == ("repro.txt", "repro.txt.reduced.sh", "repro.txt.reduced.run")


def test_inputs_are_never_overwritten(tmp_path: Path) -> None:
    seed, script = tmp_path / "seed.mlir", tmp_path / "seed.reduced.sh"
    seed.touch()
    script.touch()
    link = tmp_path / "link.mlir"
    link.symlink_to(seed)
    hard = tmp_path / "hard.mlir"
    hard.hardlink_to(seed)
    for output in (seed, link, hard):
        with pytest.raises(OutputError, match="is an input and would be overwritten"):
            check_outputs(choose_outputs(str(output), "seed"), [seed])
    with pytest.raises(OutputError, match="is an input and would be overwritten"):
        check_outputs(choose_outputs(str(tmp_path / "seed.reduced.mlir"), "seed"), [script])


def test_nothing_but_files_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "out.reduced.run").touch()
    with pytest.raises(OutputError, match=r"the run folder .* is a file"):
        check_outputs(choose_outputs(str(tmp_path / "out.mlir"), "x"), [])
    with pytest.raises(OutputError, match="is a directory"):
        choose_outputs(str(tmp_path), "x")
    with pytest.raises(OutputError, match="not a regular file"):
        check_outputs(choose_outputs("/dev/full", "x"), [])
    assert Path("/dev/full").is_char_device()


def test_full_disks_are_the_users_news() -> None:
    full = no_space(OSError(errno.ENOSPC, "No space left on device", "/x/y"))
    assert str(full) == "cannot write /x/y: No space left on device; free some space, then go on with --resume"
    assert no_space(OSError(errno.EBADF, "Bad file descriptor")) is None
