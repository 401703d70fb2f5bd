"""Every seed shows what `seeds/README.md` says of it, by its header alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from reducer.toolchain.releases import Toolchain
from tests.cli.command import SEEDS, reduce


@pytest.mark.parametrize(
    ("seed", "oracle", "said"),
    [
        ("pad_conv", "translation-error", "silent failure of ConcretizePadResultShapePass"),
        ("pad_conv", "two-dispatches", "2 dispatches"),
        ("pad_conv", "dispatch-count", "expected at most 1"),
        ("crash", "crash", "crash: signal 11"),
        ("silent_consumer_flag", "translation-error", "silent failure of ConcretizePadResultShapePass"),
        ("quantised_conv", "no-op-flag", "the flag changes no dispatch"),
        ("quantised_conv", "two-dispatches", "in another than the convolution's"),
        ("onnx_wrap_pad", "diagnostic", "failed to legalize operation 'torch.prim.ListConstruct'"),
    ],
)
def test_seed(seed: str, oracle: str, said: str, tmp_path: Path) -> None:
    done = reduce("check", "--oracle", oracle, str(SEEDS / f"{seed}.mlir"), cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert said in done.stdout.partition("shows the fault: ")[2].partition("\n")[0]


@pytest.mark.parametrize(
    ("release", "words", "said"),
    [
        ("3.3.0", ("--oracle", "no-op-flag"), "the flag changes no dispatch"),
        (
            "3.3.0",
            ("--oracle", "translation-error", "--target", "cuda:sm_80"),
            "LLVM Translation failed for operation: builtin.unrealized_conversion_cast",
        ),
        ("3.7.0", ("--oracle", "unsupported-fusion"), ""),
    ],
)
def test_pad_conv_on_older_releases(
    release: str, words: tuple[str, ...], said: str, toolchain: Callable[[str], Toolchain], tmp_path: Path
) -> None:
    toolchain(release)
    done = reduce("check", *words, "--iree", release, str(SEEDS / "pad_conv.mlir"), cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert said in done.stdout.partition("shows the fault: ")[2].partition("\n")[0]
