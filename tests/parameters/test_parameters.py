"""Which parameters a program has, and what the program becomes with other values."""

from __future__ import annotations

import pytest

from reducer.parameters import Invalid, assign
from reducer.wire import Parameter
from tests.parameters import programs
from tests.parameters.programs import assigned, changed, listed, names, parse, simplest


def size(name: str, value: int) -> Parameter:
    return Parameter(f"dim {name}", value, 1, value, 1)


def test_seed_sizes_and_the_one_constant_behind_its_pads() -> None:
    assert listed(programs.SEED) == [
        size("%arg0[1]", 8),
        size("%arg0[2]", 128),
        size("%arg0[3]", 128),
        size("%0[1] = %1[1] = …", 16),
        size("%arg1[2]", 3),
        size("%arg1[3]", 3),
        Parameter("conv_2d_nchw_fchw#0 slack[0]", 0, 0, 127, 127),
        Parameter("conv_2d_nchw_fchw#0 slack[1]", 0, 0, 127, 127),
        Parameter("%c1 value", 1, 0, 1, 0),
    ]


def test_static_pads_are_parameters_of_their_own() -> None:
    assert names(programs.STATIC_SEED)[6:10] == ["pad#0 high[2]", "pad#0 high[3]", "pad#0 low[2]", "pad#0 low[3]"]


def test_an_output_need_not_be_as_large_as_fits() -> None:
    text = changed(programs.SEED, {"conv_2d_nchw_fchw#0 slack[0]": 127})
    assert "tensor<1x8x128x128xf32> to tensor<1x8x130x130xf32>" in text
    assert "-> tensor<1x16x1x128xf32>" in text


def test_seed_output_follows_from_input_kernel_and_pads() -> None:
    text = changed(programs.SEED, {"dim %arg0[2]": 5, "dim %arg0[3]": 4, "dim %arg1[3]": 1, "dim %arg0[1]": 2})
    assert "tensor.pad %arg0 low[0, 0, %c1, %c1] high[0, 0, %c1, %c1]" in text
    assert "tensor<1x2x5x4xf32> to tensor<1x2x7x6xf32>" in text
    assert "tensor<16x2x3x1xf32>" in text
    assert "-> tensor<1x16x5x6xf32>" in text


def test_seed_constant_behind_the_pads_moves_all_of_them() -> None:
    text = changed(programs.SEED, {"%c1 value": 0})
    assert "tensor<1x8x128x128xf32> to tensor<1x8x128x128xf32>" in text
    assert "-> tensor<1x16x126x126xf32>" in text


def test_seed_kernel_larger_than_the_padded_image_is_invalid() -> None:
    with pytest.raises(Invalid, match=r"dim %2\[2\] would be 0|dim %0\[2\] would be 0"):
        changed(programs.SEED, {"dim %arg0[2]": 1, "%c1 value": 0, "dim %arg1[2]": 2})


def test_seed_at_its_simplest() -> None:
    text = simplest(programs.STATIC_SEED)
    assert "low[0, 0, 0, 0] high[0, 0, 0, 0]" in text
    assert {part.split(">")[0] for part in text.split("tensor<")[1:]} == {"1x1x1x1xf32", "2xi64"}


def test_pad_alone_reaches_rank_two() -> None:
    assert names(programs.UNIT_PAD) == [
        "axis %arg0[0] = %padded[0]",
        "axis %arg0[1] = %padded[1]",
        "pad#0 high[2]",
        "pad#0 high[3]",
        "pad#0 low[3]",
    ]
    text = assigned(programs.UNIT_PAD, [0, 0, 1, 1, 0])
    assert "util.func public @main(%arg0: tensor<1x1xf32>) -> tensor<2x2xf32>" in text
    assert "tensor.pad %arg0 low[0, 0] high[1, 1]" in text
    assert "^bb0(%arg1: index, %arg2: index):" in text


