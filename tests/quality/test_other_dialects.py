"""Programs of ops that there is no rule for: torch, ONNX, custom calls."""

from __future__ import annotations

import pytest

from oracles.registry import make
from tests.quality.conftest import Reduce

NEWEST = "3.13.0"


def test_an_onnx_pad(reduce: Reduce) -> None:
    """Nothing of the shapes is needed but that there are two pad amounts, of a scalar."""
    text = """
    func.func @f(%x: !torch.vtensor<[1,3,4,5],f32>, %pads: !torch.vtensor<[8],si64>) -> !torch.vtensor<[1,3,6,7],f32>
        attributes {torch.onnx_meta.ir_version = 10 : si64, torch.onnx_meta.opset_version = 21 : si64} {
      %0 = torch.operator "onnx.Pad"(%x, %pads) {torch.onnx.mode = "wrap"}
        : (!torch.vtensor<[1,3,4,5],f32>, !torch.vtensor<[8],si64>) -> !torch.vtensor<[1,3,6,7],f32>
      return %0 : !torch.vtensor<[1,3,6,7],f32>
    }
    """
    result = reduce("diagnostic", text, NEWEST)
    assert [line.rstrip() for line in result.program.splitlines()] == [
        "func.func @f(%arg0: !torch.vtensor<[],f32>, %arg1: !torch.vtensor<[2],si64>) -> !torch.vtensor<[],f32>"
        " attributes {torch.onnx_meta.opset_version = 1 : si64} {",
        '  %0 = torch.operator "onnx.Pad"(%arg0, %arg1) {torch.onnx.mode = "wrap"}'
        " : (!torch.vtensor<[],f32>, !torch.vtensor<[2],si64>) -> !torch.vtensor<[],f32>",
        "  return %0 : !torch.vtensor<[],f32>",
        "}",
    ]
    assert result.verdict.signature == "failed to legalize operation 'torch.prim.ListConstruct'"
    assert (result.before.elements, result.after.elements) == (194, 4)
    assert result.tests <= 80


@pytest.mark.parametrize("operand", ["tensor<4x8xf32>", "tensor<0x3x1xi8>"])
def test_a_custom_call(reduce: Reduce, operand: str) -> None:
    text = f"""
    func.func @f(%x: {operand}) -> tensor<3x5xf32> {{
      %0 = stablehlo.custom_call @nowhere(%x) {{api_version = 2 : i32}} : ({operand}) -> tensor<3x5xf32>
      return %0 : tensor<3x5xf32>
    }}
    """
    result = reduce("diagnostic", text, NEWEST)
    assert result.program == """\
func.func @f() -> tensor<f32> {
  %0 = stablehlo.custom_call @nowhere() : () -> tensor<f32>
  return %0 : tensor<f32>
}
"""
    assert result.tests <= 30


def test_what_must_be_there_stays_in_its_smallest_shape(reduce: Reduce) -> None:
    """A script that wants the ops, whatever their types: vectors, memrefs and globals get as small as they go."""
    text = """
    util.global private mutable @state : tensor<4x8xf32>
    func.func @f(%v: vector<16x4xf32>, %m: memref<4x8xi32>, %z: tensor<0x3x2xf32>) -> tensor<0x3x2xf32> {
      %t = vector.transpose %v, [1, 0] : vector<16x4xf32> to vector<4x16xf32>
      %c = memref.alloc() : memref<4x8xi32>
      memref.copy %m, %c : memref<4x8xi32> to memref<4x8xi32>
      return %z : tensor<0x3x2xf32>
    }
    """
    wanted = "(?s)@state.*vector.transpose.*memref.copy"
    result = reduce(make("script", script=("grep", "-Pzq", wanted)), text, NEWEST)
    assert result.program == """\
util.global private @state : tensor<f32>
func.func @f(%arg0: vector<f32>, %arg1: memref<f32>) {
  %0 = vector.transpose %arg0, [] : vector<f32> to vector<f32>
  memref.copy %arg1, %arg1 : memref<f32> to memref<f32>
  return
}
"""
    assert result.tests <= 60
