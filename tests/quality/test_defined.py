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


class Judge(Protocol):
    """Judges a program as it stands, by stock processes alone."""

    def __call__(
        self, program: str, flags: tuple[str, ...], inputs: tuple[str, ...], release: str = RELEASE
    ) -> Verdict: ...


@pytest.fixture
def judge(toolchain: Callable[[str], Toolchain], tmp_path: Path) -> Judge:
    def judged(program: str, flags: tuple[str, ...], inputs: tuple[str, ...], release: str = RELEASE) -> Verdict:
        file = tmp_path / "program.mlir"
        file.write_text(program)
        own = target_flags("llvm-cpu", release)
        oracle = make("wrong-result")
        case = Case("program", program, oracle, toolchain(release), "llvm-cpu", own, flags, inputs=inputs)
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


def chained(source: str, target: str, body: str) -> str:
    """A generic op with `%d` beside its input, padded twice: 3.6.0 takes the second padding for the first.

    The generic op must stay for that, and something in its body. body: lines that make `%n` of `%u` and `%d`.
    """
    five, seven = ("5", "7") if target.startswith("i") else ("5.0", "7.0")
    return f"""\
func.func @main(%x: tensor<2x{source}>, %d: {source}) -> tensor<4x{target}> {{
  %p = arith.constant {five} : {target}
  %q = arith.constant {seven} : {target}
  %e = tensor.empty() : tensor<2x{target}>
  %0 = linalg.generic {{
      indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}}
      ins(%x : tensor<2x{source}>) outs(%e : tensor<2x{target}>) {{
  ^bb0(%u: {source}, %o: {target}):
    {body}
    linalg.yield %n : {target}
  }} -> tensor<2x{target}>
  %1 = tensor.pad %0 low[0] high[1] {{
  ^bb0(%i: index):
    tensor.yield %p : {target}
  }} : tensor<2x{target}> to tensor<3x{target}>
  %2 = tensor.pad %1 low[0] high[1] {{
  ^bb0(%i: index):
    tensor.yield %q : {target}
  }} : tensor<3x{target}> to tensor<4x{target}>
  return %2 : tensor<4x{target}>
}}
"""


LURES = {
    "division of integers": (chained("i32", "i32", "%n = arith.divsi %u, %d : i32"), ("2xi32=6 9", "3")),
    "division of floats": (chained("f32", "f32", "%n = arith.divf %u, %d : f32"), ("2xf32=6 9", "3")),
    "a guarded conversion": (
        chained("f32", "i32", "%m = arith.minimumf %u, %d : f32\n    %n = arith.fptosi %m : f32 to i32"),
        ("2xf32=1e20 9", "30"),
    ),
    "a guarded shift": (
        chained("i32", "i32", "%m = arith.minui %u, %d : i32\n    %n = arith.shli %d, %m : i32"),
        ("2xi32=100 2", "3"),
    ),
}  # fmt: skip
"""Programs and inputs."""


@pytest.mark.parametrize("lure", LURES)
def test_a_reduction_ends_in_a_defined_program(lure: str, reduce: Reduce, judge: Judge) -> None:
    program, given = LURES[lure]
    result = reduce("wrong-result", program, "3.6.0", inputs=given)
    run = result.verdict.run
    assert run is not None
    assert (result.confirmed, result.verdict.signature, run.reference) == (True, "wrong value", "defined")
    assert not any(word in value for value in run.expected for word in ("nan", "inf"))
    assert "no defined value" in (result.run_dir / "journal.jsonl").read_text("utf-8")  # what lures was tried
    again = judge(result.program, result.flags, run.inputs, release="3.6.0")
    assert (again.outcome, again.signature) == (Outcome.INTERESTING, "wrong value")
    assert again.runs[0].expected == run.expected
