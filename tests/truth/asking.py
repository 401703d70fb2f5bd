"""Asks an oracle about a program the way a session does: one evaluator with warm workers for a (release, target)."""

from __future__ import annotations

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from types import TracebackType

from oracles.registry import make
from oracles.verdict import Oracle, Verdict
from reducer.case import Case
from reducer.evaluator import Evaluator
from reducer.toolchain import pool
from reducer.toolchain.releases import Toolchain
from reducer.toolchain.targets import target_flags

JOBS = 2
TIMEOUT_S = 120.0
MEMORY_BYTES = 16 << 30


class Asker:
    """Verdicts on one program, for one release and target. A context manager: it ends its workers."""

    def __init__(self, program: Path, toolchain: Toolchain, target: str) -> None:
        self._program = program.read_text()
        flags = target_flags(target, toolchain.release)
        case = Case(program.stem, self._program, make("translation-error"), toolchain, target, flags, ())
        self._evaluator = Evaluator(case, JOBS, pool.Limits(TIMEOUT_S, MEMORY_BYTES), lambda key: None)
        self._threads = ThreadPoolExecutor(JOBS)

    def verdicts(self, oracle: Oracle, flags: Iterable[tuple[str, ...]]) -> list[Verdict]:
        """What an oracle that holds on to nothing yet says, under each of these flags of the user's."""
        self._evaluator.case = replace(self._evaluator.case, oracle=oracle)
        self._evaluator.oracle = oracle
        return list(self._threads.map(lambda these: self._evaluator.judge(self._program, these), flags))

    def verdict(self, oracle: Oracle, flags: tuple[str, ...]) -> Verdict:
        """The same for one set of flags."""
        return self.verdicts(oracle, [flags])[0]

    def __enter__(self) -> Asker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._threads.shutdown(wait=True)
        self._evaluator.close()
