"""Where temporary files go: a folder of this process's own, which the next `reduce` removes if this one is killed.

Owns the folder and its lock. A folder whose lock nobody holds belongs to no running process, in whatever container.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PREFIX = "iree-reduce-"
LOCK = ".lock"


@contextmanager
def scratch() -> Iterator[None]:
    """Let `tempfile` put everything in a folder that goes at the end. What killed processes left goes now."""
    before = tempfile.tempdir
    common = Path(tempfile.gettempdir())
    _remove_stale(common)
    with tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as folder:
        unlocked = Path(folder) / f"{LOCK}.new"
        with unlocked.open("w", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            unlocked.rename(unlocked.with_name(LOCK))  # seen by others only once it is locked
            tempfile.tempdir = folder
            try:
                yield
            finally:
                tempfile.tempdir = before


def _remove_stale(common: Path) -> None:
    for path in common.glob(f"{PREFIX}*/{LOCK}"):
        with contextlib.suppress(OSError), path.open("r", encoding="utf-8") as lock:
            if os.fstat(lock.fileno()).st_uid == os.getuid():
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(path.parent, ignore_errors=True)
