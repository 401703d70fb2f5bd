"""Answers an experiment: by a warm worker, by fresh stock processes, by the user's script, or by a run.

Owns which of these is asked, and what is asked again because a warm worker's answer is not good enough. Judges nothing.
"""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from pathlib import Path

from oracles.experiment import Experiment, Observation, Run, Status
from reducer import wire
from reducer.case import Case
from reducer.running import Means, run_all, run_experiment
from reducer.toolchain import oneshot, pool
from reducer.toolchain.oneshot import Stopped
from reducer.toolchain.plugins import without_idle
from reducer.toolchain.pool import PROGRAM_NAME, Slot
from reducer.toolchain.releases import Toolchain


@dataclass(frozen=True)
class _Question:
    """One compilation. output: a file for the compiled module, "" for none."""

    program: str
    flags: tuple[str, ...]
    phase: str
    ir: bool
    timeout_s: float
    output: str = ""


class Experimenter:
    """Answers the experiments on one case's candidates. stopped: see `oneshot.run_limited`."""

    def __init__(self, case: Case, limits: pool.Limits, stopped: Stopped) -> None:
        self._case = case
        self._limits = limits
        self._stopped = stopped

    def observe(
        self,
        slot: Slot,
        candidate: tuple[str, tuple[str, ...]],
        experiment: Experiment,
        *,
        cold: bool,
        file: Path | None = None,
    ) -> Observation:
        """What the experiment shows of a candidate, a program and the user's flags.

        cold: by stock processes alone. file: what is compiled to be run is this, the same program without its inputs.
        """
        program, own = candidate
        flags = self._case.experiment_flags(experiment, () if experiment.plain else own)
        timeout_s = experiment.timeout_s or self._limits.timeout_s
        question = _Question(program, flags, experiment.phase, experiment.ir, timeout_s)
        cold = cold or experiment.fresh
        if experiment.command:
            return self._script(experiment.command, question)
        if experiment.run is not None:
            return run_experiment(experiment.run, self._means(slot, question, cold, file))
        return self._compile(slot, question, cold)

    def compile(
        self, slot: Slot, candidate: tuple[str, tuple[str, ...]], experiment: Experiment, output: str = ""
    ) -> Observation:
        """What a warm compilation shows. output: a file for the compiled module, "" for none."""
        program, own = candidate
        flags = self._case.experiment_flags(experiment, own)
        timeout_s = experiment.timeout_s or self._limits.timeout_s
        return self._compile(slot, _Question(program, flags, experiment.phase, experiment.ir, timeout_s, output), False)

    def run(
        self,
        slot: Slot,
        run: Run,
        compiled: Observation,
        module: Path,
        functions: tuple[wire.Evaluated, ...],
    ) -> Observation:
        """The same with the runs of these functions of a compiled module, which the slot has evaluated last."""
        question = _Question("", (), "end", False, self._limits.timeout_s)
        return run_all(run, self._means(slot, question, False, None), module, compiled, functions)

    def _compile(self, slot: Slot, question: _Question, cold: bool) -> Observation:
        if cold:
            return self._fresh(question, self._case.toolchain)
        flags = (*question.flags, *without_idle(question.program, question.flags))
        request = wire.CompileRequest(question.program, question.phase, question.ir, question.output)
        seen = slot.compile(flags, request, question.timeout_s)
        if seen.status is Status.CRASHED:
            # printing IR on failure, or a different layout of memory, turns one crash into another: ask the real thing
            return self._fresh(question, self._case.toolchain)
        return replace(seen, command=(*question.flags, f"--compile-to={question.phase}"))

    def _means(self, slot: Slot, question: _Question, cold: bool, file: Path | None) -> Means:
        other = self._case.other

        def compile_(phase: str, ir: bool, output: str) -> Observation:
            step = replace(question, phase=phase, ir=ir, output=output)
            return self._once(file, step, self._case.toolchain) if file and output else self._compile(slot, step, cold)

        def compile_other(phase: str, ir: bool, output: str) -> Observation:
            assert other is not None
            step = replace(question, flags=other.flags, phase=phase, ir=ir, output=output)
            return self._fresh(step, other.toolchain)

        return Means(
            program=question.program,
            slot=slot,
            toolchain=self._case.toolchain,
            compile=compile_,
            compile_other=compile_other if other is not None else None,
            other=other.toolchain if other is not None else self._case.toolchain,
            timeout_s=question.timeout_s,
            memory_bytes=self._limits.memory_bytes or None,
            stopped=self._stopped,
            confirm=cold,
        )

    def _fresh(self, question: _Question, toolchain: Toolchain) -> Observation:
        with tempfile.TemporaryDirectory(prefix="iree-reduce-") as folder:
            return self._once(_written(folder, question.program), question, toolchain)

    def _once(self, file: Path, question: _Question, toolchain: Toolchain) -> Observation:
        return oneshot.compile_once(
            toolchain, file, question.flags, question.phase, timeout_s=question.timeout_s,
            memory_bytes=self._limits.memory_bytes or None, want_ir=question.ir, want_passes=True,
            output=Path(question.output) if question.output else None, stopped=self._stopped,
        )  # fmt: skip

    def _script(self, command: tuple[str, ...], question: _Question) -> Observation:
        with tempfile.TemporaryDirectory(prefix="iree-reduce-") as folder:
            path = _written(folder, question.program)
            return oneshot.run_script(self._case.toolchain, command, path, question.timeout_s, stopped=self._stopped)


def _written(folder: str, program: str) -> Path:
    path = Path(folder) / PROGRAM_NAME
    path.write_bytes(program.encode("utf-8", "surrogateescape"))
    return path
