"""Which release and target a test runs on, and what cannot be had: one line each."""

from __future__ import annotations

import pytest

from tests.cli.command import SEEDS

CHOOSING = """
from pathlib import Path
import pytest
from oracles.translation_error import TranslationError
from reducer.pytest_plugin import assert_holds

SILENT = Path({seed!r}).read_text()
CONSUMER = "--iree-dispatch-creation-enable-fuse-padding-into-linalg-consumer-ops"

@pytest.mark.iree("3.6.0")
def test_it_compiles_on_the_old(iree):
    assert iree.toolchain.release == "3.6.0"
    assert_holds(TranslationError(), SILENT, iree, (CONSUMER,))

@pytest.mark.iree(target="vmvx")
class TestTarget:
    def test_of_the_class(self, iree):
        assert (iree.target, iree.target_flags) == ("vmvx", ("--iree-hal-target-backends=vmvx",))

    @pytest.mark.iree(target="llvm-cpu", timeout_s=9)
    def test_of_its_own(self, iree):
        assert iree.target == "llvm-cpu"

@pytest.mark.parametrize("iree", ["3.6.0", "3.13.0"], indirect=True)
def test_a_matrix(iree, request):
    assert iree.toolchain.release in request.node.name

def test_it_compiles_on_the_new(iree):
    assert_holds(TranslationError(), SILENT, iree, (CONSUMER,))
"""
ASKED = """
import pytest
from hypothesis import given, strategies as st
from oracles.crash import Crash
from oracles.wrong_result import WrongResult
from reducer.pytest_plugin import assert_holds
from reducer.strategies import elementwise

TYPE = "tensor<4xf32>"
TEXT = f"func.func @main() -> {{TYPE}} {{{{\\n  %0 = tensor.empty() : {{TYPE}}\\n  return %0 : {{TYPE}}\\n}}}}\\n"

{decorator}
def test_it({arguments}):
    {body}
"""


@pytest.fixture(autouse=True)
def choosing(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(test_choosing=CHOOSING.format(seed=str(SEEDS / "silent_consumer_flag.mlir")))


def test_the_marker_and_parameters_choose(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_subprocess("-v")
    result.assert_outcomes(passed=5, failed=1)
    result.stdout.fnmatch_lines_random(
        ["*test_it_compiles_on_the_old[[]3.6.0-llvm-cpu[]] PASSED*", "*test_of_the_class[[]installed-vmvx[]] PASSED*",
         "*test_of_its_own[[]installed-llvm-cpu[]] PASSED*", "*test_a_matrix[[]3.6.0[]] PASSED*",
         "translation-error: silent failure of ConcretizePadResultShapePass"]
    )  # fmt: skip


def test_the_options_choose_for_what_has_no_marker(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_subprocess("--iree", "3.6.0", "--iree-target", "vmvx", "-v", "-k", "class or the_new")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["*test_of_the_class[[]3.6.0-vmvx[]] PASSED*"])


def test_no_network_is_needed(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor asked: no socket can be made, and uv, which would install, cannot reach anything."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.setenv("UV_OFFLINE", "1")
    pytester.makeconftest(
        "import socket\ndef refuse(*words, **more): raise OSError('no network')\nsocket.socket.connect = refuse\n"
    )
    result = pytester.runpytest_subprocess("--iree", "3.6.0", "-k", "old or new or matrix")
    result.assert_outcomes(passed=4)


def test_under_xdist(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_subprocess("-n", "2", "-q")
    result.assert_outcomes(passed=5, failed=1)
    result.stdout.fnmatch_lines(["translation-error: silent failure of *", "// reduce: oracle=translation-error *"])


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--iree", "3.6.1"), "there is no IREE release '3.6.1'; did you mean"),
        (("--iree-target", "lvm-cpu"), "unknown target 'lvm-cpu'"),
    ],
)
def test_a_wrong_option_is_one_line(words: tuple[str, str], said: str, pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_subprocess(*words, "-k", "new")
    result.assert_outcomes(errors=1)
    told(result, said)


def test_options_that_do_not_parse_are_usage_errors(pytester: pytest.Pytester) -> None:
    result = pytester.runpytest_subprocess("--iree-timeout", "soon")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*argument --iree-timeout: invalid float value: 'soon'*"])


@pytest.mark.parametrize(
    ("decorator", "body", "said"),
    [
        ("", "assert_holds(Crash(), TEXT, iree, ('--iree-nonsense',))",
         "IREE 3.13.0 rejects the flags: unknown command line argument '--iree-nonsense'"),
        ("@given(elementwise())", "assert_holds(Crash(), program, iree, ('--iree-nonsense',))",
         "IREE 3.13.0 rejects the flags: unknown command line argument '--iree-nonsense'"),
        ("@pytest.mark.iree(target='cuda:sm_80')", "assert_holds(WrongResult(), TEXT, iree)",
         "wrong-result runs the program, and cuda:sm_80 cannot run here; try llvm-cpu or vmvx"),
        ("@pytest.mark.iree(realease='3.6.0')", "pass",
         "the iree marker takes release, target, timeout_s: it got an unexpected keyword argument 'realease'"),
        ("", "assert_holds(WrongResult(), TEXT, iree)",
         "wrong-result cannot judge this program: @main has no defined value: elements of result 0 are undefined"),
        ("@given(st.just(TEXT))", "assert_holds(WrongResult(), program, iree)",
         "Not counted, the last of them: @main has no defined value: elements of result 0 are undefined"),
        ("@given(st.just('hello'))", "assert_holds(Crash(), program, iree)",
         "IREE 3.13.0 cannot use this program: 1:1: custom op 'hello' is unknown"),
    ],
    ids=["flag", "flag-drawn", "cannot-run", "marker", "undefined", "undefined-drawn", "no-program"],
)  # fmt: skip
def test_what_cannot_be_judged_is_told_once(decorator: str, body: str, said: str, pytester: pytest.Pytester) -> None:
    arguments = "iree, program" if "given" in decorator else "iree"
    file = pytester.makepyfile(test_asked=ASKED.format(decorator=decorator, body=body, arguments=arguments))
    result = pytester.runpytest_subprocess(file)
    outcome = "errors" if "realease" in decorator else "failed"
    result.assert_outcomes(**{outcome: 1})
    told(result, said)


def told(result: pytest.RunResult, said: str) -> None:
    """Once, and perhaps again in the summary; without our own lines."""
    text = result.stdout.str()
    assert said in text
    assert len([line for line in result.outlines if said in line]) <= 2
    for noise in ("Traceback", "During handling", "reducer/properties.py", "reducer/pytest_plugin.py"):
        assert noise not in text


def test_a_program_too_new_for_the_release_is_not_counted(pytester: pytest.Pytester) -> None:
    file = pytester.makepyfile(
        test_asked="""
        from hypothesis import given, strategies as st
        from oracles.crash import Crash
        from reducer.pytest_plugin import assert_holds
        from reducer.strategies import Program

        OLD = "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\\n  return %x : tensor<4xf32>\\n}\\n"
        counted = []

        @given(st.sampled_from([Program(OLD), Program("hello")]))
        def test_it(iree, program):
            assert_holds(Crash(), program, iree)
            counted.append(program.text)

        def test_which():
            assert set(counted) == {OLD}
        """
    )
    result = pytester.runpytest_subprocess(file, "--hypothesis-show-statistics")
    result.assert_outcomes(passed=2)
    result.stdout.fnmatch_lines(["*not counted: IREE 3.13.0 cannot use this program: *custom op 'hello' is unknown*"])
