"""How fast a search judges, and how fast it finds."""

from __future__ import annotations

import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from reducer.cli.find import SEARCHED
from reducer.finding.examples import rounds
from reducer.finding.finder import Find, Finder, Hunt, Tally
from reducer.finding.inspector import Inspector
from reducer.finding.ways import ways
from reducer.strategies import programs
from reducer.toolchain import pool
from reducer.toolchain.releases import Toolchain

JOBS = 2
ALONE = 24
"""Programs that are compiled by a process each, for comparison."""


@dataclass(frozen=True)
class Rate:
    """Verdicts a minute on two cores; processes: compilations a minute, a stock process each, two at once."""

    verdicts: float
    processes: float


def rate(toolchain: Toolchain, oracles: tuple[str, ...], count: int, phase: str) -> Rate:
    """Of `count` drawn programs under four sets of flags, workers warm; and of some of them by processes."""
    _, drawn = next(rounds(programs(), 3, 0))
    tried = ways(["llvm-cpu"], toolchain.release, ())
    inspector = Inspector(toolchain, oracles, JOBS, pool.Limits(60.0, 0))
    try:
        list(inspector.judge(drawn[: 2 * JOBS * 16], tried))
        started = time.monotonic()
        verdicts = sum(seen.verdicts for seen in inspector.judge(drawn[:count], tried))
        seconds = time.monotonic() - started
    finally:
        inspector.close()
    return Rate(verdicts / seconds * 60, _by_processes(toolchain, [p.text for p in drawn[:ALONE]], phase))


def _by_processes(toolchain: Toolchain, texts: list[str], phase: str) -> float:
    flags = ways(["llvm-cpu"], toolchain.release, ())[0][0].target_flags
    with tempfile.TemporaryDirectory() as folder:
        files = [Path(folder) / f"{number}.mlir" for number in range(len(texts))]
        for file, text in zip(files, texts, strict=True):
            file.write_text(text)
        started = time.monotonic()
        running: list[subprocess.Popen[bytes]] = []
        for file in files:
            if len(running) == JOBS:
                running.pop(0).wait()
            argv = [str(toolchain.iree_compile), str(file), *flags, f"--compile-to={phase}", "-o", "/dev/null"]
            running.append(subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL))
        for process in running:
            process.wait()
        return len(files) / (time.monotonic() - started) * 60


def found_by_minute(toolchain: Toolchain, minutes: int, seed: int) -> tuple[list[int], int]:
    """Distinct faults, reduced and confirmed, after each minute of a search from nothing; programs judged in all."""
    moments: list[float] = []

    def tell(tally: Tally, find: Find | None) -> None:
        if find is not None:
            moments.append(tally.seconds)

    with tempfile.TemporaryDirectory() as folder:
        tried = ways(["llvm-cpu", "vmvx"], toolchain.release, ())
        finder = Finder(Hunt(toolchain, SEARCHED, tried, programs(), Path(folder), seed, JOBS, minutes * 60.0), tell)
        finder.run()
    counts = [sum(moment <= 60 * minute for moment in moments) for minute in range(1, minutes + 1)]
    return counts, finder.tally.programs
