"""Judging a file as it lies on the disk, with nothing but stock `iree-compile` processes, each of them fresh.

This is what `check` does, and how a reduction is confirmed: no worker, no memory of earlier answers.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from oracles.experiment import Experiment, Observation
from oracles.judging import refusal
from oracles.registry import runs_programs
from oracles.verdict import Outcome, Verdict
from reducer.case import Case
from reducer.errors import InputError
from reducer.experiments import Experimenter
from reducer.toolchain import oneshot
from reducer.toolchain.pool import Limits, Slot
from reducer.wire import Edited, InputsRequest

DEFAULT_TIMEOUT_S = 300.0


def judge_file(case: Case, path: Path, *, timeout_s: float | None, memory_bytes: int) -> Verdict:
    """The case's oracle on the program in `path`, whose text is `case.program`. timeout_s: seconds an experiment."""
    limit_s = timeout_s or DEFAULT_TIMEOUT_S
    if runs_programs(case.oracle):
        return _judge_runs(case, path, Limits(limit_s, memory_bytes))

    asked: list[Experiment] = []

    def observe(experiment: Experiment) -> Observation:
        asked.append(experiment)
        seconds = experiment.timeout_s or limit_s
        if experiment.command:
            return _run_script(case, experiment.command, seconds)
        return oneshot.compile_once(
            case.toolchain, path, case.experiment_flags(experiment, case.flags), experiment.phase, timeout_s=seconds,
            memory_bytes=memory_bytes or None, want_ir=experiment.ir, want_passes=True,
        )  # fmt: skip

    verdict = case.oracle.judge(case.program, observe)
    if asked or verdict.outcome is not Outcome.NOT_INTERESTING:
        return verdict
    # The oracle has read the text alone, which may be no program at all.
    refused = refusal(observe(Experiment(phase="input")))
    return refused if refused is not None and refused.outcome is Outcome.INVALID else verdict


def _judge_runs(case: Case, path: Path, limits: Limits) -> Verdict:
    """The same of an oracle that runs the program: what is run is compiled from the file itself.

    An editing worker works out what it should return, on inputs that it hangs on a copy.
    """
    slot = Slot(case.toolchain, limits)
    try:
        edited = slot.edit(InputsRequest(case.program, case.inputs, 0))
        if not isinstance(edited, Edited):
            raise InputError(f"{path.name}: cannot be given inputs: {edited.message}")
        if edited.invalid:
            raise InputError(f"{path.name}: IREE {case.toolchain.release} cannot use this program: {edited.invalid}")
        experimenter = Experimenter(case, limits, oneshot.never)

        def observe(experiment: Experiment) -> Observation:
            candidate = (edited.program, case.flags)
            return experimenter.observe(slot, candidate, experiment, cold=True, file=path)

        return case.oracle.judge(case.program, observe)
    finally:
        slot.close()


def _run_script(case: Case, command: tuple[str, ...], timeout_s: float) -> Observation:
    """A script gets a copy, so that it cannot spoil the file."""
    with tempfile.TemporaryDirectory(prefix="iree-reduce-") as folder:
        copy = Path(folder) / "program.mlir"
        copy.write_bytes(case.program.encode("utf-8", "surrogateescape"))
        return oneshot.run_script(case.toolchain, command, copy, timeout_s)
