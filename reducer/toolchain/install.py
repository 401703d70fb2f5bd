"""Installing a release into the user's cache, once.

Owns the cache's layout: `toolchains-2/RELEASE-cpXY/`, complete or absent. An installation happens in a temporary
directory under a file lock and is renamed into place when it works, so a second reducer waits, and one that was
killed leaves nothing that looks finished. `uv` itself holds the lock too: while an orphan of it is still writing,
nobody else starts.
"""

from __future__ import annotations

import fcntl
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import platformdirs

from reducer.errors import ToolchainError

_INSTALL_TIMEOUT_S = 1800.0
_SHOWN_CHARS = 160
_OTHER_PYTHONS = ("3.12", "3.11")
_OFFLINE = re.compile(r"dns error|failed to fetch|error sending request|connect error|network|offline|timed out", re.I)
_NO_RELEASE = re.compile(r"there is no version of (\S+)", re.I)
_NO_WHEEL = re.compile(
    r"no wheels? with a matching|no wheels are (?:available|usable)|no usable wheels|requires-python", re.I
)


def cache_directory() -> Path:
    """Where toolchains are kept: $IREE_REDUCE_CACHE, or else the user's cache directory."""
    chosen = os.environ.get("IREE_REDUCE_CACHE")
    base = Path(chosen).expanduser() if chosen else Path(platformdirs.user_cache_dir("iree-reduce"))
    return base.absolute() / "toolchains-2"  # the second kind has ml-dtypes


def ensure(release: str, report: Callable[[str], None], check: Callable[[Path], object]) -> Path:
    """The interpreter of `release` in the cache, installed now if it is not there.

    check: asked once about a fresh installation's interpreter; raises ToolchainError if it cannot work.
    Raises ToolchainError: no uv, no network, no such release, nothing for this machine, no space.
    """
    home = cache_directory() / f"{release}-cp{sys.version_info[0]}{sys.version_info[1]}"
    python = home / "bin" / "python"
    if python.exists():
        return python
    uv = _find_uv(release)
    with _saying_why(f"cannot install IREE {release} into {home.parent}"):
        home.parent.mkdir(parents=True, exist_ok=True)
        with _lock(home.parent / f".{home.name}.lock", release, report) as lock:
            if not python.exists():
                report(f"installing IREE {release} into {home} (once)")
                _install(uv, release, home, check, lock)
    return python


def newest_published() -> str | None:
    """The newest release on the package index, None if it cannot be asked."""
    try:
        command = [_find_uv("newest"), "pip", "compile", "--no-deps", "--no-header", "--no-annotate", "--quiet"]
        run = subprocess.run(
            [*command, "--python", sys.executable, "-"],
            input="iree-base-compiler\n", text=True, capture_output=True, timeout=60, check=False,
        )  # fmt: skip
    except (ToolchainError, OSError, subprocess.TimeoutExpired):
        return None
    match = re.search(r"^iree-base-compiler==(\S+)", run.stdout, re.M)
    return match[1] if match else None


def _find_uv(release: str) -> str:
    try:
        import uv

        return str(uv.find_uv_bin())
    except (ImportError, FileNotFoundError) as error:
        found = shutil.which("uv")
        if found is not None:
            return found
        raise ToolchainError(
            f"IREE {release} is not in the cache and there is no uv to install it with; try `pip install uv`, or give "
            "the path of a virtual environment that has it"
        ) from error


@contextmanager
def _saying_why(what: str) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise ToolchainError(f"{what}: {error.strerror or error}; IREE_REDUCE_CACHE names another place") from error


@contextmanager
def _lock(path: Path, release: str, report: Callable[[str], None]) -> Iterator[int]:
    """Hold the file lock; yields its descriptor, which a child process may inherit and so hold too."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            report(f"waiting for another reducer that is installing IREE {release}")
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield descriptor
    finally:
        os.close(descriptor)


def _install(uv: str, release: str, home: Path, check: Callable[[Path], object], lock: int) -> None:
    for left in home.parent.glob(f".{home.name}.partial-*"):
        shutil.rmtree(left, ignore_errors=True)
    partial = Path(tempfile.mkdtemp(prefix=f".{home.name}.partial-", dir=home.parent))
    try:
        fresh = partial / "venv"
        failure = ""
        for interpreter in (sys.executable, *_OTHER_PYTHONS):
            failure = _populate(uv, release, fresh, interpreter, lock)
            if not failure or not _NO_WHEEL.search(failure):
                break
        if failure:
            raise ToolchainError(_explain(release, failure))
        check(fresh / "bin" / "python")
        if home.exists():  # its interpreter is gone: an upgraded or removed Python
            home.rename(partial / "stale")
        fresh.rename(home)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


def _populate(uv: str, release: str, fresh: Path, interpreter: str, lock: int) -> str:
    """Make the virtual environment; returns what `uv` said if it failed, else ""."""
    packages = [f"iree-base-compiler=={release}", _runtime_for(release), "numpy", "ml-dtypes"]
    python = fresh / "bin" / "python"
    shutil.rmtree(fresh, ignore_errors=True)
    commands = (
        [uv, "venv", "--quiet", "--no-project", "--relocatable", "--python", interpreter, str(fresh)],
        [uv, "pip", "install", "--quiet", "--only-binary", ":all:", "--python", str(python), *packages],
    )
    hidden = {"VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME", "CONDA_PREFIX"}
    for command in commands:
        try:
            run = subprocess.run(
                command,
                env={key: value for key, value in os.environ.items() if key not in hidden},
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, pass_fds=(lock,),
                timeout=_INSTALL_TIMEOUT_S, check=False,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return f"uv did not finish in {_INSTALL_TIMEOUT_S:g} s"
        if run.returncode != 0:
            return run.stdout.decode(errors="replace").strip() or f"uv ended with exit code {run.returncode}"
    return ""


def _runtime_for(release: str) -> str:
    """The requirement for the runtime: the latest up to it, for not every patch release (3.7.1) has one of its own."""
    major, _, rest = release.partition(".")
    return f"iree-base-runtime=={major}.{rest.partition('.')[0]}.*,<={release}"


def _explain(release: str, failure: str) -> str:
    missing = _NO_RELEASE.search(failure)
    if missing:
        return f"there is no IREE release {release!r} on the package index (no version of {missing[1].rstrip('.')})"
    if _OFFLINE.search(failure):
        return (
            f"IREE {release} is not in the cache and the package index cannot be reached; connect once, or give the "
            "path of a virtual environment that has it"
        )
    words = " ".join(failure.split())
    if len(words) > 2 * _SHOWN_CHARS:
        words = f"{words[:_SHOWN_CHARS]} … {words[-_SHOWN_CHARS:]}"
    return f"uv could not install IREE {release}: {words}"
