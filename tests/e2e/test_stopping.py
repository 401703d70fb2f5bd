"""Stopping in the middle: Ctrl-C, SIGTERM, kill -9 and --resume, two reductions at once."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

from tests.cli.command import SEEDS, SILENT, reduce
from tests.e2e.running import descendants, running, still_alive, wait_for


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "silent.mlir").write_text(SILENT)
    script = tmp_path / "judge.sh"
    script.write_text('#!/bin/sh\nsleep 0.2\ngrep -q linalg.conv_1d "$1"\n')
    script.chmod(0o755)
    return tmp_path


BY_SCRIPT = ("--oracle", "script", "--script", "./judge.sh", "silent.mlir")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupted_in_the_middle(number: signal.Signals, here: Path) -> None:
    with running(*BY_SCRIPT, "--json", "out.json", cwd=here) as process:
        wait_for(process, "cut_ops:")
        started = descendants(process.pid)
        process.send_signal(number)
        rest, _ = process.communicate(timeout=30)
        assert process.returncode == 130
    assert (here / "stderr.txt").read_text() == ""
    assert "Interrupted: this is the best so far" in rest
    assert "linalg.conv_1d" in (here / "silent.reduced.mlir").read_text()
    document = json.loads((here / "out.json").read_text())
    assert (document["outcome"], document["confirmed"], document["exit"]) == ("interrupted", False, 130)
    assert document["after"]["ops"] < document["before"]["ops"]
    assert started
    assert still_alive(started) == set()


def test_interrupted_twice(here: Path) -> None:
    """An impatient second Ctrl-C loses nothing."""
    with running(*BY_SCRIPT, cwd=here) as process:
        wait_for(process, "cut_ops:")
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        assert process.returncode == 130
    assert (here / "stderr.txt").read_text() == ""
    assert (here / "silent.reduced.mlir").exists()


def test_interrupted_before_the_seed_was_judged(here: Path) -> None:
    (here / "judge.sh").write_text("#!/bin/sh\nsleep 60\n")
    with running(*BY_SCRIPT, "--json", "out.json", cwd=here) as process:
        wait_for(process, "$ ")
        while not any(descendants(pid) for pid in descendants(process.pid)):
            assert process.poll() is None
        started = descendants(process.pid)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        assert process.returncode == 130
    assert (here / "stderr.txt").read_text().count("\n") == 1
    assert json.loads((here / "out.json").read_text())["outcome"] == "interrupted"
    assert not (here / "silent.reduced.mlir").exists()
    assert still_alive(started) == set()


def test_interrupted_while_compiling(here: Path) -> None:
    """A compiler in full swing goes down with the rest."""
    seed = str(SEEDS / "pad_conv.mlir")
    with running("--oracle", "translation-error", seed, cwd=here) as process:
        wait_for(process, "slice:")
        started = descendants(process.pid)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        assert process.returncode == 130
    assert (here / "stderr.txt").read_text() == ""
    assert "tensor.pad" in (here / "pad_conv.reduced.mlir").read_text()
    assert len(started) >= 2
    assert still_alive(started) == set()


def test_killed_and_resumed(here: Path) -> None:
    """What was judged before `kill -9` is not asked again, and the result is that of a run that nobody killed."""
    log = here / "asked"
    (here / "judge.sh").write_text('#!/bin/sh\necho >> asked\nsleep 0.1\ngrep -q linalg.conv_1d "$1"\n')
    words = (*BY_SCRIPT, "-j", "1")
    assert reduce("-q", *words, "-o", "whole.mlir", cwd=here).returncode == 0
    whole = log.read_text().count("\n")
    log.unlink()
    with running(*words, "-o", "part.mlir", cwd=here) as process:
        wait_for(process, "merge_arguments:")
        started = descendants(process.pid)
        process.kill()
        process.communicate(timeout=30)
    assert still_alive(started) == set()
    assert not (here / "part.mlir").exists()
    before = log.read_text().count("\n")
    log.unlink()
    resumed = reduce(*words, "-o", "part.mlir", "--resume", "--json", "out.json", cwd=here)
    assert resumed.returncode == 0
    after = log.read_text().count("\n")
    asked_anew = 2 + 1 + 1 + 1  # the seed twice, what was in flight, and both confirmations
    assert before + after <= whole + asked_anew
    assert after < whole
    assert (here / "part.mlir").read_text() == (here / "whole.mlir").read_text()
    assert json.loads((here / "out.json").read_text())["confirmed"] is True


def test_resuming_another_case_is_refused(here: Path) -> None:
    assert reduce("-q", *BY_SCRIPT, cwd=here).returncode == 0
    done = reduce("-q", *BY_SCRIPT, "--resume", "--seed", "7", cwd=here)
    assert done.returncode == 2
    assert "not the same case (seed)" in done.stderr


def test_two_at_once(here: Path) -> None:
    """The second one finds the run folder taken, and takes other names."""
    with running(*BY_SCRIPT, cwd=here) as first:
        wait_for(first, "cut_ops:")
        second = reduce(*BY_SCRIPT, cwd=here)
        rest, _ = first.communicate(timeout=60)
        assert first.returncode == 0
    assert second.returncode == 0
    assert "another reduction is writing silent.reduced.mlir; this one writes" in second.stdout
    assert "confirmed by the script" in rest
    one, two = (here / f"silent.reduced{more}.mlir" for more in ("", "-2"))
    assert one.read_text() == two.read_text()
    assert (here / "silent.reduced-2.sh").exists()
    assert (here / "silent.reduced-2.run" / "journal.jsonl").exists()


def test_limit_time(here: Path) -> None:
    done = reduce(*BY_SCRIPT, "--limit-time", "1.5s", "--json", "out.json", cwd=here)
    assert done.returncode == 0
    document = json.loads((here / "out.json").read_text())
    assert (document["outcome"], document["confirmed"], document["minimal"]) == ("limit", True, False)
    assert document["notes"] == ["stopped after 1.5 s, as --limit-time says"]
