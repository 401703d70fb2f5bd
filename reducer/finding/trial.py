"""Judges a few programs for one target, in every way, on one slot of workers. Owns what they share:

- they are functions of one module: set-up is paid for once (`batches.py`);
- their reference is evaluated once for all sets of flags;
- where a set of flags leaves the flow phase as a smaller one does, what comes after it is not asked again.

What is seen here is only nominated: a reduction asks again, of each program alone, and stock tools confirm.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from oracles.experiment import Experiment, Observation, Run, Status
from oracles.judging import DEBUG_INFO
from oracles.registry import make
from oracles.signature import faults
from oracles.wrong_result import WrongResult
from reducer import wire
from reducer.case import Case
from reducer.experiments import Experimenter
from reducer.finding.batches import Joined, Module, chunks, names, without_places
from reducer.finding.sightings import FLOW_ORACLES, SLOW, Sighting, is_vague, of_compilation, of_runs, of_verdict
from reducer.finding.ways import Way, way_of
from reducer.strategies import Program
from reducer.toolchain import pool
from reducer.toolchain.oneshot import Stopped
from reducer.toolchain.releases import Toolchain

RUN_TIMEOUT_S = 10.0
BATCH = 4
"""Programs compiled to the end at once: more gain nothing, and one that fails costs the others another compilation."""


@dataclass(frozen=True)
class Seen:
    """What a program showed for one target. verdicts: how many ways and oracles were answered."""

    program: Program
    sightings: tuple[Sighting, ...]
    verdicts: int


class Trial:
    """A few programs, one target. ways: of that target, fewer flags first."""

    def __init__(
        self, toolchain: Toolchain, oracles: Sequence[str], ways: Sequence[Way], slot: pool.Slot, stopped: Stopped
    ) -> None:
        self._toolchain = toolchain
        self._oracles = frozenset(oracles)
        self._ways = tuple(ways)
        self._slot = slot
        self._stopped = stopped
        case = Case("found", "", WrongResult(), toolchain, ways[0].target, ways[0].target_flags, ())
        self._experimenter = Experimenter(case, slot.limits, stopped)

    def judge(self, programs: Sequence[Program]) -> list[Seen]:
        """What each of them shows."""
        joined = self._join(programs, names(len(programs)))
        if joined is None:
            return self._apart(programs) if len(programs) > 1 else [Seen(programs[0], (), 0)]
        modules = {}
        for way in filter(self._has_a_flow, self._ways):
            seen = self._flow(joined, way)
            if seen.status is Status.OK:
                modules[way] = Module(seen.ir)
            elif len(programs) > 1:
                return self._apart(programs, _culprit(seen, joined, names(len(programs))))
        chunk = _Chunk(tuple(programs), names(len(programs)), joined, modules)
        found = [self._judge_flow(chunk, number) for number in range(len(programs))]
        if self._oracles - set(FLOW_ORACLES):
            found = [first.and_(then) for first, then in zip(found, self._judge_end(chunk), strict=True)]
        return [
            Seen(program, tuple(s for s in f.sightings if s.oracle in {*self._oracles, SLOW}), f.verdicts)
            for program, f in zip(programs, found, strict=True)
        ]

    def _has_a_flow(self, way: Way) -> bool:
        """Whether its flow phase is of use: the oracles of that phase have one flag each."""
        return not way.is_own and (len(way.flags) < 2 or bool(self._oracles - set(FLOW_ORACLES)))

    def _apart(self, programs: Sequence[Program], culprit: int | None = None) -> list[Seen]:
        """What each shows, the one that spoils the others by itself; in halves if it is not known which one does."""
        if culprit is None:
            half = len(programs) // 2
            return self.judge(programs[:half]) + self.judge(programs[half:])
        others = self.judge([program for number, program in enumerate(programs) if number != culprit])
        return others[:culprit] + self.judge([programs[culprit]]) + others[culprit:]

    def _join(self, programs: Sequence[Program], called: Sequence[str]) -> Joined | None:
        request = wire.JoinRequest(
            tuple(p.text for p in programs), tuple(called), tuple(p.inputs for p in programs)
        )  # fmt: skip
        edited = self._slot.edit(request)
        return Joined(edited.program) if isinstance(edited, wire.Edited) and not edited.invalid else None

    def _flow(self, joined: Joined, way: Way) -> Observation:
        """The flow phase, its IR with the places of the program's text."""
        experiment = Experiment(phase="flow", ir=True, add=(DEBUG_INFO,))
        return self._experimenter.compile(self._slot, (joined.text, way.flags), experiment)

    def _judge_flow(self, chunk: _Chunk, number: int) -> _Found:
        """The oracles of the flow phase, which bring their own flags."""
        found = _Found()
        for oracle in FLOW_ORACLES:
            if oracle not in self._oracles:
                continue

            def observe(experiment: Experiment) -> Observation:
                flow = chunk.flows.get(way_of(self._ways, experiment.add))
                if flow is None:
                    return Observation(Status.FAILED)
                return Observation(Status.OK, ir=flow.part(chunk.names[number]))

            verdict = make(oracle).judge(chunk.joined.only(chunk.names[number]), observe)
            found = found.and_(_Found(_some(of_verdict(oracle, verdict, self._ways[0])), 1))
        return found

    def _judge_end(self, chunk: _Chunk) -> list[_Found]:
        """What compiling to the end and running shows, way by way; what failed with fewer flags is left alone."""
        evaluated = self._evaluate(chunk) if any(map(is_vague, self._oracles)) else None
        found = [_Found(verdicts=0) for _ in chunk.programs]
        for way in self._ways:
            todo = []
            for number, so_far in enumerate(found):
                if (evaluated is not None and chunk.names[number] not in evaluated) or so_far.failed:
                    continue
                if chunk.is_new(number, way):
                    todo.append(number)
                else:
                    found[number] = so_far.and_(_Found(verdicts=1))
            for batch in chunks(todo, BATCH):
                for number, seen in self._compile(chunk, batch, way, evaluated).items():
                    found[number] = found[number].and_(seen)
        return found

    def _evaluate(self, chunk: _Chunk) -> dict[str, wire.Evaluated]:
        """The functions that have a defined value, by name."""
        seen = self._experimenter.compile(self._slot, (chunk.joined.text, ()), Experiment(phase="input", ir=True))
        if seen.status is not Status.OK:
            return {}
        reply = self._slot.edit(wire.EvaluateRequest(seen.ir, chunk.joined.text))
        if not isinstance(reply, wire.Evaluation):
            return {}
        return {f.function: f for f in reply.functions if f.reference == "defined"}

    def _compile(
        self, chunk: _Chunk, batch: tuple[int, ...], way: Way, evaluated: dict[str, wire.Evaluated] | None
    ) -> dict[int, _Found]:
        """What each program of a batch shows. One that fails is told by where, and taken out; else each by itself.

        evaluated: what their functions should return; None if they are not to be run.
        """
        found: dict[int, _Found] = {}
        todo = list(batch)
        with tempfile.TemporaryDirectory(prefix="iree-reduce-") as folder:
            module = Path(folder) / "module.vmfb"
            while todo:
                called = [chunk.names[n] for n in todo]
                joined = self._join([chunk.programs[n] for n in todo], called)
                assert joined is not None  # as it was with more
                seen = self._experimenter.compile(self._slot, (joined.text, way.flags), Experiment(), str(module))
                if seen.status is Status.OK and evaluated is None:
                    return found | {n: _Found(verdicts=1) for n in todo}
                if seen.status is Status.OK and evaluated is not None:
                    functions = tuple(evaluated[name] for name in called)
                    run = Run(timeout_s=RUN_TIMEOUT_S)
                    ran = self._experimenter.run(self._slot, run, seen, module, functions)
                    return found | {n: _ran(ran, chunk.names[n], way) for n in todo}
                number = todo[0] if len(todo) == 1 else _culprit(seen, joined, chunk.names)
                if number not in todo:
                    return found | {
                        n: f for one in todo for n, f in self._compile(chunk, (one,), way, evaluated).items()
                    }
                found[number] = _Found(_some(of_compilation(seen, way)), 1, failed=True)
                todo.remove(number)
        return found


