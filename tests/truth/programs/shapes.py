"""What moves elements about: reshapes, transposes, slices, concatenation, packing, padding."""

from __future__ import annotations

from collections.abc import Iterator

from tests.truth.programs.text import Program, function, tensor

_ELEMENTS = ("f32", "f16", "bf16", "i8", "i64", "i1")


def _t(text: str, element: str) -> str:
    return f"tensor<{text}x{element}>"


def _reshapes(e: str) -> Iterator[Program]:
    a, b, c = _t("4x6", e), _t("24", e), _t("2x2x6", e)
    yield function(f"collapse_{e}", [a], f"%r = tensor.collapse_shape %a0 [[0, 1]] : {a} into {b}", [("%r", b)])
    yield function(
        f"expand_{e}", [a], f"%r = tensor.expand_shape %a0 [[0, 1], [2]] output_shape [2, 2, 6] : {a} into {c}",
        [("%r", c)],
    )  # fmt: skip
    d = _t("6x4", e)
    yield function(
        f"transpose_{e}", [a],
        f"%e = tensor.empty() : {d}\n%r = linalg.transpose ins(%a0 : {a}) outs(%e : {d}) permutation = [1, 0]",
        [("%r", d)],
    )  # fmt: skip
    f = _t("4x3x6", e)
    yield function(
        f"broadcast_{e}", [a],
        f"%e = tensor.empty() : {f}\n%r = linalg.broadcast ins(%a0 : {a}) outs(%e : {f}) dimensions = [1]",
        [("%r", f)],
    )  # fmt: skip


def _slices(e: str) -> Iterator[Program]:
    a, b = _t("5x7", e), _t("2x3", e)
    yield function(f"extract_{e}", [a], f"%r = tensor.extract_slice %a0[1, 2] [2, 3] [1, 1] : {a} to {b}", [("%r", b)])
    yield function(
        f"extract_strided_{e}", [a], f"%r = tensor.extract_slice %a0[0, 1] [2, 3] [3, 2] : {a} to {b}", [("%r", b)]
    )
    row = _t("7", e)
    yield function(
        f"extract_reduced_{e}", [a], f"%r = tensor.extract_slice %a0[3, 0] [1, 7] [1, 1] : {a} to {row}", [("%r", row)]
    )
    yield function(
        f"insert_{e}", [b, a], f"%r = tensor.insert_slice %a0 into %a1[2, 4] [2, 3] [1, 1] : {b} into {a}", [("%r", a)]
    )
    yield function(
        f"insert_strided_{e}", [b, a], f"%r = tensor.insert_slice %a0 into %a1[1, 1] [2, 3] [2, 2] : {b} into {a}",
        [("%r", a)],
    )  # fmt: skip
    c = _t("7x7", e)
    yield function(
        f"concat_{e}", [a, _t("2x7", e)], f"%r = tensor.concat dim(0) %a0, %a1 : ({a}, {_t('2x7', e)}) -> {c}",
        [("%r", c)],
    )  # fmt: skip
    d = _t("5x10", e)
    yield function(
        f"concat_columns_{e}", [a, _t("5x3", e)], f"%r = tensor.concat dim(1) %a0, %a1 : ({a}, {_t('5x3', e)}) -> {d}",
        [("%r", d)],
    )  # fmt: skip


def shapes() -> Iterator[Program]:
    """Over elements of every width; those of dynamic sizes of f32 alone."""
    for element in _ELEMENTS:
        yield from _reshapes(element)
        yield from _slices(element)
    yield from _packs()
    yield from _dynamic()


def _packs() -> Iterator[Program]:
    a, p, q = "tensor<5x7xf32>", "tensor<3x2x2x4xf32>", "tensor<4x3x2x2xf32>"
    tiles = "inner_dims_pos = [0, 1] inner_tiles = [2, 4]"
    pack = f"""%c = arith.constant 3.5 : f32
%e = tensor.empty() : {p}
%p = linalg.pack %a0 padding_value(%c : f32) {tiles} into %e : {a} -> {p}"""
    yield function("pack", [a], pack, [("%p", p)])
    unpack = f"%e = tensor.empty() : {a}\n%r = linalg.unpack %a0 {tiles} into %e : {p} -> {a}"
    yield function("unpack", [p], unpack, [("%r", a)])
    transposed = f"""%c = arith.constant 3.5 : f32
%e = tensor.empty() : {q}
%p = linalg.pack %a0 padding_value(%c : f32) outer_dims_perm = [1, 0] inner_dims_pos = [1, 0]
  inner_tiles = [2, 2] into %e : {a} -> {q}"""
    yield function("pack_transposed", [a], transposed, [("%p", q)])
    for dim in (0, 1):
        soft = f"%e = tensor.empty() : {a}\n%r = linalg.softmax dimension({dim}) ins(%a0 : {a}) outs(%e : {a}) -> {a}"
        yield function(f"softmax_{dim}", [a], soft, [("%r", a)])


