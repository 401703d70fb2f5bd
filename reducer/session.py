"""One reduction, from the seed to a confirmed minimal program: the fixed point.

Owns the best program, the budget and the journal. What to try is said by `slice`, the passes, the flags and the
numbers (in that order, until none of them moves); whether it holds is the evaluator's answer; which sites together is
`search`'s.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from oracles.experiment import Location
from oracles.verdict import Outcome, Verdict
from reducer import events, order, wire
from reducer.case import Case, Limits, Refusal, Result
from reducer.errors import InputError
from reducer.evaluator import Candidate, Evaluator, Tested
from reducer.journal import Journal, digest
from reducer.minimise import minimise
from reducer.search import Search
from reducer.toolchain import pool
from reducer.toolchain.flags import simpler_values

SLICE_DEPTHS = (0, 1, 2, 3, 5, 8, 13)
BASELINE_TIMEOUT_S = 300.0
TIMEOUT_FACTOR, TIMEOUT_FLOOR_S, TIMEOUT_CAP_S = 10.0, 10.0, 600.0


class BudgetSpentError(Exception):
    """The tests or the time that the user allowed are used up."""


@dataclass(frozen=True)
class Best:
    """A program that shows the fault, its size, and the user's flags that it needs."""

    program: str
    size: wire.Size
    flags: tuple[str, ...]
    verdict: Verdict
    label: str


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
        self._started = time.monotonic()
        self._tests = 0
        self._history: list[Best] = []
        self._refusals: dict[str, str] = {}
        self._notes: list[str] = []
        identity = {
            "name": case.name, "oracle": case.oracle.name, "release": case.toolchain.release, "target": case.target,
            "flags": list(case.command()), "seed": options.seed, "program": digest(case.program, ()),
        }  # fmt: skip
        self._journal = Journal(options.run_dir, identity, resume=options.resume)
        timeout_s = options.limits.timeout_s or BASELINE_TIMEOUT_S
        limits = pool.Limits(timeout_s, options.limits.memory_bytes)
        self._evaluator = Evaluator(case, options.jobs, limits, self._journal.remembered)

    def run(self) -> Result:
        """Reduce. Raises ReducerError for bad input; an interrupt ends it early with the best so far."""
        try:
            return self._run()
        finally:
            self._evaluator.close()
            self._journal.close()

    def _run(self) -> Result:
        seed = self._measure(self._case.program)
        verdict, reliable = self._baseline(seed)
        if not verdict.interesting or not reliable:
            outcome = "no-fault" if not verdict.interesting else "unreliable"
            return self._result(
                outcome, Best(seed.program, _size(seed), self._case.flags, verdict, "seed"), False, False
            )
        self._history.append(Best(seed.program, _size(seed), self._case.flags, verdict, "seed"))
        outcome, minimal = "reduced", False
        try:
            self._reduce()
            minimal = True
        except BudgetSpentError as error:
            outcome = "limit"
            self._note(str(error))
        except KeyboardInterrupt:
            return self._result("interrupted", self._best, False, False)
        try:
            confirmed, minimal = self._confirm(minimal)
        except KeyboardInterrupt:
            return self._result("interrupted", self._best, False, False)
        return self._result(outcome, self._best, confirmed, minimal)

    # -- the seed ------------------------------------------------------------------------------------------------

    def _measure(self, program: str) -> wire.Edited:
        edited = self._evaluator.ask(wire.MeasureRequest(program))
        if isinstance(edited, wire.Failure):
            raise InputError(f"{self._case.name}: cannot be edited: {edited.message}")
        assert isinstance(edited, wire.Edited)
        if edited.invalid:
            release = self._case.toolchain.release
            raise InputError(f"{self._case.name}: IREE {release} cannot parse this program: {edited.invalid}")
        return edited

    def _baseline(self, seed: wire.Edited) -> tuple[Verdict, bool]:
        """Ask the oracle twice; whether both answers agree. Sets the time limit, and holds the oracle to the fault."""
        started = time.monotonic()
        first = self._evaluator.judge(seed.program, self._case.flags)
        seconds = time.monotonic() - started
        if first.interesting:
            self._evaluator.oracle = self._case.oracle.hold(first)
        if self._options.limits.timeout_s is None:
            timeout_s = min(max(TIMEOUT_FACTOR * seconds, TIMEOUT_FLOOR_S), TIMEOUT_CAP_S)
            self._evaluator.limits.timeout_s = timeout_s
        second = self._evaluator.judge(seed.program, self._case.flags) if first.interesting else first
        self._tests += 2 if first.interesting else 1
        self._emit(events.BaselineSeen(first, self._case.command(), _size(seed), seconds))
        if first.interesting and not second.interesting:
            return replace(first, advice=f"the second time: {second.reason}"), False
        return first, True

    # -- the fixed point -----------------------------------------------------------------------------------------

    @property
    def _best(self) -> Best:
        return self._history[-1]

    def _reduce(self) -> None:
        self._slice()
        while True:
            before = self._best
            self._refusals.clear()
            for name in self._evaluator.passes:
                self._run_pass(name)
            self._reduce_flags()
            self._reduce_numbers()
            if self._best is before:
                return
            self._slice()

    def _slice(self) -> None:
        """Straight to the fault: the ops that the verdict names, with as few of their producers as still show it."""
        places = tuple(e.location for e in self._best.verdict.evidence if e.location is not None)
        groups: list[tuple[Location, ...]] = list(dict.fromkeys([places[:1], places])) if places else []
        self._emit(events.PassStarted("slice", len(groups) * len(SLICE_DEPTHS)))
        program, flags = self._best.program, self._best.flags
        self._first(
            (
                Candidate(
                    f"slice at {_places(group)}, {depth} deep", program, flags, wire.SliceRequest(program, group, depth)
                )
                for depth in SLICE_DEPTHS
                for group in groups
            ),
            "slice",
        )

    def _run_pass(self, name: str) -> None:
        labels = self._sites(name)
        search = Search.over(len(labels))
        self._emit(events.PassStarted(name, search.count))
        while search.count:
            program, flags = self._best.program, self._best.flags
            plan = list(search.candidates())
            done = self._first(
                (self._candidate(name, program, flags, search.sites(*step), labels) for step in plan), name
            )
            if done is None:
                return
            labels = self._sites(name)
            search = search.succeeded(*plan[done], len(labels))

    def _candidate(
        self, name: str, program: str, flags: tuple[str, ...], sites: tuple[int, ...], labels: tuple[str, ...]
    ) -> Candidate:
        label = labels[sites[0]] if len(sites) == 1 else f"{name}: {len(sites)} of {len(labels)} sites"
        return Candidate(label, program, flags, wire.ApplyRequest(program, name, sites))

    def _sites(self, name: str) -> tuple[str, ...]:
        reply = self._evaluator.ask(wire.SitesRequest(self._best.program, name))
        if isinstance(reply, wire.Sites):
            return reply.labels
        self._note(f"pass {name} failed to list its sites: {reply}")
        return ()

    def _reduce_flags(self) -> None:
        """Drop the user's flags one by one, then give those that stay simpler values."""
        self._emit(events.PassStarted("flags", len(self._best.flags)))
        while self._first(self._flag_candidates(self._best), "flags") is not None:
            pass

    def _flag_candidates(self, best: Best) -> Iterator[Candidate]:
        flags = best.flags
        for i, flag in enumerate(flags):
            yield Candidate(f"without {flag}", best.program, flags[:i] + flags[i + 1 :])
        for i, flag in enumerate(flags):
            for simpler in simpler_values(flag):
                yield Candidate(f"{flag}: → {simpler}", best.program, (*flags[:i], simpler, *flags[i + 1 :]))

    def _reduce_numbers(self) -> None:
        """Let Hypothesis minimise the numbers, then take the result if it is smaller."""
        best = self._best
        reply = self._evaluator.ask(wire.ParametersRequest(best.program))
        if not isinstance(reply, wire.Parameters):
            self._note(f"the numbers could not be listed: {reply}")
            return
        found = reply.parameters
        self._emit(events.PassStarted("numbers", len(found)))
        if not found:
            return
        outcomes: dict[tuple[int, ...], str] = {}

        def test(values: tuple[int, ...]) -> bool:
            request = wire.AssignRequest(best.program, values)
            changed = [(p, v) for p, v in zip(found, values, strict=True) if p.value != v]
            label = ", ".join(f"{p.name}: {_shown(p, p.value)} → {_shown(p, v)}" for p, v in changed[:3])
            label += f" and {len(changed) - 3} more" if len(changed) > 3 else ""
            for tested in self._evaluator.consume([Candidate(label, best.program, best.flags, request)], _anything):
                smaller = tested.size is not None and order.key(tested.size, best.flags) < self._key(self._best)
                self._record(tested, "numbers", accept=tested.interesting and smaller)
                outcomes[values] = _instead(tested)
                return tested.interesting
            return False

        result = minimise(found, test, seed=self._options.seed, limit=None)
        for attempt in result.tried:
            self._refusals[str(attempt)] = outcomes.get(attempt.values, "not interesting")

    def _first(self, candidates: Iterable[Candidate], pass_name: str) -> int | None:
        """Try candidates in order until one is smaller and shows the fault; its number, or None."""
        bar = self._key(self._best)
        for number, tested in enumerate(
            self._evaluator.consume(candidates, lambda size, flags: order.key(size, flags) < bar)
        ):
            self._record(tested, pass_name, accept=tested.interesting)
            if tested.interesting:
                return number
            self._refusals[tested.candidate.label] = _instead(tested)
        return None

    def _key(self, best: Best) -> order.Key:
        return order.key(best.size, best.flags)

    # -- bookkeeping ---------------------------------------------------------------------------------------------

    def _record(self, tested: Tested, pass_name: str, *, accept: bool) -> None:
        """Count, journal and announce what became of a candidate; make it the best if accepted."""
        verdict, label = tested.verdict, tested.candidate.label
        flags = tested.candidate.flags
        if tested.asked and verdict is not None:
            self._tests += 1
            self._journal.judged(digest(tested.program, flags), label, verdict)
            if verdict.slip:
                self._slip(tested, verdict)
        if accept and verdict is not None and tested.size is not None:
            self._history.append(Best(tested.program, tested.size, flags, verdict, label))
            self._journal.improved(tested.program, label)
            self._emit(events.Improved(tested.size, flags, pass_name, self._tests))
        self._emit(events.Tested(label, accept, _instead(tested), tested.asked, self._tests))
        self._check_budget()

    def _slip(self, tested: Tested, verdict: Verdict) -> None:
        command = self._case.command(tested.candidate.flags)
        path = self._journal.slipped(tested.program, verdict, command)
        if path is not None:
            self._emit(events.SlipSaved(verdict.signature, path))

    def _check_budget(self) -> None:
        limits = self._options.limits
        if limits.tests is not None and self._tests >= limits.tests:
            raise BudgetSpentError(f"stopped after {self._tests} tests, as --limit-tests says")
        if limits.total_s is not None and time.monotonic() - self._started >= limits.total_s:
            raise BudgetSpentError(f"stopped after {limits.total_s:g} s, as --limit-time says")

    def _note(self, text: str) -> None:
        if text not in self._notes:
            self._notes.append(text)
            self._emit(events.Note(text))

    # -- the end -------------------------------------------------------------------------------------------------

    def _confirm(self, minimal: bool) -> tuple[bool, bool]:
        """Ask the stock compiler. Where it disagrees, step back to where it agrees, and go on without warm workers."""
        self._emit(events.Confirming(0))
        if self._cold_agrees(self._best):
            return True, minimal
        for back in range(1, len(self._history)):
            self._emit(events.Confirming(back))
            if self._cold_agrees(self._history[-1 - back]):
                break
        else:
            return False, False
        del self._history[len(self._history) - back :]
        self._note(
            f"the stock compiler did not agree with a warm one: stepped back {back} steps, went on without warm workers"
        )
        self._evaluator.cold = True
        self._evaluator.forget()
        try:
            self._reduce()
        except BudgetSpentError as error:
            self._note(str(error))
            minimal = False
        return self._cold_agrees(self._best), minimal

    def _cold_agrees(self, best: Best) -> bool:
        return self._evaluator.judge(best.program, best.flags, cold=True).interesting

    def _result(self, outcome: str, best: Best, confirmed: bool, minimal: bool) -> Result:
        first = self._history[0] if self._history else best
        return Result(
            outcome=outcome,
            confirmed=confirmed,
            case=self._case,
            program=best.program,
            flags=best.flags,
            verdict=best.verdict,
            before=first.size,
            after=best.size,
            flags_before=self._case.flags,
            tests=self._tests,
            seconds=time.monotonic() - self._started,
            slips=self._journal.faults,
            minimal=minimal,
            run_dir=self._options.run_dir,
            refusals=tuple(Refusal(k, v) for k, v in self._refusals.items()),
            notes=tuple(self._notes),
        )


def _anything(size: wire.Size, flags: tuple[str, ...]) -> bool:
    return True


def _size(edited: wire.Edited) -> wire.Size:
    assert edited.size is not None
    return edited.size


def _shown(parameter: wire.Parameter, value: int) -> str:
    return parameter.labels[value] if parameter.labels else str(value)


def _places(places: tuple[Location, ...]) -> str:
    return ", ".join(f"{p.line}:{p.column}" for p in places)


def _instead(tested: Tested) -> str:
    """What happened, in one line."""
    if tested.verdict is None:
        return tested.rejected
    if tested.verdict.outcome in (Outcome.INVALID, Outcome.UNRESOLVED):
        return f"{tested.verdict.outcome.value}: {tested.verdict.reason}"
    return tested.verdict.reason
