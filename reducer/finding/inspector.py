"""Judges many programs on several workers at once. Owns the threads and the slots of a search.

A program is judged by the faults that it shows, whatever they are: which of them are new is not known here.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from queue import SimpleQueue

from reducer.finding.sightings import FLOW_ORACLES
from reducer.finding.trial import Seen, Trial
from reducer.finding.ways import Way
from reducer.strategies import Program
from reducer.toolchain import pool
from reducer.toolchain.releases import Toolchain

POLL_S = 0.5
CHUNK = 8
FLOW_CHUNK = 16
"""Programs judged together: as many as make set-up cheap; where nothing is compiled further, that is more."""


class Inspector:
    """The workers of a search."""

    def __init__(self, toolchain: Toolchain, oracles: Sequence[str], jobs: int, limits: pool.Limits) -> None:
        self._toolchain = toolchain
        self._oracles = tuple(oracles)
        self._closing = threading.Event()
        self._slots = [pool.Slot(toolchain, limits, warm=WARM, patient=False) for _ in range(jobs)]
        self._free: SimpleQueue[pool.Slot] = SimpleQueue()
        for slot in self._slots:
            self._free.put(slot)
        self._threads = ThreadPoolExecutor(jobs, thread_name_prefix="inspector")

    def judge(
        self, programs: Sequence[Program], ways: Sequence[Sequence[Way]], is_over: Callable[[], bool] = lambda: False
    ) -> Iterator[Seen]:
        """Judge programs for every target, in every way of it; what each shows, in order.

        is_over: asked while a chunk is waited for; what is not judged by then is left out.
        """
        size = CHUNK if set(self._oracles) - set(FLOW_ORACLES) else FLOW_CHUNK
        chunks = [programs[at : at + size] for at in range(0, len(programs), size)]
        waiting = [self._threads.submit(self._on_a_slot, chunk, these) for chunk in chunks for these in ways]
        try:
            for future in waiting:
                while not wait([future], timeout=POLL_S).done:
                    if is_over():
                        return
                yield from future.result()
        finally:
            for future in waiting:
                future.cancel()

    def _on_a_slot(self, programs: Sequence[Program], ways: Sequence[Way]) -> list[Seen]:
        slot = self._free.get()
        try:
            return Trial(self._toolchain, self._oracles, ways, slot, self._closing.is_set).judge(programs)
        finally:
            self._free.put(slot)

    def close(self) -> None:
        """End every worker at once."""
        self._closing.set()
        self._threads.shutdown(wait=False, cancel_futures=True)
        for slot in self._slots:
            slot.retire()
        self._threads.shutdown(wait=True)
        for slot in self._slots:
            slot.close()


WARM = 10
"""Sets of flags that a slot keeps warm: two targets with all of theirs."""
