"""A `reduce` that is still running: waiting for what it prints, and what its processes are."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.cli.command import REDUCE


@contextmanager
def running(*words: str, cwd: Path) -> Iterator[subprocess.Popen[str]]:
    """Start `reduce`; whatever is left of it at the end is killed."""
    with (cwd / "stderr.txt").open("w") as stderr:
        process = subprocess.Popen(
            [str(REDUCE), *words], cwd=cwd, stdout=subprocess.PIPE, stderr=stderr, text=True, start_new_session=True
        )
        try:
            yield process
        finally:
            if process.poll() is None:
                process.kill()
            process.communicate()


def wait_for(process: subprocess.Popen[str], text: str) -> str:
    """Read what it prints until a line has `text`; everything so far."""
    assert process.stdout is not None
    seen = ""
    for line in process.stdout:
        seen += line
        if text in line:
            return seen
    raise AssertionError(f"{text!r} was never printed: {seen}")


def descendants(pid: int) -> set[int]:
    """The processes that it started, and theirs."""
    parents: dict[int, int] = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, IndexError):
            continue
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found and child not in found}:
        found |= more
    return found - {pid}


def command_of(pid: int) -> str:
    """Its command line; "" if it is gone."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except OSError:
        return ""


def still_alive(pids: set[int], wait_s: float = 10.0) -> set[int]:
    """Which of them are still running (not as zombies) after at most `wait_s` seconds."""
    deadline = time.monotonic() + wait_s
    while True:
        alive = {pid for pid in pids if _runs(pid)}
        if not alive or time.monotonic() > deadline:
            return alive
        time.sleep(0.05)


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
