"""Sizes through loops and branches."""

from __future__ import annotations

from tests.parameters.programs import assigned, names

LOOP = """
func.func @f(%x: tensor<1x7xf32>, %c: i1, %n: index) -> tensor<1x7xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %x) -> tensor<1x7xf32> {
    %q = scf.if %c -> tensor<1x7xf32> {
      %a = arith.negf %acc : tensor<1x7xf32>
      scf.yield %a : tensor<1x7xf32>
    } else {
      scf.yield %acc : tensor<1x7xf32>
    }
    scf.yield %q : tensor<1x7xf32>
  }
  return %r : tensor<1x7xf32>
}
"""


def test_a_loop_with_a_branch_has_one_shape() -> None:
    assert names(LOOP) == ["axis %arg0[0] = %0[0] = …", "dim %arg0[1] = %0[1] = …", "%c1 value"]
    printed = assigned(LOOP, (0, 2, 1))
    for line in (
        "func.func @f(%arg0: tensor<2xf32>, %arg1: i1, %arg2: index) -> tensor<2xf32>",
        "iter_args(%arg4 = %arg0) -> (tensor<2xf32>)",
        "scf.if %arg1 -> (tensor<2xf32>)",
        "arith.negf %arg4 : tensor<2xf32>",
    ):
        assert line in printed


def test_a_while_loop_keeps_its_shapes() -> None:
    text = """
    func.func @f(%x: tensor<7xf32>, %c: i1) -> tensor<7xf32> {
      %r = scf.while (%t = %x) : (tensor<7xf32>) -> tensor<7xf32> {
        scf.condition(%c) %t : tensor<7xf32>
      } do {
      ^bb0(%t: tensor<7xf32>):
        scf.yield %t : tensor<7xf32>
      }
      return %r : tensor<7xf32>
    }
    """
    assert names(text) == []
