"""`linalg.generic` against loops written out: random maps, bodies of every way of evaluating."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reducer.reference import UndefinedError
from tests.reference.running import Array, exact, one, run
from tests.reference.test_int_ops import wrap


@dataclass(frozen=True)
class Body:
    """A body's text, on %a %b %o, and what it computes; each also gets the loops."""

    text: str
    compute: Callable[[int, int, int, tuple[int, ...]], int]


BODIES = {
    "sum of products": Body("%m = arith.muli %a, %b : i32\n%r = arith.addi %o, %m : i32", lambda a, b, o, _: o + a * b),
    "sum": Body("%s = arith.addi %o, %a : i32\n%r = arith.addi %b, %s : i32", lambda a, b, o, _: o + a + b),
    "difference": Body("%s = arith.subi %o, %a : i32\n%r = arith.addi %s, %b : i32", lambda a, b, o, _: o - a + b),
    "maximum": Body("%s = arith.subi %a, %b : i32\n%r = arith.maxsi %s, %o : i32", lambda a, b, o, _: max(a - b, o)),
    "recurrence": Body(
        "%c3 = arith.constant 3 : i32\n%s = arith.muli %o, %c3 : i32\n%t = arith.addi %s, %a : i32\n"
        "%r = arith.subi %t, %b : i32",
        lambda a, b, o, _: 3 * o + a - b,
    ),
    "index": Body(
        "%i = linalg.index 0 : index\n%j = linalg.index 1 : index\n%k = arith.subi %i, %j : index\n"
        "%n = arith.index_cast %k : index to i32\n%s = arith.muli %n, %a : i32\n%r = arith.addi %o, %s : i32",
        lambda a, b, o, at: o + (at[0] - at[1]) * a,
    ),
    "larger of two": Body(
        "%c = arith.cmpi sgt, %a, %b : i32\n%s = scf.if %c -> i32 {\n scf.yield %a : i32\n} else {\n"
        " %d = arith.subi %b, %a : i32\n scf.yield %d : i32\n}\n%r = arith.addi %s, %o : i32",
        lambda a, b, o, _: o + (a if a > b else b - a),
    ),
    "selection": Body(
        "%c = arith.cmpi slt, %a, %o : i32\n%r = arith.select %c, %a, %b : i32", lambda a, b, o, _: a if a < o else b
    ),
}

EXPRESSIONS = [
    "d0", "d1", "d2", "0", "1", "d0 + d1", "d0 * 2 + d2", "d1 + d2 * 2", "d2 mod 2", "(d0 + d1) floordiv 2", "d1 * 2",
    "d0 - d0 + d2", "-d1 + 3", "(d0 + d2) ceildiv 2", "d0 * 2 + d1 mod 2",
]  # fmt: skip


def place(expression: str, loops: tuple[int, ...]) -> int:
    """The value of an expression, by Python's own arithmetic."""
    text = re.sub(r"(\([^()]*\)|d\d) ceildiv (\d+)", r"-(-(\1) // \2)", expression)
    text = text.replace("floordiv", "//").replace("mod", "%")
    value = eval(text, {f"d{i}": n for i, n in enumerate(loops)})
    return int(value)


def loops_over(body: Body, maps: list[list[str]], arrays: list[Array], sizes: tuple[int, ...]) -> Array:
    a, b, out = arrays
    out = out.copy()
    for at in itertools.product(*(range(n) for n in sizes)):
        x, y, o = (tuple(place(e, at) for e in m) for m in maps)
        out[o] = wrap(body.compute(int(a[x]), int(b[y]), int(out[o]), at), 32)
    return out


def program(body: Body, maps: list[list[str]], arrays: list[Array], kinds: list[str]) -> str:
    types = [f"tensor<{''.join(f'{n}x' for n in a.shape)}i32>" for a in arrays]
    written = ", ".join(f"affine_map<(d0, d1, d2) -> ({', '.join(m)})>" for m in maps)
    iterators = ", ".join(f'"{k}"' for k in kinds)
    formal = ", ".join(f"%{letter}: {t}" for letter, t in zip("xyz", types, strict=True))
    return f"""func.func @f({formal}) -> {types[2]} {{
      %g = linalg.generic {{indexing_maps = [{written}], iterator_types = [{iterators}]}}
          ins(%x, %y : {types[0]}, {types[1]}) outs(%z : {types[2]}) {{
      ^bb0(%a: i32, %b: i32, %o: i32):
        {body.text}
        linalg.yield %r : i32
      }} -> {types[2]}
      return %g : {types[2]} }}"""


