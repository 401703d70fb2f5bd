"""Whole reductions, two jobs, from a program to a result that a stock compiler confirms and that is 1-minimal."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Protocol

import pytest

from oracles.registry import make
from oracles.verdict import Oracle
from reducer.case import Case, Limits, Result
from reducer.session import Options, Session
from reducer.toolchain.releases import Toolchain
from reducer.toolchain.targets import target_flags

SEEDS = Path(__file__).parents[2] / "seeds"
INPUTS = Path(__file__).parent / "inputs"


class Reduce(Protocol):
    """Reduces; fails the test if the result is not confirmed and minimal."""

    def __call__(
        self,
        oracle: str | Oracle,
        program: str,
        release: str | Toolchain,
        target: str = "llvm-cpu",
        flags: tuple[str, ...] = (),
        *,
        inputs: tuple[str, ...] = (),
    ) -> Result:
        """program: the name of a file of seeds/ or inputs/, or MLIR text."""


def text_of(program: str) -> str:
    """The text of a file of seeds/ or inputs/; text as it is."""
    if "\n" in program:
        return program
    return next(path for path in (SEEDS / program, INPUTS / program) if path.exists()).read_text("utf-8")


@pytest.fixture
def reduce(toolchain: Callable[[str], Toolchain], tmp_path: Path) -> Reduce:
    runs = count()

    def run(
        oracle: str | Oracle,
        program: str,
        release: str | Toolchain,
        target: str = "llvm-cpu",
        flags: tuple[str, ...] = (),
        *,
        inputs: tuple[str, ...] = (),
    ) -> Result:
        iree = toolchain(release) if isinstance(release, str) else release
        asked = make(oracle) if isinstance(oracle, str) else oracle
        chosen = target_flags(target, iree.release)
        case = Case("seed", text_of(program), asked, iree, target, chosen, flags, inputs=inputs)
        result = Session(case, Options(tmp_path / f"run{next(runs)}", Limits(), jobs=2), lambda event: None).run()
        assert (result.outcome, result.confirmed, result.minimal) == ("reduced", True, True), result.notes
        assert result.notes == ()
        return result

    return run
