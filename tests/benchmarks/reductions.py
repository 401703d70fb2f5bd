"""Whole reductions: tests and seconds, against the seconds of one compilation of the whole input."""

from __future__ import annotations

import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from oracles.experiment import Observation
from oracles.registry import make
from reducer import wire
from reducer.case import Case, Limits, Result
from reducer.session import Options, Session
from reducer.toolchain.pool import Slot
from reducer.toolchain.releases import Toolchain
from reducer.toolchain.targets import target_flags


@dataclass
class Meter:
    """Where the slots' time goes, but for starting workers, which happens once. Only for one job."""

    busy_s: float = 0.0
    starting_s: float = 0.0
    compiler_s: float = 0.0
    tests: int = 0
    _saved: dict[str, object] = field(default_factory=dict)

    def __enter__(self) -> Meter:
        edit, compile_, start = Slot.edit, Slot.compile, Slot._start
        self._saved = {"edit": edit, "compile": compile_, "_start": start}

        def timed_start(slot: Slot, role: str, flags: tuple[str, ...], memory_bytes: int) -> object:
            started = time.perf_counter()
            worker = start(slot, role, flags, memory_bytes)
            self.starting_s += time.perf_counter() - started
            return worker

        def timed_edit(slot: Slot, request: wire.Request) -> object:
            started = time.perf_counter()
            try:
                return edit(slot, request)
            finally:
                self.busy_s += time.perf_counter() - started

        def timed_compile(
            slot: Slot, flags: tuple[str, ...], request: wire.CompileRequest, timeout_s: float
        ) -> Observation:
            started = time.perf_counter()
            seen = compile_(slot, flags, request, timeout_s)
            self.busy_s += time.perf_counter() - started
            self.compiler_s += seen.seconds
            return seen

        for name, function in (("edit", timed_edit), ("compile", timed_compile), ("_start", timed_start)):
            setattr(Slot, name, function)
        return self

    def __exit__(self, *exc: object) -> None:
        for name, function in self._saved.items():
            setattr(Slot, name, function)

    @property
    def overhead(self) -> float:
        """The share of the slots' busy time that was spent outside the compiler."""
        return 1 - self.compiler_s / (self.busy_s - self.starting_s)


@dataclass(frozen=True)
class Reduction:
    """One reduction, and how long the stock compiler takes over its seed, once."""

    result: Result
    compile_s: float


def reduce(toolchain: Toolchain, program: str, oracle: str, flags: tuple[str, ...], jobs: int) -> Reduction:
    """Reduce with the installed release for llvm-cpu. Raises AssertionError if it does not end confirmed."""
    target = target_flags("llvm-cpu", toolchain.release)
    case = Case("benchmark", program, make(oracle), toolchain, "llvm-cpu", target, flags)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.mlir"
        path.write_text(program)
        started = time.perf_counter()
        command = [str(toolchain.iree_compile), str(path), *target, *flags, *case.oracle.flags, "-o", f"{folder}/out"]
        subprocess.run(command, check=False, stderr=subprocess.DEVNULL)
        compile_s = time.perf_counter() - started
        result = Session(case, Options(Path(folder) / "run", Limits(), jobs=jobs), lambda event: None).run()
    assert (result.outcome, result.confirmed) == ("reduced", True), result.verdict.reason
    return Reduction(result, compile_s)
