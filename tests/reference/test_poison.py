"""Promises that flags make, and what of a result is undefined because it breaks them: against Python's own numbers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from tests.reference.running import Array, one

EIGHT = range(-128, 128)
Promise = Callable[[int, int], bool]


def undefined_pairs(op: str, flags: str, rights: range) -> Array:
    a, b = (np.array(x, np.int8).reshape(-1) for x in np.meshgrid(EIGHT, rights, indexing="ij"))
    kind = f"tensor<{a.size}xi8>"
    text = f"func.func @f(%a: {kind}, %b: {kind}) -> {kind} {{ %r = {op} %a, %b {flags} : {kind} return %r : {kind} }}"
    value = one(text, a, b)
    return np.zeros(a.size, bool) if value.undefined is None else value.undefined


def u(n: int) -> int:
    return n & 255


def fits(n: int) -> bool:
    return -128 <= n < 128


@pytest.mark.parametrize(
    ("op", "flags", "rights", "broken"),
    [
        ("arith.addi", "overflow<nsw>", EIGHT, lambda a, b: not fits(a + b)),
        ("arith.addi", "overflow<nuw>", EIGHT, lambda a, b: u(a) + u(b) > 255),
        ("arith.subi", "overflow<nsw>", EIGHT, lambda a, b: not fits(a - b)),
        ("arith.subi", "overflow<nuw>", EIGHT, lambda a, b: u(a) < u(b)),
        ("arith.muli", "overflow<nsw, nuw>", EIGHT, lambda a, b: not fits(a * b) or u(a) * u(b) > 255),
        ("arith.shli", "overflow<nsw>", range(8), lambda a, b: not fits(a * 2**b)),
        ("arith.shli", "overflow<nuw>", range(8), lambda a, b: u(a) * 2**b > 255),
        ("arith.shrui", "exact", range(8), lambda a, b: u(a) % 2**b != 0),
        ("arith.shrsi", "exact", range(8), lambda a, b: a % 2**b != 0),
        ("arith.divui", "exact", range(1, 128), lambda a, b: u(a) % b != 0),
        ("arith.divsi", "exact", range(1, 128), lambda a, b: a % b != 0),
        ("arith.addi", "", EIGHT, lambda a, b: False),
    ],
)
def test_pairs(op: str, flags: str, rights: range, broken: Promise) -> None:
    expected = [broken(a, b) for a in EIGHT for b in rights]
    assert undefined_pairs(op, flags, rights).tolist() == expected


@pytest.mark.parametrize(
    ("op", "source", "result", "numbers", "broken"),
    [
        ("arith.trunci %a overflow<nsw>", "i16", "i8", [127, 128, -128, -129], [False, True, False, True]),
        ("arith.trunci %a overflow<nuw>", "i16", "i8", [127, 255, 256, -1], [False, False, True, True]),
        ("arith.extui %a nneg", "i8", "i16", [0, 127, -1, -128], [False, False, True, True]),
        ("arith.uitofp %a nneg", "i8", "f32", [0, 127, -1, -128], [False, False, True, True]),
        ("arith.trunci %a overflow<nsw>", "i64", "i32", [2**31 - 1, 2**31, -(2**63), -1], [False, True, True, False]),
    ],
)
def test_casts(op: str, source: str, result: str, numbers: list[int], broken: list[bool]) -> None:
    before, after = f"tensor<4x{source}>", f"tensor<4x{result}>"
    text = f"func.func @f(%a: {before}) -> {after} {{ %r = {op} : {before} to {after} return %r : {after} }}"
    found = one(text, np.array(numbers, f"int{source[1:]}")).undefined
    assert found is not None
    assert found.tolist() == broken


def test_sums_of_64_bits() -> None:
    numbers = np.array([2**63 - 1, -(2**63), 5], np.int64)
    text = """func.func @f(%a: tensor<3xi64>) -> tensor<3xi64> {
      %r = arith.addi %a, %a overflow<nsw> : tensor<3xi64>
      return %r : tensor<3xi64> }"""
    found = one(text, numbers).undefined
    assert found is not None
    assert found.tolist() == [True, True, False]


@pytest.mark.parametrize(
    ("flags", "broken"),
    [
        ("nnan", [False, False, True, True]),
        ("ninf", [False, True, False, True]),
        ("fast", [False, True, True, True]),
        ("contract", [False] * 4),
    ],
)
def test_floats(flags: str, broken: list[bool]) -> None:
    text = f"""func.func @f(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {{
      %r = arith.subf %a, %b fastmath<{flags}> : tensor<4xf32>
      return %r : tensor<4xf32> }}"""
    a = np.array([1, np.inf, np.nan, np.inf], np.float32)
    value = one(text, a, np.array([1, 1, 1, np.inf], np.float32))
    found = np.zeros(4, bool) if value.undefined is None else value.undefined
    assert found.tolist() == broken
