"""A case in another release's words."""

from __future__ import annotations

import os
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from oracles.experiment import FunctionRun
from oracles.registry import make
from oracles.verdict import Outcome, Verdict
from reducer.bisecting.git_run import write_git_run
from reducer.bisecting.history import Shown
from reducer.bisecting.judging import Bench, across_releases, ask, commit_of, spelled, translated
from reducer.case import Case
from reducer.errors import FlagError, InputError
from reducer.toolchain.releases import Toolchain


def case_on(toolchain: Toolchain, target: str = "rocm:gfx942", flags: tuple[str, ...] = ()) -> Case:
    return Case("x", "", make("crash"), toolchain, target, ("--iree-hal-target-backends=rocm",), flags)


def test_flags_are_spelled_as_the_release_does() -> None:
    assert spelled(("--iree-hip-target=gfx942", "--iree-opt-level=O3"), "3.13.0") == (
        "--iree-rocm-target=gfx942", "--iree-opt-level=O3",
    )  # fmt: skip
    assert spelled(("--iree-rocm-target=gfx942",), "3.3.0") == ("--iree-hip-target=gfx942",)
    assert spelled(("--iree-hip-target=gfx942",), "3.3.0") == ("--iree-hip-target=gfx942",)
    assert spelled(("--mlir-disable-threading", "--debug-only=x"), "3.3.0") == (
        "--mlir-disable-threading", "--debug-only=x",
    )  # fmt: skip
    with pytest.raises(FlagError, match=r"IREE 3\.3\.0 does not know --iree-codegen-add-tuner-attributes: it is known"):
        spelled(("--iree-codegen-add-tuner-attributes",), "3.3.0")


def test_a_target_is_spelled_by_its_name(installed: Toolchain) -> None:
    there = translated(case_on(installed), replace(installed, release="3.3.0"))
    assert there.target_flags == ("--iree-hal-target-backends=rocm", "--iree-hip-target=gfx942")
    by_flags = replace(case_on(installed, ""), target_flags=("--iree-hip-target=gfx942",))
    assert translated(by_flags, replace(installed, release="3.13.0")).target_flags == ("--iree-rocm-target=gfx942",)


@pytest.mark.parametrize(
    ("outcome", "shown"),
    [
        (Outcome.INTERESTING, Shown.YES),
        (Outcome.NOT_INTERESTING, Shown.NO),
        (Outcome.INVALID, Shown.CANNOT_TELL),
        (Outcome.UNRESOLVED, Shown.CANNOT_TELL),
    ],
)
def test_what_a_verdict_says_of_a_release(installed: Toolchain, outcome: Outcome, shown: Shown) -> None:
    bench = Bench(lambda case: Verdict(outcome, "so it is"), lambda line: None)
    answer = ask(case_on(installed), installed.release, bench)
    assert (answer.shown, answer.why, answer.commit) == (shown, "so it is", commit_of(installed))
    assert len(answer.commit) == 40


def test_a_program_that_is_never_run_says_nothing_of_its_results(installed: Toolchain) -> None:
    wrong = replace(case_on(installed), oracle=make("wrong-result"))
    other = Verdict(Outcome.NOT_INTERESTING, "wrong result not seen: failed to legalize", "failed to legalize")
    ran = replace(other, runs=(FunctionRun("main", "defined"),))
    verdicts = [other, ran]
    bench = Bench(lambda case: verdicts.pop(0), lambda line: None)
    assert ask(wrong, installed.release, bench).shown is Shown.CANNOT_TELL
    assert ask(wrong, installed.release, bench).shown is Shown.NO


def test_what_a_release_cannot_be_asked(installed: Toolchain) -> None:
    def judge(case: Case) -> Verdict:
        raise InputError("it cannot use it")

    bench = Bench(judge, lambda line: None)
    assert ask(case_on(installed), installed.release, bench).why == "it cannot use it"
    flags = ("--iree-codegen-gpu-native-math-precision",)
    answer = ask(case_on(installed, flags=flags), installed.release, bench)
    assert answer.shown is Shown.CANNOT_TELL
    assert "gone since 3.7.0" in answer.why
    assert ask(case_on(installed), "3.99.0", bench).shown is Shown.CANNOT_TELL


def test_a_crash_is_held_by_its_signal() -> None:
    assert across_releases(make("crash")) == make("crash", level="class")
    assert across_releases(make("crash", match="x")) == make("crash", match="x")
    assert across_releases(make("no-op-flag")) == make("no-op-flag")


SCRIPT = '#!/bin/sh\n"$IREE_COMPILE" "$1"\nexit $?\n'


@pytest.mark.parametrize("fixes", [False, True])
@pytest.mark.parametrize("status", [0, 1, 2])
def test_the_script_for_git_bisect_run(tmp_path: Path, fixes: bool, status: int) -> None:
    """With a build folder and tools that stand in for IREE's: only what the script makes of them is tested here."""
    build, tools = tmp_path / "build", tmp_path / "bin"
    (build / "tools").mkdir(parents=True)
    tools.mkdir()
    (build / "tools" / "iree-compile").write_text(f'#!/bin/sh\ngrep -q "func.func" "$1" || exit 9\nexit {status}\n')
    for name in ("git", "cmake"):
        (tools / name).write_text(f'#!/bin/sh\necho {name} "$@" >>{tmp_path}/asked\n')
    for path in (*tools.iterdir(), build / "tools" / "iree-compile"):
        path.chmod(0o755)
    text = write_git_run(
        "func.func @main() {\n  return\n}\n", SCRIPT, seen="it breaks", name="my program.mlir", here="bisect.sh",
        first="aaa", then="bbb", fixes=fixes, runs=False,
    )  # fmt: skip
    (tmp_path / "bisect.sh").write_text(text)
    env = {**os.environ, "BUILD": str(build), "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["sh", tmp_path / "bisect.sh"], env=env, check=False)
    right = {0: 1, 1: 0, 2: 125} if not fixes else {0: 0, 1: 1, 2: 125}
    assert done.returncode == right[status]
    assert f"cmake --build {build} --target iree-compile" in (tmp_path / "asked").read_text()
    assert ("git bisect start --term-old=broken --term-new=fixed bbb aaa" if fixes else "start bbb aaa") in text


def test_a_build_that_fails_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "git").write_text("#!/bin/sh\nexit 0\n")
    (tmp_path / "cmake").write_text("#!/bin/sh\nexit 2\n")
    for name in ("git", "cmake"):
        (tmp_path / name).chmod(0o755)
    text = write_git_run(
        "x", SCRIPT, seen="it", name="p.mlir", here="b.sh", first="a", then="b", fixes=False, runs=True
    )  # fmt: skip
    env = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    assert subprocess.run(["sh", "-c", text], env=env, check=False).returncode == 125
    assert "--target iree-compile iree-run-module" in text
