"""Which IREE release a name means, and where its interpreter and its `iree-compile` are.

Owns the value `Toolchain` and the ways to one: the installed IREE, a version (installed into the user's cache by
`install`), a virtual environment or an interpreter. Never imports IREE: it reads package metadata, or asks the other
interpreter by running it.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from reducer.errors import ToolchainError, nearest
from reducer.toolchain import install
from reducer.toolchain.targets import version

KNOWN_RELEASES: tuple[str, ...] = (
    "2.9.0", "3.0.0", "3.1.0", "3.2.0", "3.3.0", "3.4.0", "3.5.0", "3.6.0", "3.7.0", "3.7.1", "3.8.0", "3.9.0",
    "3.10.0", "3.11.0", "3.12.0", "3.13.0",
)  # fmt: skip
OLDEST = KNOWN_RELEASES[0]
COMPILER_PACKAGES = ("iree-base-compiler", "iree-compiler")
BINARY = "iree/compiler/_mlir_libs/iree-compile"
RUN_BINARY = "_runtime_libs/iree-run-module"  # in the `iree` package

_PROBE_TIMEOUT_S = 120.0
_SHOWN_CHARS = 300
_PROBE = r"""
import importlib.metadata, json, os, shutil, sys
found = {"python": "%d.%d" % sys.version_info[:2], "python_works": sys.version_info >= (3, 10)}
try:
    import iree.compiler
    import iree.compiler.version as v
    here = os.path.dirname(os.path.abspath(v.__file__))
    found["release"] = getattr(v, "VERSION", "") or ""
    for package in ("iree-base-compiler", "iree-compiler"):
        try:
            if str(importlib.metadata.distribution(package).locate_file("iree/compiler")) == here:
                found["release"] = importlib.metadata.version(package)
                break
        except importlib.metadata.PackageNotFoundError:
            pass
    places = [os.path.join(here, "_mlir_libs", "iree-compile")]
    parent = here
    for _ in range(8):
        parent = os.path.dirname(parent)
        places += [os.path.join(parent, "tools", "iree-compile"), os.path.join(parent, "bin", "iree-compile")]
    for place in places:
        with_elf = os.path.isfile(place) and os.access(place, os.X_OK)
        if with_elf and open(place, "rb").read(2) != b"#!":
            found["iree_compile"] = place
            break
except ImportError as error:
    found["no_compiler"] = str(error)
try:
    import numpy
except ImportError as error:
    found["no_numpy"] = str(error)
