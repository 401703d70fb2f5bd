"""Named products of matrices and vectors."""

from __future__ import annotations

from collections.abc import Iterator

from tests.truth.programs.text import Program, filled, function, tensor

_PRODUCTS = (
    ("matmul", (3, 5), (5, 4), (3, 4)),
    ("batch_matmul", (2, 3, 5), (2, 5, 4), (2, 3, 4)),
    ("batch_reduce_matmul", (2, 3, 5), (2, 5, 4), (3, 4)),
    ("matvec", (3, 5), (5,), (3,)),
    ("vecmat", (5,), (5, 4), (4,)),
    ("batch_matvec", (2, 3, 5), (2, 5), (2, 3)),
    ("batch_vecmat", (2, 5), (2, 5, 4), (2, 4)),
    ("dot", (5,), (5,), ()),
    ("mmt4d", (2, 3, 4, 2), (3, 3, 5, 2), (2, 3, 4, 5)),
    ("batch_mmt4d", (2, 1, 3, 4, 2), (2, 2, 3, 5, 2), (2, 1, 2, 4, 5)),
)


def products() -> Iterator[Program]:
    """Named products of matrices and vectors, over elements; quantised; with more dynamic sizes; as contractions."""
    for op, *sizes in _PRODUCTS:
        for source, target in (("f32", "f32"), ("f16", "f32"), ("bf16", "bf16"), ("i8", "i32"), ("i32", "i32")):
            types = [tensor(s, e) for s, e in zip(sizes, (source, source, target), strict=True)]
            body = f"{filled(types[2])}%r = linalg.{op} ins(%a0, %a1 : {types[0]}, {types[1]})\n"
            body += f"outs(%init : {types[2]}) -> {types[2]}"
            yield function(f"{op}_{source}_{target}", types[:2], body, [("%r", types[2])])
    for op, *sizes in (("quantized_matmul", *_PRODUCTS[0][1:]), ("quantized_batch_matmul", *_PRODUCTS[1][1:])):
        types = [tensor(s, e) for s, e in zip(sizes, ("i8", "i8", "i32"), strict=True)]
        body = f"{filled(types[2])}%r = linalg.{op} ins(%a0, %a1, %a2, %a3 : {types[0]}, {types[1]}, i32, i32)\n"
        body += f"outs(%init : {types[2]}) -> {types[2]}"
        yield function(op, [*types[:2], "i32", "i32"], body, [("%r", types[2])])
    for name, letters in (("accumulated", ("34", "42", "32")), ("dynamic", ("??", "??", "??"))):
        a, b, c = (tensor(each, "f32") for each in letters)
        body = f"%r = linalg.matmul ins(%a0, %a1 : {a}, {b}) outs(%a2 : {c}) -> {c}"
        yield function(f"matmul_{name}", [a, b, c], body, [("%r", c)])
