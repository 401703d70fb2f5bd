"""A worker that misbehaves changes nothing about the result."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from oracles.registry import make
from reducer.case import Case, Limits, Result
from reducer.errors import ToolchainError
from reducer.session import Options, Session
from reducer.toolchain import pool
from reducer.toolchain.pool import Slot
from reducer.toolchain.releases import Toolchain
from reducer.toolchain.targets import target_flags

CONSUMER = "--iree-dispatch-creation-enable-fuse-padding-into-linalg-consumer-ops"
SEED = (Path(__file__).parents[2] / "seeds" / "silent_consumer_flag.mlir").read_text()


def reduce(
    toolchain: Toolchain, folder: Path, *, jobs: int = 1, timeout_s: float = 20.0, resume: bool = False
) -> Result:
    flags = target_flags("llvm-cpu", toolchain.release)
    case = Case("seed", SEED, make("translation-error"), toolchain, "llvm-cpu", flags, (CONSUMER,))
    options = Options(folder, Limits(timeout_s=timeout_s, memory_bytes=16 << 30), jobs=jobs, resume=resume)
    return Session(case, options, lambda event: None).run()


@pytest.fixture(scope="module")
def clean(installed: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Result:
    result = reduce(installed, tmp_path_factory.mktemp("clean"))
    assert result.outcome == "reduced"
    assert result.confirmed
    assert result.minimal
    return result


@pytest.mark.parametrize(
    "mode",
    ["killed", "hangs", "eats memory", "prints megabytes", "writes to standard output", "answers nonsense", "exits"],
)
def test_a_misbehaving_worker_changes_nothing(
    mode: str, evil: Callable[[str], Toolchain], clean: Result, tmp_path: Path
) -> None:
    result = reduce(evil(mode), tmp_path / "run", timeout_s=6.0 if mode in ("hangs", "answers nonsense") else 20.0)
    assert (tmp_path / "compilations").stat().st_size > 5  # it did misbehave
    assert result.program == clean.program
    assert (result.outcome, result.confirmed, result.minimal) == ("reduced", True, True)
    assert result.tests == clean.tests


def test_a_fault_that_warm_workers_fake_is_found_out(
    evil: Callable[[str], Toolchain], clean: Result, tmp_path: Path
) -> None:
    result = reduce(evil("fakes the fault"), tmp_path / "run")
    assert result.program == clean.program
    assert (result.outcome, result.confirmed, result.minimal) == ("reduced", True, True)
    assert [note for note in result.notes if "went on without warm workers" in note]
    again = reduce(evil("fakes the fault"), tmp_path / "run", resume=True)
    assert (again.program, again.tests, again.notes) == (result.program, result.tests, result.notes)


def test_the_result_and_the_number_of_tests_do_not_depend_on_jobs(
    installed: Toolchain, clean: Result, tmp_path: Path
) -> None:
    result = reduce(installed, tmp_path / "run", jobs=2)
    assert result.program == clean.program
    assert result.tests == clean.tests
    assert result.refusals == clean.refusals


def test_the_same_twice(installed: Toolchain, clean: Result, tmp_path: Path) -> None:
    result = reduce(installed, tmp_path / "run")
    assert (result.program, result.tests) == (clean.program, clean.tests)


def test_no_worker_outlives_its_session(installed: Toolchain, tmp_path: Path) -> None:
    reduce(installed, tmp_path / "run")
    mine = os.getpid()
    children = [
        line.split()
        for line in subprocess.check_output(["ps", "-eo", "pid,ppid,args"], text=True).splitlines()
        if "reducer/worker" in line and str(mine) == line.split()[1]
    ]
    assert children == []


def test_a_worker_killed_while_it_starts_is_started_again(installed: Toolchain, tmp_path: Path) -> None:
    python, mark = tmp_path / "python", tmp_path / "started"
    python.write_text(
        f'#!/bin/sh\n[ -e {mark} ] || {{ touch {mark}; kill -9 $$; }}\nexec {installed.python} "$@"\n'
    )
    python.chmod(0o755)
    slot = Slot(replace(installed, python=python), pool.Limits(20.0, 0))
    assert "drop_functions" in slot.passes
    assert slot.lost == 1
    slot.close()


def test_workers_that_are_always_killed_while_they_start(installed: Toolchain, tmp_path: Path) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\nkill -9 $$\n")
    python.chmod(0o755)
    slot = Slot(replace(installed, python=python), pool.Limits(20.0, 0))
    with pytest.raises(ToolchainError, match="killed while they were starting"):
        _ = slot.passes
