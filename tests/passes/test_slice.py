"""Straight to the fault: what a slice keeps."""

from __future__ import annotations

import textwrap

import pytest

from oracles.experiment import Location
from reducer.passes import editing
from reducer.passes.slice import NotThereError, slice_at
from tests.passes.golden import context

NETWORK = """\
func.func private @relu(%x: tensor<3xf32>) -> tensor<3xf32> {
  %z = arith.constant dense<0.0> : tensor<3xf32>
  %0 = arith.maximumf %x, %z : tensor<3xf32>
  return %0 : tensor<3xf32>
}
func.func @main(%x: tensor<2xf32>, %k: tensor<1xf32>) -> (tensor<3xf32>, tensor<2xf32>) {
  %zero = arith.constant 0.0 : f32
  %a = math.exp %x : tensor<2xf32>
  %p = tensor.pad %a low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %zero : f32
  } : tensor<2xf32> to tensor<3xf32>
  %e = tensor.empty() : tensor<3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %c = linalg.conv_1d ins(%p, %k : tensor<3xf32>, tensor<1xf32>) outs(%f : tensor<3xf32>) -> tensor<3xf32>
  %r = call @relu(%c) : (tensor<3xf32>) -> tensor<3xf32>
  %s = math.sin %r : tensor<3xf32>
  return %s, %x : tensor<3xf32>, tensor<2xf32>
}
"""


def place(text: str, occurrence: int = 0) -> Location:
    """Where the text stands in the network."""
    found = [
        Location(line=number, column=line.index(text) + 1)
        for number, line in enumerate(NETWORK.splitlines(), 1)
        if text in line
    ]
    return found[occurrence]


def sliced(depth: int, *locations: Location, users: int = 0) -> str:
    module = editing.parse(context(), NETWORK)
    slice_at(module, locations, depth, users)
    assert editing.verify(module) == ""
    return editing.print_canonical(module)


def program(text: str) -> str:
    return editing.print_canonical(editing.parse(context(), textwrap.dedent(text)))


def test_depth_0_keeps_the_op_and_what_is_cheap() -> None:
    assert sliced(0, place("linalg.conv_1d")) == program(
        """
        func.func @main(%k: tensor<1xf32>, %p: tensor<3xf32>) -> tensor<3xf32> {
          %zero = arith.constant 0.0 : f32
          %e = tensor.empty() : tensor<3xf32>
          %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
          %c = linalg.conv_1d ins(%p, %k : tensor<3xf32>, tensor<1xf32>) outs(%f : tensor<3xf32>) -> tensor<3xf32>
          return %c : tensor<3xf32>
        }
        """
    )


def test_depth_1_keeps_the_producers_too() -> None:
    assert sliced(1, place("linalg.conv_1d")) == program(
        """
        func.func @main(%k: tensor<1xf32>, %a: tensor<2xf32>) -> tensor<3xf32> {
          %zero = arith.constant 0.0 : f32
          %p = tensor.pad %a low[1] high[0] {
          ^bb0(%i: index):
            tensor.yield %zero : f32
          } : tensor<2xf32> to tensor<3xf32>
          %e = tensor.empty() : tensor<3xf32>
          %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
          %c = linalg.conv_1d ins(%p, %k : tensor<3xf32>, tensor<1xf32>) outs(%f : tensor<3xf32>) -> tensor<3xf32>
          return %c : tensor<3xf32>
        }
        """
    )


def test_an_op_in_a_body_stands_for_the_op_around_it() -> None:
    assert sliced(0, place("tensor.yield")) == sliced(0, place("tensor.pad"))


def test_a_place_inside_a_line_is_its_op() -> None:
    assert sliced(0, Location(line=place("tensor.pad").line, column=3)) == sliced(0, place("tensor.pad"))


def test_an_op_of_a_called_function_makes_that_function_public() -> None:
    assert sliced(0, place("arith.maximumf")) == program(
        """
        func.func @relu(%x: tensor<3xf32>) -> tensor<3xf32> {
          %z = arith.constant dense<0.0> : tensor<3xf32>
          %0 = arith.maximumf %x, %z : tensor<3xf32>
          return %0 : tensor<3xf32>
        }
        """
    )


def test_a_kept_call_keeps_its_function() -> None:
    assert sliced(0, place("call @relu")) == program(
        """
        func.func private @relu(%x: tensor<3xf32>) -> tensor<3xf32> {
          %z = arith.constant dense<0.0> : tensor<3xf32>
          %0 = arith.maximumf %x, %z : tensor<3xf32>
          return %0 : tensor<3xf32>
        }
        func.func @main(%c: tensor<3xf32>) -> tensor<3xf32> {
          %r = call @relu(%c) : (tensor<3xf32>) -> tensor<3xf32>
          return %r : tensor<3xf32>
        }
        """
    )


def test_several_places() -> None:
    assert sliced(0, place("math.exp"), place("math.sin")) == program(
        """
        func.func @main(%x: tensor<2xf32>, %r: tensor<3xf32>) -> (tensor<3xf32>, tensor<2xf32>) {
          %a = math.exp %x : tensor<2xf32>
          %s = math.sin %r : tensor<3xf32>
          return %s, %a : tensor<3xf32>, tensor<2xf32>
        }
        """
    )


def test_what_cannot_be_an_argument_comes_along() -> None:
    text = """\
func.func @main(%x: !torch.vtensor<[2,3],f32>) -> !torch.vtensor<[3,2],f32> {
  %0 = torch.constant.int 0
  %1 = torch.constant.int 1
  %l = torch.prim.ListConstruct %1, %0 : (!torch.int, !torch.int) -> !torch.list<int>
  %r = torch.aten.permute %x, %l : !torch.vtensor<[2,3],f32>, !torch.list<int> -> !torch.vtensor<[3,2],f32>
  return %r : !torch.vtensor<[3,2],f32>
}
"""
    module = editing.parse(context(), text)
    slice_at(module, [Location(line=5, column=8)], 0)
    assert editing.print_canonical(module) == program(text)


def test_no_op_at_the_place() -> None:
    module = editing.parse(context(), NETWORK)
    with pytest.raises(NotThereError, match="99:1"):
        slice_at(module, [Location(line=99, column=1)], 0)
    assert editing.print_canonical(module) == program(NETWORK)


def test_users_join_the_op_before_anything_is_cut() -> None:
    ops = ("math.exp", "tensor.pad", "linalg.conv_1d", "call @relu", "math.sin")
    kept = sliced(0, place("tensor.pad"), users=1)
    assert [word for word in ops if word in kept] == [
        "tensor.pad",
        "linalg.conv_1d",
    ]
    kept = sliced(0, place("linalg.conv_1d"), users=2)
    assert [word for word in ops if word in kept] == [
        "linalg.conv_1d",
        "call @relu",
        "math.sin",
    ]


def test_inlining_lets_a_slice_reach_across_calls() -> None:
    module = editing.parse(context(), NETWORK)
    editing.inline_everything(module)
    text = editing.print_canonical(module)
    assert "call" not in text
    assert "@relu" not in text
    assert [word for word in ("linalg.conv_1d", "arith.maximumf", "math.sin") if word in text] == [
        "linalg.conv_1d",
        "arith.maximumf",
        "math.sin",
    ]
