"""Which word counts: the command line before the header, the header before the defaults."""

from __future__ import annotations

from pathlib import Path

import pytest

from oracles.no_op_flag import NoOpFlag
from oracles.translation_error import TranslationError
from reducer.cli.requests import CaseRequest
from reducer.cli.setup import Plan, plan_case
from reducer.errors import FlagError, InputError
from tests.cli.command import HEALTHY

CONSUMER = "--iree-dispatch-creation-enable-fuse-padding-into-linalg-consumer-ops"
PRODUCER = "--iree-dispatch-creation-enable-fuse-padding-into-linalg-producer-ops"
CPU = ("--iree-hal-target-backends=llvm-cpu", "--iree-llvmcpu-target-cpu=generic")
VMVX = "--iree-hal-target-backends=vmvx"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "model.mlir"


def _plan(path: Path, header: str, *words: str, oracle: str | None = "crash", target: str | None = None) -> Plan:
    path.write_text(header + HEALTHY)
    request = CaseRequest(str(path), words if words else None, oracle=oracle, target=target)
    return plan_case(request, lambda line: None)


def test_defaults(path: Path) -> None:
    plan = _plan(path, "")
    assert (plan.case.name, plan.case.target, plan.case.target_flags, plan.case.flags) == ("model", "llvm-cpu", CPU, ())
    assert plan.keep == (path,)


def test_the_run_line_gives_flags_and_target(path: Path) -> None:
    case = _plan(path, f"// RUN: iree-compile %s {VMVX} {PRODUCER} -o - | FileCheck %s\n").case
    assert (case.target, case.target_flags, case.flags) == ("", (VMVX,), (PRODUCER,))


def test_the_reduce_line_gives_oracle_target_and_flags(path: Path) -> None:
    plan = _plan(path, f"// reduce: oracle=translation-error target=vmvx match=abc flags={PRODUCER}\n", oracle=None)
    assert plan.case.target_flags == (VMVX,)
    assert plan.case.flags == (PRODUCER,)
    assert isinstance(plan.case.oracle, TranslationError)
    assert plan.case.oracle.wanted.match == "abc"


def test_target_option_replaces_that_of_the_file(path: Path) -> None:
    run = f"// RUN: iree-compile %s {' '.join(CPU)} {PRODUCER}\n"
    case = _plan(path, run, target="vmvx").case
    assert (case.target, case.target_flags, case.flags) == ("vmvx", (VMVX,), (PRODUCER,))


def test_flags_after_two_dashes_replace_those_of_the_file(path: Path) -> None:
    case = _plan(path, f"// reduce: oracle=crash target=vmvx flags={PRODUCER}\n", CONSUMER).case
    assert (case.target, case.flags) == ("vmvx", (CONSUMER,))
    case = _plan(path, f"// reduce: oracle=crash target=vmvx flags={PRODUCER}\n", CPU[0], CONSUMER).case
    assert (case.target, case.target_flags, case.flags) == ("", CPU[:1], (CONSUMER,))


def test_a_target_is_added_where_none_is_given(path: Path) -> None:
    assert _plan(path, "", "--iree-opt-level=O2").case.target_flags == CPU
    local = ("--iree-hal-target-device=local", "--iree-hal-local-target-device-backends=vmvx")
    case = _plan(path, "", *local, "--iree-opt-level=O2").case
    assert (case.target, case.target_flags, case.flags) == ("", local, ("--iree-opt-level=O2",))


def test_flags_that_a_file_may_not_ask_for_are_allowed_to_the_user(path: Path, tmp_path: Path) -> None:
    dump = f"--iree-hal-dump-executable-files-to={tmp_path / 'dump'}"
    with pytest.raises(FlagError, match="--iree-hal-dump-executable-files-to"):
        _plan(path, f"// RUN: iree-compile %s {dump}\n")
    assert _plan(path, f"// RUN: iree-compile %s {dump}\n", dump).case.flags == (dump,)


def test_each_oracle_has_its_line(path: Path) -> None:
    header = f"// reduce: oracle=translation-error flags={PRODUCER}\n"
    header += f"// reduce: oracle=no-op-flag flag={PRODUCER} flags=''\n"
    assert _plan(path, header, oracle="translation-error").case.flags == (PRODUCER,)
    case = _plan(path, header, oracle="no-op-flag").case
    assert (case.flags, case.oracle) == ((), NoOpFlag(PRODUCER))
    with pytest.raises(InputError, match="the file's header names translation-error, no-op-flag"):
        _plan(path, header, oracle=None)


def test_a_script_is_kept_and_found_from_anywhere(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "judge me.sh").write_text("#!/bin/sh\n")
    monkeypatch.chdir(tmp_path)
    path.write_text(HEALTHY)
    request = CaseRequest(str(path), oracle="script", script="./judge me.sh")
    plan = plan_case(request, lambda line: None)
    assert plan.keep == (path, tmp_path / "judge me.sh")
    assert getattr(plan.case.oracle, "argv", None) == (str(tmp_path / "judge me.sh"),)
