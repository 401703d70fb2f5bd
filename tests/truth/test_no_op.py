"""Programs for which the consumer flag does nothing useful on the newest release, and one that must not count."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from oracles.no_op_flag import ONLY_MEMCPY, UNCHANGED
from oracles.registry import make
from oracles.verdict import Verdict
from reducer.toolchain.releases import Toolchain
from tests.truth.asking import Asker

INPUTS = Path(__file__).parent / "inputs"


@pytest.fixture
def verdict(toolchain: Callable[[str], Toolchain]) -> Callable[[str], Verdict]:
    def ask(name: str) -> Verdict:
        with Asker(INPUTS / f"{name}.mlir", toolchain("3.13.0"), "llvm-cpu") as asker:
            return asker.verdict(make("no-op-flag"), ())

    return ask


@pytest.mark.parametrize(
    ("name", "signature", "convolution"),
    [
        ("pad_used_twice", UNCHANGED, "linalg.conv_2d_nchw_fchw"),
        ("quantised_conv", UNCHANGED, "linalg.conv_2d_nhwc_hwcf_q"),
        ("strided_1x1_conv", ONLY_MEMCPY, "linalg.conv_2d_nchw_fchw"),
    ],
)
def test_the_flag_does_nothing(
    verdict: Callable[[str], Verdict], name: str, signature: str, convolution: str
) -> None:
    seen = verdict(name)
    assert seen.interesting
    assert seen.signature == signature
    assert [e.op for e in seen.evidence] == ["tensor.pad", convolution]


def test_a_matmul_is_no_convolution(verdict: Callable[[str], Verdict]) -> None:
    """The flag does nothing there either, but the oracle holds on to a convolution."""
    seen = verdict("matmul")
    assert not seen.interesting
    assert seen.reason == "the program has no convolution"
