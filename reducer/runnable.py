"""What a case needs whose oracle runs the program: a place to run it on, and perhaps another way of compiling it.

Owns the words of a reference ("vmvx", "flags:none", "release:3.12.0") and the refusal of what cannot run here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from reducer.case import Case, OtherWay
from reducer.errors import InputError, TargetError, ToolchainError
from reducer.toolchain.releases import Toolchain, resolve
from reducer.toolchain.targets import target_flags

_RUNNABLE = ("llvm-cpu", "vmvx", "local")


def other_way(
    reference: str | None, toolchain: Toolchain, chosen: Sequence[str], report: Callable[[str], None]
) -> OtherWay | None:
    """How the reference compiles the program; None where NumPy evaluates it. Raises ReducerError."""
    if reference == "vmvx":
        return OtherWay(toolchain, target_flags("vmvx", toolchain.release))
    if reference == "flags:none":
        return OtherWay(toolchain, tuple(chosen))
    if reference is not None and reference.startswith("release:"):
        release = reference.removeprefix("release:")
        if not re.fullmatch(r"\d[\w.]*|newest", release):
            raise InputError(f"--reference {reference}: a release is a version, as in release:3.12.0, or newest")
        return OtherWay(resolve(release, report), tuple(chosen))
    return None


def check_runnable(case: Case) -> None:
    """Refuse what cannot be run here. Raises TargetError, ToolchainError."""
    flags = [f for f in case.command() if "target-backends" in f or "target-device" in f or "default-device" in f]
    if flags and not any(name in flags[-1] for name in _RUNNABLE):
        wanted = case.target or flags[-1]
        raise TargetError(f"{case.oracle.name} runs the program, and {wanted} cannot run here; try llvm-cpu or vmvx")
    for toolchain in (case.toolchain, case.other.toolchain if case.other else case.toolchain):
        if not toolchain.iree_run_module.is_file():
            raise ToolchainError(
                f"IREE {toolchain.release} at {toolchain.python} has no iree-run-module; "
                "install iree-base-runtime there"
            )
