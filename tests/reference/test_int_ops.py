"""Every integer op of `arith` against Python's own whole numbers, over all pairs of i4 and samples of the others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reducer.reference import Value
from tests.reference.running import elementwise, one, run

DTYPES: dict[int, Any] = {1: np.bool_, 4: ml_dtypes.int4, 8: np.int8, 16: np.int16, 32: np.int32, 64: np.int64}


def wrap(n: int, bits: int) -> int:
    """The lowest bits, read as a signed number."""
    n &= (1 << bits) - 1
    return n - (1 << bits) if n >> (bits - 1) else n


def towards_zero(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


SIGNED: dict[str, Callable[[int, int], int]] = {
    "addi": lambda a, b: a + b,
    "subi": lambda a, b: a - b,
    "muli": lambda a, b: a * b,
    "andi": lambda a, b: a & b,
    "ori": lambda a, b: a | b,
    "xori": lambda a, b: a ^ b,
    "maxsi": max,
    "minsi": min,
    "divsi": towards_zero,
    "remsi": lambda a, b: a - b * towards_zero(a, b),
    "floordivsi": lambda a, b: a // b,
    "ceildivsi": lambda a, b: -(-a // b),
}
UNSIGNED: dict[str, Callable[[int, int], int]] = {
    "maxui": max,
    "minui": min,
    "divui": lambda a, b: a // b,
    "remui": lambda a, b: a % b,
    "ceildivui": lambda a, b: -(-a // b),
}


def expected(name: str, a: int, b: int, bits: int) -> int | None:
    """The result, None where it is undefined."""
    mask = (1 << bits) - 1
    if "sh" in name:
        if b & mask >= bits:
            return None
        return {"shli": a << (b & mask), "shrsi": a >> (b & mask), "shrui": (a & mask) >> (b & mask)}[name]
    if ("div" in name or "rem" in name) and b == 0:
        return None
    if name in UNSIGNED:
        return UNSIGNED[name](a & mask, b & mask)
    if ("div" in name or "rem" in name) and a == -(1 << (bits - 1)) and b == -1:
        return None
    return SIGNED[name](a, b)


def numbers(values: list[int], bits: int) -> Any:
    return np.array([v & 1 if bits == 1 else v for v in values], np.int64).astype(DTYPES[bits])


def check(name: str, bits: int, pairs: list[tuple[int, int]]) -> None:
    a, b = (numbers([p[i] for p in pairs], bits) for i in range(2))
    got = one(elementwise(f"arith.{name}", f"i{bits}", 2, len(pairs)), a, b)
    undefined = np.zeros(len(pairs), bool) if got.undefined is None else got.undefined
    assert got.error is None
    for i, (x, y) in enumerate(pairs):
        right = expected(name, x, y, bits)
        assert bool(undefined[i]) == (right is None), (name, x, y)
        if right is not None:
            assert int(got.data[i]) == (right & 1 if bits == 1 else wrap(right, bits)), (name, x, y)


NAMES = [*SIGNED, *UNSIGNED, "shli", "shrsi", "shrui"]


@pytest.mark.parametrize("name", NAMES)
def test_all_pairs_of_i4(name: str) -> None:
    check(name, 4, [(a, b) for a in range(-8, 8) for b in range(-8, 8)])


@pytest.mark.parametrize("name", [n for n in NAMES if "div" not in n and "rem" not in n])
def test_all_pairs_of_i1(name: str) -> None:
    check(name, 1, [(a, b) for a in (0, -1) for b in (0, -1)])


@pytest.mark.parametrize("bits", [8, 16, 32, 64])
@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=10, derandomize=True, deadline=None, database=None)
@given(data=st.data())
def test_other_widths(name: str, bits: int, data: st.DataObject) -> None:
    edge = 1 << (bits - 1)
    number = st.one_of(st.integers(-edge, edge - 1), st.sampled_from([-edge, edge - 1, 0, 1, -1, bits - 1, bits]))
    check(name, bits, data.draw(st.lists(st.tuples(number, number), min_size=1, max_size=20)))


PREDICATES: list[Callable[[int, int], bool]] = [
    lambda a, b: a == b,
    lambda a, b: a != b,
    lambda a, b: a < b,
    lambda a, b: a <= b,
    lambda a, b: a > b,
    lambda a, b: a >= b,
]


@pytest.mark.parametrize("predicate", range(10))
def test_comparisons(predicate: int) -> None:
    pairs = [(a, b) for a in range(-8, 8) for b in range(-8, 8)]
    a, b = (numbers([p[i] for p in pairs], 4) for i in range(2))
    text = elementwise("arith.cmpi", "i4 -> i1", 2, 256, f"{{predicate = {predicate} : i64}}")
    compare = PREDICATES[predicate if predicate < 6 else predicate - 4]
    right = [compare(x, y) if predicate < 6 else compare(x & 15, y & 15) for x, y in pairs]
    assert one(text, a, b).data.tolist() == right


@pytest.mark.parametrize(("name", "bits"), [("mulsi", 8), ("mului", 8), ("mulsi", 64), ("mului", 64)])
def test_extended_products(name: str, bits: int) -> None:
    edge = 1 << (bits - 1)
    values = [-edge, -edge + 1, -3, -1, 0, 1, 7, edge - 1]
    pairs = [(a, b) for a in values for b in values]
    n, t = len(pairs), f"tensor<{len(pairs)}xi{bits}>"
    text = f"""func.func @f(%a: {t}, %b: {t}) -> ({t}, {t}) {{
      %l, %h = arith.{name}_extended %a, %b : {t}
      return %l, %h : {t}, {t} }}"""
    low, high = run(text, *(numbers([p[i] for p in pairs], bits) for i in range(2)))
    mask = (1 << bits) - 1
    for i, (a, b) in enumerate(pairs):
        product = a * b if name == "mulsi" else (a & mask) * (b & mask)
        assert (int(low.data[i]), int(high.data[i])) == (wrap(product, bits), wrap(product >> bits, bits)), (a, b)
    assert n == 64


@pytest.mark.parametrize("bits", [8, 32, 64])
def test_a_sum_with_its_carry(bits: int) -> None:
    t = f"tensor<4xi{bits}>"
    text = f"""func.func @f(%a: {t}, %b: {t}) -> ({t}, tensor<4xi1>) {{
      %s, %c = arith.addui_extended %a, %b : {t}, tensor<4xi1>
      return %s, %c : {t}, tensor<4xi1> }}"""
    total, carry = run(text, numbers([-1, -1, 5, 0], bits), numbers([1, -1, 6, 0], bits))
    assert total.data.tolist() == [0, -2, 11, 0]
    assert carry.data.tolist() == [True, True, False, False]


def test_what_is_inexact_carries_a_bound_or_is_unknown() -> None:
    a = Value(np.array([10, 100, 120, 3], np.int8), None, np.array([1.0, 0.0, 10.0, np.inf]))
    b = Value(np.array([2, 1, 1, 1], np.int8))
    total = one(elementwise("arith.addi", "i8", 2, 4), a, b)
    assert total.error is not None
    assert total.error.tolist() == [1.0, 0.0, np.inf, np.inf]
    product = one(elementwise("arith.muli", "i8", 2, 4), a, b)
    assert product.error is not None
    assert product.error.tolist() == [2.0, 0.0, np.inf, np.inf]
    quotient = one(elementwise("arith.divsi", "i8", 2, 4), a, b)
    assert quotient.error is not None
    assert quotient.error.tolist() == [np.inf, 0.0, np.inf, np.inf]


def test_what_is_undefined_flows_on_but_a_select_can_leave_it_behind() -> None:
    a = Value(np.array([1, 2, 3], np.int32), np.array([True, False, False]))
    b = np.array([4, 5, 6], np.int32)
    total = one(elementwise("arith.addi", "i32", 2, 3), a, b)
    assert total.undefined is not None
    assert total.undefined.tolist() == [True, False, False]
    t = "tensor<3xi32>"
    text = f"""func.func @f(%c: tensor<3xi1>, %a: {t}, %b: {t}) -> {t} {{
      %r = arith.select %c, %a, %b : tensor<3xi1>, {t}
      return %r : {t} }}"""
    picked = one(text, np.array([False, True, True]), a, b)
    assert picked.undefined is None
    assert picked.data.tolist() == [4, 2, 3]
    condition = Value(np.array([False, True, True]), np.array([False, False, True]))
    open_choice = one(text, condition, a, b)
    assert open_choice.undefined is not None
    assert open_choice.undefined.tolist() == [False, False, True]
