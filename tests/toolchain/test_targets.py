from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from reducer.errors import FlagError, TargetError
from reducer.toolchain.flags import check_flags, known_flags, split_flag
from reducer.toolchain.releases import KNOWN_RELEASES, Toolchain
from reducer.toolchain.targets import TARGET_OPTIONS, TARGETS, target_flags

EXAMPLES = [name for target in TARGETS for name in target.examples]


@pytest.mark.parametrize(
    ("name", "release", "flags"),
    [
        ("llvm-cpu", "3.13.0", ("--iree-hal-target-backends=llvm-cpu", "--iree-llvmcpu-target-cpu=generic")),
        ("llvm-cpu:host", "2.9.0", ("--iree-hal-target-backends=llvm-cpu", "--iree-llvmcpu-target-cpu=host")),
        ("vmvx", "2.9.0", ("--iree-hal-target-backends=vmvx",)),
        ("cuda:sm_80", "3.3.0", ("--iree-hal-target-backends=cuda", "--iree-cuda-target=sm_80")),
        ("vulkan:rdna3", "3.3.0", ("--iree-hal-target-backends=vulkan-spirv", "--iree-vulkan-target=rdna3")),
        ("rocm:gfx942", "3.10.0", ("--iree-hal-target-backends=rocm", "--iree-hip-target=gfx942")),
        ("rocm:gfx942", "3.11.0", ("--iree-hal-target-backends=rocm", "--iree-rocm-target=gfx942")),
        ("rocm:gfx942", "3.13.0rc20261016", ("--iree-hal-target-backends=rocm", "--iree-rocm-target=gfx942")),
        ("rocm:gfx942", "", ("--iree-hal-target-backends=rocm", "--iree-rocm-target=gfx942")),
    ],
)
def test_spelling(name: str, release: str, flags: tuple[str, ...]) -> None:
    assert target_flags(name, release) == flags


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("llvmcpu", "unknown target 'llvmcpu'; did you mean llvm-cpu"),
        ("quantum", "unknown target 'quantum'; known are llvm-cpu, vmvx, cuda:sm_80"),
        ("cuda", "target 'cuda' does not say which; write for instance cuda:sm_80"),
        ("cuda:", "target 'cuda:' does not say which"),
        ("llvm-cpu:", "target 'llvm-cpu:' does not say which"),
        ("vmvx:host", "target 'vmvx:host': vmvx takes nothing after the colon; write vmvx"),
        ("cuda:sm 80", "target 'cuda:sm 80': 'sm 80' is not a name; did you mean cuda:sm_80"),
        ("rocm:../x", "target 'rocm:../x': '../x' is not a name"),
    ],
)
def test_names_that_are_no_target(name: str, message: str) -> None:
    with pytest.raises(TargetError) as caught:
        target_flags(name, "3.13.0")
    assert str(caught.value).startswith(message)


def test_every_option_of_the_table_is_a_target_option() -> None:
    for name in EXAMPLES:
        for release in KNOWN_RELEASES:
            assert {split_flag(flag)[0] for flag in target_flags(name, release)} <= set(TARGET_OPTIONS)


@pytest.fixture(scope="session")
def release(installed: Toolchain, toolchain: Callable[[str], Toolchain]) -> Callable[[str], Toolchain]:
    return cache(lambda name: installed if name == "installed" else toolchain(name))


@pytest.mark.parametrize("which", ["installed", "3.3.0"])
@pytest.mark.parametrize("name", EXAMPLES)
def test_each_release_knows_the_options_and_accepts_the_architecture(
    release: Callable[[str], Toolchain], which: str, name: str
) -> None:
    flags = target_flags(name, release(which).release)
    assert {split_flag(flag)[0] for flag in flags} <= known_flags(release(which))
    check_flags(release(which), flags)


@pytest.mark.parametrize("which", ["installed", "3.3.0"])
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("vulkan:nothing", "Unknown Vulkan target 'nothing'"),
        ("cuda:nothing", "Unknown CUDA target 'nothing'"),
        ("rocm:nothing", "Unknown (HIP|ROCM) target 'nothing'"),
        ("llvm-cpu:nothing", "Unknown CPU"),
    ],
)
def test_an_architecture_that_the_release_does_not_know(
    release: Callable[[str], Toolchain], which: str, name: str, words: str
) -> None:
    with pytest.raises(FlagError, match=words):
        check_flags(release(which), target_flags(name, release(which).release))