def test_pad_of_the_seed_reaches_the_exact_minimum_in_two_rounds() -> None:
    text = """
    util.func public @main(%x: tensor<1x8x128x128xf32>) -> tensor<1x8x130x130xf32> {
      %c = arith.constant 0.0 : f32
      %p = tensor.pad %x low[0, 0, 1, 1] high[0, 0, 1, 1] {
      ^bb0(%a: index, %b: index, %d: index, %e: index):
        tensor.yield %c : f32
      } : tensor<1x8x128x128xf32> to tensor<1x8x130x130xf32>
      util.return %p : tensor<1x8x130x130xf32>
    }
    """
    first = changed(
        text, {"dim %arg0[1]": 1, "dim %arg0[2]": 1, "dim %arg0[3]": 1, "pad#0 low[2]": 0, "pad#0 low[3]": 0}
    )
    second = changed(first, {"axis %arg0[0] = %padded[0]": 0, "axis %arg0[1] = %padded[1]": 0})
    assert "} : tensor<1x1xf32> to tensor<2x2xf32>" in second


def test_pad_amount_on_an_axis_that_goes_is_invalid() -> None:
    text = programs.UNIT_PAD.replace("low[0, 0, 0, 1]", "low[-1, 0, 0, 1]").replace("high[0, 0,", "high[1, 0,")
    found = listed(text)
    with pytest.raises(Invalid, match="pads an axis that is to go"):
        assigned(text, [0 if p.name.startswith("axis %arg0[0]") else p.value for p in found])


def test_dynamic_sizes_stay_and_static_pads_move() -> None:
    assert names(programs.DYNAMIC) == [
        "shape %arg0[0] = %padded[0] = …",
        "shape %arg0[2] = %padded[2] = …",
        "pad#0 high[0]",
        "pad#0 low[0]",
        "pad#0 low[2]",
        "conv_1d_ncw_fcw#0 stride[0]",
        "%cst value",
    ]
    assert listed(programs.DYNAMIC)[-1].labels == ("0", "1", "0x7FC00000")
    text = changed(programs.DYNAMIC, {p.name: p.simplest for p in listed(programs.DYNAMIC)[2:]})
    assert "tensor.pad %arg0 low[0, 0, 0] high[0, 0, 0]" in text
    assert "strides = dense<1> : tensor<1xi64>" in text
    assert "%cst = arith.constant 0.000000e+00 : f32" in text
    assert "tensor<?x1x?xf32> to tensor<?x1x?xf32>" in text


def test_dynamic_sizes_become_static_together() -> None:
    found = listed(programs.DYNAMIC)
    assert found[1].labels == ("static from 1", "static from 4", "static from 16", "dynamic")
    text = changed(programs.DYNAMIC, {found[1].name: 1})
    assert "tensor.pad %arg0 low[1, 0, 1] high[1, 0, 0]" in text
    assert "tensor<?x1x4xf32> to tensor<?x1x5xf32>" in text
    assert "tensor.empty(%dim) : tensor<?x1x3xf32>" in text
    text = changed(programs.DYNAMIC, {found[0].name: 0, found[1].name: 0})
    assert "tensor<1x1x1xf32> to tensor<3x1x2xf32>" in text
    assert "tensor.empty() : tensor<3x1x1xf32>" in text


def test_dynamic_size_next_to_a_static_one_becomes_that() -> None:
    (name,) = [name for name in names(programs.HALF_DYNAMIC) if name.startswith("shape")]
    assert "tensor<1x8x7xf32> to tensor<7x8x41xf32>" in changed(programs.HALF_DYNAMIC, {name: 2})
    with pytest.raises(Invalid, match="no static sizes fit together"):
        changed(programs.HALF_DYNAMIC, {name: 2, "dim %arg2[1]": 34})


def test_operands_that_said_a_dynamic_size_go_with_it() -> None:
    text = simplest(programs.DYNAMIC_SHAPES)
    for line in (
        "tensor.expand_shape %arg0 [[0], [1, 2]] output_shape [1, 1, 1] : tensor<1x1xf32> into tensor<1x1x1xf32>",
        "tensor.extract_slice %arg1[0] [1] [1] : tensor<1xf32> to tensor<1xf32>",
        "tensor.empty() : tensor<1x1xf32>",
        "tensor.insert_slice %arg0 into %0[0, 0] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<1x1xf32>",
        "-> tensor<2x1xf32>",
    ):
        assert line in text


