"""What an error says: nothing for exact sums, and for others a bound that holds in any order and any precision."""

from __future__ import annotations

import math
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reducer.reference import Value
from tests.reference.running import Array, elementwise, exact, one, run

DTYPES: dict[str, Any] = {"f16": np.float16, "f32": np.float32, "bf16": ml_dtypes.bfloat16}


def reduction(op: str, kind: str, size: int) -> str:
    return f"""func.func @f(%x: tensor<{size}x{kind}>, %z: tensor<{kind}>) -> tensor<{kind}> {{
      %r = linalg.reduce {{ arith.{op} }} ins(%x : tensor<{size}x{kind}>) outs(%z : tensor<{kind}>) dimensions = [0]
      return %r : tensor<{kind}> }}"""


def error_of(value: Value) -> Array:
    return np.zeros(value.shape) if value.error is None else value.error


@pytest.mark.parametrize(("kind", "most"), [("f16", 2048), ("bf16", 256), ("f32", 2**24)])
def test_sums_are_exact_as_long_as_every_partial_sum_is(kind: str, most: int) -> None:
    step = most // 4
    fits = np.array([step, step, -step, 0], DTYPES[kind])
    assert float(exact(reduction("addf", kind, 4), fits, np.zeros((), DTYPES[kind]))) == step
    too_large = one(reduction("addf", kind, 4), fits, np.array(2 * step, DTYPES[kind]))
    assert error_of(too_large) > 0


def test_halves_are_as_exact_as_whole_numbers() -> None:
    x = np.array([0.5, -1.25, 3.75], np.float32)
    assert float(exact(reduction("addf", "f32", 3), x, np.zeros((), np.float32))) == 3.0


@pytest.mark.parametrize("kind", ["f16", "f32", "bf16"])
@pytest.mark.parametrize("op", ["addf", "mulf"])
@settings(max_examples=40, derandomize=True, deadline=None, database=None)
@given(data=st.data())
def test_every_order_of_a_reduction_is_within_the_bound(op: str, kind: str, data: st.DataObject) -> None:
    dtype = DTYPES[kind]
    edge = 100 if op == "addf" else 2
    number = st.floats(-edge, edge, width=16).filter(lambda x: x == 0 or abs(x) > 1e-2)
    x = np.array(data.draw(st.lists(number, min_size=2, max_size=12)), dtype)
    start = np.array(data.draw(number), dtype)
    value = one(reduction(op, kind, x.size), x, start)
    terms = data.draw(st.permutations([start[()], *x]))
    ufunc = np.add if op == "addf" else np.multiply
    with np.errstate(all="ignore"):
        in_order = terms[0]
        for term in terms[1:]:
            in_order = dtype(ufunc(in_order, term))
        tree = list(terms)
        while len(tree) > 1:
            tree = [dtype(ufunc(*tree[i : i + 2])) if i + 1 < len(tree) else tree[i] for i in range(0, len(tree), 2)]
        wide = ufunc.reduce(np.array(terms, np.float64))
    for other in (float(in_order), float(tree[0]), float(wide)):
        assert abs(other - float(value.data)) <= float(error_of(value)), (other, value)


@settings(max_examples=20, derandomize=True, deadline=None, database=None)
@given(seed=st.integers(0, 10**6), kind=st.sampled_from(["f16", "f32"]))
def test_products_of_matrices_are_within_the_bound_in_any_order(seed: int, kind: str) -> None:
    random = np.random.default_rng(seed)
    dtype = DTYPES[kind]
    x, y, z = (random.standard_normal(s).astype(dtype) for s in ((3, 16), (16, 4), (3, 4)))
    a, b, c = f"tensor<3x16x{kind}>", f"tensor<16x4x{kind}>", f"tensor<3x4x{kind}>"
    text = f"""func.func @f(%x: {a}, %y: {b}, %z: {c}) -> {c} {{
      %r = linalg.matmul ins(%x, %y : {a}, {b}) outs(%z : {c}) -> {c}
      return %r : {c} }}"""
    value = one(text, x, y, z)
    slow = z.copy()
    for k in random.permutation(16):
        slow = (slow + (x[:, k, None] * y[None, k, :]).astype(dtype)).astype(dtype)
    right = z.astype(np.float64) + x.astype(np.float64) @ y.astype(np.float64)
    for other in (slow.astype(np.float64), right):
        assert (np.abs(other - value.data) <= error_of(value)).all()
    assert error_of(value).max() < (0.5 if kind == "f16" else 1e-4)


