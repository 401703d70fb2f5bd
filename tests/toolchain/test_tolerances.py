"""Flags with which `iree-run-module` sees the difference that was found, and no other."""

from __future__ import annotations

import math

import pytest

from reducer.toolchain.module_runs import tolerances

Margin = tuple[str, float, float, float]


@pytest.mark.parametrize(
    ("margins", "release", "flags"),
    [
        ([("f32", 0.0, 1e-4, 7e-5)], "3.11.0", ("--expected_f32_threshold=5e-05",)),
        ([("f32", 0.0, 1e-4, 7e-5)], "3.13.0", ("--expected_f32_threshold=5e-05", "--expected_rtol=0")),
        ([("f32", 0.0, 1e-4, 7e-5)], "", ("--expected_f32_threshold=5e-05", "--expected_rtol=0")),
        ([("f32", 0.0, 1.0, 1.0)], "3.13.0", ()),
        ([("f32", 0.0, 1.0, 1e6)], "3.11.0", ()),
        ([("f32", 0.0, 1.0, 1e6)], "3.13.0", ("--expected_f32_threshold=0.5", "--expected_rtol=0")),
        ([("f32", 4e-5, 9e-5, 1.0)], "3.3.0", ("--expected_f32_threshold=8e-05",)),
        ([("f32", 7e-5, 9e-5, 1.0)], "3.3.0", ("--expected_f32_threshold=8e-05",)),
        ([("f32", 3.0, 80.0, 1e5)], "3.3.0", ("--expected_f32_threshold=6",)),
        ([("f32", 3.0, math.inf, 1e5)], "3.3.0", ("--expected_f32_threshold=6",)),
        ([("f32", 0.0, math.inf, 1e5)], "3.13.0", ()),
        ([("f32", 0.5, 0.0, 0.0), ("f32", 0.0, 9.0, 1.0)], "3.3.0", ("--expected_f32_threshold=1",)),
        ([("i32", 0.0, 1.0, 1.0)], "3.13.0", ()),
        ([("bf16", 0.0, 1e-3, 1.0)], "3.11.0", ()),
        ([("bf16", 0.0, 1e-3, 1.0)], "3.12.0", ("--expected_bf16_threshold=0.0005", "--expected_rtol=0")),
        ([("f16", 0.0, 1e-3, 0.0), ("f64", 0.0, 2.0, 0.0)], "3.3.0", ("--expected_f16_threshold=0.0005",)),
    ],
)
def test_only_where_the_tools_own_would_not_do(margins: list[Margin], release: str, flags: tuple[str, ...]) -> None:
    assert tolerances(margins, release) == flags


def test_where_none_fits_both_the_difference_is_seen() -> None:
    (flag,) = tolerances([("f32", 2.0, 1.0, 4.0)], "3.3.0")
    assert 0 < float(flag.partition("=")[2]) < 1
