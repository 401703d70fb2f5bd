"""A case: everything needed to see a fault. And what came of reducing one."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from oracles.experiment import Experiment
from oracles.verdict import Oracle, Verdict
from reducer.toolchain.flags import drop_flags
from reducer.toolchain.releases import Toolchain
from reducer.wire import Size


@dataclass(frozen=True)
class OtherWay:
    """Another way of compiling a program, whose results its own are held against."""

    toolchain: Toolchain
    flags: tuple[str, ...]


@dataclass(frozen=True)
class Case:
    """A program + oracle + toolchain + target + flags.

    name: of the program, for people and file names ("pad_conv"); program: its text, as given.
    target: as the user named it, "" where the flags say it all; target_flags: how this release spells it, never
    reduced.
    flags: the user's own, reduced.
    other: the reference of an oracle that runs programs, if it is not the program's own meaning.
    inputs: what such an oracle runs them on, as `iree-run-module` takes it; () where they are made up.
    """

    name: str
    program: str
    oracle: Oracle
    toolchain: Toolchain
    target: str
    target_flags: tuple[str, ...]
    flags: tuple[str, ...]
    other: OtherWay | None = None
    inputs: tuple[str, ...] = ()

    def command(self, flags: tuple[str, ...] | None = None) -> tuple[str, ...]:
        """All flags of a plain compilation, with these in place of the user's own."""
        own = self.flags if flags is None else flags
        return merged((*self.target_flags, *self.oracle.flags), own)

    def experiment_flags(self, experiment: Experiment, flags: tuple[str, ...]) -> tuple[str, ...]:
        """The flags under which an experiment compiles a candidate with these flags of the user's."""
        return merged(drop_flags(self.command(flags), experiment.drop), experiment.add)


def merged(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    """Both, without repeating a flag that is spelled the same (IREE refuses some flags the second time)."""
    return tuple(dict.fromkeys((*first, *second)))


@dataclass(frozen=True)
class Limits:
    """Of a whole reduction. timeout_s: of one experiment, None: from the baseline; memory_bytes: 0 is unlimited."""

    timeout_s: float | None = None
    memory_bytes: int = 0
    total_s: float | None = None
    tests: int | None = None


@dataclass(frozen=True)
class Refusal:
    """A simplification that was tried on the final program, and what happened instead.

    judged: whether that is a program without the fault; it may be none, or one that nothing is known of.
    """

    simplification: str
    instead: str
    judged: bool


@dataclass(frozen=True)
class Result:
    """What came of a reduction.

    outcome: "reduced" | "no-fault" | "unreliable" | "interrupted" | "limit"; confirmed: by a stock `iree-compile`.
    minimal: whether every remaining single simplification was tried and refused.
    """

    outcome: str
    confirmed: bool
    case: Case
    program: str
    flags: tuple[str, ...]
    verdict: Verdict
    before: Size
    after: Size
    flags_before: tuple[str, ...]
    tests: int
    seconds: float
    slips: int
    minimal: bool
    run_dir: Path
    refusals: tuple[Refusal, ...] = field(default=())
    notes: tuple[str, ...] = field(default=())
