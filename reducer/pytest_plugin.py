"""The pytest plugin: properties of a compiler, in a compiler team's own tests.

    from hypothesis import given
    from oracles.no_op_flag import NoOpFlag
    from reducer.pytest_plugin import assert_holds
    from reducer.strategies import pad_conv_programs

    @given(pad_conv_programs())
    def test_the_consumer_flag_fuses(iree, program):
        assert_holds(NoOpFlag(), program, iree)

Owns the `iree` fixture, the `iree` marker and the options `--iree` and `--iree-target`. A failure is an ordinary
AssertionError, so that Hypothesis shrinks the program; nothing is reduced here.
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


@dataclass
class Iree:
    """One release with warm workers, for one target.

    target: as `reduce --target` takes it; target_flags: how the release spells it. Safe in one thread.
    """

    toolchain: Toolchain
    target: str
    target_flags: tuple[str, ...]
    slot: Slot

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


@pytest.fixture(scope="session")
def _iree_slots() -> Iterator[dict[tuple[str | None, str], Iree]]:
    """The warm releases of this process, each made once."""
    made: dict[tuple[str | None, str], Iree] = {}
    yield made
    for iree in made.values():
        iree.slot.close()


@pytest.fixture
def iree(request: pytest.FixtureRequest, _iree_slots: dict[tuple[str | None, str], Iree]) -> Iree:
    """The release of `--iree` (default: the installed one) for `--iree-target`, or what the marker says."""
    marker = request.node.get_closest_marker("iree")
    asked: dict[str, Any] = dict(zip(("release", "target"), marker.args, strict=False)) if marker else {}
    asked.update(marker.kwargs if marker else {})
    release = asked.get("release", request.config.getoption("--iree"))
    target = asked.get("target", request.config.getoption("--iree-target"))
    if (release, target) not in _iree_slots:
        _iree_slots[release, target] = _open(release, target)
    return _iree_slots[release, target]


def _open(release: str | None, target: str) -> Iree:
    """A release with a slot of workers. What is wrong with it fails the test in one line."""
    from reducer.errors import ReducerError
    from reducer.toolchain.pool import Limits, Slot
    from reducer.toolchain.releases import resolve
    from reducer.toolchain.targets import target_flags

    try:
        toolchain = resolve(release, lambda line: None)
        flags = target_flags(target, toolchain.release)
    except ReducerError as error:
        pytest.fail(str(error), pytrace=False)
    return Iree(toolchain, target, flags, Slot(toolchain, Limits(TIMEOUT_S, 0)))