def test_unit_axes_go_from_reshapes_slices_and_indices() -> None:
    found = listed(programs.UNIT_SHAPES)
    assert [p.name for p in found[:5]] == [
        "axis %arg0[0]",
        "axis %arg0[2]",
        "axis %arg1[0] = %expanded[0]",
        "axis %arg1[1] = %expanded[1]",
        "axis %expanded[2]",
    ]
    one = assigned(programs.UNIT_SHAPES, [0, 1, 0, 1, 1, *(p.value for p in found[5:])])
    assert "tensor.collapse_shape %arg0 [[0, 1]] : tensor<4x1xf32> into tensor<4xf32>" in one
    assert "tensor.expand_shape %arg1 [[0, 1]] output_shape [1, 1] : tensor<1xf32> into tensor<1x1xf32>" in one
    assert "tensor.extract %arg0[%c1, %arg2] : tensor<4x1xf32>" in one
    assert "tensor.extract_slice %arg0[0, 0] [4, 1] [1, 1] : tensor<4x1xf32> to tensor<4xf32>" in one
    text = simplest(programs.UNIT_SHAPES)
    assert "return %arg0, %arg1, %extracted, %c1, %extracted_slice : tensor<1xf32>, tensor<f32>" in text


def test_half_dynamic_pad_has_equations_only_where_it_is_static() -> None:
    assert [(p.name, p.value) for p in listed(programs.HALF_DYNAMIC)] == [
        ("dim %arg0[1]", 8),
        ("dim %0[2] = %1[2] = …", 16),
        ("dim %arg2[1]", 41),
        ("shape %arg0[2] = %padded[2]", 3),
        ("pad#0 high[0]", 3),
        ("pad#0 high[2]", 17),
        ("pad#0 low[0]", 3),
        ("pad#0 low[2]", 17),
    ]
    text = changed(programs.HALF_DYNAMIC, {"pad#0 low[0]": 1, "pad#0 low[2]": 2, "dim %arg2[1]": 5})
    assert "tensor.pad %arg0 low[1, 0, 2] high[3, 0, 17]" in text
    assert "tensor<1x8x?xf32> to tensor<5x8x?xf32>" in text
    assert "%arg2: tensor<5x5x16xf32>" in text


def test_quantised_convolution_becomes_a_float_one() -> None:
    found = {p.name: p for p in listed(programs.QUANTISED)}
    assert found["conv_2d_nhwc_hwcf_q#0 dilation[0]"].value == 2
    assert found["element type i32"].labels == ("f32", "i32")
    assert found["%c-1_i32 value"].labels == ("0", "1", "-1")
    text = changed(
        programs.QUANTISED,
        {"element type i8 of %arg0": 0, "element type i8 of %arg1": 0, "element type i32": 0, "%c-1_i32 value": 1},
    )
    assert "i8" not in text
    assert "tensor<1x18x17x8xf32>, tensor<3x3x8x3xf32>, f32, f32" in text
    assert "arith.constant 1.000000e+00 : f32" in text


def test_dilated_convolution_follows_its_dilation() -> None:
    text = changed(programs.QUANTISED, {"conv_2d_nhwc_hwcf_q#0 dilation[0]": 1})
    assert "dilations = dense<1> : tensor<2xi64>" in text
    assert "tensor<1x8x15x3xi32>" in text


def test_depthwise_convolution_becomes_the_plain_one_without_channels() -> None:
    found = listed(programs.DEPTHWISE)
    assert found[0] == Parameter(
        "depthwise_conv_2d_nchw_chw#0 kind", 1, 0, 1, 0, ("conv_2d", "depthwise_conv_2d_nchw_chw")
    )
    text = changed(programs.DEPTHWISE, {"depthwise_conv_2d_nchw_chw#0 kind": 0})
    assert "linalg.conv_2d ins(%padded, %arg1 : tensor<2x2xf32>, tensor<1x1xf32>)" in text
    assert "tensor.pad %arg0 low[0, 0] high[1, 0]" in text


def test_convolution_with_strides_does_not_become_one_without() -> None:
    text = """
    func.func @main(%x: tensor<1x3x1xf32>, %w: tensor<2x1x1xf32>, %o: tensor<1x1x1xf32>) -> tensor<1x1x1xf32> {
      %c = linalg.conv_1d_nwc_wcf {strides = dense<2> : tensor<1xi64>, dilations = dense<1> : tensor<1xi64>}
        ins(%x, %w : tensor<1x3x1xf32>, tensor<2x1x1xf32>) outs(%o : tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
      return %c : tensor<1x1x1xf32>
    }
    """
    with pytest.raises(Invalid, match="a conv_1d has no strides"):
        changed(text, {"conv_1d_nwc_wcf#0 kind": 0})
    both = changed(text, {"conv_1d_nwc_wcf#0 kind": 0, "conv_1d_nwc_wcf#0 stride[0]": 1})
    assert "linalg.conv_1d ins(%arg0, %arg1 : tensor<3xf32>, tensor<2xf32>)" in both
    assert "-> tensor<2xf32>" in both


