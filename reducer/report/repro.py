"""The final program with everything that is needed to see the fault again: what the writers of reports are given."""

from __future__ import annotations

from dataclasses import dataclass

from oracles.experiment import FunctionRun
from reducer.header import Directive


def run_arguments(run: FunctionRun, *, compared: bool) -> list[str]:
    """The arguments of `iree-run-module` but for the module and the device; compared: with what it should return."""
    arguments = [f"--function={run.function}", *(f"--input={text}" for text in run.inputs)]
    if compared:
        arguments += [*run.tolerances, *(f"--expected_output={text or '(ignored)'}" for text in run.expected)]
    return arguments


@dataclass(frozen=True)
class Repro:
    """A repro, in plain values.

    program: its text. file_name: of the program as it will be written, without a directory.
    release: of IREE (`3.13.0`); "" if the build has no version.
    flags: all flags of the compilation that shows the fault, the target's included. phase: how far it compiles.
    directive: what `reduce check` needs to ask the same question; its `flags` are the user's own.
    seen: one line, what was seen.
    run: what the program is run on and should return, of an oracle that runs programs.
    """

    program: str
    file_name: str
    release: str
    flags: tuple[str, ...]
    phase: str
    directive: Directive
    seen: str
    run: FunctionRun | None = None
