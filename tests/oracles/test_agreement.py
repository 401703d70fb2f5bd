"""The flow phase as read here agrees with what was measured on every release (expected.json)."""

from __future__ import annotations

import pytest

from oracles.dispatches import read_flow
from oracles.feeds import feeds
from tests.oracles import canned

KEPT = sorted(p.stem for p in (canned.DATA / "flow").glob("pad_conv.*.mlir"))


def row(name: str) -> dict[str, object]:
    """The row of expected.json for `pad_conv.RELEASE.FLAGS[.plain]`."""
    _, major, minor, patch, flags, *_ = name.split(".")
    key = (f"{major}.{minor}.{patch}", flags)
    return next(r for r in canned.expected_rows() if (r["release"], r["flags"]) == key)


def test_enough_is_kept() -> None:
    assert {name.split(".")[4] for name in KEPT} == set(canned.FLAG_SETS)
    assert {row(name)["pad_in_conv_dispatch"] for name in KEPT} == {True, False}


@pytest.mark.parametrize("name", KEPT)
def test_facts(name: str) -> None:
    wanted = row(name)
    facts = canned.facts(canned.flow(name))
    assert facts == {key: wanted[key] for key in facts}


@pytest.mark.parametrize("name", KEPT)
def test_where_the_pad_is(name: str) -> None:
    wanted = row(name)
    outside = "slow memcpy" if wanted["slow_memcpy"] else "dispatch"
    expected = "inside" if wanted["pad_in_conv_dispatch"] else outside
    assert [feed.where for feed in feeds(read_flow(canned.flow(name)))] == [expected]