@pytest.mark.parametrize(
    ("kind", "signature", "simpler"),
    [
        ("conv_2d_nchw_fchw", ("1x1x1x1", "1x1x1x1", "1x1x1x1"), ["conv_1d (1)", "conv_1d (2)", "conv_2d"]),
        ("pooling_nhwc_max", ("2x1x4x3", "1x2", "2x1x3x3"), ["pooling_nwc_max"]),
        ("matmul", ("1x4", "4x1", "1x1"), ["dot", "matvec", "vecmat"]),
        ("batch_matmul", ("1x4x2", "1x2x3", "1x4x3"), ["matmul"]),
    ],
)
def test_kinds_that_a_named_op_can_become(kind: str, signature: tuple[str, str, str], simpler: list[str]) -> None:
    a, b, c = (f"tensor<{s}xf32>" for s in signature)
    text = f"""
    func.func @main(%a: {a}, %b: {b}, %c: {c}) -> {c} {{
      %r = linalg.{kind} ins(%a, %b : {a}, {b}) outs(%c : {c}) -> {c}
      return %r : {c}
    }}
    """
    choice = listed(text)[0]
    assert choice.name == f"{kind}#0 kind"
    labels = list(choice.labels)
    assert labels[-1] == kind
    assert [label for label in labels if label in simpler] == simpler
    for value, label in enumerate(labels[:-1]):
        values = [value, *(p.value for p in listed(text)[1:])]
        assert f"linalg.{label.split(' ')[0]} " in assigned(text, values)


def test_generic_convolution_carries_its_factors_in_its_maps() -> None:
    assert [(p.name, p.value) for p in listed(programs.GENERIC)] == [
        ("dim %arg0[0]", 13),
        ("dim %arg1[0]", 2),
        ("generic#0 slack[0]", 1),
        ("generic#0 stride[0]", 2),
        ("generic#0 dilation[0]", 3),
        ("element type f16", 2),
    ]
    text = changed(programs.GENERIC, {"generic#0 stride[0]": 1, "generic#0 dilation[0]": 2, "generic#0 slack[0]": 0})
    assert "affine_map<(d0, d1) -> (d0 + d1 * 2)>" in text
    assert "-> tensor<11xf32>" in text
    as_float = changed(programs.GENERIC, {"element type f16": 0})
    assert "arith.extf" not in as_float
    assert "f16" not in as_float
    assert "arith.negf %1 : f32" in changed(programs.GENERIC, {"element type f16": 1})


def test_reshapes_slices_and_concatenations() -> None:
    assert [(p.name, p.value) for p in listed(programs.RESHAPES)] == [
        ("dim %arg0[0]", 4),
        ("dim %extracted_slice[0]", 3),
        ("dim %extracted_slice[1]", 2),
        ("extract_slice#0 offset[0]", 1),
        ("extract_slice#0 stride[1]", 2),
        ("extract_slice#0 slack[1]", 3),
    ]
    text = changed(
        programs.RESHAPES, {"dim %arg0[0]": 2, "extract_slice#0 offset[0]": 0, "extract_slice#0 slack[1]": 0}
    )
    assert "%arg0: tensor<2x3xf32>, %arg1: tensor<3x3xf32>" in text
    assert "into tensor<6xf32>" in text
    assert "%arg1[0, 0] [3, 2] [1, 2]" in text
    assert "-> tensor<5x3xf32>" in text


def test_sizes_run_through_calls() -> None:
    assert names(programs.CALLS) == ["dim g/%arg0[0] = g/%0[0] = …", "dim f/%arg1[0]"]
    text = assigned(programs.CALLS, [2, 3])
    assert "func.func private @g(%arg0: tensor<2xf32>) -> tensor<2xf32>" in text
    assert "func.func @f(%arg0: tensor<2xf32>, %arg1: tensor<3xf32>) -> (tensor<2xf32>, tensor<3xf32>)" in text
    assert "call @g(%arg0) : (tensor<2xf32>) -> tensor<2xf32>" in text


