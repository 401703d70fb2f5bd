"""One reduction, from the seed to a confirmed minimal program: the fixed point.

Owns the order of things: the baseline, the steps until none of them moves, the confirmation. What the steps try is in
`steps.py`; what has come of it so far, in `progress.py`.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from pathlib import Path

from oracles.experiment import FunctionRun
from oracles.registry import runs_programs
from oracles.verdict import Verdict
from reducer import events, steps, wire
from reducer.case import Case, Limits, Result
from reducer.errors import InputError
from reducer.evaluator import Evaluator
from reducer.journal import Journal, digest
from reducer.progress import Best, BudgetSpentError, Progress
from reducer.toolchain import pool

BASELINE_TIMEOUT_S = 300.0
SLICED_OPS = 12  # what is left of a program of fewer ops is the passes' business
TIMEOUT_FACTOR, TIMEOUT_FLOOR_S, TIMEOUT_CAP_S = 10.0, 10.0, 600.0


@dataclass(frozen=True)
class Options:
    """How to reduce: jobs: candidates judged at once; seed: of Hypothesis; run_dir: where the journal goes."""

    run_dir: Path
    limits: Limits
    jobs: int = 1
    seed: int = 0
    resume: bool = False


class Session:
    """Reduces one case. Use it once."""

    def __init__(self, case: Case, options: Options, emit: events.Emit) -> None:
        self._case = case
        self._options = options
        self._emit = emit
        identity = {
            "name": case.name, "oracle": case.oracle.name, "release": case.toolchain.release, "target": case.target,
            "flags": list(case.command()), "seed": options.seed, "program": digest(case.program, case.inputs),
        }  # fmt: skip
        self._journal = Journal(options.run_dir, identity, resume=options.resume)
        timeout_s = options.limits.timeout_s or BASELINE_TIMEOUT_S
        limits = pool.Limits(timeout_s, options.limits.memory_bytes)
        self._evaluator = Evaluator(case, options.jobs, limits, self._journal.remembered)
        self._progress = Progress(case, options.limits, self._evaluator, self._journal, emit)
        self._seed_size: wire.Size | None = None  # without its inputs
        self._run_seen: FunctionRun | None = None  # by the stock tools

    def run(self) -> Result:
        """Reduce. Raises ReducerError for bad input; an interrupt ends it early with the best so far."""
        try:
            return self._run()
        finally:
            self._evaluator.close()
            self._journal.close()

    def so_far(self) -> Result | None:
        """After an error ended `run`: the best until then, not confirmed; None if nothing was made smaller."""
        if not self._journal.begun or len(self._progress.history) < 2:
            return None
        return self._result("interrupted", confirmed=False, minimal=False)

    def _run(self) -> Result:
        seed, size = self._measure(self._case.program)
        verdict, reliable = self._baseline(seed, size)
        self._progress.history.append(Best(seed, size, self._case.flags, verdict, "seed"))
        if not verdict.interesting:
            return self._result("no-fault", confirmed=False, minimal=False)
        if not reliable:
            return self._result("unreliable", confirmed=False, minimal=False)
        self._journal.begin()
        try:
            outcome = self._until_spent()
            confirmed, steps_back = self._confirm()
            if steps_back and confirmed:
                self._evaluator.distrust_workers()
                self._journal.distrust_workers()
                outcome = self._until_spent()
                confirmed, steps_back = self._confirm()
        except KeyboardInterrupt:
            return self._result("interrupted", confirmed=False, minimal=False)
        return self._result(
            outcome, confirmed=confirmed, minimal=outcome == "reduced" and not steps_back and not self._progress.gaps
        )

    def _until_spent(self) -> str:
        """Reduce to the end ("reduced"), or until the budget is spent ("limit")."""
        try:
            self._reduce()
        except BudgetSpentError as error:
            self._progress.note(str(error))
            return "limit"
        return "reduced"

    # -- the seed ------------------------------------------------------------------------------------------------

    def _measure(self, program: str) -> tuple[str, wire.Size]:
        """The program in canonical form, and its size. Raises InputError if this release cannot parse it."""
        edited = self._evaluator.ask(wire.MeasureRequest(program))
        if isinstance(edited, wire.Failure):
            raise InputError(f"{self._case.name}: cannot be edited: {edited.message}")
        if edited.invalid:
            release = self._case.toolchain.release
            raise InputError(f"{self._case.name}: IREE {release} cannot use this program: {edited.invalid}")
        self._seed_size = edited.size
        if not runs_programs(self._case.oracle):
            return edited.program, edited.size
        return self._with_inputs(edited.program)

    def _with_inputs(self, program: str) -> tuple[str, wire.Size]:
        """The program with what it is run on hung on its arguments. Raises InputError if that does not fit."""
        edited = self._evaluator.ask(wire.InputsRequest(program, self._case.inputs, self._options.seed))
        if isinstance(edited, wire.Failure):
            raise InputError(f"{self._case.name}: cannot be given inputs: {edited.message}")
        if edited.invalid:
            raise InputError(f"{self._case.name}: {edited.invalid}")
        return edited.program, edited.size

    def _baseline(self, program: str, size: wire.Size) -> tuple[Verdict, bool]:
        """Ask the oracle twice; whether both answers agree. Sets the time limit, and holds the oracle to the fault."""
        started = time.monotonic()
        first = self._evaluator.judge(program, self._case.flags)
        seconds = time.monotonic() - started
        self._progress.tests += 1
        if self._options.limits.timeout_s is None:
            timeout_s = min(max(TIMEOUT_FACTOR * seconds, TIMEOUT_FLOOR_S), TIMEOUT_CAP_S)
            self._evaluator.limits.timeout_s = timeout_s
        self._emit(events.BaselineSeen(first, self._case.command(), size, seconds))
        if not first.interesting:
            return first, True
        self._evaluator.oracle = self._case.oracle.hold(first)
        second = self._evaluator.judge(program, self._case.flags)
        self._progress.tests += 1
        if not second.interesting:
            return replace(first, advice=f"the second time: {second.reason}"), False
        return first, True

    # -- the fixed point -----------------------------------------------------------------------------------------

    def _reduce(self) -> None:
        progress = self._progress
        progress.check_budget()  # the seed's two tests count
        if not steps.slice_at_evidence(progress, progress.best):
            before = progress.best
            whole = steps.inline(progress)
            if runs_programs(self._case.oracle):
                whole = steps.first_wrong(progress, whole)
                found = steps.slice_at_evidence(progress, whole)
            else:
                found = whole is not before and steps.slice_at_evidence(progress, whole)
            if not found:
                steps.bisect(progress, whole)
        while True:
            before = progress.best
            progress.refusals.clear()
            progress.gaps.clear()
            for name in self._evaluator.passes:
                steps.run_pass(progress, name)
            steps.reduce_flags(progress)
            steps.reduce_numbers(progress, self._options.seed)
            if progress.best is before:
                return
            if progress.best.size.ops > SLICED_OPS:
                steps.slice_at_evidence(progress, progress.best)

    # -- the end -------------------------------------------------------------------------------------------------

    def _confirm(self) -> tuple[bool, int]:
        """Ask the stock compiler; where it disagrees, step back to where it agrees. (confirmed, steps back)"""
        history = self._progress.history
        for back, best in enumerate(reversed(history)):
            self._emit(events.Confirming(back))
            verdict = self._evaluator.judge(best.program, best.flags, cold=True)
            if verdict.interesting:
                self._run_seen = verdict.run
                break
        else:
            return False, 0
        if back:
            del history[len(history) - back :]
            again = "stepped back" if self._evaluator.cold else "went on without warm workers after stepping back"
            self._progress.note(f"the stock compiler did not see the fault in the result: {again} {back} steps")
        return True, back

    def _bare(self, best: Best) -> tuple[str, wire.Size]:
        """The program without its inputs, which the verdict tells, and the size of that."""
        if not runs_programs(self._case.oracle):
            return best.program, best.size
        edited = self._evaluator.ask(wire.BareRequest(best.program))
        if not isinstance(edited, wire.Edited) or edited.size is None:
            return best.program, best.size
        return edited.program, edited.size

    def _result(self, outcome: str, *, confirmed: bool, minimal: bool) -> Result:
        progress = self._progress
        first, best = progress.history[0], progress.best
        program, after = self._bare(best)
        return Result(
            outcome=outcome,
            confirmed=confirmed,
            case=self._case,
            program=program,
            flags=best.flags,
            verdict=replace(best.verdict, run=self._run_seen or best.verdict.run),
            before=self._seed_size or first.size,
            after=after,
            flags_before=self._case.flags,
            tests=progress.tests,
            seconds=progress.seconds,
            slips=self._journal.faults,
            minimal=minimal,
            run_dir=self._options.run_dir,
            refusals=tuple(progress.refusals.values()),
            notes=tuple(progress.notes),
        )
