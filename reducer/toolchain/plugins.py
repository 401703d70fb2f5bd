"""Which of the compiler's plugins a program cannot need.

Owns the words by which a program or a flag would show that it needs one. Every plugin in use brings dialects, and every
canonicalizer of every compilation collects the patterns of all dialects: without the idle ones a small program gets to
the flow phase in two thirds of the time. Only warm workers do without; the stock `iree-compile` keeps all.
"""

from __future__ import annotations

from collections.abc import Sequence

# The names are those of `iree-compile --iree-print-plugin-info`, the same in 2.9.0 and 3.13.0; a release that lacks one
# ignores that it is switched off. The host's own targets always stay: constants are evaluated with them.
WORDS: dict[str, tuple[str, ...]] = {
    "input_stablehlo": ("stablehlo", "chlo", "vhlo", "mhlo", "xla"),
    "input_torch": ("torch", "onnx"),
    "input_tosa": ("tosa",),
    "hal_target_cuda": ("cuda", "nvvm", "nvgpu", "gpu"),
    "hal_target_metal_spirv": ("metal", "spirv", "gpu"),
    "hal_target_rocm": ("rocm", "hip", "amdgpu", "rocdl", "gpu"),
    "hal_target_vulkan_spirv": ("vulkan", "spirv", "gpu"),
}


def without_idle(program: str, flags: Sequence[str]) -> tuple[str, ...]:
    """The flags that switch off what neither the program's text nor any of `flags` speaks of."""
    if any(flag.lstrip("-").startswith("iree-plugin") for flag in flags):
        return ()
    text = "\n".join([program, *flags]).lower()
    idle = (name for name, words in WORDS.items() if not any(word in text for word in words))
    return tuple(f"--iree-plugin=-{name}" for name in idle)
