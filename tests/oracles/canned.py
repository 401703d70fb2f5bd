"""What released compilers printed, kept in data/, and an observer that answers experiments with it.

flow/PROGRAM.RELEASE.FLAGS.mlir: `--compile-to=flow` for llvm-cpu; FLAGS as in expected.json; `tiled`: both, with
    `--iree-global-opt-data-tiling`; `.plain`: no locations.
stderr/PROGRAM.RELEASE.TARGET.KEY.txt: the standard error, `--mlir-print-ir-after-failure`, its IR cut to three lines.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from oracles.diagnostics import Parsed, parse_stderr
from oracles.dispatches import FLAG_CONSUMER, FLAG_PRODUCER, read_flow
from oracles.experiment import Experiment, Observation, Status
from oracles.feeds import feeds

HERE = Path(__file__).parent
DATA = HERE / "data"
FLAG_SETS = {
    "none": frozenset[str](),
    "consumer": frozenset({FLAG_CONSUMER}),
    "producer": frozenset({FLAG_PRODUCER}),
    "both": frozenset({FLAG_CONSUMER, FLAG_PRODUCER}),
}


def program(name: str) -> str:
    return (DATA / "programs" / f"{name}.mlir").read_text()


def flow(name: str) -> str:
    return (DATA / "flow" / f"{name}.mlir").read_text()


def stderr(name: str) -> str:
    return (DATA / "stderr" / f"{name}.txt").read_text()


def parsed(name: str) -> Parsed:
    return parse_stderr(stderr(name), f"{name.split('.', maxsplit=1)[0]}.mlir")


def failed(name: str) -> Observation:
    said = parsed(name)
    return Observation(
        Status.FAILED,
        exit_code=1,
        parsed=said.parsed,
        diagnostics=said.diagnostics,
        failing_passes=said.failing_passes,
    )


def crashed(name: str, signal: int = 11) -> Observation:
    said = parsed(name)
    return Observation(Status.CRASHED, signal=signal, diagnostics=said.diagnostics, frames=said.frames)


def flag_set(experiment: Experiment, given: frozenset[str] = frozenset()) -> str:
    """Which flag set of expected.json an experiment compiles with, when the case carries `given`."""
    flags = (given - set(experiment.drop)) | (set(experiment.add) & {FLAG_CONSUMER, FLAG_PRODUCER})
    return next(name for name, these in FLAG_SETS.items() if these == flags)


@dataclass
class Observer:
    """Answers flow-phase experiments with the IR kept for `program` and `release`, all others with `otherwise`."""

    program: str
    release: str
    otherwise: Callable[[Experiment], Observation] = lambda _: Observation(Status.OK)
    asked: list[Experiment] = field(default_factory=list)

    def __call__(self, experiment: Experiment) -> Observation:
        self.asked.append(experiment)
        if experiment.phase == "flow" and experiment.ir:
            return Observation(Status.OK, ir=flow(f"{self.program}.{self.release}.{flag_set(experiment)}"))
        return self.otherwise(experiment)


def always(observation: Observation) -> Callable[[Experiment], Observation]:
    return lambda _: observation


def expected_rows() -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads((HERE / "expected.json").read_text())["rows"]
    return rows


def facts(ir: str) -> dict[str, object]:
    """The flow-phase facts of a row of expected.json."""
    read = read_flow(ir)
    return {
        "dispatches": len(read.dispatches),
        "splats": len(read.splats),
        "executables": [
            sorted({op for op in e.work if op.startswith("linalg.") or op == "tensor.pad"}) for e in read.executables
        ],
        "pad_in_conv_dispatch": any(feed.where == "inside" for feed in feeds(read)),
        "slow_memcpy": bool(read.slow_memcpys),
    }