def test_unknown_op_changes_as_its_verifier_lets_it() -> None:
    assert names(programs.UNKNOWN) == ["dim %arg0[0] = %reshape[0]", "dim %arg1[0] = %0[0]"]
    text = changed(programs.UNKNOWN, {"dim %arg0[0] = %reshape[0]": 2})
    assert "tensor.reshape %arg0(%arg2) : (tensor<2xf32>, tensor<1xindex>) -> tensor<2xf32>" in text


def test_axis_goes_from_constants_generics_and_transposes() -> None:
    assert names(programs.MIXED)[0].startswith("axis ")
    text = assigned(programs.MIXED, [0, 4])
    assert "dense<[1.000000e+00, 2.000000e+00, 3.000000e+00, 4.000000e+00]> : tensor<4xf32>" in text
    assert "affine_map<(d0) -> (d0)>" in text
    assert "linalg.index 0 : index" in text
    assert "linalg.index 1" not in text
    assert "permutation = [0]" in text
    assert "-> tensor<4xf32>" in text


def test_constant_keeps_its_leading_elements() -> None:
    assert "dense<[[1.000000e+00, 2.000000e+00]]> : tensor<1x2xf32>" in assigned(programs.MIXED, [1, 2])


def test_unsigned_pooling_stays_integer() -> None:
    text = """
    func.func @main(%x: tensor<1x4x4x1xi8>, %w: tensor<2x2xi8>, %o: tensor<1x3x3x1xi8>) -> tensor<1x3x3x1xi8> {
      %r = linalg.pooling_nhwc_max_unsigned ins(%x, %w : tensor<1x4x4x1xi8>, tensor<2x2xi8>)
        outs(%o : tensor<1x3x3x1xi8>) -> tensor<1x3x3x1xi8>
      return %r : tensor<1x3x3x1xi8>
    }
    """
    assert not [name for name in names(text) if name.startswith("element type")]


def test_integer_arithmetic_in_a_body_becomes_floating() -> None:
    text = """
    #id = affine_map<(d0) -> (d0)>
    func.func @main(%x: tensor<4xi32>) -> tensor<4xi32> {
      %k = arith.constant 3 : i32
      %e = tensor.empty() : tensor<4xi32>
      %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%x : tensor<4xi32>) outs(%e : tensor<4xi32>) {
      ^bb0(%a: i32, %o: i32):
        %s = arith.addi %a, %k : i32
        %m = arith.maxsi %s, %k : i32
        %c = arith.cmpi slt, %s, %m : i32
        %v = arith.select %c, %s, %m : i32
        linalg.yield %v : i32
      } -> tensor<4xi32>
      return %r : tensor<4xi32>
    }
    """
    printed = changed(text, {"element type i32": 0})
    for part in ("arith.addf", "arith.maximumf", "arith.cmpf olt", "arith.constant 3.000000e+00 : f32"):
        assert part in printed
    assert "i32" not in printed


def test_wrong_number_of_values_is_the_callers_mistake() -> None:
    with pytest.raises(ValueError, match="1 values for 9 parameters"):
        assign(parse(programs.SEED), [1])


def test_value_out_of_range_is_invalid() -> None:
    with pytest.raises(Invalid, match=r"dim %arg0\[1\] cannot be 9: 1 to 8"):
        changed(programs.SEED, {"dim %arg0[1]": 9})


def test_a_source_gives_its_size_to_the_padding() -> None:
    text = """
    func.func @main(%x: tensor<4xf32>, %v: f32) -> tensor<5xf32> {
      %p = tensor.pad %x low[1] high[0] {
      ^bb0(%a: index):
        tensor.yield %v : f32
      } : tensor<4xf32> to tensor<5xf32>
      return %p : tensor<5xf32>
    }
    """
    assert listed(text)[-1] == Parameter("pad#0 moved[0]", 0, 0, 3, 3)
    moved = changed(text, {"pad#0 moved[0]": 2})
    assert "tensor.pad %arg0 low[3] high[0]" in moved
    assert "tensor<2xf32> to tensor<5xf32>" in moved
    both = changed(text, {"pad#0 moved[0]": 3, "dim %arg0[0]": 2})
    assert "tensor.pad %arg0 low[2] high[0]" in both
    assert "tensor<1xf32> to tensor<3xf32>" in both
    assert not [p.name for p in listed(both) if "moved" in p.name]
