"""The targets by name, and the flags that each release spells them with.

One table. Owns nothing but names and flags: whether a release really accepts an architecture is its own business, and
`flags.check_flags` asks it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from reducer.errors import TargetError, nearest

Version = tuple[int, ...]

_ROCM_RENAMED: Version = (3, 11)


@dataclass(frozen=True)
class Target:
    """A family of targets: `name` alone or `name:detail`.

    examples: names that a user can type, the default first.
    flags: the flags for a detail ("" without one) under a release.
    detail: what a detail must look like; None if the family takes none.
    """

    name: str
    summary: str
    examples: tuple[str, ...]
    flags: Callable[[str, Version], tuple[str, ...]]
    detail: str | None
    needs_detail: bool = False


def _llvm_cpu(cpu: str, _release: Version) -> tuple[str, ...]:
    return ("--iree-hal-target-backends=llvm-cpu", f"--iree-llvmcpu-target-cpu={cpu or 'generic'}")


def _vmvx(_detail: str, _release: Version) -> tuple[str, ...]:
    return ("--iree-hal-target-backends=vmvx",)


def _cuda(arch: str, _release: Version) -> tuple[str, ...]:
    return ("--iree-hal-target-backends=cuda", f"--iree-cuda-target={arch}")


def _rocm(arch: str, release: Version) -> tuple[str, ...]:
    option = "--iree-rocm-target" if release >= _ROCM_RENAMED else "--iree-hip-target"
    return ("--iree-hal-target-backends=rocm", f"{option}={arch}")


def _vulkan(arch: str, _release: Version) -> tuple[str, ...]:
    return ("--iree-hal-target-backends=vulkan-spirv", f"--iree-vulkan-target={arch}")


def _metal(_detail: str, _release: Version) -> tuple[str, ...]:
    return ("--iree-hal-target-backends=metal-spirv", "--iree-metal-compile-to-metallib=false")


TARGETS: tuple[Target, ...] = (
    Target(
        "llvm-cpu",
        "CPU code through LLVM: generic, this machine's (host) or a named CPU",
        ("llvm-cpu", "llvm-cpu:host", "llvm-cpu:znver4"),
        _llvm_cpu,
        r"[A-Za-z0-9_.-]+",
    ),
    Target("vmvx", "the portable interpreter's code", ("vmvx",), _vmvx, None),
    Target(
        "cuda",
        "NVIDIA, by compute capability or product",
        ("cuda:sm_80", "cuda:sm_60", "cuda:sm_90", "cuda:ampere", "cuda:a100"),
        _cuda,
        r"[a-z][a-z0-9_]*",
        needs_detail=True,
    ),
    Target(
        "rocm",
        "AMD, by architecture or product",
        ("rocm:gfx942", "rocm:gfx90a", "rocm:gfx1100", "rocm:gfx1201", "rocm:mi300x"),
        _rocm,
        r"[a-z][a-z0-9_]*",
        needs_detail=True,
    ),
    Target(
        "vulkan",
        "SPIR-V for Vulkan, by architecture or product",
        ("vulkan:rdna3", "vulkan:rdna2", "vulkan:ampere", "vulkan:adreno", "vulkan:valhall"),
        _vulkan,
        r"[A-Za-z0-9_.-]+",
        needs_detail=True,
    ),
    Target("metal", "Metal shading language source, for Apple GPUs", ("metal",), _metal, None),
)
DEFAULT_TARGET = "llvm-cpu"

TARGET_OPTIONS: tuple[str, ...] = (
    "--iree-hal-target-backends", "--iree-hal-target-device", "--iree-llvmcpu-target-cpu", "--iree-cuda-target",
    "--iree-hip-target", "--iree-rocm-target", "--iree-vulkan-target", "--iree-metal-compile-to-metallib",
)  # fmt: skip
"""The options that say for what to compile: flags that name one of the first two need no target of ours."""


def version(release: str) -> Version:
    """The numbers that a release starts with: `3.11.0rc20260101` is (3, 11, 0); () if it starts with none."""
    match = re.match(r"\d+(\.\d+)*", release)
    return tuple(int(part) for part in match[0].split(".")) if match else ()


def target_flags(name: str, release: str) -> tuple[str, ...]:
    """The flags that make `release` compile for the target `name`.

    A release that does not start with a number (a build tree without a version) counts as the newest.
    Raises TargetError, with the nearest known names, for a name that is not a target.
    """
    family, colon, detail = name.partition(":")
    target = next((t for t in TARGETS if t.name == family), None)
    if target is None:
        known = [example for t in TARGETS for example in t.examples]
        hint = nearest(name, known) or f"; known are {', '.join(t.examples[0] for t in TARGETS)}"
        raise TargetError(f"unknown target {name!r}{hint}")
    if target.detail is None:
        if colon:
            raise TargetError(f"target {name!r}: {family} takes nothing after the colon; write {family}")
    elif not detail:
        if colon or target.needs_detail:
            raise TargetError(f"target {name!r} does not say which; write for instance {target.examples[0]}")
    elif not re.fullmatch(target.detail, detail):
        raise TargetError(f"target {name!r}: {detail!r} is not a name{nearest(name, target.examples)}")
    return target.flags(detail, version(release) or (999,))
