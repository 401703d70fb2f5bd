"""`tensor` ops against NumPy, and what they leave undefined."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reducer.reference import CannotEvaluateError, UndefinedError, Value
from tests.reference.running import Array, exact, one, run

X = np.arange(12, dtype=np.float32).reshape(3, 4)


def mask(value: Value) -> list[object]:
    return [] if value.undefined is None else list(value.undefined.tolist())


def test_pads_with_dynamic_amounts_and_values_that_follow_from_the_place() -> None:
    text = """func.func @f(%x: tensor<3x4xf32>, %n: index) -> tensor<?x?xf32> {
      %p = tensor.pad %x low[%n, 1] high[2, %n] {
      ^bb0(%i: index, %j: index):
        %c10 = arith.constant 10 : index
        %m = arith.muli %i, %c10 : index
        %s = arith.addi %m, %j : index
        %k = arith.index_cast %s : index to i32
        %r = arith.sitofp %k : i32 to f32
        tensor.yield %r : f32
      } : tensor<3x4xf32> to tensor<?x?xf32>
      return %p : tensor<?x?xf32> }"""
    right = np.array([[10 * i + j for j in range(6)] for i in range(6)], np.float32)
    right[1:4, 1:5] = X
    assert exact(text, X, np.int64(1)).tolist() == right.tolist()


PAD = """func.func @f(%x: tensor<3xf32>) -> tensor<{0}xf32> {{
  %v = ub.poison : f32
  %p = tensor.pad %x low[0] high[2] {{
  ^bb0(%i: index):
    tensor.yield %v : f32
  }} : tensor<3xf32> to tensor<5xf32>
  %s = tensor.extract_slice %p[1] [{0}] [1] : tensor<5xf32> to tensor<{0}xf32>
  return %s : tensor<{0}xf32>
}}"""


def test_a_poison_pad_matters_only_where_it_is_read() -> None:
    x = np.array([1, 2, 3], np.float32)
    assert exact(PAD.format(2), x).tolist() == [2, 3]
    assert mask(one(PAD.format(3), x)) == [False, False, True]


def test_a_pad_that_cuts_is_undefined() -> None:
    text = """func.func @f(%x: tensor<3xf32>, %n: index) -> tensor<?xf32> {
      %c = arith.constant 0.0 : f32
      %p = tensor.pad %x low[0] high[%n] {
      ^bb0(%i: index):
        tensor.yield %c : f32
      } : tensor<3xf32> to tensor<?xf32>
      return %p : tensor<?xf32> }"""
    assert exact(text, np.ones(3, np.float32), np.int64(1)).tolist() == [1, 1, 1, 0]
    with pytest.raises(UndefinedError, match=r"high \[-1\]"):
        one(text, np.ones(3, np.float32), np.int64(-1))


@settings(max_examples=40, derandomize=True, deadline=None, database=None)
@given(data=st.data())
def test_slices(data: st.DataObject) -> None:
    shape = [data.draw(st.integers(1, 6)) for _ in range(3)]
    x = np.arange(np.prod(shape), dtype=np.float32).reshape(shape)
    offsets = [data.draw(st.integers(0, n - 1)) for n in shape]
    strides = [data.draw(st.integers(1, 3)) for _ in shape]
    sizes = [data.draw(st.integers(0, (n - 1 - o) // s + 1)) for n, o, s in zip(shape, offsets, strides, strict=True)]
    source = f"tensor<{'x'.join(map(str, shape))}xf32>"
    part = f"tensor<{'x'.join(map(str, sizes))}xf32>"
    text = f"""func.func @f(%x: {source}, %y: {part}, %o: index, %s: index) -> ({part}, {source}) {{
      %r = tensor.extract_slice %x[%o, {offsets[1]}, {offsets[2]}] {sizes} [%s, {strides[1]}, {strides[2]}]
          : {source} to {part}
      %i = tensor.insert_slice %y into %x[%o, {offsets[1]}, {offsets[2]}] {sizes} [%s, {strides[1]}, {strides[2]}]
          : {part} into {source}
      return %r, %i : {part}, {source} }}"""
    y = -np.ones(sizes, np.float32)
    got, put = run(text, x, y, np.int64(offsets[0]), np.int64(strides[0]))
    where = tuple(slice(o, o + (n - 1) * s + 1 if n else o, s) for o, n, s in zip(offsets, sizes, strides, strict=True))
    assert got.data.tolist() == x[where].tolist()
    x[where] = -1
    assert put.data.tolist() == x.tolist()


@pytest.mark.parametrize(
    ("result", "sizes", "shape"),
    [("4", "1, 4", (4,)), ("1x4", "1, 4", (1, 4)), ("", "1, 1", ()), ("1", "1, 1", (1,)), ("3", "3, 1", (3,))],
)
def test_slices_of_less_rank(result: str, sizes: str, shape: tuple[int, ...]) -> None:
    type_ = f"tensor<{result + 'x' if result else ''}f32>"
    text = f"""func.func @f(%x: tensor<3x4xf32>) -> ({type_}, tensor<3x4xf32>) {{
      %r = tensor.extract_slice %x[0, 0] [{sizes}] [1, 1] : tensor<3x4xf32> to {type_}
      %i = tensor.insert_slice %r into %x[0, 0] [{sizes}] [1, 1] : {type_} into tensor<3x4xf32>
      return %r, %i : {type_}, tensor<3x4xf32> }}"""
    got, put = run(text, X)
    rows, columns = map(int, sizes.split(","))
    assert got.data.tolist() == X[:rows, :columns].reshape(shape).tolist()
    assert put.data.tolist() == X.tolist()


def test_a_slice_past_the_end_is_undefined_unless_nobody_looks() -> None:
    text = """func.func @f(%x: tensor<3xf32>, %o: index) -> tensor<2xf32> {
      %r = tensor.extract_slice %x[%o] [2] [1] : tensor<3xf32> to tensor<2xf32>
      return %r : tensor<2xf32> }"""
    assert exact(text, np.arange(3, dtype=np.float32), np.int64(1)).tolist() == [1, 2]
    for offset in (2, -1):
        with pytest.raises(UndefinedError, match=f"offset {offset}, size 2, stride 1 in a dimension of 3"):
            one(text, np.arange(3, dtype=np.float32), np.int64(offset))
    unused = text.replace(
        "return %r : tensor<2xf32>", "%z = arith.constant dense<1.0> : tensor<2xf32>\n return %z : tensor<2xf32>"
    )
    assert exact(unused, np.arange(3, dtype=np.float32), np.int64(7)).tolist() == [1, 1]


GATHER = """func.func @f(%x: tensor<3x4xf32>, %i: tensor<5xindex>, %z: tensor<5xf32>) -> tensor<5xf32> {
  %c1 = arith.constant 1 : index
  %g = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>],
      iterator_types = ["parallel"]} ins(%i : tensor<5xindex>) outs(%z : tensor<5xf32>) {
  ^bb0(%k: index, %o: f32):
    %e = tensor.extract %x[%k, %c1] : tensor<3x4xf32>
    linalg.yield %e : f32
  } -> tensor<5xf32>
  return %g : tensor<5xf32>
}"""


def test_extraction_at_places_that_are_data() -> None:
    got = one(GATHER, X, np.array([2, 0, 3, -1, 1]), np.zeros(5, np.float32))
    assert mask(got) == [False, False, True, True, False]
    assert got.data[[0, 1, 4]].tolist() == [9, 1, 5]


def test_extraction_at_an_uncertain_place_is_unknown() -> None:
    places = Value(np.array([0, 1, 2, 0, 1]), None, np.array([0, 1.0, 0, 0, 0]))
    got = one(GATHER, X, places, np.zeros(5, np.float32))
    assert got.error is not None
    assert got.error.tolist() == [0, np.inf, 0, 0, 0]


def test_shapes() -> None:
    text = """func.func @f(%x: tensor<3x4xf32>, %s: tensor<2xi32>)
        -> (tensor<12xf32>, tensor<3x2x2xf32>, tensor<6x2xf32>, index) {
      %a = tensor.collapse_shape %x [[0, 1]] : tensor<3x4xf32> into tensor<12xf32>
      %b = tensor.expand_shape %x [[0], [1, 2]] output_shape [3, 2, 2] : tensor<3x4xf32> into tensor<3x2x2xf32>
      %c = tensor.reshape %x(%s) : (tensor<3x4xf32>, tensor<2xi32>) -> tensor<6x2xf32>
      %d = tensor.cast %x : tensor<3x4xf32> to tensor<?x?xf32>
      %c1 = arith.constant 1 : index
      %n = tensor.dim %d, %c1 : tensor<?x?xf32>
      return %a, %b, %c, %n : tensor<12xf32>, tensor<3x2x2xf32>, tensor<6x2xf32>, index }"""
    flat, deep, other, size = run(text, X, np.array([6, 2], np.int32))
    assert flat.data.tolist() == X.ravel().tolist()
    assert deep.data.tolist() == X.reshape(3, 2, 2).tolist()
    assert other.data.tolist() == X.reshape(6, 2).tolist()
    assert size.data == 4


def test_dynamic_expansion_and_a_cast_that_lies() -> None:
    text = """func.func @f(%x: tensor<?x4xf32>, %n: index) -> tensor<?x2x4xf32> {
      %b = tensor.expand_shape %x [[0, 1], [2]] output_shape [%n, 2, 4] : tensor<?x4xf32> into tensor<?x2x4xf32>
      return %b : tensor<?x2x4xf32> }"""
    x = np.arange(16, dtype=np.float32).reshape(4, 4)
    assert exact(text, x, np.int64(2)).tolist() == x.reshape(2, 2, 4).tolist()
    with pytest.raises(UndefinedError, match=r"\[3, 2\] from a dimension of 4"):
        one(text, x, np.int64(3))
    cast = """func.func @f(%x: tensor<?xf32>) -> tensor<3xf32> {
      %b = tensor.cast %x : tensor<?xf32> to tensor<3xf32>
      return %b : tensor<3xf32> }"""
    with pytest.raises(UndefinedError, match=r"\[2\] is no tensor<3xf32>"):
        one(cast, np.ones(2, np.float32))


def test_making_tensors() -> None:
    text = """func.func @f(%x: f32, %y: f32, %n: index)
        -> (tensor<2x2xf32>, tensor<3xf32>, tensor<?x2xindex>, tensor<5xf32>) {
      %a = tensor.from_elements %x, %y, %y, %x : tensor<2x2xf32>
      %b = tensor.splat %x : tensor<3xf32>
      %g = tensor.generate %n {
      ^bb0(%i: index, %j: index):
        %s = arith.subi %i, %j : index
        tensor.yield %s : index
      } : tensor<?x2xindex>
      %e = tensor.empty() : tensor<2xf32>
      %c = tensor.concat dim(0) %b, %e : (tensor<3xf32>, tensor<2xf32>) -> tensor<5xf32>
      return %a, %b, %g, %c : tensor<2x2xf32>, tensor<3xf32>, tensor<?x2xindex>, tensor<5xf32> }"""
    made, splat, generated, joined = run(text, np.float32(1), np.float32(2), np.int64(3))
    assert made.data.tolist() == [[1, 2], [2, 1]]
    assert splat.data.tolist() == [1, 1, 1]
    assert generated.data.tolist() == [[0, -1], [1, 0], [2, 1]]
    assert mask(joined) == [False, False, False, True, True]


def test_inserting_one_element() -> None:
    text = """func.func @f(%x: f32, %n: index) -> tensor<3xf32> {
      %e = tensor.empty() : tensor<3xf32>
      %a = tensor.insert %x into %e[%n] : tensor<3xf32>
      return %a : tensor<3xf32> }"""
    got = one(text, np.float32(5), np.int64(1))
    assert mask(got) == [True, False, True]
    assert got.data[1] == 5
    with pytest.raises(UndefinedError, match=r"\[3\] is outside \[3\]"):
        one(text, np.float32(5), np.int64(3))


def test_gather_and_scatter() -> None:
    text = """func.func @f(%x: tensor<3x4xf32>, %i: tensor<2x1xindex>)
        -> (tensor<2x1x4xf32>, tensor<2x3xf32>, tensor<3x4xf32>) {
      %g = tensor.gather %x[%i] gather_dims([0]) : (tensor<3x4xf32>, tensor<2x1xindex>) -> tensor<2x1x4xf32>
      %h = tensor.gather %x[%i] gather_dims([1]) : (tensor<3x4xf32>, tensor<2x1xindex>) -> tensor<2x3xf32>
      %n = arith.negf %g : tensor<2x1x4xf32>
      %s = tensor.scatter %n into %x[%i] scatter_dims([0]) unique
          : (tensor<2x1x4xf32>, tensor<3x4xf32>, tensor<2x1xindex>) -> tensor<3x4xf32>
      return %g, %h, %s : tensor<2x1x4xf32>, tensor<2x3xf32>, tensor<3x4xf32> }"""
    places = np.array([[2], [0]])
    rows, columns, scattered = run(text, X, places)
    assert rows.data.tolist() == X[[2, 0]].reshape(2, 1, 4).tolist()
    assert columns.data.tolist() == X[:, [2, 0]].T.tolist()
    right = X.copy()
    right[[2, 0]] *= -1
    assert scattered.data.tolist() == right.tolist()


def test_pack_and_unpack_undo_each_other() -> None:
    x = np.arange(35, dtype=np.float32).reshape(5, 7)
    text = """func.func @f(%x: tensor<5x7xf32>, %q: tensor<2x3x4x2xf32>) -> (tensor<2x3x4x2xf32>, tensor<5x7xf32>) {
      %z = arith.constant -1.0 : f32
      %p = linalg.pack %x padding_value(%z : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [4, 2]
          into %q : tensor<5x7xf32> -> tensor<2x3x4x2xf32>
      %u = linalg.unpack %p outer_dims_perm = [1, 0] inner_dims_pos = [1, 0] inner_tiles = [4, 2]
          into %x : tensor<2x3x4x2xf32> -> tensor<5x7xf32>
      return %p, %u : tensor<2x3x4x2xf32>, tensor<5x7xf32> }"""
    packed, back = run(text, x, np.zeros((2, 3, 4, 2), np.float32))
    full = np.full((6, 8), -1, np.float32)
    full[:5, :7] = x
    right: Array = np.zeros((2, 3, 4, 2), np.float32)
    for i in range(6):
        for j in range(8):
            right[j // 4, i // 2, j % 4, i % 2] = full[i, j]
    assert packed.data.tolist() == right.tolist()
    assert back.data.tolist() == x.tolist()


def test_what_a_pack_does_not_fill_is_undefined() -> None:
    text = """func.func @f(%x: tensor<3xf32>, %n: index) -> tensor<2x2xf32> {
      %e = tensor.empty() : tensor<2x2xf32>
      %d = tensor.cast %x : tensor<3xf32> to tensor<?xf32>
      %p = linalg.pack %d inner_dims_pos = [0] inner_tiles = [2] into %e : tensor<?xf32> -> tensor<2x2xf32>
      return %p : tensor<2x2xf32> }"""
    assert mask(one(text, np.ones(3, np.float32), np.int64(2))) == [[False, False], [False, True]]


def test_another_tensor_for_each_element_of_a_body_is_refused() -> None:
    made = "%t = tensor.from_elements %o, %o : tensor<2xf32>\n %e = tensor.extract %t[%k] : tensor<2xf32>"
    text = GATHER.replace("%e = tensor.extract %x[%k, %c1] : tensor<3x4xf32>", made)
    with pytest.raises(CannotEvaluateError, match=r"tensor\.from_elements"):
        one(text, X, np.zeros(5, np.int64), np.zeros(5, np.float32))


@pytest.mark.parametrize(
    "body",
    [
        "%e = tensor.cast %a : tensor<2x3xf32> to tensor<?x?xf32> %r = tensor.insert_slice %e into %x[0, 0] [%n, %two] "
        "[1, 1] : tensor<?x?xf32> into tensor<3x2xf32>",
        "%r = tensor.reshape %a(%s) : (tensor<2x3xf32>, tensor<2xindex>) -> tensor<3x2xf32>",
        "%p = tensor.pad %d low[0, 0] high[%n, 0] { ^bb0(%i: index, %j: index): tensor.yield %z : f32 } "
        ": tensor<?x2xf32> to tensor<3x2xf32> %r = tensor.insert_slice %p into %x[0, 0] [3, 2] [1, 1] "
        ": tensor<3x2xf32> into tensor<3x2xf32>",
    ],
)
def test_sizes_that_are_not_those_of_the_type_are_undefined(body: str) -> None:
    arguments = "%a: tensor<2x3xf32>, %x: tensor<3x2xf32>, %d: tensor<?x2xf32>, %s: tensor<2xindex>, %n: index"
    text = f"""func.func @f({arguments}) -> tensor<3x2xf32> {{
      %two = arith.constant 2 : index
      %z = arith.constant 0.0 : f32
      {body}
      return %r : tensor<3x2xf32> }}"""
    a, x = np.zeros((2, 3), np.float32), np.zeros((3, 2), np.float32)
    with pytest.raises(UndefinedError):
        run(text, a, x, x, np.array([2, 3]), np.int64(3))
