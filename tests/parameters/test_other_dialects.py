"""Parameters of StableHLO, torch, ONNX, TOSA and IREE's own dialects."""

from __future__ import annotations

from tests.parameters import programs
from tests.parameters.programs import assigned, changed, listed, simplest


def test_stablehlo_convolution_rounds_down() -> None:
    assert [(p.name, p.value) for p in listed(programs.STABLEHLO)] == [
        ("dim %arg0[1]", 9),
        ("dim %arg0[2] = %arg1[1]", 3),
        ("dim %arg1[0]", 3),
        ("dim %arg1[2] = %0[2] = …", 4),
        ("convolution#0 low[0]", 1),
        ("convolution#0 high[0]", 1),
        ("convolution#0 stride[0]", 2),
    ]
    text = changed(programs.STABLEHLO, {"dim %arg0[1]": 6, "convolution#0 high[0]": 0, "dim %arg1[2] = %0[2] = …": 1})
    assert "pad = [[1, 0]]" in text
    assert "-> tensor<1x3x1xf32>" in text
    assert "broadcast_in_dim %arg2, dims = [2] : (tensor<1xf32>) -> tensor<1x3x1xf32>" in text


def test_stablehlo_broadcast_loses_an_axis() -> None:
    text = """
    func.func @main(%b: tensor<4xf32>) -> tensor<1x4xf32> {
      %r = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<4xf32>) -> tensor<1x4xf32>
      return %r : tensor<1x4xf32>
    }
    """
    found = listed(text)
    assert found[0].name == "axis %0[0]"
    assert "dims = [0] : (tensor<4xf32>) -> tensor<4xf32>" in assigned(text, [0, 4])


def test_sizes_run_through_stablehlo() -> None:
    found = {p.name: p.value for p in listed(programs.HLO_SHAPES)}
    for name, value in (("pad#0 interior[0]", 1), ("slice#0 offset[0]", 1), ("slice#0 stride[0]", 2)):
        assert found[name] == value
    text = changed(programs.HLO_SHAPES, {"dim %2[0]": 1, "dim %2[1]": 2, "slice#0 slack[1]": 2, "slice#1 slack[0]": 0})
    for line in (
        "stablehlo.reshape %arg0 : (tensor<2x4xf32>) -> tensor<1x8xf32>",
        "interior = [1, 0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<4x5xf32>",
        "stablehlo.slice %arg0 [1:2:2, 0:2] : (tensor<2x4xf32>) -> tensor<1x2xf32>",
        "dim = 0 : (tensor<8x4xf32>, tensor<2x4xf32>) -> tensor<10x4xf32>",
        "across dimensions = [1] : (tensor<2x4xf32>, tensor<f32>) -> tensor<2xf32>",
    ):
        assert line in text


def test_products_of_stablehlo_lose_axes() -> None:
    sizes = {p.name: 1 for p in listed(programs.HLO_SHAPES) if p.name.startswith("dim %arg1")}
    small = changed(programs.HLO_SHAPES, sizes)
    axes = {p.name: 0 for p in listed(small) if p.name.startswith("axis %arg1")}
    assert len(axes) == 3
    text = changed(small, axes)
    assert "stablehlo.dot_general %arg1, %arg2, contracting_dims" in text


def test_windows_of_stablehlo_lose_axes_and_sizes() -> None:
    text = simplest(programs.HLO_WINDOWS)
    assert "dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {stride = [1], pad = [[0, 0]]" in text
    assert "(tensor<1x1xf32>, tensor<f32>) -> tensor<1x1xf32>" in text
    text = changed(programs.HLO_WINDOWS, {"reduce_window#0 window[1]": 2, "dim %arg2[1]": 8})
    assert "window_dimensions = array<i64: 1, 2, 1>" in text
    assert "(tensor<1x8x2xf32>, tensor<f32>) -> tensor<1x4x2xf32>" in text


def test_other_dialects_elementwise_ops_and_sorts() -> None:
    text = simplest(programs.OTHER_DIALECTS)
    assert 'torch.operator "onnx.Add"(%0, %arg0) : (!torch.vtensor<[1,1],f32>' in text
    assert "tosa.tanh %arg1 : (tensor<1x1xf32>) -> tensor<1x1xf32>" in text
    assert "outs(%arg2, %arg3 : tensor<1xf32>, tensor<1xf32>)" in text
    assert "arith.cmpf ole" in text
