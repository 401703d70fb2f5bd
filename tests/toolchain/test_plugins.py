from __future__ import annotations

from pathlib import Path

import pytest

from oracles.experiment import Observation
from reducer import wire
from reducer.toolchain.plugins import WORDS, without_idle
from reducer.toolchain.pool import Limits, Slot
from reducer.toolchain.releases import Toolchain, installed

SEEDS = sorted((Path(__file__).parents[2] / "seeds").glob("*.mlir"))
CPU = ("--iree-hal-target-backends=llvm-cpu",)
PLAIN = "func.func @f(%arg0: tensor<1xf32>) -> tensor<1xf32> {\n  return %arg0 : tensor<1xf32>\n}\n"


@pytest.fixture(scope="module")
def toolchain() -> Toolchain:
    return installed()


def test_a_plain_program_for_the_cpu_needs_no_plugin_of_the_table() -> None:
    assert without_idle(PLAIN, CPU) == tuple(f"--iree-plugin=-{name}" for name in WORDS)


@pytest.mark.parametrize(
    ("program", "flags", "needed"),
    [
        ("torch.operator", (), {"input_torch"}),
        ('"onnx.Conv"', (), {"input_torch"}),
        ("stablehlo.add", (), {"input_stablehlo"}),
        ("", ("--iree-input-type=TOSA",), {"input_tosa"}),
        ("", ("--iree-hal-target-backends=rocm",), {"hal_target_rocm"}),
        ("", ("--iree-hal-target-device=hip",), {"hal_target_rocm"}),
        ("", ("--iree-hal-target-backends=vulkan-spirv",), {"hal_target_metal_spirv", "hal_target_vulkan_spirv"}),
        ('#hal.executable.target<"cuda", "cuda-nvptx-fb">', (), {"hal_target_cuda"}),
    ],
)
def test_a_word_in_the_program_or_the_flags_keeps_its_plugin(
    program: str, flags: tuple[str, ...], needed: set[str]
) -> None:
    idle = {flag.removeprefix("--iree-plugin=-") for flag in without_idle(program, flags)}
    assert set(WORDS) - idle == needed


def test_who_chooses_plugins_is_left_alone() -> None:
    assert without_idle(PLAIN, ("--iree-plugin=-input_torch",)) == ()


@pytest.mark.parametrize("seed", SEEDS, ids=lambda path: path.stem)
def test_an_idle_plugin_changes_nothing_about_what_is_seen(toolchain: Toolchain, seed: Path) -> None:
    slot = Slot(toolchain, Limits(120.0, 0))
    try:
        program = slot.edit(wire.MeasureRequest(seed.read_text())).program

        def seen(flags: tuple[str, ...], phase: str) -> tuple[object, ...]:
            request = wire.CompileRequest(program, phase, ir=phase == "flow")
            observation: Observation = slot.compile(flags, request, 120.0)
            said = tuple(d.message for d in observation.diagnostics)
            return observation.status, observation.ir, said, observation.failing_passes

        idle = without_idle(program, CPU)
        assert idle
        for phase in ("flow", "executable-targets"):
            assert seen((*CPU, *idle), phase) == seen(CPU, phase)
    finally:
        slot.close()


def test_a_session_that_served_other_programs_changes_nothing(toolchain: Toolchain) -> None:
    slot = Slot(toolchain, Limits(120.0, 0))
    try:
        programs = [slot.edit(wire.MeasureRequest(seed.read_text())).program for seed in SEEDS]
        requests = [wire.CompileRequest(program, "flow", ir=True) for program in programs]
        first = [slot.compile(CPU, request, 120.0) for request in requests]
        for _ in range(2):  # in another order, now that every program has been seen
            for request, before in reversed(list(zip(requests, first, strict=True))):
                after: Observation = slot.compile(CPU, request, 120.0)
                assert (after.status, after.ir) == (before.status, before.ir)
                assert [d.message for d in after.diagnostics] == [d.message for d in before.diagnostics]
    finally:
        slot.close()