def test_inexact_factors() -> None:
    x = Value(np.array([[1, 2]], np.float32), None, np.array([[0.5, 0.0]]))
    text = """func.func @f(%x: tensor<1x2xf32>, %y: tensor<2x2xf32>, %z: tensor<1x2xf32>) -> tensor<1x2xf32> {
      %r = linalg.matmul ins(%x, %y : tensor<1x2xf32>, tensor<2x2xf32>) outs(%z : tensor<1x2xf32>) -> tensor<1x2xf32>
      return %r : tensor<1x2xf32> }"""
    got = one(text, x, np.array([[3, 0], [1, 1]], np.float32), np.zeros((1, 2), np.float32))
    assert got.data.tolist() == [[5, 2]]
    assert 1.5 <= error_of(got)[0, 0] < 1.51
    assert error_of(got)[0, 1] == 0
    unknown = Value(x.data, None, np.array([[math.inf, 0.0]]))
    got = one(text, unknown, np.array([[3, 0], [1, 1]], np.float32), np.zeros((1, 2), np.float32))
    assert error_of(got).tolist() == [[math.inf, math.inf]], "even zero times what may be infinite is unknown"


def test_infinities_of_exact_operands_are_exact() -> None:
    x = np.array([[math.inf, 1], [1, 1], [math.inf, -math.inf], [math.nan, 1], [math.inf, 0]], np.float32)
    text = """func.func @f(%x: tensor<5x2xf32>, %y: tensor<2x1xf32>, %z: tensor<5x1xf32>) -> tensor<5x1xf32> {
      %r = linalg.matmul ins(%x, %y : tensor<5x2xf32>, tensor<2x1xf32>) outs(%z : tensor<5x1xf32>) -> tensor<5x1xf32>
      return %r : tensor<5x1xf32> }"""
    got = exact(text, x, np.array([[2], [3]], np.float32), np.zeros((5, 1), np.float32))
    assert np.array_equal(got.ravel(), [math.inf, 5, math.nan, math.nan, math.inf], equal_nan=True)
    got = exact(text, x, np.array([[0], [3]], np.float32), np.zeros((5, 1), np.float32))
    assert np.array_equal(got.ravel(), [math.nan, 3, math.nan, math.nan, math.nan], equal_nan=True)
    largest = exact(reduction("maximumf", "f32", 3), np.array([1, -math.inf, 2], np.float32), np.float32(-math.inf))
    assert float(largest) == 2


def test_a_sum_that_may_overflow_is_unknown() -> None:
    x = np.array([60000, 60000, -60000], np.float16)
    got = one(reduction("addf", "f16", 3), x, np.float16(0))
    assert float(error_of(got)) == math.inf


def test_inexact_numbers_stay_inexact_through_a_program() -> None:
    text = """func.func @f(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi8>) {
      %e = math.exp %x : tensor<4xf32>
      %l = math.log %e : tensor<4xf32>
      %i = arith.fptosi %l : tensor<4xf32> to tensor<4xi8>
      return %l, %i : tensor<4xf32>, tensor<4xi8> }"""
    back, whole = run(text, np.array([0.5, 1, 1.5, 2], np.float32))
    assert (error_of(back) < 1e-5).all()
    assert (np.abs(back.data - [0.5, 1, 1.5, 2]) <= error_of(back)).all()
    assert error_of(whole).tolist() == [0, 1, 0, 1], "1 and 2 may have come out a little less"


def test_sum_of_subnormal_numbers_may_be_flushed() -> None:
    got = one(elementwise("arith.addf", "f32", 2, 1), np.array([1e-40], np.float32), np.array([0], np.float32))
    assert error_of(got)[0] >= 1e-40


@pytest.mark.parametrize(("op", "kind", "number"), [("sin", "f32", 3e38), ("cos", "f32", 3e20), ("asinh", "f16", -127)])
def test_where_an_approximation_breaks_down_nothing_is_known(op: str, kind: str, number: float) -> None:
    """Polynomials return infinities here, on llvm-cpu at least."""
    got = one(elementwise(f"math.{op}", kind, 1, 1), np.array([number], DTYPES[kind]))
    assert got.error is not None
    assert got.error.tolist() == [float("inf")]
