"""Parameters of ops that there is no rule for: their own verifier says which sizes and numbers move together."""

from __future__ import annotations

import pytest

from reducer.parameters import Invalid
from tests.parameters.programs import changed, listed, names, simplest

ONNX_CONV = """
func.func @f(%x: !torch.vtensor<[1,4,3],f32>, %w: !torch.vtensor<[4,2,3],f32>) -> !torch.vtensor<[1,4,3],f32>
    attributes {torch.onnx_meta.opset_version = 17 : si64} {
  %y = torch.operator "onnx.Conv"(%x, %w) {torch.onnx.group = 2 : si64, torch.onnx.pads = [1 : si64, 1 : si64],
      torch.onnx.strides = [1 : si64]}
    : (!torch.vtensor<[1,4,3],f32>, !torch.vtensor<[4,2,3],f32>) -> !torch.vtensor<[1,4,3],f32>
  return %y : !torch.vtensor<[1,4,3],f32>
}
"""


def values(text: str) -> dict[str, int]:
    return {p.name: p.value for p in listed(text)}


def test_every_size_and_number_of_an_operator_is_its_own() -> None:
    assert values(ONNX_CONV) == {
        "axis %arg0[0]": 1,
        "axis %0[0]": 1,
        "dim %arg0[1]": 4,
        "dim %arg0[2]": 3,
        "dim %0[1]": 4,
        "dim %0[2]": 3,
        "dim %arg1[0]": 4,
        "dim %arg1[1]": 2,
        "dim %arg1[2]": 3,
        "func#0 torch.onnx_meta.opset_version": 17,
        "operator#0 torch.onnx.group": 2,
        "operator#0 torch.onnx.pads[0]": 1,
        "operator#0 torch.onnx.pads[1]": 1,
    }
    text = changed(ONNX_CONV, {"dim %arg0[1]": 2, "operator#0 torch.onnx.group": 1, "operator#0 torch.onnx.pads[1]": 0})
    assert "%arg0: !torch.vtensor<[1,2,3],f32>, %arg1: !torch.vtensor<[4,2,3],f32>" in text
    assert "torch.onnx.group = 1 : si64, torch.onnx.pads = [1 : si64, 0 : si64], torch.onnx.strides = [1 :" in text


def test_sizes_and_ranks_of_operators_reach_their_simplest() -> None:
    small = simplest(ONNX_CONV)
    assert "%arg0: !torch.vtensor<[1,1],f32>, %arg1: !torch.vtensor<[1,1,1],f32>" in small
    assert "-> !torch.vtensor<[1,1],f32>" in small
    assert "%arg0: !torch.vtensor<[],f32>" in simplest(small)


def test_sizes_run_between_operators_through_values() -> None:
    text = """
    func.func @f(%x: !torch.vtensor<[4,3],f32>) -> !torch.vtensor<[2,3],f32> {
      %a = torch.operator "onnx.MaxPool"(%x) : (!torch.vtensor<[4,3],f32>) -> !torch.vtensor<[5,3],f32>
      %r = torch.aten.relu %a : !torch.vtensor<[5,3],f32> -> !torch.vtensor<[5,3],f32>
      %b = torch.operator "onnx.Foo"(%r) : (!torch.vtensor<[5,3],f32>) -> !torch.vtensor<[2,3],f32>
      return %b : !torch.vtensor<[2,3],f32>
    }
    """
    printed = changed(text, {"dim %0[0] = %1[0]": 2})
    assert "torch.aten.relu %0 : !torch.vtensor<[2,3],f32> -> !torch.vtensor<[2,3],f32>" in printed
    assert "(!torch.vtensor<[2,3],f32>) -> !torch.vtensor<[2,3],f32>" in printed


def test_integers_of_torch_are_numbers() -> None:
    text = """
    func.func @f(%x: !torch.vtensor<[4,3],f32>) -> !torch.vtensor<[4,3],f32> {
      %i = torch.constant.int 5
      %r = torch.aten.flatten.using_ints %x, %i, %i
        : !torch.vtensor<[4,3],f32>, !torch.int, !torch.int -> !torch.vtensor<[4,3],f32>
      return %r : !torch.vtensor<[4,3],f32>
    }
    """
    assert values(text)["int#0 value"] == 5
    assert "torch.constant.int 2" in changed(text, {"int#0 value": 2})


def test_a_verifier_that_wants_equal_sizes_ties_them() -> None:
    text = """
    func.func @f(%x: vector<4x8xf32>, %y: vector<4x8xf32>) -> (vector<8x4xf32>, vector<4x8xf32>) {
      %t = vector.transpose %x, [1, 0] : vector<4x8xf32> to vector<8x4xf32>
      %s = arith.addf %x, %y : vector<4x8xf32>
      return %t, %s : vector<8x4xf32>, vector<4x8xf32>
    }
    """
    assert names(text) == ["dim %arg0[0] = %0[1] = …", "dim %arg0[1] = %0[0] = …"]
    small = changed(simplest(text), {names(simplest(text))[1]: 0})
    assert "vector.transpose %arg0, [0] : vector<1xf32> to vector<1xf32>" in small
    printed = changed(text, {"dim %arg0[0] = %0[1] = …": 2})
    assert "vector.transpose %arg0, [1, 0] : vector<2x8xf32> to vector<8x2xf32>" in printed
    assert "arith.addf %arg0, %arg1 : vector<2x8xf32>" in printed


