"""Judges many programs in one way, on several workers at once. Owns the threads and the slots of a search.

One compilation and one run answer every oracle that looks at the end of them; the oracles of the flow phase ask for
their own. A program is judged by the faults that it shows, whatever they are: which of them are new is not known here.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue

from oracles.experiment import Experiment, Observation, Run
from oracles.no_op_flag import NoOpFlag
from oracles.registry import make
from oracles.two_dispatches import TwoDispatches
from oracles.wrong_result import WrongResult
from reducer import wire
from reducer.case import Case
from reducer.experiments import Experimenter
from reducer.finding.sightings import Sighting, of_compilation, of_runs, of_verdict
from reducer.finding.ways import Way
from reducer.strategies import Program
from reducer.toolchain import pool
from reducer.toolchain.releases import Toolchain

FLOW_ORACLES = (NoOpFlag.name, TwoDispatches.name)
RUN_TIMEOUT_S = 10.0


@dataclass(frozen=True)
class Seen:
    """What a program showed in one way. verdicts: how many questions were answered."""

    program: Program
    sightings: tuple[Sighting, ...]
    verdicts: int


class Inspector:
    """The workers of a search."""

    def __init__(self, toolchain: Toolchain, oracles: Sequence[str], jobs: int, limits: pool.Limits) -> None:
        self._toolchain = toolchain
        self._oracles = tuple(oracles)
        self._limits = limits
        self._closing = threading.Event()
        self._slots = [pool.Slot(toolchain, limits) for _ in range(jobs)]
        self._free: SimpleQueue[pool.Slot] = SimpleQueue()
        for slot in self._slots:
            self._free.put(slot)
        self._threads = ThreadPoolExecutor(jobs, thread_name_prefix="inspector")

    def judge(self, programs: Sequence[Program], way: Way, see: Callable[[Seen], None]) -> None:
        """Judge programs in one way, telling `see` of each in order."""
        waiting = [self._threads.submit(self._on_a_slot, program, way) for program in programs]
        try:
            for future in waiting:
                see(future.result())
        finally:
            for future in waiting:
                future.cancel()

    def _on_a_slot(self, program: Program, way: Way) -> Seen:
        slot = self._free.get()
        try:
            return self._judge(slot, program, way)
        finally:
            self._free.put(slot)

    def _judge(self, slot: pool.Slot, program: Program, way: Way) -> Seen:
        edited = slot.edit(wire.InputsRequest(program.text, program.inputs, 0))
        if not isinstance(edited, wire.Edited) or edited.invalid:
            return Seen(program, (), 0)
        case = Case("found", program.text, WrongResult(), self._toolchain, way.target, way.target_flags, way.flags)
        experimenter = Experimenter(case, self._limits, self._closing.is_set)

        def observe(experiment: Experiment) -> Observation:
            return experimenter.observe(slot, (edited.program, way.flags), experiment, cold=False)

        found: list[Sighting | None] = []
        asked = 0
        if set(self._oracles) - set(FLOW_ORACLES):
            seen = observe(Experiment(run=Run(timeout_s=RUN_TIMEOUT_S)))
            found += [of_compilation(seen, way), of_runs(seen, way)]
            asked += 1
        for name in FLOW_ORACLES if not way.flags else ():
            if name in self._oracles:
                found.append(self._flow(name, program.text, slot, way))
                asked += 1
        return Seen(program, tuple(s for s in found if s is not None and s.oracle in self._oracles), asked)

    def _flow(self, name: str, program: str, slot: pool.Slot, way: Way) -> Sighting | None:
        """An oracle that brings its own flags."""
        oracle = make(name)
        case = Case("found", program, oracle, self._toolchain, way.target, way.target_flags, ())
        experimenter = Experimenter(case, self._limits, self._closing.is_set)
        edited = slot.edit(wire.MeasureRequest(program))

        def observe(experiment: Experiment) -> Observation:
            return experimenter.observe(slot, (edited.program, ()), experiment, cold=False)

        return of_verdict(name, oracle.judge(edited.program, observe), way)

    def close(self) -> None:
        """End every worker at once."""
        self._closing.set()
        self._threads.shutdown(wait=False, cancel_futures=True)
        for slot in self._slots:
            slot.retire()
        self._threads.shutdown(wait=True)
        for slot in self._slots:
            slot.close()
