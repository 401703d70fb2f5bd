"""What counts as a difference."""

from __future__ import annotations

import math

import ml_dtypes
import numpy as np
import pytest

from reducer.reference import Difference, Margin, Value, compare, margin

A = np.array([[1.0, -0.0], [math.nan, math.inf]], np.float32)


def test_the_same_is_the_same() -> None:
    assert compare(Value(A), A.copy(), rtol=None, atol=None) is None
    other_zero = np.array([[1.0, 0.0], [-math.nan, math.inf]], np.float32)
    assert compare(Value(A), other_zero, rtol=None, atol=None) is None


def test_the_first_difference_is_shown_and_all_are_counted() -> None:
    got = np.array([[1.0, 1.0], [math.nan, -math.inf]], np.float32)
    assert compare(Value(A), got, rtol=None, atol=None) == Difference("value", (0, 1), "-0.0", "1.0", 2, 4)
    got = np.array([[1.0, 0.0], [3.0, math.inf]], np.float32)
    assert compare(Value(A), got, rtol=None, atol=None) == Difference("nan", (1, 0), "nan", "3.0", 1, 4)
    got = np.array([[1.0, 0.0], [math.nan, 3e38]], np.float32)
    assert compare(Value(A), got, rtol=None, atol=None) == Difference("value", (1, 1), "inf", "3e+38", 1, 4)


def test_shapes_and_types() -> None:
    assert compare(Value(A), A.ravel(), rtol=None, atol=None) == Difference("shape", (), "[2, 2]", "[4]", 4, 4)
    wide = A.astype(np.float64)
    assert compare(Value(A), wide, rtol=None, atol=None) == Difference("type", (), "float32", "float64", 4, 4)
    scalar = np.array(3, np.int32)
    assert compare(Value(scalar), np.array(4, np.int32), rtol=None, atol=None) == Difference(
        "value", (), "3", "4", 1, 1
    )


def test_bounds() -> None:
    expected = Value(np.array([1, 1, 1, 1], np.float32), None, np.array([0.5, 0.5, math.inf, 0.0]))
    got = np.array([1.5, 0.5, -7, 1], np.float32)
    assert compare(expected, got, rtol=None, atol=None) is None
    got = np.array([1.5, 0.49, math.nan, 1 + 2**-20], np.float32)
    assert compare(expected, got, rtol=None, atol=None) == Difference("value", (1,), "1.0", "0.49", 2, 4)


def test_half_a_unit_of_what_was_computed_is_allowed_on_top() -> None:
    expected = Value(np.array([1.0], ml_dtypes.bfloat16), None, np.array([2.0**-7 - 2.0**-9]))
    assert compare(expected, np.array([1 + 2.0**-7], ml_dtypes.bfloat16), rtol=None, atol=None) is None
    assert compare(expected, np.array([1 + 2.0**-6], ml_dtypes.bfloat16), rtol=None, atol=None) is not None


def test_undefined_elements_are_not_compared() -> None:
    expected = Value(np.array([1, 2], np.int32), np.array([True, False]))
    assert compare(expected, np.array([9, 2], np.int32), rtol=None, atol=None) is None
    assert compare(expected, np.array([9, 3], np.int32), rtol=None, atol=None) is not None


@pytest.mark.parametrize(("rtol", "atol", "same"), [(0.1, None, True), (None, 0.2, True), (0.01, 0.01, False)])
def test_tolerances_take_the_place_of_bounds(rtol: float | None, atol: float | None, same: bool) -> None:
    expected = Value(np.array([2.0, 1.0], np.float32), None, np.array([math.inf, 5.0]))
    got = np.array([2.2, 1.0], np.float32) - np.float32(1e-6)
    assert (compare(expected, got, rtol=rtol, atol=atol) is None) == same


def test_no_elements_are_all_right() -> None:
    assert compare(Value(np.zeros((0, 3), np.int8)), np.zeros((0, 3), np.int8), rtol=None, atol=None) is None


def test_narrow_integers() -> None:
    expected = Value(np.array([1, -8], ml_dtypes.int4))
    assert compare(expected, np.array([1, -8], ml_dtypes.int4), rtol=None, atol=None) is None
    difference = compare(expected, np.array([1, 7], ml_dtypes.int4), rtol=None, atol=None)
    assert difference == Difference("value", (1,), "-8", "7", 1, 2)


def test_the_margin_says_what_may_be_off_and_what_is_off_most() -> None:
    expected = Value(np.array([1, 8, 1, 4], np.float32), None, np.array([0.5, 0.0, math.inf, 0.25]))
    right = margin(expected, np.array([1.25, 8, -7, 4], np.float32))
    assert right.allowed == pytest.approx(0.5, rel=1e-6)
    assert right.apart == 0.0
    wrong = margin(expected, np.array([1.25, 10, -7, 5], np.float32))
    assert wrong.allowed == pytest.approx(0.5, rel=1e-6)
    assert (wrong.apart, wrong.size) == (2.0, 8.0)
    assert margin(expected, np.array([math.nan, 10, -7, 5], np.float32)).apart == math.inf
    assert margin(expected, np.array([1.25, 8, 2, 5], np.float32), rtol=0.5, atol=1.0) == Margin(5.0)


def test_infinity_is_no_finite_number_whatever_the_tolerance() -> None:
    expected = Value(np.array([math.inf], np.float32))
    assert compare(expected, np.array([1.0], np.float32), rtol=0.1, atol=1.0) is not None
