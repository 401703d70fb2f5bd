"""The pytest plugin: properties of a compiler, in a compiler team's own tests.

    from hypothesis import given
    from oracles.no_op_flag import NoOpFlag
    from reducer.pytest_plugin import assert_holds
    from reducer.strategies import pad_conv_programs

    @given(pad_conv_programs())
    def test_the_consumer_flag_fuses(iree, program):
        assert_holds(NoOpFlag(), program, iree)

Owns the `iree` fixture, the `iree` marker and the options `--iree` and `--iree-target`. A failure is an ordinary
AssertionError, so that Hypothesis shrinks the program; nothing is reduced here. Imports little: every pytest of an
environment loads this module.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from oracles.verdict import Oracle, Verdict
    from reducer.case import Case
    from reducer.toolchain.pool import Slot
    from reducer.toolchain.releases import Toolchain

TIMEOUT_S = 120.0


@dataclass(frozen=True)
class Asked:
    """What a test is run with. release: None for the installed one."""

    release: str | None
    target: str


class Iree:
    """One release with warm workers, for one target. Safe in one thread.

    toolchain: the release; target: as `reduce --target` takes it; target_flags: how the release spells it.
    """

    def __init__(self, toolchain: Toolchain, target: str, target_flags: tuple[str, ...], slot: Slot) -> None:
        self.toolchain = toolchain
        self.target = target
        self.target_flags = target_flags
        self.slot = slot

    def __repr__(self) -> str:
        return f"<IREE {self.toolchain.release} for {self.target}>"

    def judge(self, oracle: Oracle, program: object, flags: tuple[str, ...] = ()) -> tuple[Verdict, Case]:
        """The oracle's verdict on a program, and the case that it was asked about.

        program: MLIR text, or a `reducer.strategies.Program`, whose inputs it is run on. flags: for iree-compile,
        besides the target's and the oracle's own. Raises ValueError if the release cannot parse the program.
        """
        from oracles.registry import runs_programs
        from reducer.case import Case
        from reducer.experiments import Experimenter
        from reducer.toolchain.oneshot import never
        from reducer.wire import Edited, InputsRequest, MeasureRequest

        text, inputs = str(program), tuple(getattr(program, "inputs", ()))
        case = Case("program", text, oracle, self.toolchain, self.target, self.target_flags, flags, inputs=inputs)
        request = InputsRequest(text, inputs, 0) if runs_programs(oracle) else MeasureRequest(text)
        edited = self.slot.edit(request)
        if not isinstance(edited, Edited) or edited.invalid:
            why = edited.invalid if isinstance(edited, Edited) else edited.message
            raise ValueError(f"IREE {self.toolchain.release} cannot use this program: {why}\n{text}")
        experimenter = Experimenter(case, self.slot.limits, never)
        candidate = (edited.program, flags)
        verdict = oracle.judge(
            edited.program, lambda experiment: experimenter.observe(self.slot, candidate, experiment, cold=False)
        )
        return verdict, case


def assert_holds(oracle: Oracle, program: object, iree: Iree, flags: tuple[str, ...] = ()) -> None:
    """Fail if the program shows the oracle's fault; what can be pasted into a bug report is in the message.

    A program that the oracle cannot judge (its value is undefined, say) is not counted: Hypothesis draws another.
    """
    from hypothesis import reject

    from oracles.verdict import Outcome

    __tracebackhide__ = True  # what pytest would show of this function says less than its message

    verdict, case = iree.judge(oracle, program, flags)
    if verdict.outcome is Outcome.INVALID:
        reject()
    if verdict.interesting:
        raise AssertionError(_message(verdict, case))


def _message(verdict: Verdict, case: Case) -> str:
    """The reason, and the program under the header that `reduce` and `reduce check` read."""
    from reducer.header import Directive
    from reducer.report.lit import write_repro
    from reducer.report.repro import Repro

    inputs = verdict.run.inputs if verdict.run is not None else None
    directive = Directive(
        oracle=case.oracle.name, iree=case.toolchain.release or None, target=case.target, inputs=inputs,
        flags=case.flags,
    )  # fmt: skip
    repro = Repro(
        program=case.program, file_name="program.mlir", release=case.toolchain.release, flags=case.command(),
        phase=verdict.phase or "end", directive=directive, seen=f"{case.oracle.name}: {verdict.reason}",
        run=verdict.run,
    )  # fmt: skip
    return f"{case.oracle.name}: {verdict.reason}\n{write_repro(repro)}"


def pytest_addoption(parser: pytest.Parser) -> None:
    """Which release, and which target."""
    group = parser.getgroup("iree", "IREE")
    group.addoption("--iree", metavar="VERSION|PATH", help="The release that the iree fixture drives.")
    group.addoption("--iree-target", metavar="NAME", default="llvm-cpu", help="Its target. Default: llvm-cpu.")


def pytest_configure(config: pytest.Config) -> None:
    """Make the marker known."""
    config.addinivalue_line("markers", "iree(release, target): what the iree fixture drives in this test.")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Hand the marker to the fixture, which lives longer than a test: Hypothesis has it so."""
    marker = metafunc.definition.get_closest_marker("iree")
    if marker is None or "iree" not in metafunc.fixturenames:
        return
    said: dict[str, Any] = {**dict(zip(("release", "target"), marker.args, strict=False)), **marker.kwargs}
    release = said.get("release", metafunc.config.getoption("--iree"))
    asked = Asked(release, said.get("target", metafunc.config.getoption("--iree-target")))
    metafunc.parametrize("iree", [asked], indirect=True, ids=[f"{release or 'installed'}-{asked.target}"])


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Properties of a compiler have no deadline, unless they set one: the first example starts the compiler."""
    for item in items:
        if "iree" in getattr(item, "fixturenames", ()) and hasattr(getattr(item, "obj", None), "hypothesis"):
            _lift_deadline(item.obj)  # type: ignore[attr-defined]


def _lift_deadline(test: Any) -> None:
    from hypothesis import settings

    function = getattr(test, "__func__", test)
    own = getattr(function, _SETTINGS, None) or settings.default
    if own is not None and own.deadline == settings.get_profile("default").deadline:
        setattr(function, _SETTINGS, settings(own, deadline=None))


_SETTINGS = "_hypothesis_internal_use_settings"  # where Hypothesis keeps a test's settings


@pytest.fixture(scope="session")
def _iree_slots() -> Iterator[dict[Asked, Iree]]:
    """The warm releases of this process, each made once."""
    made: dict[Asked, Iree] = {}
    yield made
    for iree in made.values():
        iree.slot.close()


@pytest.fixture(scope="session")
def iree(request: pytest.FixtureRequest, _iree_slots: dict[Asked, Iree]) -> Iree:
    """The release of `--iree` (default: the installed one) for `--iree-target`, or what the marker says."""
    options = Asked(request.config.getoption("--iree"), request.config.getoption("--iree-target"))
    asked: Asked = getattr(request, "param", options)
    if asked not in _iree_slots:
        _iree_slots[asked] = _open(asked)
    return _iree_slots[asked]


def _open(asked: Asked) -> Iree:
    """A release with a slot of workers. What is wrong with it fails the test in one line."""
    from reducer.errors import ReducerError
    from reducer.toolchain.pool import Limits, Slot
    from reducer.toolchain.releases import resolve
    from reducer.toolchain.targets import target_flags

    try:
        toolchain = resolve(asked.release, lambda line: None)
        flags = target_flags(asked.target, toolchain.release)
    except ReducerError as error:
        pytest.fail(str(error), pytrace=False)
    return Iree(toolchain, asked.target, flags, Slot(toolchain, Limits(TIMEOUT_S, 0)))
