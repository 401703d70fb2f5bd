"""Where the pad goes: the oracles of the flow phase agree with every row of expected.json, measured for llvm-cpu.

A question is put for all four flag sets at once, and what is said to them is compared as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from oracles.dispatches import FLAG_CONSUMER, FLAG_PRODUCER
from oracles.registry import make
from reducer.toolchain.releases import Toolchain
from tests.truth.asking import Asker
from tests.truth.measured import PAD_CONV, rows


@pytest.fixture(scope="module", params=["3.3.0", "3.6.0", "3.7.0", "3.13.0"])
def place(request: pytest.FixtureRequest, toolchain: Callable[[str], Toolchain]) -> Iterator[tuple[Asker, str]]:
    """An asker and its release."""
    with Asker(PAD_CONV, toolchain(request.param), "llvm-cpu") as asker:
        yield asker, request.param


@pytest.mark.parametrize("flag", [FLAG_CONSUMER, FLAG_PRODUCER], ids=["consumer", "producer"])
def test_no_op_flag(place: tuple[Asker, str], flag: str) -> None:
    asker, release = place
    wanted = rows(release)
    verdicts = asker.verdicts(make("no-op-flag", flag=flag), [row.flags for row in wanted])
    seen = {row.name: verdict.signature for row, verdict in zip(wanted, verdicts, strict=True)}
    assert seen == {row.name: row.no_op(flag) for row in wanted}
    assert [v.interesting for v in verdicts] == [v.signature != "" for v in verdicts]


def test_two_dispatches(place: tuple[Asker, str]) -> None:
    """The oracle sets the producer flag itself."""
    asker, release = place
    wanted = rows(release)
    verdicts = asker.verdicts(make("two-dispatches"), [row.flags for row in wanted])
    seen = {row.name: verdict.signature for row, verdict in zip(wanted, verdicts, strict=True)}
    apart = "pad in another dispatch than its convolution"
    outside = {row.name: not row.given(FLAG_PRODUCER).facts["pad_in_conv_dispatch"] for row in wanted}
    assert seen == {name: apart if out else "" for name, out in outside.items()}
    assert [v.interesting for v in verdicts] == list(outside.values())


@pytest.mark.parametrize("count", [1, 2])
def test_dispatch_count(place: tuple[Asker, str], count: int) -> None:
    asker, release = place
    wanted = rows(release)
    verdicts = asker.verdicts(make("dispatch-count", expect=count), [row.flags for row in wanted])
    seen = {row.name: verdict.interesting for row, verdict in zip(wanted, verdicts, strict=True)}
    assert seen == {row.name: row.facts["dispatches"] > count for row in wanted}
