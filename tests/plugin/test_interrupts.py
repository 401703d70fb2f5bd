"""Interrupted: at once, with pytest's own exit code, and nothing is left behind."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from types import FrameType

import pytest

from oracles.translation_error import TranslationError
from oracles.verdict import Outcome
from reducer.properties import Iree
from reducer.toolchain.releases import Toolchain
from reducer.toolchain.targets import target_flags
from tests.cli.command import HEALTHY, SILENT
from tests.e2e.running import descendants, still_alive

FOREVER = """
from pathlib import Path
from hypothesis import given, settings
from oracles.crash import Crash
from reducer.pytest_plugin import assert_holds
from reducer.strategies import elementwise

@settings(max_examples=100000, database=None)
@given(elementwise())
def test_{name}(iree, program):
    Path("begun-{name}").touch()
    assert_holds(Crash(), program, iree)
"""
CONSUMER = "--iree-dispatch-creation-enable-fuse-padding-into-linalg-consumer-ops"


@pytest.mark.parametrize("words", [(), ("-n", "2")], ids=["alone", "xdist"])
def test_it_ends_at_once_and_leaves_nothing(words: tuple[str, ...], pytester: pytest.Pytester) -> None:
    names = ("a", "b")[: 2 if words else 1]
    pytester.makepyfile("\n".join(FOREVER.format(name=name) for name in names))
    argv = [sys.executable, "-m", "pytest", "-q", *words]
    with subprocess.Popen(
        argv, cwd=pytester.path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True
    ) as process:
        try:
            deadline = time.monotonic() + 90
            started: set[int] = set()
            while (
                not all((pytester.path / f"begun-{name}").exists() for name in names)
                or len(started) < len(words) + 2 * len(names)  # xdist's own; an editing and a compiling worker each
            ):
                assert time.monotonic() < deadline
                assert process.poll() is None, process.communicate()[0]
                time.sleep(0.05)
                started = descendants(process.pid)
            time.sleep(1.0)
            os.killpg(process.pid, signal.SIGINT)  # as the terminal does
            begun = time.monotonic()
            said, _ = process.communicate(timeout=30)
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    assert process.returncode == pytest.ExitCode.INTERRUPTED, said
    assert time.monotonic() - begun < 10
    assert "KeyboardInterrupt" in said
    assert "Warning" not in said
    assert still_alive(started) == set()


class StopError(Exception):
    """As pytest-timeout throws its own into a test."""


@contextlib.contextmanager
def stopped_after(seconds: float) -> Iterator[None]:
    def stop(number: int, frame: FrameType | None) -> None:
        del number, frame
        raise StopError

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@pytest.mark.timeout(method="thread")  # the signal is taken
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # where it hits inside of Popen
def test_the_next_question_gets_its_own_answer(installed: Toolchain) -> None:
    """Whenever a question is interrupted, starting workers included: no answer is late, no process stays."""
    iree = Iree(installed, "llvm-cpu", target_flags("llvm-cpu", installed.release), 60.0)
    assert iree.judge(TranslationError(), HEALTHY, (CONSUMER,)).verdict.outcome is Outcome.NOT_INTERESTING
    stops = 0
    for number, seconds in enumerate((0.005, 0.02, 0.04, 0.08, 0.12, 0.2, 0.3)):
        for warm in (True, False):
            if not warm:
                iree.close()
                iree = Iree(installed, "llvm-cpu", iree.target_flags, 60.0)
            another = f"{SILENT}\n// {number} {warm}\n"  # what it was once found to show is remembered
            try:
                with stopped_after(seconds):
                    iree.judge(TranslationError(), another, (CONSUMER,))
            except StopError:
                stops += 1
                assert still_alive(descendants(os.getpid()), wait_s=2.0) == set()
            assert iree.judge(TranslationError(), HEALTHY, (CONSUMER,)).verdict.outcome is Outcome.NOT_INTERESTING
    assert stops >= 6
    iree.close()
    assert still_alive(descendants(os.getpid()), wait_s=2.0) == set()
