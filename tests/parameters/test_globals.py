"""Globals, used and unused."""

from __future__ import annotations

from tests.parameters.programs import assigned, changed, listed, names, simplest

USED = """
util.global private mutable @g = dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>
util.func public @f(%x: tensor<1x3xf32>) -> tensor<1x3xf32> {
  %0 = util.global.load @g : tensor<1x3xf32>
  util.global.store %x, @g : tensor<1x3xf32>
  util.return %0 : tensor<1x3xf32>
}
"""


def test_a_global_its_loads_and_its_stores_have_one_shape() -> None:
    assert names(USED) == ["axis %arg0[0] = %g[0] = …", "dim %arg0[1] = %g[1] = …"]
    printed = assigned(USED, (0, 2))
    for line in (
        "util.global private mutable @g = dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>",
        "util.func public @f(%arg0: tensor<2xf32>) -> tensor<2xf32>",
        "util.global.load @g : tensor<2xf32>",
        "util.global.store %arg0, @g : tensor<2xf32>",
    ):
        assert line in printed


def test_an_unused_global_shrinks_too() -> None:
    text = """
    util.global private mutable @g : tensor<4x8xi32>
    util.global private @h = dense<7> : tensor<5xi8>
    util.func private @f() { util.return }
    util.func private @g2() { util.return }
    """
    assert [(p.name, p.value) for p in listed(text)] == [
        ("dim g/@g[0]", 4),
        ("dim g/@g[1]", 8),
        ("dim h/@h[0]", 5),
        ("element type i32", 1),
        ("element type i8", 1),
        ("h/@h value", 7),
    ]
    printed = simplest(text)
    assert "util.global private mutable @g : tensor<1x1xf32>" in printed
    assert "util.global private @h = dense<0.000000e+00> : tensor<1xf32>" in printed


def test_the_initial_value_of_a_scalar_follows_its_type() -> None:
    text = """
    util.global private mutable @n = 5 : i32
    util.func public @f() -> i32 {
      %0 = util.global.load @n : i32
      util.return %0 : i32
    }
    """
    assert [p.name for p in listed(text)] == ["element type i32", "@n value"]
    assert "@n = 3 : i32" in changed(text, {"@n value": 3})
    printed = changed(text, {"element type i32": 0})
    assert "@n = 5.000000e+00 : f32" in printed
    assert "util.global.load @n : f32" in printed


def test_a_global_of_another_kind_is_left_alone() -> None:
    text = """
    util.global private mutable @n = 5 : index
    util.func public @f() -> index {
      %0 = util.global.load @n : index
      util.return %0 : index
    }
    """
    assert names(text) == []
