"""The smallest program with some property, as Hypothesis finds it: exact texts."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import dedent

from hypothesis import HealthCheck, find, settings
from hypothesis.strategies import SearchStrategy

from reducer.strategies import Program, convolutions, elementwise, pad_conv_programs, pads, tensor_types

SHRINKING = settings(
    database=None, deadline=None, derandomize=True, max_examples=1000, report_multiple_bugs=False,
    suppress_health_check=list(HealthCheck),
)  # fmt: skip


def smallest(strategy: SearchStrategy[Program], wanted: Callable[[str], bool]) -> Program:
    return find(strategy, lambda program: wanted(program.text), settings=SHRINKING)


def text(lines: str) -> str:
    """An op that is written over two lines is one line of the program."""
    return dedent(lines).lstrip().replace("\\\n", "")


def test_the_plainest_pad_and_convolution() -> None:
    program = smallest(pad_conv_programs(), lambda _: True)
    assert program.text == text("""
        func.func @main(%arg0: tensor<1xf32>, %arg1: tensor<1xf32>) -> tensor<1xf32> {
          %cst = arith.constant 0.000000e+00 : f32
          %pad = tensor.pad %arg0 low[0] high[0] {
          ^bb0(%i0: index):
            tensor.yield %cst : f32
          } : tensor<1xf32> to tensor<1xf32>
          %empty = tensor.empty() : tensor<1xf32>
          %fill = linalg.fill ins(%cst : f32) outs(%empty : tensor<1xf32>) -> tensor<1xf32>
          %conv = linalg.conv_1d ins(%pad, %arg1 : tensor<1xf32>, tensor<1xf32>)\
 outs(%fill : tensor<1xf32>) -> tensor<1xf32>
          return %conv : tensor<1xf32>
        }
    """)
    assert program.inputs == ("1xf32=1", "1xf32=3")


def test_the_type_shrinks_apart_from_all_else() -> None:
    program = smallest(pad_conv_programs(), lambda program: "tensor.yield %cst : bf16" in program)
    assert program.text == smallest(pad_conv_programs(), lambda _: True).text.replace("f32", "bf16")
    assert program.inputs == ("1xbf16=1", "1xbf16=3")


def test_a_pad_that_must_be_wider_is_as_narrow_as_can_be() -> None:
    program = smallest(pads(), lambda program: "xf32> to tensor<2xf32>" in program)
    assert program.text == text("""
        func.func @main(%arg0: tensor<1xf32>) -> tensor<2xf32> {
          %cst = arith.constant 0.000000e+00 : f32
          %pad = tensor.pad %arg0 low[0] high[1] {
          ^bb0(%i0: index):
            tensor.yield %cst : f32
          } : tensor<1xf32> to tensor<2xf32>
          return %pad : tensor<2xf32>
        }
    """)


def test_a_flag_of_a_pad_takes_nothing_else_along() -> None:
    program = smallest(pads(), lambda program: "nofold" in program)
    assert program.text == text("""
        func.func @main(%arg0: tensor<1xf32>) -> tensor<1xf32> {
          %cst = arith.constant 0.000000e+00 : f32
          %pad = tensor.pad %arg0 nofold low[0] high[0] {
          ^bb0(%i0: index):
            tensor.yield %cst : f32
          } : tensor<1xf32> to tensor<1xf32>
          return %pad : tensor<1xf32>
        }
    """)


def test_the_plainest_of_each_part() -> None:
    assert str(find(tensor_types(), lambda _: True, settings=SHRINKING)) == "tensor<1xf32>"
    assert smallest(convolutions(), lambda _: True).inputs == ("1xf32=1", "1xf32=3")
    assert smallest(elementwise(), lambda _: True).text == text("""
        func.func @main(%arg0: tensor<1xf32>) -> tensor<1xf32> {
          %empty = tensor.empty() : tensor<1xf32>
          %generic = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],\
 iterator_types = ["parallel"]} ins(%arg0 : tensor<1xf32>) outs(%empty : tensor<1xf32>) {
          ^bb0(%a: f32, %out: f32):
            %r = arith.negf %a : f32
            linalg.yield %r : f32
          } -> tensor<1xf32>
          return %generic : tensor<1xf32>
        }
    """)
