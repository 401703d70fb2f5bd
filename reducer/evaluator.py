"""Makes and judges candidates, several at once, as if one after the other.

The only module with threads. Each thread drives one slot of the pool: it has the candidate edited, throws it away if
it is invalid or not worth asking about, and lets the oracle judge the rest. Candidates are consumed in the order in
which they were submitted and the first that is interesting wins; later ones that were already running are forgotten.
So the result, and the number of tests counted, are the same for any number of jobs.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from queue import SimpleQueue
from typing import Any, TypeVar

from oracles.experiment import Experiment, Observation
from oracles.verdict import Oracle, Verdict
from reducer import wire
from reducer.case import Case
from reducer.experiments import Experimenter
from reducer.journal import digest
from reducer.toolchain import pool
from reducer.toolchain.pool import Slot

T = TypeVar("T")

REMEMBERED_EDITS = 1000
REMEMBERED_PROGRAM_CHARS = 20_000  # the edits of larger programs are not kept

Remember = Callable[[str], Verdict | None]


@dataclass(frozen=True)
class Candidate:
    """Something to try.

    edit: how it is made, None if `program` is it; flags: the user's own that it is judged under.
    """

    label: str
    program: str
    flags: tuple[str, ...]
    edit: wire.Request | None = None


@dataclass(frozen=True)
class Tested:
    """What became of a candidate.

    program, size: after the edit, "" and None if that failed. verdict: None if the oracle was not asked (`rejected`
    says why). asked: whether the oracle was asked now, rather than remembered from an equal program.
    """

    candidate: Candidate
    program: str = ""
    size: wire.Size | None = None
    verdict: Verdict | None = None
    rejected: str = ""
    asked: bool = False

    @property
    def interesting(self) -> bool:
        """Whether the oracle found the fault in it."""
        return self.verdict is not None and self.verdict.interesting


Worth = Callable[[wire.Size, tuple[str, ...]], bool]


class Evaluator:
    """Judges the candidates of one case.

    cold: ask fresh stock processes rather than warm workers, for faults that warm ones fake.
    """

    def __init__(self, case: Case, jobs: int, limits: pool.Limits, remember: Remember) -> None:
        self.case = case
        self.oracle: Oracle = case.oracle
        self.limits = limits
        self.cold = False
        self._closing = threading.Event()
        self._remember = remember
        self._experimenter = Experimenter(case, limits, self._closing.is_set)
        self._judged: dict[str, Verdict] = {}
        self._edits: dict[Any, Any] = {}
        self._jobs = jobs
        self._slots = [Slot(case.toolchain, limits) for _ in range(jobs)]
        self._free: SimpleQueue[Slot] = SimpleQueue()
        for slot in self._slots:
            self._free.put(slot)
        self._threads = ThreadPoolExecutor(jobs, thread_name_prefix="slot")

    def ask(self, request: wire.Request) -> Any:
        """Put one question to an editing worker: an `Edited`, `Sites` or `Parameters`, or a `Failure`."""
        return self._with_slot(lambda slot: self._edit(slot, request))

    @property
    def passes(self) -> tuple[str, ...]:
        """The names of the passes, in order."""
        return self._with_slot(lambda slot: slot.passes)

    def judge(self, program: str, flags: tuple[str, ...], *, cold: bool | None = None) -> Verdict:
        """Judge a program now, remembering nothing."""
        how = self.cold if cold is None else cold
        return self._with_slot(lambda slot: self._ask_oracle(slot, program, flags, how))

    def observe(self, program: str, flags: tuple[str, ...], experiment: Experiment) -> Observation:
        """Run one experiment of the session's own (not an oracle's)."""
        observe = self._experimenter.observe
        return self._with_slot(lambda slot: observe(slot, (program, flags), experiment, cold=self.cold))

    def consume(self, candidates: Iterable[Candidate], worth: Worth) -> Iterator[Tested]:
        """Yield what becomes of each candidate, in order; stop after the first that is interesting."""
        source = iter(candidates)
        running: deque[Future[Tested]] = deque()
        try:
            while True:
                while len(running) < self._jobs and (candidate := next(source, None)) is not None:
                    running.append(self._threads.submit(self._on_a_slot, partial(self._test, candidate, worth)))
                if not running:
                    return
                tested = running.popleft().result()
                tested = self._settle(tested)
                yield tested
                if tested.interesting:
                    return
        finally:
            for future in running:
                future.cancel()

    def _settle(self, tested: Tested) -> Tested:
        """Decide in submission order who was asked first, so that the count does not depend on timing."""
        if tested.verdict is None:
            return tested
        key = digest(tested.program, tested.candidate.flags)
        if key in self._judged:
            return replace(tested, verdict=self._judged[key], asked=False)
        self._judged[key] = tested.verdict
        return replace(tested, asked=True)

    def _edit(self, slot: Slot, request: Any) -> Any:
        """The answer of an editing worker; the round that proves that nothing is left asks what was asked before."""
        if request in self._edits:
            return self._edits[request]
        reply = slot.edit(request)
        if not isinstance(reply, wire.Failure) and len(request.program) <= REMEMBERED_PROGRAM_CHARS:
            while len(self._edits) >= REMEMBERED_EDITS:
                self._edits.pop(next(iter(self._edits)), None)
            self._edits[request] = reply
        return reply

    def _with_slot(self, use: Callable[[Slot], T]) -> T:
        """Do something on the next free slot, in its thread, and wait."""
        return self._threads.submit(self._on_a_slot, use).result()

    def _on_a_slot(self, use: Callable[[Slot], T]) -> T:
        slot = self._free.get()
        try:
            return use(slot)
        finally:
            self._free.put(slot)

    def _test(self, candidate: Candidate, worth: Worth, slot: Slot) -> Tested:
        edited = self._edit(slot, candidate.edit or wire.MeasureRequest(candidate.program))
        if isinstance(edited, wire.Failure):
            return Tested(candidate, rejected=f"defect of the pass: {edited.message}")
        if edited.invalid or edited.size is None:
            return Tested(candidate, rejected=f"not valid: {edited.invalid}")
        tested = Tested(candidate, edited.program, edited.size)
        if candidate.edit is not None and edited.program == candidate.program:
            return replace(tested, rejected="changes nothing")
        if not worth(edited.size, candidate.flags):
            return replace(tested, rejected="not smaller")
        key = digest(edited.program, candidate.flags)
        verdict = self._judged.get(key) or self._remember(key)
        if verdict is None:
            verdict = self._ask_oracle(slot, edited.program, candidate.flags, self.cold)
        return replace(tested, verdict=verdict)

    def _ask_oracle(self, slot: Slot, program: str, flags: tuple[str, ...], cold: bool) -> Verdict:
        def observe(experiment: Experiment) -> Observation:
            return self._experimenter.observe(slot, (program, flags), experiment, cold=cold)

        return self.oracle.judge(program, observe)

    def distrust_workers(self) -> None:
        """From now on ask stock processes only, and trust no verdict given so far."""
        self.cold = True
        self._judged.clear()

    @property
    def lost(self) -> int:
        """How many workers died so far."""
        return sum(slot.lost for slot in self._slots)

    def close(self) -> None:
        """End every worker at once; whatever is still running is abandoned."""
        self._closing.set()
        self._threads.shutdown(wait=False, cancel_futures=True)
        for slot in self._slots:
            slot.retire()
        self._threads.shutdown(wait=True)
        for slot in self._slots:
            slot.close()
