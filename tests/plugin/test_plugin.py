"""The plugin as a compiler team uses it: properties that hold and that do not, and what a failure says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.command import SEEDS, reduce

PROPERTY = """
from hypothesis import given
from oracles.no_op_flag import NoOpFlag
from reducer.pytest_plugin import assert_holds
from reducer.strategies import pad_conv_programs

@given(pad_conv_programs())
def test_consumer_flag_fuses(iree, program):
    assert_holds(NoOpFlag(), program, iree)
"""
HOLDS = """
from hypothesis import given
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
settings.register_profile("few", max_examples={count}, derandomize=True, database=None)
settings.load_profile("few")
"""
DRAWN = """
from pathlib import Path
from hypothesis import given, strategies as st
from oracles.dispatch_count import DispatchCount
from oracles.wrong_result import WrongResult
from reducer.pytest_plugin import assert_holds
from reducer.strategies import Program

CONSUMER = "--iree-dispatch-creation-enable-fuse-padding-into-linalg-consumer-ops"
WRONG = Path({seed!r}).read_text()
RIGHT = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {{\\n  return %x : tensor<4xf32>\\n}}\\n"

@given(st.sampled_from((Program(RIGHT, ("4xf32=1",)), Program(WRONG))), st.sampled_from(((), (CONSUMER,))))
def test_numbers(iree, program, flags):
    assert_holds(WrongResult(), program, iree, flags)

def test_given_program(iree):
    assert_holds(DispatchCount(0), WRONG, iree)
"""


def pasted(text: str, folder: Path) -> Path:
    """The program of the first failure in what pytest prints, as somebody copies it: from its header on."""
    found = re.search(r"^// IREE .*?^\}\n", text, re.MULTILINE | re.DOTALL)
    assert found is not None, text
    file = folder / "program.mlir"
    file.write_text(found[0])
    return file


def test_a_property_that_holds_runs_as_the_profile_says(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(PROFILE.format(count=7))
    pytester.makepyfile(HOLDS)
    pytester.runpytest_subprocess("-q").assert_outcomes(passed=2)


def test_the_profile_of_the_command_line_decides_too(pytester: pytest.Pytester) -> None:
    two = 'settings.register_profile("two", max_examples=2, derandomize=True, database=None)\n'
    pytester.makeconftest(f"from hypothesis import settings\n{two}")
    pytester.makepyfile(HOLDS.replace("== 7", "== 2"))
    pytester.runpytest_subprocess("-q", "--hypothesis-profile=two").assert_outcomes(passed=2)


def test_one_that_does_not_shows_the_smallest_program_and_how_to_see_it(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(PROFILE.format(count=60))
    pytester.makepyfile(PROPERTY)
    result = pytester.runpytest_subprocess("-n", "0")
    result.assert_outcomes(failed=1)
    text = result.stdout.str()
    reason, command, check = text.partition("test_consumer_flag_fuses ___")[2].splitlines()[1:4]
    assert reason.startswith("no-op-flag: the flag ")
    assert re.fullmatch(r"  iree-compile program\.mlir .*-linalg-consumer-ops --compile-to=flow -o -", command)
    assert check == "  reduce check program.mlir"
    file = pasted(text, pytester.path)
    assert file.read_text().startswith(f"// IREE 3.13.0: {reason}\n// RUN: iree-compile %s ")
    assert file.read_text().count("= tensor.pad ") == 1
    checked = reduce("check", file.name, cwd=pytester.path)
    assert (checked.returncode, checked.stderr) == (0, ""), checked.stdout
    assert text.count("= tensor.pad ") == 1  # and not once more in Hypothesis's words
    assert "program=Program(text=<the program above>" in text
    for noise in ("Flaky", "Explanation", "oracles/", "Traceback"):
        assert noise not in text
    assert re.search(r"FAILED test_\w+\.py::test_consumer_flag_fuses - AssertionError: no-op", text)


def test_a_wrong_number_is_told_with_what_it_is_run_on(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(PROFILE.format(count=20))
    pytester.makepyfile(DRAWN.format(seed=str(SEEDS / "wrong_pad_value.mlir")))
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=2)
    text = result.stdout.str()
    assert "wrong-result: @main: result 0" in text
    assert "not without the flags" in text
    (command,) = (line for line in text.splitlines() if line.startswith("  iree-compile") and "run-module" in line)
    assert "-o program.vmfb && iree-run-module --module=program.vmfb" in command
    assert "'--expected_output=2x2x2x1xf32=" in command
    assert "flags=('--iree-dispatch-creation-enable-fuse-padding-into-linalg-consumer-ops',)" in text
    file = pasted(text, pytester.path)
    assert ' inputs="2x1x3x1xf32=' in file.read_text()
    checked = reduce("check", file.name, cwd=pytester.path)
    assert (checked.returncode, checked.stderr) == (0, ""), checked.stdout
    assert "dispatch-count: " in text
    assert " expect=0 " in text
    assert "The test chose this program itself." in text


def test_any_tb_is_as_everywhere(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(DRAWN.format(seed=str(SEEDS / "wrong_pad_value.mlir")))
    result = pytester.runpytest_subprocess("--tb=short", "-k", "given_program")
    result.stdout.fnmatch_lines(["test_*.py:*: in test_given_program", "E   AssertionError: dispatch-count: *"])


def test_a_fault_that_comes_and_goes_is_not_called_flaky(pytester: pytest.Pytester) -> None:
    pytester.makeconftest(PROFILE.format(count=5))
    (pytester.path / "coin.sh").write_text(
        "#!/bin/sh\nn=$(cat n 2>/dev/null || echo 0)\necho $((n+1)) >n\n[ $n -lt 2 ]\n"
    )
    (pytester.path / "coin.sh").chmod(0o755)
    pytester.makepyfile(
        """
        from pathlib import Path
        from hypothesis import given, strategies as st
        from oracles.script import Script
        from reducer.pytest_plugin import assert_holds

        PROGRAM = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\\n  return %x : tensor<4xf32>\\n}\\n"

        @given(st.just(PROGRAM))
        def test_it(iree, program):
            assert_holds(Script((str(Path("coin.sh").resolve()),)), program, iree)
        """
    )
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines(["script: *"])
    result.stdout.no_fnmatch_line("*Flaky*")
    assert (pytester.path / "n").read_text() == "2\n"  # nominated, confirmed, and then remembered
