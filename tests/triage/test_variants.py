"""Programs that differ in one way: each is valid, is what it says, and cannot be changed in that way again."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest
from iree.compiler import ir

from reducer import wire
from reducer.passes import editing
from reducer.worker.variants import WAYS, vary
from tests.cli.command import SEEDS

INPUTS = SEEDS.parent / "tests" / "truth" / "inputs"

CHAIN = """
func.func @main(%x: tensor<1x4x6x2xf16>, %w: tensor<3x3x2xf16>, %o: tensor<1x2x4x2xf16>, %v: f16)
    -> (tensor<1x2x4x2xf16>, tensor<1x4x6x2xf16>) {
  %e = tensor.empty() : tensor<1x4x6x2xf16>
  %a = linalg.transpose ins(%x : tensor<1x4x6x2xf16>) outs(%e : tensor<1x4x6x2xf16>) permutation = [0, 1, 2, 3]
  %p = tensor.pad %a nofold low[0, 1, 0, 0] high[0, 0, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %v : f16
  } : tensor<1x4x6x2xf16> to tensor<1x5x8x2xf16>
  %c = linalg.depthwise_conv_2d_nhwc_hwc
    {dilations = dense<[1, 2]> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>}
    ins(%p, %w : tensor<1x5x8x2xf16>, tensor<3x3x2xf16>) outs(%o : tensor<1x2x4x2xf16>) -> tensor<1x2x4x2xf16>
  %n = linalg.transpose ins(%c : tensor<1x2x4x2xf16>) outs(%o : tensor<1x2x4x2xf16>) permutation = [0, 1, 2, 3]
  return %n, %a : tensor<1x2x4x2xf16>, tensor<1x4x6x2xf16>
}
"""
DYNAMIC = """
func.func @main(%x: tensor<?x6xf32>, %w: tensor<8x5xf32>, %o: tensor<?x5xf32>, %n: index) -> tensor<?x5xf32> {
  %one = arith.constant 1 : index
  %z = arith.constant 2.0 : f32
  %p = tensor.pad %x low[0, %one] high[%n, %one] {
  ^bb0(%i0: index, %i1: index):
    tensor.yield %z : f32
  } : tensor<?x6xf32> to tensor<?x8xf32>
  %c = linalg.matmul ins(%p, %w : tensor<?x8xf32>, tensor<8x5xf32>) outs(%o : tensor<?x5xf32>) -> tensor<?x5xf32>
  return %c : tensor<?x5xf32>
}
"""


@cache
def context() -> ir.Context:
    return ir.Context()


def canonical(text: str) -> str:
    with context(), ir.Location.unknown():
        return editing.print_canonical(editing.parse(context(), text))


def variants(text: str, pad: int = 0, after: tuple[str, ...] = ()) -> dict[str, str]:
    with context(), ir.Location.unknown():
        made = vary(context(), wire.VariantsRequest(text, pad, after))
    return {variant.name: variant.program for variant in made.variants}


def seed(name: str) -> str:
    path = INPUTS / name if (INPUTS / name).exists() else SEEDS / name
    return canonical(Path(path).read_text())


def line(text: str, op: str) -> str:
    return next(row.strip() for row in text.splitlines() if f"{op} " in row)


EVERY = ["no low padding", "no high padding", "produced source", "other layout", "generic"]


@pytest.mark.parametrize(
    ("name", "ways"),
    [
        ("pad_conv.mlir", [*EVERY[:2], "static amounts", *EVERY[2:]]),
        ("pad_used_twice.mlir", ["one use", *EVERY[:3], "generic"]),
        ("matmul.mlir", ["no high padding", "produced source", "generic", "convolution"]),
        ("strided_1x1_conv.mlir", [*EVERY[:3], "unit stride", "wide kernel", *EVERY[3:]]),
        (
            "quantised_conv.mlir",
            [
                "zero value", "no high padding", "foldable", "produced source", "unit stride", "unit dilation", "f32",
                "no zero points", "generic", "convolution",
            ],
        ),
        ("wrong_pad_value.mlir", ["constant value", *EVERY[1:], "convolution"]),
    ],
)  # fmt: skip
def test_which_there_are(name: str, ways: list[str]) -> None:
    assert list(variants(seed(name))) == ways


def test_of_a_program_with_everything() -> None:
    assert list(variants(canonical(CHAIN))) == [
        "constant value", "no low padding", "no high padding", "foldable", "outside source", "unit stride",
        "unit dilation", "f32", "other layout", "generic", "no users", "convolution",
    ]  # fmt: skip


@pytest.mark.parametrize("text", [seed(p.name) for p in sorted(INPUTS.glob("*.mlir"))] + [canonical(CHAIN)])
def test_a_change_cannot_be_made_again(text: str) -> None:
    for name, changed in variants(text).items():
        assert canonical(changed) == changed
        if name != "other layout":  # which goes both ways
            assert name not in variants(changed)


def test_one_use() -> None:
    changed = variants(seed("pad_used_twice.mlir"))["one use"]
    assert changed.count("%padded") == 2
    assert line(changed, "return") == "return %2, %arg2 : tensor<1x4x3x3xf32>, tensor<1x4x5x5xf32>"


def test_what_is_padded_with() -> None:
    made = variants(seed("wrong_pad_value.mlir"))["constant value"]
    assert line(made, "tensor.yield").startswith("tensor.yield %cst")
    zero = variants(seed("quantised_conv.mlir"))["zero value"]
    name = line(zero, "tensor.yield").split()[1]
    assert line(zero, f"{name} =") == f"{name} = arith.constant 0 : i8"


@pytest.mark.parametrize(
    ("way", "amounts"),
    [
        ("no low padding", "low[0, 0, 0, 0] high[0, 1, 2, 0]"),
        ("no high padding", "low[0, 1, 2, 0] high[0, 0, 0, 0]"),
    ],
)
def test_amounts_move_to_the_other_side(way: str, amounts: str) -> None:
    pad = line(variants(canonical(CHAIN))[way], "tensor.pad")
    assert amounts in pad


def test_constant_amounts_become_attributes_and_others_stay() -> None:
    assert "low[0, 0, 1, 1] high[0, 0, 1, 1]" in variants(seed("pad_conv.mlir"))["static amounts"]
    assert set(variants(canonical(DYNAMIC))) == {"zero value", "static shape", "generic", "convolution"}


def test_static_shapes() -> None:
    assert "?" not in variants(canonical(DYNAMIC))["static shape"]


def test_where_the_source_comes_from() -> None:
    outside = variants(canonical(CHAIN))["outside source"]
    assert "linalg.transpose ins(%arg0" not in outside
    assert "tensor.pad %arg" in outside
    produced = variants(seed("matmul.mlir"))["produced source"]
    assert "arith.addf %in, %in : f32" in produced
    assert "tensor.pad %1 " in produced


def test_strides_and_dilations_of_one_and_what_follows() -> None:
    assert "strides = dense<1>" in variants(seed("strided_1x1_conv.mlir"))["unit stride"]
    quantised = variants(seed("quantised_conv.mlir"))
    assert "dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<1>" in quantised["unit stride"]
    assert "dilations = dense<1> : tensor<2xi64>, strides = dense<[2, 1]>" in quantised["unit dilation"]


def test_a_wide_kernel_on_the_same_pad() -> None:
    changed = variants(seed("strided_1x1_conv.mlir"))["wide kernel"]
    conv = line(changed, "linalg.conv_2d_nchw_fchw")
    assert "strides = dense<2>" in conv
    assert "ins(%padded, %arg1 : tensor<1x1x5x5xf32>, tensor<1x1x3x3xf32>)" in conv
    assert conv.endswith("-> tensor<1x1x2x2xf32>")
    assert "linalg.fill" not in changed


def test_a_quantised_convolution_without_zero_points() -> None:
    changed = variants(seed("quantised_conv.mlir"))["no zero points"]
    assert "linalg.conv_2d_nhwc_hwcf {dilations = dense<[2, 1]> : tensor<2xi64>, strides = dense<[2, 1]>" in changed
    assert "ins(%padded, %arg1 : tensor<1x18x17x8xi8>, tensor<3x3x8x3xi8>) outs(%arg2 :" in changed


def test_a_convolution_in_the_place_of_a_matmul() -> None:
    changed = variants(seed("matmul.mlir"))["convolution"]
    assert "linalg.matmul" not in changed
    assert "linalg.conv_2d ins(%padded, %arg1 : tensor<4x8xf32>, tensor<3x3xf32>)" in changed


def test_a_convolution_slides_along_the_padded_axes() -> None:
    generic = variants(canonical(CHAIN))["generic"]
    assert "linalg.conv" not in generic
    assert "linalg.conv_2d_nhwc_hwcf" in variants(generic)["convolution"]
    first = variants(variants(seed("pad_conv.mlir"))["generic"])["convolution"]
    assert "linalg.conv_2d_nchw_fchw" in first


RESHAPED = """
func.func @main(%x: tensor<1x6x4xf32>, %w: tensor<2x1x3x3xf32>, %o: tensor<1x2x6x2xf32>) -> tensor<1x2x6x2xf32> {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 1, 0] high[0, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index):
    tensor.yield %z : f32
  } : tensor<1x6x4xf32> to tensor<1x8x4xf32>
  %e = tensor.expand_shape %p [[0, 1], [2], [3]] output_shape [1, 1, 8, 4] : tensor<1x8x4xf32> into tensor<1x1x8x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%e, %w : tensor<1x1x8x4xf32>, tensor<2x1x3x3xf32>)
    outs(%o : tensor<1x2x6x2xf32>) -> tensor<1x2x6x2xf32>
  return %c : tensor<1x2x6x2xf32>
}
"""


def test_a_convolution_without_a_reshape_between() -> None:
    made = variants(canonical(RESHAPED))
    assert list(made) == ["no low padding", "no high padding", "produced source", "generic", "direct use"]
    assert "linalg.conv_1d_nwc_wcf {" in made["direct use"]
    assert "expand_shape" not in made["direct use"]


def test_the_other_layout_of_the_same_convolution() -> None:
    changed = variants(canonical(CHAIN))["other layout"]
    assert "low[0, 0, 1, 0] high[0, 0, 0, 2]" in changed
    assert "tensor<1x2x4x6xf16> to tensor<1x2x5x8xf16>" in changed
    assert "linalg.depthwise_conv_2d_nchw_chw" in changed
    assert changed.count("tensor.pad") == 1


def test_nothing_uses_the_consumer() -> None:
    changed = variants(canonical(CHAIN))["no users"]
    assert "%transposed_0 = linalg.transpose ins(%arg4 " in changed
    assert line(changed, "return").startswith("return %transposed_0, %transposed, %1 ")


def test_changes_on_top_of_others() -> None:
    text = seed("quantised_conv.mlir")
    both = variants(text, after=("foldable", "zero value"))
    assert "foldable" not in both
    assert "nofold" not in both["no zero points"]
    assert variants(text, after=("one use",)) == {}


def test_a_pad_that_is_not_there() -> None:
    assert variants(seed("matmul.mlir"), pad=1) == {"generic": variants(seed("matmul.mlir"))["generic"]}


def test_names_are_told_apart() -> None:
    assert len({way.name for way in WAYS}) == len(WAYS)
