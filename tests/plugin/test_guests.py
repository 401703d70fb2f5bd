"""The plugin in suites that are not about it: it costs nothing, and leaves alone what is not its own."""

from __future__ import annotations

import pytest


def test_it_imports_nothing(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import sys

        def test_nothing_is_imported():
            heavy = ("reducer", "oracles", "iree", "numpy", "typer", "rich", "uv", "hypothesis")
            ours = {name for name in sys.modules if name.split(".")[0] in heavy}
            assert ours == {"reducer", "reducer.pytest_plugin"}
        """
    )
    result = pytester.runpytest_subprocess("-q", "-p", "no:hypothesispytest")
    result.assert_outcomes(passed=1)


def test_a_fixture_and_a_marker_of_ones_own_stay(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        from datetime import timedelta
        import pytest
        from hypothesis import given, strategies as st

        @pytest.fixture(scope="module")
        def iree():
            return "mine"

        @pytest.mark.iree("anything", "at", "all", "here")
        def test_mine(iree):
            assert iree == "mine"

        @given(st.integers())
        def test_deadline(iree, number):
            assert iree == "mine"

        def test_it_is_as_it_was():
            assert test_deadline._hypothesis_internal_use_settings.deadline == timedelta(milliseconds=200)
        """
    )
    pytester.runpytest_subprocess("-q").assert_outcomes(passed=3)


DEADLINES = """
import time
from datetime import timedelta
from hypothesis import Phase, given, settings, strategies as st

def slow():
    time.sleep(0.3)

@given(st.just(0))
def test_of_ours(iree, number):
    slow()

class TestOfOurs:
    @settings(max_examples=3)
    @given(st.just(0))
    def test_in_a_class(self, iree, number):
        slow()

@settings(deadline=210)
@given(st.just(0))
def test_own(iree, number):
    slow()

@given(st.just(0))
def test_of_something_else(number):
    slow()

@settings(phases=(Phase.generate, Phase.explain))
@given(st.just(0))
def test_own_phases(iree, number):
    pass

def test_phases():
    assert Phase.explain in test_own_phases._hypothesis_internal_use_settings.phases
    assert Phase.explain not in test_of_ours._hypothesis_internal_use_settings.phases
    assert Phase.shrink in test_of_ours._hypothesis_internal_use_settings.phases
"""


def test_only_properties_of_the_compiler_lose_the_deadline(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(DEADLINES)
    result = pytester.runpytest_subprocess("-q")
    result.assert_outcomes(passed=4, failed=2)
    result.stdout.fnmatch_lines_random(
        ["FAILED *::test_own - *Deadline*", "FAILED *::test_of_something_else - *Deadline*"]
    )


def test_without_hypothesis(pytester: pytest.Pytester) -> None:
    pytester.makepyfile("def test_it(iree):\n    assert repr(iree) == '<IREE 3.13.0 for llvm-cpu>'\n")
    pytester.runpytest_subprocess("-q", "-p", "no:hypothesispytest").assert_outcomes(passed=1)


def test_it_is_listed(pytester: pytest.Pytester) -> None:
    pytester.runpytest_subprocess("--markers").stdout.fnmatch_lines(
        ["@pytest.mark.iree(release, target, timeout_s): *"]
    )
    pytester.runpytest_subprocess("--fixtures").stdout.fnmatch_lines(["iree *session scope*"])
    help_ = pytester.runpytest_subprocess("--help").stdout
    help_.fnmatch_lines(["IREE:", "*--iree=VERSION|PATH*", "*--iree-target=NAME*", "*--iree-timeout=SECONDS*"])
