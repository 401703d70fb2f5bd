"""Constants in all their spellings."""

from __future__ import annotations

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from reducer.reference import CannotEvaluateError
from tests.reference.running import exact, one

SPELLINGS: list[tuple[str, Any]] = [
    ("dense<[1, -2, 7]> : tensor<3xi4>", np.array([1, -2, 7], ml_dtypes.int4)),
    ("dense<[true, false, true]> : tensor<3xi1>", np.array([True, False, True])),
    ("dense<[1.0, -2.5]> : tensor<2xbf16>", np.array([1, -2.5], ml_dtypes.bfloat16)),
    ("dense<[1.0, -2.5]> : tensor<2xf8E4M3FN>", np.array([1, -2.5], ml_dtypes.float8_e4m3fn)),
    ("dense<[[1, 2], [3, -4]]> : tensor<2x2xindex>", np.array([[1, 2], [3, -4]])),
    ("dense<-7> : tensor<2x3xi8>", np.full((2, 3), -7, np.int8)),
    ("dense<255> : tensor<2xi8>", np.full(2, -1, np.int8)),
    ("dense<0xFF800000> : tensor<2xf32>", np.full(2, -np.inf, np.float32)),
    ("dense<1.5> : tensor<f16>", np.array(1.5, np.float16)),
    ("dense<> : tensor<0xf32>", np.zeros(0, np.float32)),
    ("0x7FC00000 : f32", np.array(np.nan, np.float32)),
    ("0xFC00 : f16", np.array(-np.inf, np.float16)),
    ("0x7F80 : bf16", np.array(np.inf, ml_dtypes.bfloat16)),
    ("true", np.array(True)),
    ("-128 : i8", np.array(-128, np.int8)),
    ("9223372036854775807 : i64", np.array(2**63 - 1)),
    ("1.000000e-01 : f32", np.array(0.1, np.float32)),
    ("0.1 : bf16", np.array(0.1, ml_dtypes.bfloat16)),
]


@pytest.mark.parametrize(("text", "right"), SPELLINGS, ids=lambda s: s if isinstance(s, str) else "")
def test_literals(text: str, right: Any) -> None:
    type_ = text.partition(" : ")[2] or "i1"
    got = exact(f"func.func @f() -> {type_} {{ %c = arith.constant {text}\n return %c : {type_} }}")
    assert got.dtype == right.dtype
    assert got.shape == right.shape
    assert np.array_equal(got.astype(np.float64), right.astype(np.float64), equal_nan=True)


@pytest.mark.parametrize("kind", ["i8", "i64", "f32", "bf16", "f16", "i4", "i1", "f8E5M2"])
def test_many_elements_are_printed_as_bytes(kind: str) -> None:
    numbers = [(i * 7) % 5 - 2 for i in range(203)] if kind != "i1" else [int(i % 3 == 0) for i in range(203)]
    written = ", ".join(f"{n}.0" if "f" in kind else str(bool(n)).lower() if kind == "i1" else str(n) for n in numbers)
    type_ = f"tensor<203x{kind}>"
    text = f"func.func @f() -> {type_} {{ %c = arith.constant dense<[{written}]> : {type_}\n return %c : {type_} }}"
    assert exact(text).astype(np.float64).tolist() == numbers


def test_resources() -> None:
    text = """func.func @f() -> tensor<2xf32> {
      %c = arith.constant dense_resource<blob1> : tensor<2xf32>
      return %c : tensor<2xf32> }
    {-# dialect_resources: { builtin: { blob1: "0x040000000000803F00000040" } } #-}"""
    assert exact(text).tolist() == [1, 2]
    missing = text.split("{-#", maxsplit=1)[0].replace("blob1", "nowhere")
    with pytest.raises(CannotEvaluateError, match="holds no bytes for nowhere"):
        one(missing)


def test_complex_numbers_are_refused_without_reading_them() -> None:
    text = """func.func @f() -> tensor<1xcomplex<f32>> {
      %c = arith.constant dense<(1.0, 2.0)> : tensor<1xcomplex<f32>>
      return %c : tensor<1xcomplex<f32>> }"""
    with pytest.raises(CannotEvaluateError, match="complex<f32>"):
        one(text)
