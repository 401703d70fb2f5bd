"""Stopping in the middle: Ctrl-C, SIGTERM, kill -9 and --resume, two reductions at once."""

from __future__ import annotations

import contextlib
import json
import os
import signal
from pathlib import Path

import pytest

from tests.cli.command import SEEDS, SILENT, reduce
from tests.e2e.running import command_of, descendants, running, still_alive, wait_for

JUDGE = '#!/bin/sh\necho >> asked\ngrep -q linalg.conv_1d "$1"\n'
STUCK = '#!/bin/sh\necho >> asked\n[ "$(wc -l < asked)" -lt 9 ] || sleep 60\ngrep -q linalg.conv_1d "$1"\n'
"""Answers eight times, the last two after the first cut_ops that holds; then hangs until somebody stops it."""


@pytest.fixture
def here(tmp_path: Path) -> Path:
    (tmp_path / "silent.mlir").write_text(SILENT)
    for name, text in (("judge.sh", JUDGE), ("stuck.sh", STUCK)):
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    return tmp_path


BY_SCRIPT = ("--oracle", "script", "--script", "./judge.sh", "silent.mlir")
BY_STUCK_SCRIPT = ("--oracle", "script", "--script", "./stuck.sh", "silent.mlir")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_interrupted_in_the_middle(number: signal.Signals, here: Path) -> None:
    with running(*BY_STUCK_SCRIPT, "--json", "out.json", cwd=here) as process:
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
    with running(*BY_STUCK_SCRIPT, cwd=here) as process:
        wait_for(process, "cut_ops:")
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        assert process.returncode == 130
    assert (here / "stderr.txt").read_text() == ""
    assert (here / "silent.reduced.mlir").exists()


def test_interrupted_before_the_seed_was_judged(here: Path) -> None:
    (here / "stuck.sh").write_text("#!/bin/sh\necho >> asked\nsleep 60\n")
    with running(*BY_STUCK_SCRIPT, "--json", "out.json", cwd=here) as process:
        wait_for(process, "$ ")
        while not (here / "asked").exists():
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
    """`kill -9` loses the one candidate in flight; the result is that of a run that nobody killed."""
    asked = here / "asked"
    assert reduce("-q", *BY_SCRIPT, "-j", "1", "-o", "whole.mlir", cwd=here).returncode == 0
    whole = asked.read_text().count("\n")
    asked.unlink()
    with running(*BY_STUCK_SCRIPT, "-j", "1", "-o", "part.mlir", cwd=here) as process:
        wait_for(process, "cut_ops:")
        while asked.read_text().count("\n") < 9:
            assert process.poll() is None
        started = descendants(process.pid)
        workers = {pid for pid in started if "worker" in command_of(pid)}
        process.kill()
        process.communicate(timeout=30)
    assert workers
    assert still_alive(workers) == set()
    for script in started - workers:
        with contextlib.suppress(ProcessLookupError):
            os.kill(script, signal.SIGKILL)
    assert not (here / "part.mlir").exists()
    asked.unlink()
    (here / "stuck.sh").write_text(JUDGE)
    resumed = reduce(*BY_STUCK_SCRIPT, "-j", "1", "-o", "part.mlir", "--resume", "--json", "out.json", cwd=here)
    assert resumed.returncode == 0
    judged_before = 9 - 2 - 1  # but for the seed, which is asked about twice anew, and the candidate in flight
    assert asked.read_text().count("\n") == whole - judged_before
    assert (here / "part.mlir").read_text() == (here / "whole.mlir").read_text()
    assert json.loads((here / "out.json").read_text())["confirmed"] is True


def test_resuming_another_case_is_refused(here: Path) -> None:
    assert reduce("-q", *BY_SCRIPT, cwd=here).returncode == 0
    done = reduce("-q", *BY_SCRIPT, "--resume", "--seed", "7", cwd=here)
    assert done.returncode == 2
    assert "not the same case (seed)" in done.stderr


def test_two_at_once(here: Path) -> None:
    """The second one finds the run folder taken, and takes other names."""
    with running(*BY_STUCK_SCRIPT, cwd=here) as first:
        wait_for(first, "cut_ops:")
        second = reduce(*BY_SCRIPT, cwd=here)
        first.send_signal(signal.SIGINT)
        first.communicate(timeout=60)
        assert first.returncode == 130
    assert second.returncode == 0
    assert "another reduction is writing silent.reduced.mlir; this one writes" in second.stdout
    assert (here / "silent.reduced.mlir").exists()
    assert (here / "silent.reduced-2.mlir").exists()
    assert (here / "silent.reduced-2.sh").exists()
    assert (here / "silent.reduced-2.run" / "journal.jsonl").exists()


def test_limit_time(here: Path) -> None:
    (here / "judge.sh").write_text(JUDGE.replace("grep", "sleep 0.2; grep"))
    done = reduce(*BY_SCRIPT, "-j", "1", "--limit-time", "1.5s", "--json", "out.json", cwd=here)
    assert done.returncode == 0
    document = json.loads((here / "out.json").read_text())
    assert (document["outcome"], document["confirmed"], document["minimal"]) == ("limit", True, False)
    assert document["notes"] == ["stopped after 1.5 s, as --limit-time says"]
