"""Whether the targets compile the pad and convolution: the oracles agree with every row of expected.json.

A question is put for all four flag sets at once, and what is said to them is compared as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from oracles.registry import make
from oracles.verdict import Outcome, Verdict
from reducer.toolchain.releases import Toolchain
from tests.truth.asking import Asker
from tests.truth.measured import PAD_CONV, SILENT, Row, rows

TARGETS = ("llvm-cpu", "vmvx", "cuda:sm_80", "rocm:gfx942", "vulkan:rdna3")
PLACES = (
    *((release, target) for release in ("3.3.0", "3.6.0", "3.13.0") for target in TARGETS),
    ("3.4.0", "rocm:gfx942"),  # the first of two releases with a crash
    ("3.5.0", "rocm:gfx942"),
    ("3.7.0", "llvm-cpu"),  # an unsupported fusion
    ("3.7.0", "vulkan:rdna3"),
)
TIMED_OUT = {
    (release, "both", target)
    for release in ("2.9.0", "3.0.0", "3.1.0", "3.2.0")
    for target in ("llvm-cpu", "rocm:gfx942")
}
"""Left out, and of releases that are not asked: a compilation that was stopped after 30 s says nothing of its end."""


@dataclass(frozen=True)
class Place:
    """A release and a target, and what answers for them."""

    asker: Asker
    release: str
    target: str


@pytest.fixture(scope="module", params=PLACES, ids="-".join)
def place(request: pytest.FixtureRequest, toolchain: Callable[[str], Toolchain]) -> Iterator[Place]:
    release, target = request.param
    with Asker(PAD_CONV, toolchain(release), target) as asker:
        yield Place(asker, release, target)


def test_only_timeouts_are_left_out() -> None:
    releases = {row.release for row in rows()}
    found = {(row.release, row.name, target) for row in rows() for target in TARGETS if row.timed_out(target)}
    assert len(releases) == 15
    assert found == TIMED_OUT
    assert not {release for release, _, _ in found} & {release for release, _ in PLACES}


def test_translation_error(place: Place) -> None:
    wanted = rows(place.release)
    verdicts = place.asker.verdicts(make("translation-error"), [row.flags for row in wanted])
    seen = {row.name: said(verdict) for row, verdict in zip(wanted, verdicts, strict=True)}
    assert seen == {row.name: row.error(place.target) for row in wanted}
    assert [v.slip for v in verdicts] == [row.signal(place.target) > 0 for row in wanted]


def test_crash(place: Place) -> None:
    wanted = rows(place.release)
    verdicts = place.asker.verdicts(make("crash"), [row.flags for row in wanted])
    seen = {row.name: verdict.interesting for row, verdict in zip(wanted, verdicts, strict=True)}
    assert seen == {row.name: row.signal(place.target) > 0 for row in wanted}


def test_unsupported_fusion(place: Place) -> None:
    """The oracle sets both flags itself."""
    both = Row(place.release, "both")
    verdict = place.asker.verdict(make("unsupported-fusion"), ())
    assert said(verdict) == (both.error(place.target) if both.facts["pad_in_conv_dispatch"] else "")
    if verdict.interesting:
        assert [e.op for e in verdict.evidence] == ["tensor.pad", "linalg.conv_2d_nchw_fchw"]


def said(verdict: Verdict) -> str:
    """The error that a verdict is about, in the words of expected.json, where types are cut off."""
    if not verdict.interesting:
        assert verdict.outcome is Outcome.NOT_INTERESTING
        return ""
    if verdict.reason.startswith("silent failure of "):
        return SILENT
    words, types, _ = verdict.reason.partition("('memref<")
    return words + ("…" if types else "")
