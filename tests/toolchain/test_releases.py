from __future__ import annotations

import importlib.metadata
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from reducer.errors import ToolchainError
from reducer.toolchain import install, releases
from reducer.toolchain.releases import KNOWN_RELEASES, Toolchain, environment, resolve


def quiet(line: str) -> None:
    raise AssertionError(f"nothing should take long here: {line}")


def test_installed_is_what_runs_us(installed: Toolchain) -> None:
    assert installed.release == importlib.metadata.version("iree-base-compiler")
    assert installed.python == Path(sys.executable)
    assert installed.iree_compile.read_bytes()[:4] == b"\x7fELF"
    assert installed.source == "installed"
    assert resolve(None, quiet) == installed
    assert resolve(installed.release, quiet) == installed


def test_the_main_process_does_not_import_iree() -> None:
    code = (
        "import sys; from reducer.toolchain import releases, flags, oneshot, targets, untrusted;"
        "from reducer import header; from reducer.report import lit, shell; releases.resolve(None, print);"
        "sys.exit(any(m == 'iree' or m.startswith('iree.') or m == 'numpy' for m in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_release_from_the_cache(toolchain: Callable[[str], Toolchain]) -> None:
    found = toolchain("3.3.0")
    assert found.release == "3.3.0"
    said = subprocess.run([found.iree_compile, "--version"], capture_output=True, text=True, check=True).stdout
    assert "IREE compiler version 3.3.0" in said
    assert resolve("3.3.0", quiet) == found
    code = "import iree.compiler.version as v, iree.runtime, numpy; print(v.VERSION)"
    run = subprocess.run([found.python, "-c", code], env=environment(found), capture_output=True, text=True, check=True)
    assert run.stdout.startswith("3.3.0")


def test_a_release_from_the_cache_is_not_disturbed_by_the_users_pythonpath(
    toolchain: Callable[[str], Toolchain], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", "/somebody/elses/build")
    assert "PYTHONPATH" not in environment(toolchain("3.3.0"))
    assert environment(releases.installed())["PYTHONPATH"] == "/somebody/elses/build"


def test_an_interpreter_and_its_virtual_environment(toolchain: Callable[[str], Toolchain]) -> None:
    cached = toolchain("3.3.0")
    home = cached.python.parent.parent
    for spec in (str(home), str(cached.python)):
        found = resolve(spec, quiet)
        assert (found.release, found.python, found.source) == ("3.3.0", cached.python, "path")
        assert found.iree_compile.samefile(cached.iree_compile)


def test_a_build_tree_by_its_pythonpath(
    toolchain: Callable[[str], Toolchain], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = toolchain("3.3.0").iree_compile.parents[3]
    package = tmp_path / "compiler" / "bindings" / "python" / "iree" / "compiler"
    package.parent.mkdir(parents=True)
    package.symlink_to(site / "iree" / "compiler")
    monkeypatch.setenv("PYTHONPATH", str(package.parents[1]))
    found = resolve(sys.executable, quiet)
    assert found.release.startswith("3.3.0rc")
    assert found.python == Path(sys.executable)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("3.3", "there is no IREE release '3.3'; write 3.3.0"),
        ("3.7", "there is no IREE release '3.7'; write 3.7.0 or 3.7.1"),
        ("3.5.7", "there is no IREE release '3.5.7'; did you mean 3.5.0"),
        ("2.8.0", "IREE 2.8.0 is older than 2.9.0, the oldest release that can be driven"),
        ("newst", "unknown release 'newst'; did you mean newest?"),
        ("/no/such/place", "--iree /no/such/place: no such file or directory"),
        ("/usr", "--iree /usr: not a virtual environment"),
        ("/dev/null", "/dev/null: /dev/null cannot be run: Permission denied"),
        ("/bin/ls", "/bin/ls: /bin/ls is not a Python that works: it ended with exit code"),
        ("/bin/true", "/bin/true: /bin/true is not a Python that works: it ended with exit code 0"),
    ],
)
def test_what_cannot_be_a_toolchain(spec: str, message: str) -> None:
    with pytest.raises(ToolchainError) as caught:
        resolve(spec, quiet)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def fake_python(tmp_path: Path, packages: dict[str, str]) -> Path:
    """An interpreter that sees only these modules besides the standard library."""
    for name, text in packages.items():
        path = tmp_path / "modules" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    script = tmp_path / "python"
    script.write_text(f'#!/bin/sh\nPYTHONPATH="{tmp_path}/modules" exec "{sys.executable}" -S "$@"\n', "utf-8")
    script.chmod(0o755)
    return script


COMPILER = {"iree/compiler/__init__.py": "", "iree/compiler/version.py": 'VERSION = "3.5.0rc20250101"\n'}


@pytest.mark.parametrize(
    ("packages", "message"),
    [
        ({}, "has no IREE compiler (No module named 'iree'); install iree-base-compiler there"),
        (COMPILER, "has no NumPy (No module named 'numpy'); install numpy there"),
        ({**COMPILER, "numpy.py": ""}, "has no iree-compile binary beside its iree.compiler package"),
        (
            {**COMPILER, "numpy.py": "", "iree/compiler/version.py": 'VERSION = "2.8.1"\n'},
            "is IREE 2.8.1, older than 2.9.0, the oldest release that can be driven",
        ),
    ],
)
def test_what_an_interpreter_lacks(tmp_path: Path, packages: dict[str, str], message: str) -> None:
    python = fake_python(tmp_path, packages)
    with pytest.raises(ToolchainError) as caught:
        resolve(str(python), quiet)
    assert str(caught.value) == f"{python} {message}"


def test_a_directory_of_a_build_is_told_from_an_environment(tmp_path: Path) -> None:
    (tmp_path / "CMakeCache.txt").touch()
    with pytest.raises(ToolchainError, match="is a build tree, not an interpreter; set PYTHONPATH"):
        resolve(str(tmp_path), quiet)


def test_newest_is_what_the_index_says_or_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def ensure(release: str, report: object, check: object) -> Path:
        asked.append(release)
        return Path("/cache/bin/python")

    monkeypatch.setattr(releases, "installed", lambda: Toolchain("3.3.0", Path("p"), Path("c"), "installed"))
    monkeypatch.setattr(releases, "_probe", lambda python, name, source: Toolchain(name, python, python, source))
    monkeypatch.setattr(install, "ensure", ensure)
    for published in (None, "3.2.0", "3.99.0"):
        monkeypatch.setattr(install, "newest_published", lambda published=published: published)
        resolve("newest", quiet)
    assert asked == [KNOWN_RELEASES[-1], KNOWN_RELEASES[-1], "3.99.0"]
