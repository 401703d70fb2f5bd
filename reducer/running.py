"""Compiles, evaluates, runs and compares: one experiment that says whether the numbers of a program are right.

Owns the order of these steps: the reference is evaluated while the compiler is at work. What each of them means is the
business of the worker (`worker/judge.py`), of `toolchain/module_runs.py`, and of the oracle that asked.
"""

from __future__ import annotations

import base64
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from oracles.experiment import NUMPY, FunctionRun, Observation, ResultSeen, Run, Status
from reducer import wire
from reducer.toolchain.module_runs import ModuleRun, result_file, run_module, tolerances
from reducer.toolchain.oneshot import Stopped
from reducer.toolchain.pool import Slot
from reducer.toolchain.releases import Toolchain

REFERENCE_TIMEOUT_S = 120.0
OTHER_RTOL, OTHER_ATOL = 1e-4, 1e-6
"""How far two ways of compiling may be apart, where no other tolerance is given: neither of them knows a bound."""

_NOT_TAKEN = "parsing function inputs"  # the program has not begun

Compile = Callable[[str, bool, str], Observation]
"""Compile the program to a phase; whether its IR is wanted; a file for the compiled module, or ""."""


@dataclass(frozen=True)
class Means:
    """What a run is done with.

    program: with its inputs. compile: under the flags in question; compile_other: another way, for a reference other
    than the program's meaning, run by `other`. confirm: ask `iree-run-module` too whether a result differs.
    """

    program: str
    slot: Slot
    toolchain: Toolchain
    compile: Compile
    compile_other: Compile | None
    other: Toolchain
    timeout_s: float
    memory_bytes: int | None
    stopped: Stopped
    confirm: bool


def run_experiment(run: Run, means: Means) -> Observation:
    """What compiling and running the program shows. It ends with the first compilation that fails."""
    with tempfile.TemporaryDirectory(prefix="iree-reduce-") as name:
        folder = Path(name)
        converted = means.compile("input", True, "")
        if converted.status is not Status.OK:
            return converted
        means.slot.begin(wire.EvaluateRequest(converted.ir, means.program))
        try:
            compiled = means.compile("end", False, str(folder / "module.vmfb"))
        finally:
            evaluation = means.slot.finish(REFERENCE_TIMEOUT_S)
        if compiled.status is not Status.OK:
            return compiled
        if not isinstance(evaluation, wire.Evaluation):
            failed = FunctionRun("", "unknown", f"the reference cannot evaluate it: {evaluation.message}")
            return replace(compiled, runs=(failed,))
        return run_all(run, means, folder / "module.vmfb", compiled, evaluation.functions)


def run_all(
    run: Run, means: Means, module: Path, compiled: Observation, functions: tuple[wire.Evaluated, ...]
) -> Observation:
    """The same observation with the runs of these functions of the module, which the slot has evaluated last."""
    folder, other = module.parent, None
    if means.compile_other is not None and any(f.reference != "undefined" for f in functions):
        other = folder / "other.vmfb"
        seen = means.compile_other("end", False, str(other))
        if seen.status is not Status.OK:
            said = seen.errors[0].message.splitlines()[0] if seen.errors else seen.status.value
            why = f"the reference {run.reference} does not compile it: {said}"
            return replace(compiled, runs=tuple(FunctionRun(f.function, "unknown", why) for f in functions))
    runs = tuple(_Function(run, means, module, function, other).run() for function in functions)
    return replace(compiled, runs=runs)


