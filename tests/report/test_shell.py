from __future__ import annotations

import subprocess

import pytest

from reducer.report.shell import Crashes, Dispatches, Hangs, PassFails, SameWork, SaysError, Script, write_script
from tests.report.conftest import RunScript, repro

CPU = ("--iree-hal-target-backends=llvm-cpu", "--iree-llvmcpu-target-cpu=generic")
CONSUMER = "--iree-dispatch-creation-enable-fuse-padding-into-linalg-consumer-ops"
PRODUCER = "--iree-dispatch-creation-enable-fuse-padding-into-linalg-producer-ops"

IDENTITY = "util.func public @f(%0: tensor<4xf32>) -> tensor<4xf32> {\n  util.return %0 : tensor<4xf32>\n}\n"
ALLOCATION = """\
func.func @f(%n: index) -> memref<?xf32> {
  %0 = memref.alloca(%n) : memref<?xf32>
  return %0 : memref<?xf32>
}
"""
PAD_CONV = """\
util.func public @f(%x: tensor<1x2x8x8xf32>, %k: tensor<2x2x3x3xf32>) -> tensor<1x2x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
  ^bb0(%a: index, %b: index, %c: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<1x2x8x8xf32> to tensor<1x2x10x10xf32>
  %empty = tensor.empty() : tensor<1x2x8x8xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
  %0 = linalg.conv_2d_nchw_fchw ins(%padded, %k : tensor<1x2x10x10xf32>, tensor<2x2x3x3xf32>)
    outs(%fill : tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
  util.return %0 : tensor<1x2x8x8xf32>
}
"""


def ended(run: subprocess.CompletedProcess[str]) -> tuple[int, str]:
    return run.returncode, run.stdout.splitlines()[-1] if run.stdout else run.stderr


def test_an_error_that_shows(run_script: RunScript) -> None:
    message = "conversion to vm.module failed"
    run = run_script(repro(ALLOCATION, CPU), SaysError((message,)))
    assert ended(run) == (0, "the fault shows: this error"), run.stdout + run.stderr
    assert message in run.stdout


def test_another_error_does_not_count(run_script: RunScript) -> None:
    run = run_script(repro(ALLOCATION, CPU), SaysError(("failed to legalize 'this & that'",)))
    assert ended(run) == (1, "the fault does not show (it would be: this error)")


def test_success_is_no_error(run_script: RunScript) -> None:
    assert run_script(repro(IDENTITY, CPU), SaysError(())).returncode == 1


@pytest.mark.parametrize(("name", "status"), [("ConcretizePadResultShapePass", 0), ("PadResultShapePass", 1)])
def test_a_failing_pass(run_script: RunScript, fake_compiler: str, name: str, status: int) -> None:
    with open(fake_compiler, "a", encoding="utf-8") as script:
        script.write(
            'case "$*" in *--mlir-print-ir-after-failure*)\n'
            "  echo '// -----// IR Dump After ConcretizePadResultShapePass Failed (concretize) //----- //' >&2\n"
            "  seq 300 >&2;;\n"
            "esac\nexit 1\n"
        )
    run = run_script(repro(IDENTITY, CPU), PassFails(name), fake_compiler)
    shown, verdict = run.stdout.splitlines()
    assert shown == "IR Dump After ConcretizePadResultShapePass Failed"
    assert verdict.startswith("the fault does not show" if status else "the fault shows")
    assert (run.returncode, run.stderr) == (status, "")


def test_a_flag_that_does_nothing(run_script: RunScript) -> None:
    run = run_script(repro(IDENTITY, (*CPU, CONSUMER), "flow"), SameWork(CONSUMER))
    assert ended(run) == (0, f"the fault shows: {CONSUMER} changes nothing")


def test_a_flag_that_does_something(run_script: RunScript) -> None:
    run = run_script(repro(PAD_CONV, (*CPU, PRODUCER), "flow"), SameWork(PRODUCER))
    assert run.returncode == 1
    with_flag, without = run.stdout.split("without:\n")
    assert "tensor.pad" in with_flag
    assert "tensor.pad" not in without


def test_dispatches_with_the_pad_in_one_of_them(run_script: RunScript) -> None:
    two = Dispatches(2, "tensor.pad")
    assert run_script(repro(PAD_CONV, (*CPU, PRODUCER), "flow"), two).returncode == 0
    assert run_script(repro(PAD_CONV, (*CPU, PRODUCER, CONSUMER), "flow"), two).returncode == 1
    assert run_script(repro(PAD_CONV, CPU, "flow"), two).returncode == 1, "the pad is a slow memcpy there"
    assert run_script(repro(PAD_CONV, CPU, "flow"), Dispatches(2)).returncode == 0
    assert run_script(repro(IDENTITY, CPU, "flow"), Dispatches(1)).returncode == 1


def test_a_flow_phase_that_fails_tells_nothing(run_script: RunScript) -> None:
    assert run_script(repro("not MLIR", CPU, "flow"), Dispatches(1)).returncode == 2
    assert run_script(repro("not MLIR", (*CPU, CONSUMER), "flow"), SameWork(CONSUMER)).returncode == 2


@pytest.mark.parametrize(("compiler", "status"), [("kill -SEGV $$", 0), ("exit 1", 1), ("exit 0", 1)])
def test_a_crash(run_script: RunScript, fake_compiler: str, compiler: str, status: int) -> None:
    with open(fake_compiler, "a", encoding="utf-8") as script:
        script.write(compiler + "\n")
    assert run_script(repro(IDENTITY, CPU), Crashes(), fake_compiler).returncode == status


@pytest.mark.parametrize(("compiler", "status"), [("exec sleep 30", 0), ("exit 1", 1)])
def test_a_hang(run_script: RunScript, fake_compiler: str, compiler: str, status: int) -> None:
    with open(fake_compiler, "a", encoding="utf-8") as script:
        script.write(compiler + "\n")
    assert run_script(repro(IDENTITY, CPU), Hangs(0.5), fake_compiler).returncode == status


def test_a_script_of_the_users(run_script: RunScript) -> None:
    assert run_script(repro(IDENTITY, CPU), Script(("grep", "-q", "util.return"))).returncode == 0
    assert run_script(repro(IDENTITY, CPU), Script(("grep", "-q", "util.return"), nonzero=True)).returncode == 1
    assert run_script(repro(IDENTITY, CPU), Script(("grep", "-q", "no such text"), nonzero=True)).returncode == 0


def test_a_compiler_that_is_not_there(run_script: RunScript) -> None:
    run = run_script(repro(IDENTITY, CPU), Crashes(), "/no/such/iree-compile")
    assert ended(run) == (2, "there is no /no/such/iree-compile; set IREE_COMPILE\n")


def test_another_release_is_noted(run_script: RunScript) -> None:
    assert "note: this is not IREE 2.9.0" in run_script(repro(IDENTITY, CPU, release="2.9.0"), Crashes()).stderr


def test_says_which_release_to_install() -> None:
    text = write_script(repro(IDENTITY, CPU, release="3.7.1"), Crashes())
    assert "# Needs IREE 3.7.1: pip install iree-base-compiler==3.7.1\n" in text
    assert "pip install" not in write_script(repro(IDENTITY, CPU, release="3.14.0.dev0+abc"), Crashes())
