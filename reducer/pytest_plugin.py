"""The pytest plugin: properties of a compiler, in a compiler team's own tests.

    from hypothesis import given
    from oracles.no_op_flag import NoOpFlag
    from reducer.pytest_plugin import assert_holds
    from reducer.strategies import pad_conv_programs

    @given(pad_conv_programs())
    def test_consumer_flag_fuses(iree, program):
        assert_holds(NoOpFlag(), program, iree)

Owns the `iree` fixture and marker, the options, and how a failure is shown; what it means is `properties.py`. Imports
next to nothing: every pytest of an environment loads this module. A project's own `iree` fixture is left alone.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from hypothesis import settings

    from oracles.verdict import Oracle
    from reducer.properties import Iree

TIMEOUT_S = 30.0
_SETTINGS = "_hypothesis_internal_use_settings"  # where Hypothesis keeps a test's settings
_NOTHING_COUNTED = ("Unsatisfiable", "Unsatisfied", "FailedHealthCheck")


@dataclass(frozen=True)
class Asked:
    """What a test is run with. release: None for the installed one; timeout_s: of one compilation or run."""

    release: str | None
    target: str
    timeout_s: float

    def __str__(self) -> str:
        return f"{self.release or 'installed'}-{self.target}"


def assert_holds(oracle: Oracle, program: object, iree: Iree, flags: tuple[str, ...] = ()) -> None:
    """Fail if the program shows the oracle's fault, with what can be pasted into a bug report.

    oracle: any of `oracles/`. program: one that `reducer.strategies` drew, or MLIR text. iree: the fixture. flags: for
    iree-compile, besides the target's and the oracle's own.
    What the oracle cannot judge (a value that is undefined, a compilation out of time) is not counted: Hypothesis draws
    another program, and outside of Hypothesis it is a ValueError. So is text that the release does not parse.
    """
    __tracebackhide__ = True
    from reducer import properties
    from reducer.errors import ReducerError

    try:
        properties.assert_holds(oracle, program, iree, flags)
        return
    except ReducerError as error:
        refused = str(error)
    pytest.fail(refused, pytrace=False)  # out here, or pytest would show both errors


def pytest_addoption(parser: pytest.Parser) -> None:
    """Which release, which target, how long."""
    group = parser.getgroup("iree", "IREE")
    group.addoption(
        "--iree", metavar="VERSION|PATH", help="What the iree fixture drives: a release, newest, an environment."
    )
    group.addoption("--iree-target", metavar="NAME", default="llvm-cpu", help="Its target. Default: llvm-cpu.")
    group.addoption(
        "--iree-timeout", metavar="SECONDS", type=float, default=TIMEOUT_S,
        help=f"Of one compilation or run. Default: {TIMEOUT_S:g}. What takes longer is not counted.",
    )  # fmt: skip


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line("markers", "iree(release, target, timeout_s): what the iree fixture drives in this test.")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Hand the marker to the fixture, which lives longer than a test: Hypothesis has it so."""
    marker = metafunc.definition.get_closest_marker("iree")
    if marker is None or not _is_ours(metafunc.definition):
        return
    refused = ""
    try:
        asked = _marked(metafunc.config, *marker.args, **marker.kwargs)
    except TypeError as error:
        refused = str(error).replace(f"{_marked.__name__}()", "it")
    if refused:
        where = metafunc.definition.nodeid
        pytest.fail(f"{where}: the iree marker takes release, target, timeout_s: {refused}", pytrace=False)
    metafunc.parametrize("iree", [asked], indirect=True, ids=[str(asked)])


def _marked(
    config: pytest.Config, release: str | None = None, target: str | None = None, timeout_s: float | None = None
) -> Asked:
    """What a marker says, and what it leaves to the options."""
    return Asked(
        release or config.getoption("--iree"),
        target or config.getoption("--iree-target"),
        timeout_s or config.getoption("--iree-timeout"),
    )


def _is_ours(definition: Any) -> bool:
    """Whether a test takes an `iree` fixture, and it is this plugin's."""
    info = getattr(definition, "_fixtureinfo", None)
    if info is None or "iree" not in info.names_closure:
        return False
    found = info.name2fixturedefs.get("iree", ())
    return bool(found) and found[-1].func.__module__ == __name__


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give properties of a compiler the settings that suit them."""
    if "hypothesis" not in sys.modules:
        return
    for item in items:
        test = getattr(item, "obj", None)
        function = getattr(test, "__func__", test)
        if getattr(function, "is_hypothesis_test", False) and _is_ours(item):
            _suit(function)


def _suit(function: Any) -> None:
    """No deadline (the first program starts the compiler), and no explanation: it would tell lines of the oracles.

    What a test or a profile has set stays.
    """
    from hypothesis import Phase, settings

    own: settings | None = getattr(function, _SETTINGS, None)
    if own is None:
        return
    usual = settings.get_profile("default")
    deadline = None if own.deadline == usual.deadline else own.deadline
    phases = tuple(p for p in own.phases if p is not Phase.explain) if own.phases == usual.phases else own.phases
    setattr(function, _SETTINGS, settings(own, deadline=deadline, phases=phases))


@pytest.fixture(scope="session")
def iree(request: pytest.FixtureRequest) -> Iterator[Iree]:
    """The release of `--iree` (default: the installed one) for `--iree-target`, or what the marker says."""
    from reducer.interrupts import raised_again

    asked = getattr(request, "param", None)
    opened = _open(asked if isinstance(asked, Asked) else _marked(request.config, asked))
    with raised_again():
        yield opened
    opened.close()


def _open(asked: Asked) -> Iree:
    """A release with workers. What is wrong with it fails the test in one line."""
    from reducer.errors import ReducerError
    from reducer.properties import Iree
    from reducer.toolchain.releases import resolve
    from reducer.toolchain.targets import target_flags

    try:
        toolchain = resolve(asked.release, lambda line: print(line, file=sys.stderr))
        return Iree(toolchain, asked.target, target_flags(asked.target, toolchain.release), asked.timeout_s)
    except ReducerError as error:
        refused = str(error)
    pytest.fail(refused, pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show the program as it can be copied, and once (any --tb gives pytest's own way); say why nothing was counted."""
    report = yield
    used: Any = getattr(item, "funcargs", {}).get("iree")
    why = getattr(used, "not_counted", "")
    if why:
        used.not_counted = ""
    if call.excinfo is None or not report.failed:
        return report
    error = call.excinfo.value
    fault = error.args[0] if error.args else None
    program = getattr(fault, "program", None)
    if isinstance(program, str) and item.config.getoption("tbstyle") == "auto":
        shown = call.excinfo.getrepr(style="value")
        notes = [note.replace(repr(program), "<the program above>") for note in getattr(error, "__notes__", ())]
        where = f"{item.location[0]}:{(item.location[1] or 0) + 1}"
        shown.addsection(where, "\n".join(notes) or "The test chose this program itself.")
        report.longrepr = shown
    if why and type(error).__name__ in _NOTHING_COUNTED:
        report.sections.append(("IREE", f"Not counted, the last of them: {why}"))
    return report