def _dynamic() -> Iterator[Program]:
    d = "tensor<?x?xf32>"
    size = "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
    dims = size + f"%d0 = tensor.dim %a0, %c0 : {d}\n%d1 = tensor.dim %a0, %c1 : {d}\n"
    yield function(
        "dynamic_add", [d, d], f"%r = arith.addf %a0, %a1 : {d}",
        [("%r", d)],
    )  # fmt: skip
    yield function(
        "dynamic_transpose", [d], dims + f"%e = tensor.empty(%d1, %d0) : {d}\n"
        f"%r = linalg.transpose ins(%a0 : {d}) outs(%e : {d}) permutation = [1, 0]", [("%r", d)],
    )  # fmt: skip
    yield function(
        "dynamic_collapse", [d], f"%r = tensor.collapse_shape %a0 [[0, 1]] : {d} into tensor<?xf32>",
        [("%r", "tensor<?xf32>")],
    )  # fmt: skip
    yield function(
        "dynamic_slice", [d], dims + "%n = arith.subi %d0, %c1 : index\n"
        f"%r = tensor.extract_slice %a0[1, 0] [%n, %d1] [1, 1] : {d} to {d}", [("%r", d)],
    )  # fmt: skip
    yield function(
        "dynamic_concat", [d, d], f"%r = tensor.concat dim(0) %a0, %a1 : ({d}, {d}) -> {d}", [("%r", d)]
    )  # fmt: skip
    yield function(
        "dynamic_pad", [d], "%z = arith.constant 9.0 : f32\n%r = tensor.pad %a0 low[1, 0] high[0, 2] {\n"
        f"^bb0(%i: index, %j: index):\ntensor.yield %z : f32 }} : {d} to {d}", [("%r", d)],
    )  # fmt: skip
    yield function(
        "dynamic_size", [d], dims + "%n = arith.muli %d0, %d1 : index\n%r = arith.index_cast %n : index to i32",
        [("%r", "i32")],
    )  # fmt: skip
    yield function(
        "dynamic_sum", [d], dims + "%z = arith.constant 0.0 : f32\n%e = tensor.empty(%d0) : tensor<?xf32>\n"
        "%i = linalg.fill ins(%z : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>\n"
        f"%r = linalg.reduce {{ arith.addf }} ins(%a0 : {d}) outs(%i : tensor<?xf32>) dimensions = [1]",
        [("%r", "tensor<?xf32>")],
    )  # fmt: skip
    yield function(
        "dynamic_first_size", ["tensor<?x4xf32>", "tensor<4x3xf32>"],
        "%z = arith.constant 0.0 : f32\n%c0 = arith.constant 0 : index\n"
        "%d0 = tensor.dim %a0, %c0 : tensor<?x4xf32>\n%e = tensor.empty(%d0) : tensor<?x3xf32>\n"
        "%i = linalg.fill ins(%z : f32) outs(%e : tensor<?x3xf32>) -> tensor<?x3xf32>\n"
        "%r = linalg.matmul ins(%a0, %a1 : tensor<?x4xf32>, tensor<4x3xf32>) "
        "outs(%i : tensor<?x3xf32>) -> tensor<?x3xf32>", [("%r", "tensor<?x3xf32>")],
    )  # fmt: skip


_PADS = (
    ("low", (1, 2), (0, 0)),
    ("high", (0, 0), (2, 1)),
    ("both", (1, 1), (1, 1)),
    ("uneven", (0, 3), (2, 0)),
    ("none", (0, 0), (0, 0)),
)


def pads() -> Iterator[Program]:
    """`tensor.pad` on every side, with an argument, a number, or what the index says; alone and before other ops."""
    for element in ("f32", "f16", "i8", "i32", "i1"):
        for side, low, high in _PADS:
            yield _pad(f"{side}_{element}", element, low, high)
    for side, low, high in _PADS:
        yield _padded_then(f"{side}_then_add", low, high, "%r = arith.addf %p, %p : {o}")
        yield _padded_then(f"{side}_then_exp", low, high, "%r = math.exp %p : {o}")
    a, o = "tensor<3x4xf32>", "tensor<5x6xf32>"
    region = "^bb0(%i: index, %j: index):\n%k = arith.addi %i, %j : index\n%l = arith.index_cast %k : index to i32\n"
    region += "%m = arith.sitofp %l : i32 to f32\ntensor.yield %m : f32"
    yield function(
        "pad_by_index", [a], f"%r = tensor.pad %a0 low[1, 1] high[1, 1] {{\n{region} }} : {a} to {o}", [("%r", o)]
    )


def _pad_text(low: tuple[int, int], high: tuple[int, int], value: str, element: str) -> tuple[str, str, str]:
    a = tensor((3, 4), element)
    o = tensor((3 + low[0] + high[0], 4 + low[1] + high[1]), element)
    sides = f"low[{low[0]}, {low[1]}] high[{high[0]}, {high[1]}]"
    region = f"^bb0(%i: index, %j: index):\ntensor.yield {value} : {element}"
    return a, o, f"tensor.pad %a0 {sides} {{\n{region} }} : {a} to {o}"


def _pad(name: str, element: str, low: tuple[int, int], high: tuple[int, int]) -> Program:
    a, o, text = _pad_text(low, high, "%a1", element)
    return function(f"pad_{name}", [a, element], f"%r = {text}", [("%r", o)])


def _padded_then(name: str, low: tuple[int, int], high: tuple[int, int], then: str) -> Program:
    a, o, text = _pad_text(low, high, "%z", "f32")
    body = f"%z = arith.constant 1.5 : f32\n%p = {text}\n" + then.replace("{o}", o)
    return function(f"pad_{name}", [a], body, [("%r", o)])
