"""Which release knows which flag, held against what the releases themselves say."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from oracles.dispatches import FLAG_CONSUMER
from reducer.toolchain.flag_history import MEASURED, history, relatives, span, table
from reducer.toolchain.flags import known_flags
from reducer.toolchain.releases import KNOWN_RELEASES, Toolchain
from reducer.toolchain.targets import version


@pytest.mark.parametrize("release", ["3.3.0", "3.13.0"])
def test_the_table_is_what_a_release_says(toolchain: Callable[[str], Toolchain], release: str) -> None:
    asked = {flag for flag in known_flags(toolchain(release)) if flag.startswith("--iree-")}
    assert {s.flag for s in table().values() if s.holds(release)} == asked


def test_the_table_covers_the_releases_there_are() -> None:
    assert (KNOWN_RELEASES[0], KNOWN_RELEASES[-1]) == MEASURED
    assert all(version(s.first) <= version(s.last) for s in table().values())
    assert {s.first for s in table().values()} | {s.last for s in table().values()} <= set(KNOWN_RELEASES)


def test_a_flag_with_a_value_is_the_same_flag() -> None:
    known = span("-iree-opt-level=O3")
    assert known is not None
    assert (known.first, known.last) == ("3.3.0", "3.13.0")


@pytest.mark.parametrize(
    ("flag", "release", "clause"),
    [
        (FLAG_CONSUMER, "3.3.0", "known from 2.9.0 to 3.13.0"),
        ("--iree-opt-level=O2", "3.3.0", "known since 3.3.0"),
        ("--iree-opt-level=O2", "3.2.0", "known since 3.3.0 only"),
        ("--iree-flow-enable-gather-fusion", "3.4.0", "known until 3.4.0"),
        ("--iree-flow-enable-gather-fusion", "3.13.0", "gone since 3.5.0"),
        (
            "--iree-dispatch-creation-experimental-data-tiling",
            "3.13.0",
            "gone since 3.7.0: there it is --iree-dispatch-creation-data-tiling",
        ),
        ("--iree-hip-target=gfx942", "3.12.0", "gone since 3.12.0: there it is --iree-rocm-target"),
        (
            "--iree-flow-enable-fuse-padding-into-linalg-consumer-ops",
            "3.3.0",
            f"unknown to every release from 2.9.0 to 3.13.0: there it is {FLAG_CONSUMER}",
        ),
        ("--iree-nonsense", "3.3.0", "unknown to every release from 2.9.0 to 3.13.0"),
    ],
)
def test_history(flag: str, release: str, clause: str) -> None:
    assert history(flag, release) == clause


def test_a_release_newer_than_the_table_counts_as_its_last() -> None:
    assert history(FLAG_CONSUMER, "3.99.0") == "known from 2.9.0 to 3.13.0"


def test_a_flag_that_stood_beside_another_is_no_new_name_of_it() -> None:
    assert relatives("--iree-dispatch-creation-collapse-reduction-dims", "3.13.0") == ()
