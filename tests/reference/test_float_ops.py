"""Float ops of `arith`, casts and `math`: known values, IEEE edges, and bounds that hold."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reducer.reference import CannotEvaluateError, Value
from tests.reference.running import elementwise, exact, one

INF, NAN = math.inf, math.nan
DTYPES: dict[str, Any] = {
    "f16": np.float16, "f32": np.float32, "f64": np.float64, "bf16": ml_dtypes.bfloat16,
    "f8E4M3FN": ml_dtypes.float8_e4m3fn, "f8E5M2": ml_dtypes.float8_e5m2,
}  # fmt: skip
DIGITS = {"f16": 11, "f32": 24, "f64": 53, "bf16": 8}
LARGEST = {"f16": 65504.0, "f32": (2 - 2**-23) * 2.0**127, "bf16": (2 - 2**-7) * 2.0**127}


def floats(values: list[float], kind: str = "f32") -> Any:
    return np.array(values, DTYPES[kind])


def same(got: Any, right: list[float]) -> bool:
    return bool(np.array_equal(np.asarray(got).astype(np.float64), np.array(right), equal_nan=True))


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("maximumf", [2.0, NAN, NAN, INF]),
        ("minimumf", [1.0, NAN, NAN, 0.0]),
        ("maxnumf", [2.0, 3.0, 4.0, INF]),
        ("minnumf", [1.0, 3.0, 4.0, 0.0]),
        ("addf", [3.0, NAN, NAN, INF]),
        ("subf", [-1.0, NAN, NAN, INF]),
        ("mulf", [2.0, NAN, NAN, NAN]),
    ],
)
def test_special_numbers(name: str, right: list[float]) -> None:
    got = exact(elementwise(f"arith.{name}", "f32", 2, 4), floats([1, NAN, 4, INF]), floats([2, 3, NAN, 0]))
    assert same(got, right)


def test_division() -> None:
    got = one(elementwise("arith.divf", "f32", 2, 5), floats([6, 1, 0, 1, 1]), floats([3, 3, 0, 0, INF]))
    assert same(got.data, [2.0, float(np.float32(1 / 3)), NAN, INF, 0.0])
    assert got.error is not None
    assert got.error[0] == got.error[2] == got.error[4] == 0
    assert 0 < got.error[1] <= 2.0**-24
    assert got.error[3] == INF, "the sign of the infinity follows from the sign of a zero"


def test_a_remainder_has_the_sign_of_the_dividend() -> None:
    got = exact(elementwise("arith.remf", "f32", 2, 3), floats([7, -7, 5.5]), floats([3, 3, -2]))
    assert same(got, [1.0, -1.0, 1.5])


PREDICATES = [
    ("false", 0, 0, 0), ("oeq", 0, 1, 0), ("ogt", 0, 0, 0), ("oge", 0, 1, 0), ("olt", 1, 0, 0), ("ole", 1, 1, 0),
    ("one", 1, 0, 0), ("ord", 1, 1, 0), ("ueq", 0, 1, 1), ("ugt", 0, 0, 1), ("uge", 0, 1, 1), ("ult", 1, 0, 1),
    ("ule", 1, 1, 1), ("une", 1, 0, 1), ("uno", 0, 0, 1), ("true", 1, 1, 1),
]  # fmt: skip


@pytest.mark.parametrize(("name", "less", "equal", "unordered"), PREDICATES)
def test_comparisons(name: str, less: int, equal: int, unordered: int) -> None:
    text = f"""func.func @f(%a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<3xi1> {{
      %r = arith.cmpf {name}, %a, %b : tensor<3xf32>
      return %r : tensor<3xi1> }}"""
    got = exact(text, floats([1, 2, NAN]), floats([2, 2, 2]))
    assert got.tolist() == [bool(less), bool(equal), bool(unordered)]


def test_a_comparison_within_the_error_is_unknown() -> None:
    a = Value(floats([1.0, 1.0]), None, np.array([0.5, 0.5]))
    text = elementwise("arith.cmpf", "f32 -> i1", 2, 2, "{predicate = 4 : i64, fastmath = #arith.fastmath<none>}")
    got = one(text, a, floats([1.25, 2.0]))
    assert got.data.tolist() == [True, True]
    assert got.error is not None
    assert got.error.tolist() == [INF, 0.0]


def test_a_selection_by_an_unknown_condition_is_off_by_the_difference() -> None:
    condition = Value(np.array([True, True]), None, np.array([INF, 0.0]))
    text = """func.func @f(%c: tensor<2xi1>, %a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {
      %r = arith.select %c, %a, %b : tensor<2xi1>, tensor<2xf32>
      return %r : tensor<2xf32> }"""
    got = one(text, condition, floats([1, 2]), floats([1.5, 7]))
    assert got.error is not None
    assert got.error.tolist() == [0.5, 0.0]


@pytest.mark.parametrize("kind", ["f16", "f32", "bf16"])
@pytest.mark.parametrize("name", ["addf", "subf", "mulf", "divf"])
@settings(max_examples=40, derandomize=True, deadline=None, database=None)
@given(data=st.data())
def test_each_op_is_rounded_once_and_says_whether_that_lost_anything(name: str, kind: str, data: st.DataObject) -> None:
    number = st.floats(-100, 100, width=16, allow_subnormal=False).map(lambda x: float(DTYPES[kind](x)))
    a, b = data.draw(number), data.draw(number)
    smallest = Fraction(2) ** (-14 if kind == "f16" else -126)
    if name == "divf" and b == 0:
        return
    x, y = Fraction(a), Fraction(b)
    true = {"addf": x + y, "subf": x - y, "mulf": x * y, "divf": x / y if y else x}[name]
    got = one(elementwise(f"arith.{name}", kind, 2, 1), floats([a], kind), floats([b], kind))
    if abs(true) > Fraction(LARGEST[kind]):
        assert got.error is not None
        assert math.isinf(got.error[0])
        return
    nearest = Fraction(float(got.data[0]))
    error = 0.0 if got.error is None else float(got.error[0])
    assert abs(nearest - true) <= Fraction(error)
    if nearest != true:
        unit = Fraction(2) ** -DIGITS[kind]
        assert abs(nearest - true) <= unit * abs(true) + Fraction(2) ** -25
    elif abs(true) >= smallest or true == 0:
        assert error == 0


def test_overflow_is_infinite_and_unknown() -> None:
    got = one(elementwise("arith.mulf", "f16", 2, 1), floats([300], "f16"), floats([300], "f16"))
    assert same(got.data, [INF])
    assert got.error is not None
    assert got.error.tolist() == [INF]


def test_subnormal_numbers_may_be_flushed() -> None:
    got = one(elementwise("arith.mulf", "f32", 2, 1), floats([1e-30]), floats([1e-10]))
    assert got.error is not None
    assert got.error[0] >= float(got.data[0]) > 0


def test_subnormal_numbers_of_f16_may_be_flushed_however_they_come_about() -> None:
    """IREE's own conversions of f16, for CPUs that have none, take them for zero."""
    for got in (
        one(elementwise("arith.mulf", "f16", 2, 1), floats([2**-8], "f16"), floats([2**-8], "f16")),
        one(elementwise("arith.maximumf", "f16", 2, 1), floats([-1], "f16"), floats([2**-16], "f16")),
    ):
        assert got.error is not None
        assert got.error[0] >= float(got.data[0]) == 2**-16


@pytest.mark.parametrize(
    ("source", "target", "values", "right"),
    [
        ("f32", "bf16", [1.0, 1.00390625, 1.01171875, 3.4e38], [1.0, 1.0, 1.015625, INF]),
        ("f32", "f16", [65504.0, 65519.0, 1.0, 0.1], [65504.0, 65504.0, 1.0, 0.0999755859375]),
        ("f64", "bf16", [1.00390625 + 2**-40, 1.0, -1.0, 0.5], [1.0078125, 1.0, -1.0, 0.5]),
        ("f32", "f8E4M3FN", [1.0, 17.0, 448.0, -0.3], [1.0, 16.0, 448.0, -0.3125]),
    ],
)
def test_truncation_rounds_once_to_even(source: str, target: str, values: list[float], right: list[float]) -> None:
    got = one(elementwise("arith.truncf", f"{source} -> {target}", 1, 4), floats(values, source))
    assert same(got.data, right)


def test_float_to_integer() -> None:
    values = floats([2.9, -2.9, 127.5, 128.0, -128.5, NAN, -129.0, INF])
    got = one(elementwise("arith.fptosi", "f32 -> i8", 1, 8), values)
    assert got.data[:3].tolist() == [2, -2, 127]
    assert got.data[4] == -128
    assert got.undefined is not None
    assert got.undefined.tolist() == [False, False, False, True, False, True, True, True]
    unsigned = one(elementwise("arith.fptoui", "f32 -> i8", 1, 8), floats([200.0, -0.5, 255.5, 256, -1, 0, 1, 2]))
    assert unsigned.data[:3].tolist() == [-56, 0, -1]
    assert unsigned.undefined is not None
    assert unsigned.undefined.tolist() == [False, False, False, True, True, False, False, False]


def test_an_inexact_float_becomes_an_inexact_integer() -> None:
    a = Value(floats([2.5, 3.0, 127.9]), None, np.array([0.25, 0.25, 1.0]))
    got = one(elementwise("arith.fptosi", "f32 -> i8", 1, 3), a)
    assert got.error is not None
    assert got.error.tolist() == [0.0, 1.0, INF]


def test_integer_to_float() -> None:
    values = np.array([-1, 16777217, 5], np.int32)
    got = one(elementwise("arith.sitofp", "i32 -> f32", 1, 3), values)
    assert got.data.tolist() == [-1.0, 16777216.0, 5.0]
    assert got.error is not None
    assert got.error[0] == got.error[2] == 0 < got.error[1]
    assert exact(elementwise("arith.uitofp", "i8 -> f32", 1, 2), np.array([-1, 1], np.int8)).tolist() == [255.0, 1.0]
    assert exact(elementwise("arith.uitofp", "i1 -> f32", 1, 2), np.array([True, False])).tolist() == [1.0, 0.0]
    assert exact(elementwise("arith.sitofp", "i1 -> f32", 1, 2), np.array([True, False])).tolist() == [-1.0, 0.0]
    assert one(elementwise("arith.uitofp", "i64 -> f64", 1, 1), np.array([-1], np.int64)).data.tolist() == [2.0**64]


def test_integer_casts() -> None:
    values = np.array([-1, 127, -128], np.int8)
    assert exact(elementwise("arith.extsi", "i8 -> i32", 1, 3), values).tolist() == [-1, 127, -128]
    assert exact(elementwise("arith.extui", "i8 -> i32", 1, 3), values).tolist() == [255, 127, 128]
    assert exact(elementwise("arith.extui", "i1 -> i32", 1, 2), np.array([True, False])).tolist() == [1, 0]
    assert exact(elementwise("arith.extsi", "i1 -> i32", 1, 2), np.array([True, False])).tolist() == [-1, 0]
    wide = np.array([257, -129, 8], np.int32)
    assert exact(elementwise("arith.trunci", "i32 -> i8", 1, 3), wide).tolist() == [1, 127, 8]
    assert exact(elementwise("arith.trunci", "i32 -> i4", 1, 3), wide).astype(int).tolist() == [1, -1, -8]
    assert exact(elementwise("arith.trunci", "i32 -> i1", 1, 3), wide).tolist() == [True, True, False]
    assert exact(elementwise("arith.index_castui", "i8 -> index", 1, 3), values).tolist() == [255, 127, 128]


def test_bitcasts() -> None:
    assert exact(elementwise("arith.bitcast", "f32 -> i32", 1, 1), floats([1.0])).tolist() == [0x3F800000]
    assert exact(elementwise("arith.bitcast", "i16 -> bf16", 1, 1), np.array([0x3F80], np.int16)).tolist() == [1.0]
    got = one(elementwise("arith.bitcast", "f32 -> i32", 1, 1), floats([0.0]))
    assert got.error is not None
    assert got.error.tolist() == [INF], "which zero it is may depend on the order of a sum"


@pytest.mark.parametrize(
    ("name", "values", "right"),
    [
        ("floor", [1.5, -1.5, 2.0], [1.0, -2.0, 2.0]),
        ("ceil", [1.5, -1.5, 2.0], [2.0, -1.0, 2.0]),
        ("trunc", [1.5, -1.5, 2.0], [1.0, -1.0, 2.0]),
        ("round", [2.5, -2.5, 0.49999997], [3.0, -3.0, 0.0]),
        ("roundeven", [2.5, -2.5, 3.5], [2.0, -2.0, 4.0]),
        ("absf", [1.5, -1.5, -INF], [1.5, 1.5, INF]),
        ("sqrt", [4.0, 0.0, 9.0], [2.0, 0.0, 3.0]),
        ("exp", [0.0, -INF, NAN], [1.0, 0.0, NAN]),
    ],
)
def test_exact_functions(name: str, values: list[float], right: list[float]) -> None:
    assert same(exact(elementwise(f"math.{name}", "f32", 1, 3), floats(values)), right)


def test_a_step_within_the_error() -> None:
    got = one(elementwise("math.floor", "f32", 1, 2), Value(floats([1.5, 2.0]), None, np.array([0.25, 0.25])))
    assert got.error is not None
    assert got.error.tolist() == [0.0, 1.0]


FUNCTIONS = [
    ("exp", math.exp, 1.5), ("log", math.log, 2.5), ("tanh", math.tanh, 0.3), ("erf", math.erf, 0.7),
    ("rsqrt", lambda x: 1 / math.sqrt(x), 3.0), ("sin", math.sin, 2.0), ("cos", math.cos, 2.0),
    ("log1p", math.log1p, 0.25), ("expm1", math.expm1, 0.5), ("atan", math.atan, 1.5), ("cbrt", math.cbrt, 5.0),
    ("exp2", lambda x: 2.0**x, 1.5), ("log2", math.log2, 5.0), ("log10", math.log10, 5.0), ("tan", math.tan, 0.5),
    ("sinh", math.sinh, 0.5), ("cosh", math.cosh, 0.5), ("asin", math.asin, 0.5), ("acos", math.acos, 0.5),
    ("asinh", math.asinh, 0.5), ("acosh", math.acosh, 1.5), ("atanh", math.atanh, 0.5), ("erfc", math.erfc, 0.5),
]  # fmt: skip


@pytest.mark.parametrize(("name", "function", "x"), FUNCTIONS)
def test_functions_are_right_and_tolerant(name: str, function: Any, x: float) -> None:
    got = one(elementwise(f"math.{name}", "f32", 1, 1), floats([x]))
    assert got.data[0] == np.float32(function(float(np.float32(x))))
    assert got.error is not None
    assert 2.0**-24 * abs(got.data[0]) < got.error[0] < 1e-4
    off = one(elementwise(f"math.{name}", "f32", 1, 1), Value(floats([x]), None, np.array([1e-2])))
    assert off.error is not None
    moved = max(abs(function(x + 1e-2) - function(x)), abs(function(x - 1e-2) - function(x)))
    assert off.error[0] >= moved


def test_powers() -> None:
    got = one(elementwise("math.powf", "f32", 2, 3), floats([2, 9, 1.5]), floats([10, 0.5, -2]))
    assert np.allclose(got.data, [1024, 3, 1 / 2.25])
    assert got.error is not None
    assert (got.error < 1e-2).all()
    text = """func.func @f(%a: tensor<3xf32>, %b: tensor<3xi32>) -> tensor<3xf32> {
      %r = math.fpowi %a, %b : tensor<3xf32>, tensor<3xi32>
      return %r : tensor<3xf32> }"""
    assert one(text, floats([2, -3, 2]), np.array([10, 3, -1], np.int32)).data.tolist() == [1024, -27, 0.5]


def test_counting_bits() -> None:
    values = np.array([0, 1, -1, 8], np.int8)
    assert exact(elementwise("math.ctlz", "i8", 1, 4), values).tolist() == [8, 7, 0, 4]
    assert exact(elementwise("math.cttz", "i8", 1, 4), values).tolist() == [8, 0, 0, 3]
    assert exact(elementwise("math.ctpop", "i8", 1, 4), values).tolist() == [0, 1, 8, 1]
    assert exact(elementwise("math.absi", "i8", 1, 4), np.array([-3, 3, 0, -128], np.int8)).tolist() == [3, 3, 0, -128]


def test_what_is_not_known_is_named() -> None:
    text = """func.func @f(%a: complex<f32>) -> complex<f32> { return %a : complex<f32> }"""
    with pytest.raises(CannotEvaluateError, match="cannot evaluate `complex<f32>`"):
        one(text, floats([1]))
    sort = """func.func @f(%a: tensor<3xf32>) -> tensor<3xf32> {
      %r = iree_linalg_ext.sort dimension(0) outs(%a : tensor<3xf32>) {
      ^bb0(%x: f32, %y: f32):
        %c = arith.cmpf ogt, %x, %y : f32
        iree_linalg_ext.yield %c : i1
      } -> tensor<3xf32>
      return %r : tensor<3xf32> }"""
    with pytest.raises(CannotEvaluateError, match=r"cannot evaluate `iree_linalg_ext\.sort`"):
        one(sort, floats([1, 2, 3]))


def test_subnormal_constants_and_bits_may_be_flushed() -> None:
    constant = """func.func @f() -> tensor<2xf32> {
      %r = arith.constant dense<[1.0e-40, 1.0]> : tensor<2xf32>
      return %r : tensor<2xf32> }"""
    bits = """func.func @f(%a: tensor<2xi32>) -> tensor<2xf32> {
      %r = arith.bitcast %a : tensor<2xi32> to tensor<2xf32>
      return %r : tensor<2xf32> }"""
    ways = (one(constant), one(bits, np.array([1.0e-40, 1.0], np.float32).view(np.int32)))
    for value in ways:
        assert value.error is not None
        assert value.error.tolist() == [pytest.approx(1.0e-40, rel=1e-3), 0.0]
