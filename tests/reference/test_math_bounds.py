"""`math`: bounds that are no wider than they must be, and the special values that are the same everywhere."""

from __future__ import annotations

import math

import ml_dtypes
import numpy as np
import pytest

from reducer.reference import Value
from reducer.reference.types import element
from tests.reference.running import elementwise, exact, one

ROUNDED_ONCE = {  # IREE computes these in f32
    "bf16": (
        *("tanh", "tan", "cbrt", "exp", "exp2", "log", "sin", "erf", "atan", "sinh", "cosh", "asinh", "atanh"),
        *("asin", "acos", "rsqrt", "sqrt", "log1p", "expm1"),
    ),
    "f16": ("tanh", "cbrt", "exp", "log", "sin", "cos", "erf", "atan", "sqrt", "log1p", "expm1"),
}


@pytest.mark.parametrize(("op", "kind"), [(op, kind) for kind, ops in ROUNDED_ONCE.items() for op in ops])
def test_what_is_computed_in_f32_is_rounded_once(op: str, kind: str) -> None:
    dtype = element(kind).dtype
    x = np.array([0.25, 0.5, 0.75, 0.875], dtype)
    got = one(elementwise(f"math.{op}", kind, 1, 4), x)
    assert got.error is not None
    assert (got.error <= 1.1 * element(kind).unit * np.abs(got.data.astype(np.float64))).all()


@pytest.mark.parametrize(("op", "kind"), [("powf", "bf16"), ("atan2", "bf16"), ("atan2", "f16")])
def test_of_two_operands_too(op: str, kind: str) -> None:
    dtype = element(kind).dtype
    a, b = np.array([1.5, 3, 0.75, 2.25], dtype), np.array([2.5, -1.75, 0.5, 1.125], dtype)
    got = one(elementwise(f"math.{op}", kind, 2, 4), a, b)
    assert got.error is not None
    assert (got.error <= 1.1 * element(kind).unit * np.abs(got.data.astype(np.float64))).all()


@pytest.mark.parametrize(
    ("op", "x", "right"),
    [
        ("log", [-1, 0, -0.0, math.inf], [math.nan, -math.inf, -math.inf, math.inf]),
        ("log2", [-1, 0, -0.0, math.inf], [math.nan, -math.inf, -math.inf, math.inf]),
        ("log1p", [-2, -1, -math.inf, math.inf], [math.nan, -math.inf, math.nan, math.inf]),
        ("sqrt", [-1, -math.inf, 0, math.inf], [math.nan, math.nan, 0, math.inf]),
        ("asin", [2, -2, math.inf, -math.inf], [math.nan] * 4),
        ("acos", [2, -2, math.inf, -math.inf], [math.nan] * 4),
        ("acosh", [0, -2, 0.75, 0.5], [math.nan] * 4),
        ("atanh", [1, -1, 2, math.inf], [math.inf, -math.inf, math.nan, math.nan]),
    ],
)
@pytest.mark.parametrize("kind", ["f32", "f16", "bf16"])
def test_special_values_are_checked(op: str, x: list[float], right: list[float], kind: str) -> None:
    got = exact(elementwise(f"math.{op}", kind, 1, 4), np.array(x, element(kind).dtype))
    assert np.array_equal(got.astype(np.float64), right, equal_nan=True)


def test_which_infinity_follows_from_the_sign_of_zero_is_open() -> None:
    got = one(elementwise("math.rsqrt", "f32", 1, 2), np.array([0, -1], np.float32))
    assert got.error is not None
    assert got.error.tolist() == [math.inf, 0]


def test_near_a_pole_what_is_off_grows_faster_than_the_slope() -> None:
    x = np.array([333566.46875], np.float32)
    got = one(elementwise("math.tan", "f32", 1, 1), x)
    assert got.error is not None
    for turned in (0.03, -0.03):
        assert got.error[0] > abs(math.tan(float(x[0]) + turned) - math.tan(float(x[0])))


def test_an_inexact_operand_of_cosh() -> None:
    x = Value(np.array([0.125, -2, 3], ml_dtypes.bfloat16), None, np.array([0.25, 0.5, 0.25]))
    got = one(elementwise("math.cosh", "bf16", 1, 3), x)
    assert got.error is not None
    for way in (-1, 0, 1):
        moved = np.cosh(x.data.astype(np.float64) + way * np.asarray(x.error))
        assert (np.abs(moved - got.data.astype(np.float64)) <= got.error).all()
    assert got.error.max() < 5


def test_what_may_be_just_below_the_smallest_normal_number_may_be_flushed() -> None:
    got = one(elementwise("math.exp2", "f32", 1, 1), np.array([-126], np.float32))
    assert got.error is not None
    assert got.error[0] >= 2.0**-126
