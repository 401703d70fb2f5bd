"""Programs that lure a reduction towards what has no defined value: it must not go there.

Each is wrong under a flag, so that anything made of it that were taken for defined would be called wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest

from oracles.registry import make
from oracles.verdict import Outcome, Verdict
from reducer.case import Case
from reducer.cli.stock import judge_file
from reducer.toolchain.releases import Toolchain
from reducer.toolchain.targets import target_flags
from tests.quality.conftest import Reduce

RELEASE = "3.13.0"
CONSUMER = "--iree-dispatch-creation-enable-fuse-padding-into-linalg-consumer-ops"
PRODUCER = "--iree-dispatch-creation-enable-fuse-padding-into-linalg-producer-ops"


class Judge(Protocol):
    """Judges a program as it stands, by stock processes alone."""

    def __call__(self, program: str, flags: tuple[str, ...], inputs: tuple[str, ...]) -> Verdict: ...


@pytest.fixture
def judge(toolchain: Callable[[str], Toolchain], tmp_path: Path) -> Judge:
    def judged(program: str, flags: tuple[str, ...], inputs: tuple[str, ...]) -> Verdict:
        file = tmp_path / "program.mlir"
        file.write_text(program)
        own = target_flags("llvm-cpu", RELEASE)
        oracle = make("wrong-result")
        case = Case("program", program, oracle, toolchain(RELEASE), "llvm-cpu", own, flags, inputs=inputs)
        return judge_file(case, file, timeout_s=None, memory_bytes=0)

    return judged


def convolution(element: str = "f32", *, pad: str = "%v", before: str = "", init: str = "%f") -> str:
    """The padded depthwise convolution that the consumer flag spoils.

    pad: what it pads with; before: lines before that; init: what it accumulates into.
    """
    zero = "0" if element.startswith("i") else "0.0"
    out = f"tensor<2x2x2x1x{element}>"
    return f"""\
func.func @main(%x: tensor<2x1x3x1x{element}>, %v: {element}, %k: tensor<1x2x1x{element}>, %d: {element}) -> {out} {{
  %zero = arith.constant {zero} : {element}
  {before}
  %p = tensor.pad %x low[0, 0, 0, 0] high[0, 1, 0, 0] {{
  ^bb0(%a: index, %b: index, %c: index, %e: index):
    tensor.yield {pad} : {element}
  }} : tensor<2x1x3x1x{element}> to tensor<2x2x3x1x{element}>
  %empty = tensor.empty() : {out}
  %f = linalg.fill ins(%zero : {element}) outs(%empty : {out}) -> {out}
  %r = linalg.depthwise_conv_2d_nhwc_hwc ins(%p, %k : tensor<2x2x3x1x{element}>, tensor<1x2x1x{element}>)
    outs({init} : {out}) -> {out}
  return %r : {out}
}}
"""


def inputs(element: str, divisor: str) -> tuple[str, ...]:
    """Of the convolution; the divisor is the last."""
    return (f"2x1x3x1x{element}=1 2 3 4 5 6", "7", f"1x2x1x{element}=10 1", divisor)


@pytest.mark.parametrize("element", ["f32", "i32"])
def test_the_convolution_is_wrong_while_it_is_defined(element: str, judge: Judge) -> None:
    verdict = judge(convolution(element), (CONSUMER,), inputs(element, "1"))
    assert (verdict.outcome, verdict.signature) == (Outcome.INTERESTING, "wrong value")
    assert verdict.run is not None
    assert verdict.run.expected == (f"2x2x2x1x{element}=12 23 77 77 45 56 77 77",)


@pytest.mark.parametrize("element", ["f32", "i32"])
def test_without_the_fill_it_is_invalid(element: str, judge: Judge) -> None:
    verdict = judge(convolution(element, init="%empty"), (CONSUMER,), inputs(element, "1"))
    assert verdict.outcome is Outcome.INVALID
    assert verdict.reason == "@main has no defined value: elements of result 0 are undefined"


UNDEFINED = {
    "divided by 0": ("i32", "%u = arith.divsi %v, %d : i32", "0"),
    "the rest of a division by 0": ("i32", "%u = arith.remui %v, %d : i32", "0"),
    "shifted past the width": ("i32", "%u = arith.shli %v, %d : i32", "32"),
    "infinity as an integer": (
        "i32", "%w = arith.sitofp %d : i32 to f16\n  %u = arith.fptosi %w : f16 to i32", "100000",
    ),
    "read where nothing wrote": (
        "f32", "%i = arith.constant 0 : index\n  %t = tensor.empty() : tensor<1xf32>\n"
        "  %u = tensor.extract %t[%i] : tensor<1xf32>", "1",
    ),
}  # fmt: skip
"""Pad values: the element type, the lines that make `%u`, and the last input."""


@pytest.mark.parametrize("kind", UNDEFINED)
def test_a_pad_value_that_is_undefined(kind: str, judge: Judge) -> None:
    element, before, divisor = UNDEFINED[kind]
    verdict = judge(convolution(element, before=before, pad="%u"), (CONSUMER,), inputs(element, divisor))
    assert verdict.outcome is Outcome.INVALID, verdict.reason
    assert verdict.reason.startswith("@main has no defined value: ")


def test_the_same_pad_value_where_it_is_defined(judge: Judge) -> None:
    element, before, _ = UNDEFINED["divided by 0"]
    verdict = judge(convolution(element, before=before, pad="%u"), (CONSUMER,), inputs(element, "7"))
    assert (verdict.outcome, verdict.signature) == (Outcome.INTERESTING, "wrong value")
    assert verdict.run is not None
    assert verdict.run.expected == ("2x2x2x1xi32=12 23 11 11 45 56 11 11",)


def padded_rows(element: str, before: str, after: str) -> str:
    """A transposed and padded matrix that the producer flag spoils, between lines that make `%y` and `%z`."""
    return f"""\
