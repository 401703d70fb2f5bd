"""Programs without a defined value are invalid, whatever the compiled program then does; those with one are judged."""

from __future__ import annotations

from pathlib import Path

import pytest

from oracles.registry import make
from oracles.verdict import Outcome, Verdict
from reducer.case import Case
from reducer.cli.stock import judge_file
from reducer.toolchain.releases import Toolchain
from reducer.toolchain.targets import target_flags

VECTOR = "tensor<2xf32>"
_MAPS = 'indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> (d)>], iterator_types = ["parallel"]'
_SUM = 'indexing_maps = [affine_map<(d) -> (d)>, affine_map<(d) -> ()>], iterator_types = ["reduction"]'


def judged(text: str, inputs: tuple[str, ...], iree: Toolchain, folder: Path, oracle: str = "wrong-result") -> Verdict:
    file = folder / "program.mlir"
    file.write_text(text)
    flags = target_flags("llvm-cpu", iree.release)
    case = Case("program", text, make(oracle), iree, "llvm-cpu", flags, (), inputs=inputs)
    return judge_file(case, file, timeout_s=60.0, memory_bytes=0)


UNDEFINED = {
    "an accumulator that nothing wrote": (
        f"""func.func @main(%x: {VECTOR}) -> tensor<f32> {{
  %e = tensor.empty() : tensor<f32>
  %0 = linalg.generic {{{_SUM}}} ins(%x : {VECTOR}) outs(%e : tensor<f32>) {{
  ^bb0(%u: f32, %o: f32):
    %n = arith.addf %u, %o : f32
    linalg.yield %n : f32
  }} -> tensor<f32>
  return %0 : tensor<f32>
}}""",
        (),
    ),
    "a division of integers by zero": (
        """func.func @main(%x: tensor<2xi32>, %y: tensor<2xi32>) -> tensor<2xi32> {
  %0 = arith.divsi %x, %y : tensor<2xi32>
  return %0 : tensor<2xi32>
}""",
        ("2xi32=1 2", "2xi32=1 0"),
    ),
    "a conversion of 0/0": (
        """func.func @main(%x: tensor<2xf32>) -> tensor<2xi32> {
  %0 = arith.divf %x, %x : tensor<2xf32>
  %1 = arith.fptosi %0 : tensor<2xf32> to tensor<2xi32>
  return %1 : tensor<2xi32>
}""",
        ("2xf32=1 0",),
    ),
    "an element past the end": (
        """func.func @main(%x: tensor<2xf32>, %i: index) -> tensor<1xf32> {
  %0 = tensor.extract %x[%i] : tensor<2xf32>
  %1 = tensor.from_elements %0 : tensor<1xf32>
  return %1 : tensor<1xf32>
}""",
        ("2xf32=1 2", "2"),
    ),
    "a part that nothing wrote": (
        """func.func @main(%x: tensor<2xf32>) -> tensor<3xf32> {
  %e = tensor.empty() : tensor<3xf32>
  %0 = tensor.insert_slice %x into %e[0] [2] [1] : tensor<2xf32> into tensor<3xf32>
  return %0 : tensor<3xf32>
}""",
        (),
    ),
}
"""Programs and their inputs."""


@pytest.mark.parametrize("name", UNDEFINED)
def test_what_has_no_defined_value_is_invalid(name: str, installed: Toolchain, tmp_path: Path) -> None:
    text, inputs = UNDEFINED[name]
    verdict = judged(text, inputs, installed, tmp_path)
    assert verdict.outcome is Outcome.INVALID
    assert verdict.reason.startswith("@main has no defined value: ")
    assert [run.reference for run in verdict.runs] == ["undefined"]


@pytest.mark.parametrize("oracle", ["run-failure", "run-crash", "run-hang"])
def test_for_the_other_oracles_too(oracle: str, installed: Toolchain, tmp_path: Path) -> None:
    text, inputs = UNDEFINED["a division of integers by zero"]
    assert judged(text, inputs, installed, tmp_path, oracle).outcome is Outcome.INVALID


def test_infinity_and_nan_are_values(installed: Toolchain, tmp_path: Path) -> None:
    """0/0, 1/0 and an overflow have a value by IEEE 754, and it is right."""
    text = """func.func @main(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.divf %x, %y : tensor<4xf32>
  return %0 : tensor<4xf32>
}"""
    verdict = judged(text, ("4xf32=0 1 3e38 -1", "4xf32=0 0 0.001 0"), installed, tmp_path)
    assert verdict.outcome is Outcome.NOT_INTERESTING
    assert [run.reference for run in verdict.runs] == ["defined"]
    assert verdict.runs[0].expected == verdict.runs[0].got == ("4xf32=nan inf inf -inf",)


def test_what_nothing_reads_may_be_undefined(installed: Toolchain, tmp_path: Path) -> None:
    text = f"""func.func @main(%x: {VECTOR}, %z: {VECTOR}) -> {VECTOR} {{
  %e = tensor.empty() : {VECTOR}
  %0 = linalg.generic {{{_MAPS}}} ins(%x : {VECTOR}) outs(%e : {VECTOR}) {{
  ^bb0(%u: f32, %o: f32):
    %n = arith.negf %u : f32
    linalg.yield %n : f32
  }} -> {VECTOR}
  return %0 : {VECTOR}
}}"""
    verdict = judged(text, ("2xf32=1 2", "2xf32=0 0"), installed, tmp_path)
    assert verdict.outcome is Outcome.NOT_INTERESTING
    assert verdict.runs[0].got == ("2xf32=-1 -2",)