@dataclass(frozen=True)
class _Function:
    """One entry function of a compiled program."""

    asked: Run
    means: Means
    module: Path
    evaluated: wire.Evaluated
    other: Path | None

    def run(self) -> FunctionRun:
        """Run it if there is something to hold its results against."""
        e = self.evaluated
        seen = FunctionRun(
            e.function, e.reference, e.why, inputs=e.inputs, expected=e.expected, reference_s=e.seconds
        )  # fmt: skip
        if e.reference == "undefined" or (e.reference == "unknown" and self.asked.reference == NUMPY):
            return seen
        if "" in e.results:
            number = e.results.index("")
            return replace(seen, reference="unknown", why=f"result {number} is neither a tensor nor a number")
        if not e.results:
            return replace(seen, reference="unknown", why="it returns nothing that could be wrong")
        wanted: tuple[wire.Array, ...] = ()
        if self.other is not None:
            by_other, wanted = self._call(self.other, self.means.other)
            if by_other.ended != "returned":
                why = f"the reference {self.asked.reference} {by_other.ended}: {by_other.said}"
                return replace(seen, reference="unknown", why=why)
        ended, returned = self._call(self.module, self.means.toolchain)
        if ended.ended == "failed" and _NOT_TAKEN in ended.said:
            return replace(seen, reference="unknown", why=f"iree-run-module does not take its inputs: {ended.said}")
        seen = replace(seen, reference="defined", why="", ended=ended.ended, said=ended.said, run_s=ended.seconds)
        return seen if ended.ended != "returned" else self._compared(seen, returned, wanted)

    @property
    def _timeout_s(self) -> float:
        return self.asked.timeout_s or self.means.timeout_s

    def _call(self, module: Path, toolchain: Toolchain) -> tuple[ModuleRun, tuple[wire.Array, ...]]:
        """How a run ended, and what it returned."""
        e = self.evaluated
        files = [result_file(self.module.parent, number, element) for number, element in enumerate(e.results)]
        for file in files:
            file.unlink(missing_ok=True)
        means = self.means
        ended = run_module(
            toolchain, module, e.function, e.inputs, outputs=files, timeout_s=self._timeout_s,
            memory_bytes=means.memory_bytes, stopped=means.stopped,
        )  # fmt: skip
        if ended.ended != "returned":
            return ended, ()
        missing = next((n for n, file in enumerate(files) if not file.exists()), None)
        if missing is not None:
            return replace(ended, ended="failed", said=f"result {missing} was not written"), ()
        return ended, tuple(_array(file, element) for file, element in zip(files, e.results, strict=True))

    def _compared(
        self, seen: FunctionRun, returned: tuple[wire.Array, ...], wanted: tuple[wire.Array, ...]
    ) -> FunctionRun:
        asked = self.asked
        rtol, atol = asked.rtol, asked.atol
        if wanted and rtol is None and atol is None:
            rtol, atol = OTHER_RTOL, OTHER_ATOL
        request = wire.CompareRequest(self.evaluated.function, returned, wanted, rtol, atol)
        answer = self.means.slot.edit(request)
        if not isinstance(answer, wire.Comparison):
            return replace(seen, reference="unknown", why=f"the results cannot be compared: {answer.message}")
        flags = tolerances(answer.margins, self.means.toolchain.release)
        seen = replace(
            seen, results=answer.results, got=answer.got, expected=answer.expected, tolerances=flags
        )  # fmt: skip
        differs = any(r.kind not in ("same", "unknown") for r in seen.results)
        return self._confirmed(seen) if self.means.confirm and differs else seen

    def _confirmed(self, seen: FunctionRun) -> FunctionRun:
        """The same, unless `iree-run-module` sees no difference by these tolerances."""
        if not all(seen.expected):
            return seen
        expected = [
            "(ignored)" if result.kind == "unknown" else text
            for text, result in zip(seen.expected, seen.results, strict=True)
        ]
        means = self.means
        ended = run_module(
            means.toolchain, self.module, seen.function, seen.inputs, tolerant=seen.tolerances, expected=expected,
            timeout_s=self._timeout_s, memory_bytes=means.memory_bytes, stopped=means.stopped,
        )  # fmt: skip
        if ended.ended != "returned" or not ended.agrees:
            return replace(seen, ended=ended.ended, said=ended.said)
        how = "by iree-run-module, which sees no difference"
        return replace(seen, results=tuple(ResultSeen("same", total=r.total, how=how) for r in seen.results))


def _array(file: Path, element: str) -> wire.Array:
    """The file of a result, for the wire."""
    data = base64.b64encode(file.read_bytes()).decode("ascii")
    return wire.Array((), "npy" if file.suffix == ".npy" else element, data)
