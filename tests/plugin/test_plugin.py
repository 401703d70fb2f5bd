"""The plugin as a compiler team uses it: properties that hold and that do not, options, markers, interrupts."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.command import reduce
from tests.e2e.running import descendants, still_alive

PROPERTY = """
from hypothesis import given
from oracles.no_op_flag import NoOpFlag
from reducer.pytest_plugin import assert_holds
from reducer.strategies import pad_conv_programs

@given(pad_conv_programs())
def test_the_consumer_flag_fuses(iree, program):
    assert_holds(NoOpFlag(), program, iree)
"""
HOLDS = """
from hypothesis import given, settings, strategies as st
from oracles.crash import Crash
from reducer.pytest_plugin import assert_holds
from reducer.strategies import elementwise

seen = []

@given(elementwise())
def test_nothing_crashes(iree, program):
    seen.append(program)
    assert_holds(Crash(phase="flow"), program, iree)

def test_how_many():
    assert len(seen) == 7
"""
PROFILE = """
from hypothesis import settings
settings.register_profile("few", max_examples=7, derandomize=True, database=None)
settings.load_profile("few")
"""
ONE = """
import pytest
from oracles.translation_error import TranslationError
from reducer.pytest_plugin import assert_holds

SILENT = open({seed!r}).read()
CONSUMER = "--iree-dispatch-creation-enable-fuse-padding-into-linalg-consumer-ops"

@pytest.mark.iree("3.6.0")
def test_it_compiles_on_the_old(iree):
    assert iree.toolchain.release == "3.6.0"
    assert_holds(TranslationError(), SILENT, iree, (CONSUMER,))

@pytest.mark.iree(target="vmvx")
def test_the_target(iree):
    assert (iree.target, iree.target_flags) == ("vmvx", ("--iree-hal-target-backends=vmvx",))

def test_it_compiles_on_the_new(iree):
    assert_holds(TranslationError(), SILENT, iree, (CONSUMER,))
"""
SEED = Path(__file__).resolve().parents[2] / "seeds" / "silent_consumer_flag.mlir"


def test_a_property_that_holds_runs_as_the_profile_says(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(PROFILE)
    pytester.makepyfile(HOLDS)
    result = pytester.runpytest_subprocess("-q")
    result.assert_outcomes(passed=2)  # although the first example takes longer than Hypothesis's deadline


def test_one_that_does_not_shows_the_smallest_program_and_how_to_see_it(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(PROFILE.replace("max_examples=7", "max_examples=60"))
    pytester.makepyfile(PROPERTY)
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=1)
    shown = re.sub(r"^E {0,7}", "", "\n".join(result.outlines), flags=re.MULTILINE)
    assert "Flaky" not in shown
    found = re.search(r"^AssertionError: (no-op-flag: .*\n)(// IREE (?:.*\n)*?\})\n", shown, re.MULTILINE)
    assert found is not None, shown
    program = found[2]
    assert program.startswith(f"// IREE 3.13.0: {found[1].splitlines()[0]}\n// RUN: iree-compile %s ")
    assert "-enable-fuse-padding-into-linalg-consumer-ops" in program.splitlines()[1]
    assert program.count("= tensor.pad ") == 1
    assert "<IREE 3.13.0 for llvm-cpu>" in shown
    (pytester.path / "found.mlir").write_text(program + "\n")
    checked = reduce("check", "found.mlir", cwd=pytester.path)
    assert (checked.returncode, checked.stderr) == (0, ""), checked.stdout


def test_the_marker_and_the_options_choose_release_and_target(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(ONE.format(seed=str(SEED)))
    result = pytester.runpytest_subprocess("-v")
    result.assert_outcomes(passed=2, failed=1)
    result.stdout.fnmatch_lines(
        ["*test_it_compiles_on_the_old[[]3.6.0-llvm-cpu[]] PASSED*", "*test_the_target[[]installed-vmvx[]] PASSED*",
         "*translation-error: silent failure of ConcretizePadResultShapePass*"]
    )  # fmt: skip
    old = pytester.runpytest_subprocess("--iree", "3.6.0", "-k", "old or new")
    old.assert_outcomes(passed=2)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--iree", "3.6.1"), "there is no IREE release '3.6.1'; did you mean"),
        (("--iree-target", "lvm-cpu"), "unknown target 'lvm-cpu'"),
    ],
)
def test_a_wrong_option_is_one_line(words: tuple[str, str], said: str, pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_it(iree):\n    pass\n")
    result = pytester.runpytest_subprocess(*words)
    result.assert_outcomes(errors=1)
    text = "\n".join(result.outlines)
    assert said in text
    assert "Traceback" not in text
    assert len([line for line in result.outlines if said in line]) <= 2  # and once more in the summary


def test_with_xdist(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(ONE.format(seed=str(SEED)))
    result = pytester.runpytest_subprocess("-n", "2", "-q")
    result.assert_outcomes(passed=2, failed=1)


def test_interrupted_it_ends_at_once_and_leaves_nothing(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(PROFILE.replace("max_examples=7", "max_examples=100000"))
    pytester.makepyfile(HOLDS.replace("seen.append(program)", "open('begun', 'w').close()"))
    argv = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    with subprocess.Popen(argv, cwd=pytester.path, stdout=subprocess.PIPE, text=True) as process:
        deadline = time.monotonic() + 60
        while not (pytester.path / "begun").exists():
            assert time.monotonic() < deadline
            time.sleep(0.05)
        time.sleep(1.0)
        started = descendants(process.pid)
        os.kill(process.pid, signal.SIGINT)
        said, _ = process.communicate(timeout=30)
    assert process.returncode == pytest.ExitCode.INTERRUPTED
    assert "KeyboardInterrupt" in said
    assert started
    assert still_alive(started) == set()


def test_a_deadline_of_ones_own_stays(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        from datetime import timedelta
        from hypothesis import given, settings, strategies as st

        @settings(deadline=5000, max_examples=3)
        @given(st.integers())
        def test_own(iree, number):
            assert settings.default.deadline is None or True

        @given(st.integers())
        def test_none(iree, number):
            pass

        @given(st.integers())
        def test_of_something_else(number):
            pass

        def test_what_they_have():
            deadlines = [t._hypothesis_internal_use_settings.deadline for t in (test_own, test_none)]
            assert deadlines == [timedelta(seconds=5), None]
            other = getattr(test_of_something_else, "_hypothesis_internal_use_settings", None) or settings.default
            assert other.deadline == timedelta(milliseconds=200)
        """
    )
    pytester.runpytest_subprocess("-q").assert_outcomes(passed=4)


def test_it_costs_a_test_suite_that_does_not_use_it_nothing(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import sys

        def test_nothing_is_imported():
            ours = {name for name in sys.modules if name.split(".")[0] in ("reducer", "oracles", "iree", "numpy")}
            assert ours == {"reducer", "reducer.pytest_plugin"}
        """
    )
    pytester.runpytest_subprocess("-q").assert_outcomes(passed=1)
