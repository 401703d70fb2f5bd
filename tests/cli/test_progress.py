"""What is said while a reduction runs."""

from __future__ import annotations

import pytest

from oracles.registry import make
from oracles.verdict import Outcome, Verdict
from reducer import events
from reducer.case import Case
from reducer.cli.console import Out
from reducer.cli.progress import Progress
from reducer.cli.summary import holding
from reducer.toolchain.releases import Toolchain
from reducer.wire import Size


def test_flags_are_counted_as_in_the_summary(installed: Toolchain, capsys: pytest.CaptureFixture[str]) -> None:
    """All of the command: the target's two, the oracle's, the user's own; one that is two of these counts once."""
    oracle = make("two-dispatches")
    case = Case("p", "", oracle, installed, "llvm-cpu", ("--a", "--b"), ("--own", *oracle.flags))
    progress = Progress(Out(0), case)
    progress.see(events.Improved(Size(4, 2, 5, 0, 100), ("--own", *oracle.flags), "cut_ops", 7))
    progress.see(events.Improved(Size(4, 2, 5, 0, 100), (), "flags", 8))
    first, second = capsys.readouterr().out.splitlines()
    assert first.endswith("7 tests  cut_ops: 4 ops, 5 elements, 4 flags")
    assert second.endswith("8 tests  flags: 4 ops, 5 elements, 3 flags")


def test_what_is_held_on_to() -> None:
    seen = Verdict(Outcome.INTERESTING, "it fails: x", "it fails")
    assert holding(make("diagnostic"), seen) == "it fails"
    assert holding(make("diagnostic", match="f.*s"), seen) == "whatever matches 'f.*s'"
    assert holding(make("script", script=("true",)), Verdict(Outcome.INTERESTING, "the script says so")) == (
        "the script says so"
    )