@pytest.mark.parametrize("name", BODIES)
@settings(max_examples=30, derandomize=True, deadline=None, database=None)
@given(data=st.data())
def test_any_maps(name: str, data: st.DataObject) -> None:
    sizes = tuple(data.draw(st.integers(1, 3)) for _ in range(3))
    maps = [
        data.draw(st.permutations(["d0", "d1", "d2"])),
        data.draw(st.lists(st.sampled_from(EXPRESSIONS), max_size=3)),
        data.draw(st.lists(st.sampled_from(["d0", "d1", "d2"]), max_size=3, unique=True)),
    ]
    arrays: list[Array] = []
    random = np.random.default_rng(data.draw(st.integers(0, 1000)))
    for map_ in maps:
        shape = []
        for expression in map_:
            reached = [place(expression, at) for at in itertools.product(*(range(n) for n in sizes))]
            if min(reached) < 0:
                return
            shape.append(max(reached) + 1)
        arrays.append(random.integers(-9, 10, shape).astype(np.int32))
    kinds = ["parallel" if f"d{i}" in maps[2] else "reduction" for i in range(3)]
    got = exact(program(BODIES[name], maps, arrays, kinds), *arrays)
    assert got.tolist() == loops_over(BODIES[name], maps, arrays, sizes).tolist()


def test_an_output_through_no_plain_map() -> None:
    text = """func.func @f(%x: tensor<3x2xi32>, %z: tensor<4xi32>) -> tensor<4xi32> {
      %g = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0 + d1)>],
          iterator_types = ["reduction", "reduction"]} ins(%x : tensor<3x2xi32>) outs(%z : tensor<4xi32>) {
      ^bb0(%a: i32, %o: i32):
        %r = arith.addi %a, %o : i32
        linalg.yield %r : i32
      } -> tensor<4xi32>
      return %g : tensor<4xi32> }"""
    got = exact(text, np.array([[1, 2], [3, 4], [5, 6]], np.int32), np.array([10, 20, 30, 40], np.int32))
    assert got.tolist() == [11, 25, 39, 46]


ARGMAX = """func.func @f(%x: tensor<4x3xf32>) -> (tensor<4xf32>, tensor<4xindex>) {
  %z = arith.constant dense<-1.0> : tensor<4xf32>
  %i = arith.constant dense<0> : tensor<4xindex>
  %g:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>,
      affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x3xf32>) outs(%z, %i : tensor<4xf32>, tensor<4xindex>) {
  ^bb0(%a: f32, %m: f32, %n: index):
    %k = linalg.index 1 : index
    %c = arith.cmpf ogt, %a, %m : f32
    %s = arith.select %c, %a, %m : f32
    %t = arith.select %c, %k, %n : index
    linalg.yield %s, %t : f32, index
  } -> (tensor<4xf32>, tensor<4xindex>)
  return %g#0, %g#1 : tensor<4xf32>, tensor<4xindex>
}"""


def test_results_that_depend_on_each_other() -> None:
    x = np.array([[1, 5, 5], [7, 2, 3], [0, 0, 9], [-5, -4, -3]], np.float32)
    values, places = run(ARGMAX, x)
    assert values.data.tolist() == [5, 7, 9, -1]
    assert places.data.tolist() == [1, 0, 2, 0]


def test_two_independent_sums_at_once() -> None:
    text = """func.func @f(%x: tensor<2x3xf32>, %p: tensor<2xf32>, %q: tensor<2xf32>)
        -> (tensor<2xf32>, tensor<2xf32>) {
      %g:2 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>,
          affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
          ins(%x : tensor<2x3xf32>) outs(%p, %q : tensor<2xf32>, tensor<2xf32>) {
      ^bb0(%a: f32, %m: f32, %n: f32):
        %s = arith.addf %m, %a : f32
        %b = arith.mulf %a, %a : f32
        %t = arith.mulf %n, %b : f32
        linalg.yield %s, %t : f32, f32
      } -> (tensor<2xf32>, tensor<2xf32>)
      return %g#0, %g#1 : tensor<2xf32>, tensor<2xf32> }"""
    total, product = run(text, np.array([[1, 2, 3], [4, 5, 6]], np.float32), *[np.array([1, 2], np.float32)] * 2)
    assert total.data.tolist() == [7, 17]
    assert product.data.tolist() == [36, 2 * 16 * 25 * 36]
    assert total.error is None
    assert product.error is None


