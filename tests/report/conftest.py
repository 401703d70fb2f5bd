from __future__ import annotations

import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from reducer.header import Directive
from reducer.report.lit import write_repro
from reducer.report.repro import Repro
from reducer.report.shell import Check, write_script
from reducer.toolchain.releases import Toolchain

RunScript = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def run_script(tmp_path: Path, installed: Toolchain) -> RunScript:
    """Write the two files of a repro and run the script as a stranger would; returns how it ended."""

    def run(repro: Repro, check: Check, compiler: str = "", runner: str = "") -> subprocess.CompletedProcess[str]:
        (tmp_path / repro.file_name).write_text(write_repro(repro), "utf-8")
        script = tmp_path / "repro.sh"
        script.write_text(write_script(repro, check), "utf-8")
        script.chmod(script.stat().st_mode | stat.S_IXUSR)
        environment = {
            "PATH": "/usr/bin:/bin",
            "IREE_COMPILE": compiler or str(installed.iree_compile),
            "IREE_RUN_MODULE": runner or str(installed.iree_run_module),
        }
        return subprocess.run(
            [str(script)], env=environment, cwd="/", capture_output=True, text=True, timeout=120, check=False
        )

    return run


def repro(program: str, flags: tuple[str, ...], phase: str = "end", release: str = "3.13.0") -> Repro:
    """A repro of a program under flags, in a file whose name needs quoting."""
    directive = Directive(oracle="diagnostic", iree=release, target="llvm-cpu", flags=())
    return Repro(program, "it's a $(program).mlir", release, flags, phase, directive, "what was seen")


@pytest.fixture
def fake_compiler(tmp_path: Path) -> str:
    """A script in the compiler's place that answers `--version`; what else it does is appended by the test."""
    script = tmp_path / "fake-compile"
    script.write_text('#!/bin/sh\n[ "$1" = --version ] && { echo "version 3.13.0"; exit; }\n', "utf-8")
    script.chmod(0o755)
    return str(script)


@pytest.fixture
def fake_runner(tmp_path: Path) -> str:
    """A script in the place of `iree-run-module` that shows its arguments, a line each; the test appends the rest."""
    script = tmp_path / "fake-run"
    script.write_text('#!/bin/sh\nprintf "<%s>\\n" "$@"\n', "utf-8")
    script.chmod(0o755)
    return str(script)