#same = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%x: tensor<2x2x{element}>, %s: tensor<2x2x{element}>, %v: {element}) -> tensor<2x3x{element}> {{
  %zero = arith.constant 0.0 : {element}
  %square = tensor.empty() : tensor<2x2x{element}>
  %oblong = tensor.empty() : tensor<2x3x{element}>
  {before}
  %t = linalg.transpose ins(%y : tensor<2x2x{element}>) outs(%square : tensor<2x2x{element}>) permutation = [1, 0]
  %p = tensor.pad %t low[0, 1] high[0, 0] {{
  ^bb0(%a: index, %b: index):
    tensor.yield %v : {element}
  }} : tensor<2x2x{element}> to tensor<2x3x{element}>
  {after}
  return %z : tensor<2x3x{element}>
}}
"""


def elementwise(name: str, left: str, right: str, shape: str, op: str) -> str:
    """One op on two tensors of a shape with its element type."""
    element = shape.rpartition("x")[2]
    init = "%square" if shape.startswith("2x2") else "%oblong"
    return f"""\
%{name} = linalg.generic {{indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]}}
      ins({left}, {right} : tensor<{shape}>, tensor<{shape}>) outs({init} : tensor<{shape}>) {{
  ^bb0(%l: {element}, %m: {element}, %o: {element}):
    %n = {op} %l, %m : {element}
    linalg.yield %n : {element}
  }} -> tensor<{shape}>"""


FILLED = "%w = linalg.fill ins(%zero : {e}) outs(%oblong : tensor<2x3x{e}>) -> tensor<2x3x{e}>\n  "
LURES = {
    "an accumulator and a division of integers": (
        convolution("i32", before=UNDEFINED["divided by 0"][1], pad="%u"), CONSUMER, inputs("i32", "7"),
    ),
    "0/0": (
        padded_rows(
            "f32", elementwise("y", "%x", "%s", "2x2xf32", "arith.divf"),
            FILLED.format(e="f32") + elementwise("z", "%p", "%w", "2x3xf32", "arith.addf"),
        ), PRODUCER, ("2x2xf32=2 4 6 8", "2x2xf32=2 2 2 2", "7"),
    ),
    "overflow to infinity": (
        padded_rows(
            "f16", elementwise("y", "%x", "%s", "2x2xf16", "arith.mulf"),
            FILLED.format(e="f16") + elementwise("z", "%p", "%w", "2x3xf16", "arith.subf"),
        ), PRODUCER, ("2x2xf16=2 4 6 8", "2x2xf16=5000 5000 5000 5000", "7"),
    ),
}  # fmt: skip
"""Programs, the flag that spoils them, and inputs."""


@pytest.mark.parametrize("lure", LURES)
def test_a_reduction_ends_in_a_defined_program(lure: str, reduce: Reduce, judge: Judge) -> None:
    program, flag, given = LURES[lure]
    result = reduce("wrong-result", program, RELEASE, flags=(flag,), inputs=given)
    run = result.verdict.run
    assert run is not None
    assert "tensor.empty" not in result.program
    assert result.after.ops == 5
    again = judge(result.program, result.flags, run.inputs)
    assert (again.outcome, again.signature) == (Outcome.INTERESTING, "wrong value")
    assert [seen.reference for seen in again.runs] == ["defined"]
    assert not any(word in again.runs[0].expected[0] for word in ("nan", "inf"))
    assert again.runs[0].expected == run.expected