@dataclass(frozen=True)
class _Chunk:
    """Programs as functions of one module. flows: its flow phase, by the ways that have one."""

    programs: tuple[Program, ...]
    names: tuple[str, ...]
    joined: Joined
    flows: dict[Way, Module]

    def is_new(self, number: int, way: Way) -> bool:
        """Whether no way with fewer flags leaves the flow phase of a program as this one does."""
        if way not in self.flows:
            return True
        name = self.names[number]
        mine = without_places(self.flows[way].part(name))
        for other, module in self.flows.items():
            if other == way:
                return True
            if without_places(module.part(name)) == mine:
                return False
        return True


@dataclass(frozen=True)
class _Found:
    """Of one program. failed: it did not compile."""

    sightings: tuple[Sighting, ...] = ()
    verdicts: int = 0
    failed: bool = False

    def and_(self, other: _Found) -> _Found:
        return _Found(
            self.sightings + other.sightings, self.verdicts + other.verdicts, self.failed or other.failed
        )  # fmt: skip


def _some(sighting: Sighting | None) -> tuple[Sighting, ...]:
    return (sighting,) if sighting is not None else ()


def _ran(observation: Observation, name: str, way: Way) -> _Found:
    mine = replace(observation, runs=tuple(run for run in observation.runs if run.function == name))
    return _Found(_some(of_runs(mine, way)), 1)


def _culprit(observation: Observation, joined: Joined, called: Sequence[str]) -> int | None:
    """Which program of several failed, by the place that the first error names; None if that cannot be told."""
    if observation.status is not Status.FAILED:
        return None
    for fault in faults(observation, "message")[:1]:
        for place in fault.locations:
            name = joined.at(place.line)
            if name in called:
                return called.index(name)
    return None