def test_the_output_that_is_never_filled_is_undefined() -> None:
    text = """func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>) -> tensor<2x2xf32> {
      %e = tensor.empty() : tensor<2x2xf32>
      %r = linalg.matmul ins(%x, %y : tensor<2x3xf32>, tensor<3x2xf32>) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
      return %r : tensor<2x2xf32> }"""
    got = one(text, np.ones((2, 3), np.float32), np.ones((3, 2), np.float32))
    assert got.undefined is not None
    assert got.undefined.all()


def test_an_undefined_factor_spoils_only_its_own_row() -> None:
    text = """func.func @f(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>, %z: tensor<2x2xf32>) -> tensor<2x2xf32> {
      %e = tensor.empty() : tensor<1x3xf32>
      %p = tensor.insert_slice %e into %x[1, 0] [1, 3] [1, 1] : tensor<1x3xf32> into tensor<2x3xf32>
      %r = linalg.matmul ins(%p, %y : tensor<2x3xf32>, tensor<3x2xf32>) outs(%z : tensor<2x2xf32>) -> tensor<2x2xf32>
      return %r : tensor<2x2xf32> }"""
    got = one(text, *[np.ones(s, np.float32) for s in ((2, 3), (3, 2), (2, 2))])
    assert got.undefined is not None
    assert got.undefined.tolist() == [[False, False], [True, True]]
    assert got.data[0].tolist() == [4, 4]


def test_parallel_loops_that_write_the_same_element_race() -> None:
    maps = [["d0", "d1", "d2"], [], ["d0", "d1"]]
    arrays: list[Any] = [np.ones((2, 2, 2), np.int32), np.ones((), np.int32), np.zeros((2, 2), np.int32)]
    body = Body("%r = arith.addi %a, %b : i32", lambda a, b, _o, _at: a + b)
    got = one(program(body, maps, arrays, ["parallel"] * 3), *arrays)
    assert got.undefined is not None
    assert got.undefined.all()


def test_operands_that_disagree_about_a_loop() -> None:
    text = """func.func @f(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
      %r = linalg.copy ins(%x : tensor<?xf32>) outs(%y : tensor<?xf32>) -> tensor<?xf32>
      return %r : tensor<?xf32> }"""
    with pytest.raises(UndefinedError, match="operands of 3 and 2 along the same loop"):
        one(text, np.ones(3, np.float32), np.ones(2, np.float32))


def test_no_loops_at_all_and_no_elements() -> None:
    text = """func.func @f(%x: tensor<0x3xf32>, %y: tensor<3x2xf32>, %z: tensor<0x2xf32>, %w: tensor<2x2xf32>)
        -> (tensor<0x2xf32>, tensor<2x2xf32>) {
      %r = linalg.matmul ins(%x, %y : tensor<0x3xf32>, tensor<3x2xf32>) outs(%z : tensor<0x2xf32>) -> tensor<0x2xf32>
      %a = tensor.empty() : tensor<2x0xf32>
      %b = tensor.empty() : tensor<0x2xf32>
      %s = linalg.matmul ins(%a, %b : tensor<2x0xf32>, tensor<0x2xf32>) outs(%w : tensor<2x2xf32>) -> tensor<2x2xf32>
      return %r, %s : tensor<0x2xf32>, tensor<2x2xf32> }"""
    w = np.array([[1, 2], [3, 4]], np.float32)
    none, kept = run(text, *[np.ones(s, np.float32) for s in ((0, 3), (3, 2), (0, 2))], w)
    assert none.shape == (0, 2)
    assert kept.data.tolist() == w.tolist()
    assert kept.undefined is None


def test_a_dynamic_size_that_leaves_out_part_of_an_operand() -> None:
    text = """func.func @f(%x: tensor<?xf32>, %w: tensor<?xf32>, %z: tensor<?xf32>) -> tensor<?xf32> {
      %r = linalg.conv_1d ins(%x, %w : tensor<?xf32>, tensor<?xf32>) outs(%z : tensor<?xf32>) -> tensor<?xf32>
      return %r : tensor<?xf32> }"""
    x = np.array([1, 2, 3, 4], np.float32)
    assert exact(text, x, np.ones(2, np.float32), np.zeros(2, np.float32)).tolist() == [3, 5]
    with pytest.raises(UndefinedError, match="operands of 2 and 4 along the same loop, whose window is 1"):
        one(text, x, np.ones(1, np.float32), np.zeros(2, np.float32))
