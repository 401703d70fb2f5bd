"""Interrupts where Python does not just raise them: while modules are imported, in callbacks whose errors are lost."""

from __future__ import annotations

import _thread
import contextlib
import gc
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from reducer.interrupts import raised_again, watching
from tests.cli.command import SILENT, reduce

INTERRUPTED_CLASS = """\
import os, signal
class Descriptor:
    def __set_name__(self, owner, name):
        os.kill(os.getpid(), signal.SIGINT)
class Owner:
    descriptor = Descriptor()
"""


@pytest.mark.parametrize(("module", "said"), [("typer", "interrupted"), ("hypothesis", "error: interrupted")])
def test_an_interrupt_while_a_module_is_imported(module: str, said: str, tmp_path: Path) -> None:
    """typer is among the first, hypothesis comes when the reduction is about to begin."""
    (tmp_path / "modules").mkdir()
    (tmp_path / "modules" / f"{module}.py").write_text(INTERRUPTED_CLASS)
    (tmp_path / "silent.mlir").write_text(SILENT)
    done = reduce(
        "-q", "silent.mlir", "--oracle", "script", "--script", "grep -q linalg.conv_1d",
        cwd=tmp_path, env={"PYTHONPATH": str(tmp_path / "modules")},
    )  # fmt: skip
    assert done.stderr == f"reduce: {said}\n"
    assert done.returncode == 130


LONG_S = 20.0


@contextlib.contextmanager
def cut_short() -> Iterator[None]:
    """What is inside is interrupted, and not only after it has waited for LONG_S."""
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        yield
    assert time.monotonic() - started < LONG_S


@contextlib.contextmanager
def signals_in_collections(numbers: list[int]) -> Iterator[None]:
    """Each of these signals comes while one collection of garbage calls back."""

    def callback(phase: str, info: dict[str, int]) -> None:
        del info
        if phase == "stop" and numbers:
            signal.raise_signal(numbers.pop())

    gc.callbacks.append(callback)
    try:
        yield
    finally:
        gc.callbacks.remove(callback)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("times", [1, 2])
def test_a_command_is_interrupted_where_errors_are_lost(number: int, times: int) -> None:
    with pytest.raises(KeyboardInterrupt), watching() as interrupts, signals_in_collections([number] * times):
        _collect_for(10.0)
    assert interrupts.seen


def test_a_test_is_interrupted_where_errors_are_lost() -> None:
    with pytest.raises(KeyboardInterrupt), raised_again(), signals_in_collections([signal.SIGINT]):
        _collect_for(10.0)


@pytest.mark.parametrize("within", [watching, raised_again])
def test_one_that_was_lost_ends_a_wait(within: Callable[[], AbstractContextManager[object]]) -> None:
    with cut_short(), within(), signals_in_collections([signal.SIGINT]):
        gc.collect()
        threading.Event().wait(LONG_S)


def test_one_that_came_just_before_a_wait_ends_it() -> None:
    """As if the main thread had looked for signals, and begun to wait after that."""
    unseen = threading.Timer(0.1, _thread.interrupt_main, (signal.SIGINT,))
    unseen.start()
    with cut_short(), watching():
        threading.Event().wait(LONG_S)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("within", [watching(), raised_again()], ids=["watching", "raised_again"])
def test_other_lost_errors_interrupt_nothing(within: AbstractContextManager[object]) -> None:
    class Unfinished:
        def __del__(self) -> None:
            raise ValueError

    with within:
        Unfinished()
        time.sleep(0.1)


def _collect_for(seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        gc.collect()
        time.sleep(0.02)
