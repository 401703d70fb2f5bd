"""Element types, scalars included, and the casts between them."""

from __future__ import annotations

import pytest

from tests.parameters.programs import assigned, changed, listed

CAST_IN_A_PAD = """
func.func @main(%arg0: tensor<1xf32>, %arg1: i32) -> tensor<2xf32> {
  %padded = tensor.pad %arg0 low[1] high[0] {
  ^bb0(%arg2: index):
    %0 = arith.sitofp %arg1 : i32 to f32
    tensor.yield %0 : f32
  } : tensor<1xf32> to tensor<2xf32>
  return %padded : tensor<2xf32>
}
"""


def test_a_scalar_becomes_f32_and_its_cast_goes_or_negates() -> None:
    (choice,) = [p for p in listed(CAST_IN_A_PAD) if p.labels]
    assert (choice.name, choice.labels) == ("element type i32", ("f32", "f32, its casts negate", "i32"))
    gone = changed(CAST_IN_A_PAD, {"element type i32": 0})
    assert "@main(%arg0: tensor<1xf32>, %arg1: f32)" in gone
    assert "tensor.yield %arg1 : f32" in gone
    negated = changed(CAST_IN_A_PAD, {"element type i32": 1})
    assert "%0 = arith.negf %arg1 : f32" in negated
    assert "@main(%arg0: tensor<1xf32>, %arg1: f32)" in negated


@pytest.mark.parametrize(
    ("cast", "before", "after"),
    [
        ("extf", "f16", "f32"),
        ("truncf", "f32", "f16"),
        ("uitofp", "i8", "f32"),
        ("fptosi", "f32", "i64"),
    ],
)
def test_every_cast_to_or_from_f32_may_negate(cast: str, before: str, after: str) -> None:
    text = f"""
    func.func @main(%x: {before}) -> {after} {{
      %0 = arith.{cast} %x : {before} to {after}
      return %0 : {after}
    }}
    """
    (choice,) = listed(text)
    printed = assigned(text, [1])
    assert choice.value == 2
    assert "func.func @main(%arg0: f32) -> f32" in printed
    assert "%0 = arith.negf %arg0 : f32" in printed


def test_casts_between_other_types_do_not_negate() -> None:
    text = """
    func.func @main(%x: i8) -> i32 {
      %0 = arith.extsi %x : i8 to i32
      return %0 : i32
    }
    """
    assert [(p.name, p.labels) for p in listed(text)] == [
        ("element type i8", ("f32", "i8")),
        ("element type i32", ("f32", "i32")),
    ]
    assert "arith.fptosi %arg0 : f32 to i32" in assigned(text, [0, 1])
    assert "return %arg0 : f32" in assigned(text, [0, 0])
