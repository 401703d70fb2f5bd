"""Which time limits can tell a hang."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from oracles.registry import make
from reducer.case import Case
from reducer.cli.healthy import refuse_limits
from reducer.errors import InputError
from reducer.toolchain.releases import Toolchain


def _case(installed: Toolchain, tmp_path: Path, oracle: str, timeout_s: float, compiler: str) -> Case:
    binary = tmp_path / "iree-compile"
    binary.write_text(f"#!/bin/sh\n{compiler}\n")
    binary.chmod(0o755)
    slow = replace(installed, iree_compile=binary)
    return Case("p", "", make(oracle, timeout_s=timeout_s), slow, "llvm-cpu", ("--iree-target",), ("--iree-own",))


def test_a_limit_of_less_than_five_healthy_compilations_is_refused(installed: Toolchain, tmp_path: Path) -> None:
    case = _case(installed, tmp_path, "hang", 2.0, "sleep 0.5")
    with pytest.raises(InputError, match=r"^--timeout 2 cannot .* takes 0\.\d\d s here; give --timeout [345] or more$"):
        refuse_limits(case, 0)


def test_a_longer_limit_is_taken_and_the_compiler_was_asked_under_the_cases_flags(
    installed: Toolchain, tmp_path: Path
) -> None:
    noting = f'echo "$@" >{tmp_path}/asked; cat "$1" >>{tmp_path}/asked'
    refuse_limits(_case(installed, tmp_path, "hang", 60.0, noting), 0)
    asked = (tmp_path / "asked").read_text()
    assert "--iree-target --iree-own" in asked
    assert "arith.addf" in asked


def test_one_slow_start_is_not_held_against_the_user(installed: Toolchain, tmp_path: Path) -> None:
    once = f"[ -e {tmp_path}/before ] || {{ : >{tmp_path}/before; sleep 3; }}"
    refuse_limits(_case(installed, tmp_path, "hang", 10.0, once), 0)
    assert (tmp_path / "before").exists()


def test_other_oracles_need_no_measurement(installed: Toolchain, tmp_path: Path) -> None:
    refuse_limits(_case(installed, tmp_path, "crash", 0.001, f": >{tmp_path}/asked"), 0)
    assert not (tmp_path / "asked").exists()


def test_memory_that_is_too_little_for_anything_is_refused(installed: Toolchain, tmp_path: Path) -> None:
    case = _case(installed, tmp_path, "crash", 1.0, "echo std::bad_alloc; exit 1")
    with pytest.raises(InputError, match=r"^--memory 5M is too little: a program of one .*; give more"):
        refuse_limits(case, 5 << 20)
    refuse_limits(_case(installed, tmp_path, "crash", 1.0, "exit 1"), 5 << 20)
