"""Runs many programs the way a reduction does, a module at a time, and says in a word what became of each."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from oracles.experiment import Experiment, FunctionRun, Observation, Run, Status
from oracles.registry import make
from reducer.case import Case
from reducer.experiments import Experimenter
from reducer.toolchain import oneshot
from reducer.toolchain.pool import Limits, Slot
from reducer.toolchain.releases import Toolchain
from reducer.toolchain.targets import target_flags
from reducer.wire import Edited, InputsRequest
from tests.truth.programs.text import Program, text_of

RIGHT = "right"
DOES_NOT_COMPILE = "does not compile"
MODULE_FUNCTIONS = 25
TIMEOUT_S = 120.0


class Runner:
    """Runs programs for one target, in warm workers. seed: of the inputs of programs that bring none."""

    def __init__(self, toolchain: Toolchain, target: str, seed: int = 0) -> None:
        self._limits = Limits(TIMEOUT_S, 16 << 30)
        self._slot = Slot(toolchain, self._limits)
        self._flags = target_flags(target, toolchain.release)
        self._toolchain, self._target, self._seed = toolchain, target, seed

    def close(self) -> None:
        """End the workers."""
        self._slot.close()

    def run(self, programs: Sequence[Program], alone: Collection[str]) -> dict[str, str]:
        """What became of each, by name. alone: those that spoil a module for others."""
        found: dict[str, str] = {}
        for module in _modules(programs, alone):
            found |= self._run(module)
        return found

    def _run(self, programs: Sequence[Program]) -> dict[str, str]:
        """A module that does not compile is cut in halves until it is known which program does not."""
        seen = self._observe(text_of(programs))
        if seen.status is Status.OK:
            found = {run.function: _became(run) for run in seen.runs}
            assert set(found) == {p.name for p in programs}, seen.runs
            return found
        if len(programs) == 1:
            return {programs[0].name: DOES_NOT_COMPILE if seen.status is Status.FAILED else seen.status.value}
        half = len(programs) // 2
        return {**self._run(programs[:half]), **self._run(programs[half:])}

    def _observe(self, text: str) -> Observation:
        program = text
        if "reduce.input" not in text:
            edited = self._slot.edit(InputsRequest(text, (), self._seed))
            assert isinstance(edited, Edited), edited
            assert not edited.invalid, (edited.invalid, text)
            program = edited.program
        case = Case("right", text, make("wrong-result"), self._toolchain, self._target, self._flags, ())
        experimenter = Experimenter(case, self._limits, oneshot.never)
        return experimenter.observe(self._slot, (program, ()), Experiment(run=Run()), cold=False)


def _modules(programs: Sequence[Program], alone: Collection[str]) -> Iterator[Sequence[Program]]:
    yield from ([p] for p in programs if p.name in alone)
    together = [p for p in programs if p.name not in alone]
    for start in range(0, len(together), MODULE_FUNCTIONS):
        yield together[start : start + MODULE_FUNCTIONS]


def _became(run: FunctionRun) -> str:
    """RIGHT, or what was not. A result of which the reference knows no bound is not right."""
    if run.reference != "defined":
        return f"{run.reference}: {run.why}"
    if run.ended != "returned":
        return f"{run.ended}: {run.said}"
    wrong = [
        f"result {n} {r.kind} at {list(r.index)}, {r.got} not {r.expected}, {r.wrong} of {r.total}, inputs {run.inputs}"
        for n, r in enumerate(run.results)
        if r.kind != "same"
    ]
    return "; ".join(wrong) or RIGHT
