"""Tests per second on the seed: warm workers against one `iree-compile` process a test, measured in turn."""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from oracles.registry import make
from reducer import wire
from reducer.case import Case
from reducer.evaluator import Evaluator
from reducer.toolchain import pool
from reducer.toolchain.plugins import without_idle
from reducer.toolchain.releases import Toolchain
from reducer.toolchain.targets import target_flags

MEMORY_BYTES = 0
TIMEOUT_S = 120.0
EACH = 3  # tests that each of two workers makes by itself, so that waiting for the slower one weighs little


@dataclass(frozen=True)
class Speed:
    """Medians over the rounds, in seconds a test; two_s: a test's share of the time with two workers at once."""

    warm_s: float
    two_s: float
    binary_s: float
    entry_s: float


def speed(toolchain: Toolchain, program: Path, phase: str, rounds: int) -> Speed:
    """Compile the same program to `phase` in each way, A B C A B C …, so that a noisy machine is noisy for all."""
    flags = target_flags("llvm-cpu", toolchain.release)
    slots = [pool.Slot(toolchain, pool.Limits(TIMEOUT_S, MEMORY_BYTES)) for _ in range(2)]
    text = slots[0].edit(wire.MeasureRequest(program.read_text())).program
    warm_flags = (*flags, *without_idle(text, flags))
    request = wire.CompileRequest(text, phase, ir=phase == "flow")

    def warm(slot: pool.Slot, times: int = 1) -> None:
        for _ in range(times):
            assert not slot.compile(warm_flags, request, TIMEOUT_S).errors

    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as threads:
        output = Path(folder) / "out"
        tail = [str(program), *flags, f"--compile-to={phase}", "-o", str(output)]
        entry = Path(sys.executable).with_name("iree-compile")
        ways: list[Callable[[], object]] = [
            lambda: warm(slots[0]),
            lambda: list(threads.map(lambda slot: warm(slot, EACH), slots)),
            lambda: subprocess.run([toolchain.iree_compile, *tail], check=True),
            lambda: subprocess.run([entry, *tail], check=True),
        ]
        seconds: list[list[float]] = [[] for _ in ways]
        for number in range(rounds + 1):
            for way, taken in zip(ways, seconds, strict=True):
                started = time.perf_counter()
                way()
                if number:  # the first round warms up
                    taken.append(time.perf_counter() - started)
    for slot in slots:
        slot.close()
    one, both, binary, script = (statistics.median(taken) for taken in seconds)
    return Speed(one, both / (EACH * len(slots)), binary, script)


@dataclass(frozen=True)
class RunSpeed:
    """Medians in seconds a test of `wrong-result`: warm, and by one process each of the two binaries."""

    warm_s: float
    processes_s: float


def run_speed(toolchain: Toolchain, program: Path, target: str, rounds: int) -> RunSpeed:
    """Compile the program to the end, run it and compare it, in turn in either way."""
    flags = target_flags(target, toolchain.release)
    limits = pool.Limits(TIMEOUT_S, MEMORY_BYTES)
    case = Case("benchmark", program.read_text(), make("wrong-result"), toolchain, target, flags, ())
    evaluator = Evaluator(case, 1, limits, lambda key: None)
    try:
        text = evaluator.ask(wire.InputsRequest(case.program, (), 0)).program
        run = evaluator.judge(text, ()).runs[0]
        with tempfile.TemporaryDirectory() as folder:
            module = Path(folder) / "module.vmfb"
            compiling = [str(toolchain.iree_compile), str(program), *flags, "-o", str(module)]
            running = [str(toolchain.iree_run_module), f"--module={module}", f"--function={run.function}"]
            running += [f"--input={value}" for value in run.inputs]
            running += [f"--expected_output={value}" for value in run.expected]

            def judged() -> None:
                evaluator.judge(text, ())

            def processes() -> None:
                subprocess.run(compiling, check=True, stderr=subprocess.DEVNULL)
                subprocess.run(running, check=True, stdout=subprocess.DEVNULL)

            seconds: list[list[float]] = [[], []]
            for number in range(rounds + 1):
                for way, taken in zip((judged, processes), seconds, strict=True):
                    started = time.perf_counter()
                    way()
                    if number:
                        taken.append(time.perf_counter() - started)
    finally:
        evaluator.close()
    warm, separate = (statistics.median(taken) for taken in seconds)
    return RunSpeed(warm, separate)
