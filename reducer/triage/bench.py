"""Workers for many small questions about one program: compilations under many sets of flags, side by side.

Owns threads and slots. Answers come in the order of the questions, however many are asked at once.
"""

from __future__ import annotations

import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import Any, TypeVar

from oracles.experiment import Experiment, Observation, Run
from oracles.judging import DEBUG_INFO
from oracles.wrong_result import WrongResult
from reducer import wire
from reducer.case import Case
from reducer.experiments import Experimenter
from reducer.toolchain import oneshot, pool
from reducer.toolchain.releases import Toolchain
from reducer.toolchain.targets import target_flags
from reducer.triage.trace import TRACE_FLAGS, Step, read_trace

T = TypeVar("T")
R = TypeVar("R")

WARM = 4
"""Sets of flags that a slot keeps warm: most are asked about once or twice."""
RUN_TIMEOUT_S = 10.0


class Bench:
    """A context manager: it ends its workers. limits: of one compilation."""

    def __init__(self, toolchain: Toolchain, jobs: int, limits: pool.Limits) -> None:
        self.toolchain = toolchain
        self._limits = limits
        self._closing = threading.Event()
        self._slots = [pool.Slot(toolchain, limits, warm=WARM) for _ in range(jobs)]
        self._free: SimpleQueue[pool.Slot] = SimpleQueue()
        for slot in self._slots:
            self._free.put(slot)
        self._threads = ThreadPoolExecutor(jobs, thread_name_prefix="bench")

    def map(self, ask: Callable[[T], R], items: Iterable[T]) -> list[R]:
        """Ask about each item, several at once; the answers, in order."""
        return list(self._threads.map(ask, items))

    def edit(self, request: wire.Request) -> Any:
        """The answer of an editing worker: an `Edited`, `Changes` …, or a `Failure`."""
        with self._slot() as slot:
            return slot.edit(request)

    def flow(self, program: str, target: str, flags: tuple[str, ...]) -> Observation:
        """Compile to the flow phase; its IR with places. Raises FlagError for a flag that the release refuses."""
        experiment = Experiment(phase="flow", ir=True, add=(DEBUG_INFO,), drop=(DEBUG_INFO,))
        return self._observe(program, target, flags, experiment)

    def input(self, program: str, target: str, flags: tuple[str, ...]) -> Observation:
        """Compile to the input phase; its IR."""
        return self._observe(program, target, flags, Experiment(phase="input", ir=True))

    def trace(self, program: str, target: str, flags: tuple[str, ...]) -> tuple[Step, ...]:
        """What each pass up to the flow phase did, printed by a stock process; () if that is too much text."""
        chosen = target_flags(target, self.toolchain.release)
        with tempfile.TemporaryDirectory(prefix="iree-reduce-") as folder:
            path = Path(folder) / pool.PROGRAM_NAME
            path.write_bytes(program.encode("utf-8", "surrogateescape"))
            command = oneshot.compile_command((*chosen, *flags, *TRACE_FLAGS), "flow")
            argv = [str(self.toolchain.iree_compile), str(path), *command[1:]]
            ended = oneshot.run_limited(
                argv, timeout_s=self._limits.timeout_s, memory_bytes=self._limits.memory_bytes or None,
                stopped=self._closing.is_set,
            )  # fmt: skip
        whole = len(ended.output) < oneshot.HEAD_BYTES
        return read_trace(ended.output.replace(str(path), path.name)) if ended.code == 0 and whole else ()

    def end(self, program: str, target: str, flags: tuple[str, ...], *, run: bool) -> Observation:
        """Compile to the end, and perhaps run it on the inputs that it carries."""
        asked = Run(timeout_s=RUN_TIMEOUT_S) if run else None
        return self._observe(program, target, flags, Experiment(run=asked))

    def _observe(self, program: str, target: str, flags: tuple[str, ...], experiment: Experiment) -> Observation:
        chosen = target_flags(target, self.toolchain.release)
        case = Case("triage", program, WrongResult(), self.toolchain, target, chosen, flags)
        with self._slot() as slot:
            experimenter = Experimenter(case, self._limits, self._closing.is_set)
            return experimenter.observe(slot, (program, flags), experiment, cold=False)

    @contextmanager
    def _slot(self) -> Iterator[pool.Slot]:
        slot = self._free.get()
        try:
            yield slot
        finally:
            self._free.put(slot)

    def __enter__(self) -> Bench:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        self._threads.shutdown(wait=False, cancel_futures=True)
        for slot in self._slots:
            slot.retire()
        self._threads.shutdown(wait=True)
        for slot in self._slots:
            slot.close()