def test_a_number_that_the_verifier_ties_to_a_size_follows_it() -> None:
    text = """
    func.func @f(%x: vector<8xf32>) -> vector<4xf32> {
      %s = "vector.extract_strided_slice"(%x) <{offsets = [3], sizes = [4], strides = [1]}>
        : (vector<8xf32>) -> vector<4xf32>
      return %s : vector<4xf32>
    }
    """
    assert values(text) == {"dim %arg0[0]": 8, "dim %0[0]": 4, "extract_strided_slice#0 offsets[0]": 3}
    printed = changed(text, {"dim %0[0]": 2, "dim %arg0[0]": 5})
    assert "%arg0: vector<5xf32>) -> vector<2xf32>" in printed
    assert changed(printed, {"extract_strided_slice#0 offsets[0]": 1}) != printed
    with pytest.raises(Invalid):
        changed(text, {"dim %arg0[0]": 5})


def test_memrefs_shrink_and_lose_axes() -> None:
    text = """
    func.func @f(%m: memref<1x8xf32>, %v: f32, %i: index) -> f32 {
      memref.store %v, %m[%i, %i] : memref<1x8xf32>
      %c = memref.alloc() : memref<1x8xf32>
      memref.copy %m, %c : memref<1x8xf32> to memref<1x8xf32>
      %r = memref.load %c[%i, %i] : memref<1x8xf32>
      return %r : f32
    }
    """
    printed = simplest(text)
    assert "memref.store %arg1, %arg0[%arg2] : memref<1xf32>" in printed
    assert "memref.copy %arg0, %alloc : memref<1xf32> to memref<1xf32>" in printed
    assert "memref.load %alloc[%arg2] : memref<1xf32>" in printed


def test_memrefs_with_a_layout_keep_their_shapes() -> None:
    text = """
    func.func @f(%m: memref<3x8xf32, strided<[16, 1]>>) {
      memref.dealloc %m : memref<3x8xf32, strided<[16, 1]>>
      return
    }
    """
    assert names(text) == []


def test_constant_vectors_follow_their_type() -> None:
    text = """
    func.func @f(%x: vector<2x2xf32>) -> vector<2x2xf32> {
      %c = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : vector<2x2xf32>
      %s = arith.addf %x, %c : vector<2x2xf32>
      return %s : vector<2x2xf32>
    }
    """
    printed = changed(text, {names(text)[1]: 1})
    assert "arith.constant dense<[[1.000000e+00], [3.000000e+00]]> : vector<2x1xf32>" in printed


def test_a_custom_call_is_free() -> None:
    text = """
    func.func @f(%x: tensor<4x8xf32>) -> tensor<3xf32> {
      %0 = stablehlo.custom_call @g(%x) {api_version = 2 : i32} : (tensor<4x8xf32>) -> tensor<3xf32>
      return %0 : tensor<3xf32>
    }
    """
    assert {"dim %arg0[0]", "dim %arg0[1]", "dim %0[0]"} <= set(names(text))
    assert "stablehlo.custom_call @g(%arg0) : (tensor<1x1xf32>) -> tensor<1xf32>" in changed(
        text, {"dim %arg0[0]": 1, "dim %arg0[1]": 1, "dim %0[0]": 1}
    ).replace(" {api_version = 2 : i32}", "")


def test_a_dynamic_size_of_an_operator_becomes_static() -> None:
    text = """
    func.func @f(%x: !torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?],f32> {
      %b = torch.operator "onnx.Foo"(%x) : (!torch.vtensor<[?,3],f32>) -> !torch.vtensor<[?],f32>
      return %b : !torch.vtensor<[?],f32>
    }
    """
    assert "(!torch.vtensor<[1,1],f32>) -> !torch.vtensor<[1],f32>" in simplest(text)


def test_the_axes_beside_one_of_size_zero_go_and_so_does_it() -> None:
    text = "func.func @f(%x: tensor<0x3x1xf32>) -> tensor<0x3x1xf32> { return %x : tensor<0x3x1xf32> }"
    assert values(text) == {"axis %arg0[0]": 1, "axis %arg0[2]": 1, "dim %arg0[1]": 3}
    printed = changed(text, {"axis %arg0[2]": 0, "dim %arg0[1]": 1})
    assert "func.func @f(%arg0: tensor<0x1xf32>)" in printed
    assert "func.func @f(%arg0: tensor<1xf32>)" in changed(printed, {"axis %arg0[0]": 0})


def test_empty_constants_lose_their_axes() -> None:
    text = """
    func.func @f() -> tensor<0x1xf32> {
      %0 = arith.constant dense<> : tensor<0x1xf32>
      return %0 : tensor<0x1xf32>
    }
    """
    assert names(text) == ["axis %cst[0]", "axis %cst[1]"]
    assert "arith.constant dense<> : tensor<0xf32>" in changed(text, {"axis %cst[1]": 0})
    assert "arith.constant dense<0.000000e+00> : tensor<f32>" in simplest(text)


def test_literals_of_torch_follow_their_type() -> None:
    text = """
    func.func @f(%x: !torch.vtensor<[1,3],f32>) -> !torch.vtensor<[3,1],f32> {
      %k = torch.vtensor.literal(dense<[3, 1]> : tensor<2xsi64>) : !torch.vtensor<[2],si64>
      %b = torch.operator "onnx.Reshape"(%x, %k)
        : (!torch.vtensor<[1,3],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[3,1],f32>
      return %b : !torch.vtensor<[3,1],f32>
    }
    """
    printed = changed(text, {"dim %0[0]": 1})
    assert "torch.vtensor.literal(dense<3> : tensor<1xsi64>) : !torch.vtensor<[1],si64>" in printed