print("\n" + json.dumps(found))
"""


@dataclass(frozen=True)
class Toolchain:
    """One IREE release that works.

    release: its version (`3.13.0`; a build tree's own spelling otherwise, "" if it has none).
    python: the interpreter that has `iree.compiler` and `numpy` (and for some oracles `iree.runtime`).
    iree_compile: the compiler's own binary, never a script.
    source: where it comes from, for people: "installed", "cache" or "path".
    """

    release: str
    python: Path
    iree_compile: Path
    source: str

    @property
    def iree_run_module(self) -> Path:
        """The runtime's binary; where it is not, the entry point beside the interpreter, which may not exist."""
        binary = self.iree_compile.parents[2] / RUN_BINARY
        return binary if binary.is_file() else self.python.parent / "iree-run-module"


def environment(toolchain: Toolchain) -> dict[str, str]:
    """The environment for running the toolchain's interpreter: the user's own.

    A release from the cache is complete, so there PYTHONPATH (which may name a build tree) and PYTHONHOME do not apply.
    """
    hidden = {"PYTHONPATH", "PYTHONHOME"} if toolchain.source == "cache" else set()
    return {key: value for key, value in os.environ.items() if key not in hidden}


def installed() -> Toolchain:
    """The IREE that is installed beside the reducer. Raises ToolchainError if there is none."""
    for package in COMPILER_PACKAGES:
        try:
            distribution = importlib.metadata.distribution(package)
        except importlib.metadata.PackageNotFoundError:
            continue
        binary = Path(str(distribution.locate_file(BINARY)))
        if binary.is_file():
            return Toolchain(distribution.version, Path(sys.executable), binary, "installed")
    raise ToolchainError(
        f"no IREE compiler is installed in {sys.executable}; "
        "try `pip install iree-base-compiler iree-base-runtime`, or name a release with --iree"
    )


def resolve(spec: str | None, report: Callable[[str], None]) -> Toolchain:
    """The toolchain that `spec` names.

    spec: None for the installed IREE; a version of PyPI from 2.9.0 on; "newest"; or a path to a virtual environment or
        to an interpreter (of a build tree, with PYTHONPATH as the user has set it).
    report: called with one line before anything that takes seconds (an installation, waiting for another one).
    Raises ToolchainError, one line, for whatever cannot work.
    """
    if spec is None:
        return installed()
    if spec == "newest":
        spec = max((install.newest_published() or KNOWN_RELEASES[-1], KNOWN_RELEASES[-1]), key=version)
    if re.fullmatch(r"\d+(\.\d+)*\w*", spec):
        return _by_version(spec, report)
    if os.sep in spec or spec.startswith((".", "~")) or Path(spec).exists():
        return _by_path(Path(spec).expanduser())
    raise ToolchainError(
        f"unknown release {spec!r}{nearest(spec, (*KNOWN_RELEASES, 'newest'))}; give a version ({OLDEST} to "
        f"{KNOWN_RELEASES[-1]}), newest, or the path of a virtual environment or an interpreter"
    )


def _by_version(spec: str, report: Callable[[str], None]) -> Toolchain:
    _check_known(spec)
    try:
        here = installed()
    except ToolchainError:
        here = None
    if here is not None and here.release == spec:
        return here
    python = install.ensure(spec, report, lambda python: _probe(python, f"IREE {spec}", "cache"))
    return _probe_cached(python, spec)


def _check_known(spec: str) -> None:
    """Refuse, without the network, versions that are known not to exist. Newer ones may have been published since."""
    if spec in KNOWN_RELEASES or version(spec) > version(KNOWN_RELEASES[-1]):
        return
    if version(spec) < version(OLDEST):
        raise ToolchainError(f"IREE {spec} is older than {OLDEST}, the oldest release that can be driven")
    longer = [release for release in KNOWN_RELEASES if release.startswith(f"{spec}.")]
    if longer:
        raise ToolchainError(f"there is no IREE release {spec!r}; write {' or '.join(longer[-2:])}")
    hint = nearest(spec, KNOWN_RELEASES) or f"; known are {', '.join(KNOWN_RELEASES)}"
    raise ToolchainError(f"there is no IREE release {spec!r}{hint}")


def _probe_cached(python: Path, release: str) -> Toolchain:
    """The toolchain in the cache, from its own directory alone: it was checked when it was installed."""
    libs = sorted((python.parent.parent / "lib").glob(f"python*/site-packages/{BINARY}"))
    if not libs:
        return _probe(python, f"IREE {release}", "cache")
    return Toolchain(release, python, libs[0], "cache")


def _by_path(path: Path) -> Toolchain:
    if not path.exists():
        raise ToolchainError(f"--iree {path}: no such file or directory")
    if not path.is_dir():
        return _probe(Path(os.path.abspath(path)), str(path), "path")
    python = path / "bin" / "python"
    if python.exists():
        return _probe(Path(os.path.abspath(python)), str(path), "path")
    if (path / "tools").is_dir() or (path / "CMakeCache.txt").exists():
        raise ToolchainError(
            f"--iree {path} is a build tree, not an interpreter; set PYTHONPATH as its .env file says and give "
            "the interpreter that it was built for, for instance --iree $(command -v python3)"
        )
    raise ToolchainError(f"--iree {path}: not a virtual environment (there is no bin/python in it)")


def _probe(python: Path, name: str, source: str) -> Toolchain:
    """Ask an interpreter for its IREE. Raises ToolchainError with the first thing that is missing."""
    trial = Toolchain("", python, python, source)
    try:
        run = subprocess.run(
            [str(python), "-c", _PROBE],
            env=environment(trial), stdin=subprocess.DEVNULL, capture_output=True,
            timeout=_PROBE_TIMEOUT_S, check=False,
        )  # fmt: skip
    except OSError as error:
        raise ToolchainError(f"{name}: {python} cannot be run: {error.strerror or error}") from error
    except subprocess.TimeoutExpired as error:
        raise ToolchainError(f"{name}: {python} did not answer in {_PROBE_TIMEOUT_S:g} s") from error
    try:
        found = json.loads(run.stdout.decode(errors="replace").strip().rpartition("\n")[2])
        if not isinstance(found, dict):
            raise ValueError(found)
    except ValueError as error:
        said = run.stderr.decode(errors="replace").strip().rpartition("\n")[2]
        why = said if 0 < len(said) <= _SHOWN_CHARS else f"it ended with exit code {run.returncode}"
        raise ToolchainError(f"{name}: {python} is not a Python that works: {why}") from error
    return _toolchain(found, python, name, source)


def _toolchain(found: dict[str, object], python: Path, name: str, source: str) -> Toolchain:
    if not found.get("python_works"):
        raise ToolchainError(f"{name}: Python {found.get('python')} is too old; 3.10 is the oldest that works")
    if "no_compiler" in found:
        raise ToolchainError(f"{name} has no IREE compiler ({found['no_compiler']}); install iree-base-compiler there")
    if "no_numpy" in found:
        raise ToolchainError(f"{name} has no NumPy ({found['no_numpy']}); install numpy there")
    release = str(found["release"])
    if release and version(release) < version(OLDEST):
        raise ToolchainError(f"{name} is IREE {release}, older than {OLDEST}, the oldest release that can be driven")
    if "iree_compile" not in found:
        raise ToolchainError(f"{name} has no iree-compile binary beside its iree.compiler package")
    return Toolchain(release, python, Path(str(found["iree_compile"])), source)
