"""`linalg.generic`: convolutions, reductions of several results, gathers, indices, unusual maps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tests.truth.programs.text import Program, filled, function, tensor


def _generic(
    ins: Sequence[tuple[str, str, str]], outs: Sequence[tuple[str, str, str]], iterators: str, region: str, dims: str
) -> str:
    """ins, outs: name, type and the results of its map; iterators: p or r of each loop; dims: `d0, d1`."""
    maps = ", ".join(f"affine_map<({dims}) -> ({m})>" for _, _, m in (*ins, *outs))
    kinds = ", ".join(f'"{"parallel" if i == "p" else "reduction"}"' for i in iterators)
    given = f"ins({', '.join(n for n, _, _ in ins)} : {', '.join(t for _, t, _ in ins)}) " if ins else ""
    types = ", ".join(t for _, t, _ in outs)
    returned = types if len(outs) == 1 else f"({types})"
    return (
        f"linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} {given}"
        f"outs({', '.join(n for n, _, _ in outs)} : {types}) {{\n{region}\n}} -> {returned}"
    )


_FLOAT_SUM = {"mul": "arith.mulf", "add": "arith.addf"}
_INTEGER_SUM = {"mul": "arith.muli", "add": "arith.addi"}


def _contraction(name: str, types: tuple[str, str, str], maps: tuple[str, str, str], iterators: str, e: str) -> Program:
    ops = _FLOAT_SUM if e.startswith(("f", "b")) else _INTEGER_SUM
    region = f"""^bb0(%x: {e}, %y: {e}, %z: {e}):
%m = {ops["mul"]} %x, %y : {e}
%s = {ops["add"]} %z, %m : {e}
linalg.yield %s : {e}"""
    dims = ", ".join(f"d{i}" for i in range(len(iterators)))
    a, b, c = (f"tensor<{t}x{e}>" for t in types)
    text = _generic([("%a0", a, maps[0]), ("%a1", b, maps[1])], [("%init", c, maps[2])], iterators, region, dims)
    return function(f"{name}_{e}", [a, b], f"{filled(c)}%r = {text}", [("%r", c)])


def _contractions() -> Iterator[Program]:
    for e in ("f32", "f16", "bf16", "i8", "i32"):
        yield _contraction(
            "conv_generic", ("5x6x2", "3x2x2x4", "3x5x4"), ("d0 + d3, d1 + d4, d5", "d3, d4, d5, d2", "d0, d1, d2"),
            "ppprrr", e,
        )  # fmt: skip
        yield _contraction("matmul_b_transposed", ("3x5", "4x5", "3x4"), ("d0, d2", "d1, d2", "d0, d1"), "ppr", e)
    for e in ("f32", "i32"):
        yield _contraction(
            "grouped_generic", ("2x3x6", "2x4x3x2", "2x4x3"), ("d0, d3, d2 * 2 + d4", "d0, d1, d3, d4", "d0, d1, d2"),
            "ppprr", e,
        )  # fmt: skip
        yield _contraction("dilated_generic", ("8x3", "2x3", "6x3"), ("d0 + d2 * 2, d1", "d2, d1", "d0, d1"), "ppr", e)
        yield _contraction("outer", ("3", "4", "3x4"), ("d0", "d1", "d0, d1"), "pp", e)


def _reduction(name: str, op: str, e: str, start: str, kept: str) -> Program:
    """kept: the dimension that stays, "" for none."""
    a = tensor((4, 6), e)
    sizes = {"d0": [4], "d1": [6], "": []}[kept]
    c = tensor(sizes, e)
    region = f"^bb0(%x: {e}, %z: {e}):\n%s = arith.{op} %x, %z : {e}\nlinalg.yield %s : {e}"
    iterators = {"d0": "pr", "d1": "rp", "": "rr"}[kept]
    text = _generic([("%a0", a, "d0, d1")], [("%init", c, kept)], iterators, region, "d0, d1")
    return function(f"reduce_{name}_{e}_{kept or 'all'}", [a], f"{filled(c, start)}%r = {text}", [("%r", c)])


def _reductions() -> Iterator[Program]:
    for kept in ("d0", "d1", ""):
        for e in ("f32", "f16", "bf16"):
            yield _reduction("sum", "addf", e, "0.0", kept)
            yield _reduction("max", "maximumf", e, "-100.0", kept)
        yield _reduction("product", "mulf", "f32", "0.5", kept)
        yield _reduction("minnum", "minnumf", "f32", "100.0", kept)
        for e in ("i8", "i32", "i64"):
            yield _reduction("sum", "addi", e, "3", kept)
            yield _reduction("min_unsigned", "minui", e, "-1", kept)
        yield _reduction("xor", "xori", "i32", "5", kept)
        yield _reduction("any", "ori", "i1", "0", kept)


def _argmax() -> Program:
    a, v, n = "tensor<4x6xf32>", "tensor<4xf32>", "tensor<4xi32>"
    region = """^bb0(%x: f32, %m: f32, %k: i32):
%j = linalg.index 1 : index
%i = arith.index_cast %j : index to i32
%g = arith.cmpf ogt, %x, %m : f32
%u = arith.select %g, %x, %m : f32
%w = arith.select %g, %i, %k : i32
linalg.yield %u, %w : f32, i32"""
    text = _generic([("%a0", a, "d0, d1")], [("%v", v, "d0"), ("%n", n, "d0")], "pr", region, "d0, d1")
    body = f"""%low = arith.constant -100.0 : f32
%zero = arith.constant 0 : i32
%ev = tensor.empty() : {v}
%en = tensor.empty() : {n}
%v = linalg.fill ins(%low : f32) outs(%ev : {v}) -> {v}
%n = linalg.fill ins(%zero : i32) outs(%en : {n}) -> {n}
%r:2 = {text}"""
    return function("argmax", [a], body, [("%r#0", v), ("%r#1", n)])


def _gathers() -> Iterator[Program]:
    table, places, out = "tensor<2x3xf32>", "tensor<4xi32>", "tensor<4x3xf32>"
    region = f"""^bb0(%p: i32, %o: f32):
%i = arith.index_cast %p : i32 to index
%j = linalg.index 1 : index
%x = tensor.extract %a0[%i, %j] : {table}
linalg.yield %x : f32"""
    text = _generic([("%a1", places, "d0")], [("%e", out, "d0, d1")], "pp", region, "d0, d1")
    body = f"%e = tensor.empty() : {out}\n%r = {text}"
    given = "2x3xf32=1 2 3 4 5 6", "4xi32=1 0 0 1"
    yield function("gather", [table, places], body, [("%r", out)], inputs=given)
    reverse = """^bb0(%o: f32):
%j = linalg.index 0 : index
%c = arith.constant 5 : index
%k = arith.subi %c, %j : index
%x = tensor.extract %a0[%k] : tensor<6xf32>
linalg.yield %x : f32"""
    text = _generic([], [("%e", "tensor<6xf32>", "d0")], "p", reverse, "d0")
    yield function(
        "reverse", ["tensor<6xf32>"], f"%e = tensor.empty() : tensor<6xf32>\n%r = {text}", [("%r", "tensor<6xf32>")]
    )


def _maps() -> Iterator[Program]:
    a, b, c = "tensor<4x6xf32>", "tensor<6xf32>", "tensor<f32>"
    region = """^bb0(%x: f32, %y: f32, %s: f32, %o: f32):
%u = arith.addf %x, %y : f32
%v = arith.mulf %u, %s : f32
linalg.yield %v : f32"""
    ins = [("%a0", a, "d0, d1"), ("%a1", b, "d1"), ("%a2", c, "")]
    text = _generic(ins, [("%e", a, "d0, d1")], "pp", region, "d0, d1")
    yield function("bias_and_scale", [a, b, c], f"%e = tensor.empty() : {a}\n%r = {text}", [("%r", a)])
    square, line = "tensor<5x5xf32>", "tensor<5xf32>"
    copy = "^bb0(%x: f32, %o: f32):\nlinalg.yield %x : f32"
    text = _generic([("%a0", square, "d0, d0")], [("%e", line, "d0")], "p", copy, "d0")
    yield function("diagonal", [square], f"%e = tensor.empty() : {line}\n%r = {text}", [("%r", line)])
    text = _generic([("%a0", "tensor<9xf32>", "d0 * 2")], [("%e", line, "d0")], "p", copy, "d0")
    yield function("every_second", ["tensor<9xf32>"], f"%e = tensor.empty() : {line}\n%r = {text}", [("%r", line)])
    both = "^bb0(%x: f32, %o: f32, %q: f32):\n%n = arith.negf %x : f32\nlinalg.yield %n, %x : f32, f32"
    text = _generic(
        [("%a0", a, "d0, d1")], [("%e", a, "d0, d1"), ("%f", "tensor<6x4xf32>", "d1, d0")], "pp", both, "d0, d1"
    )
    body = f"%e = tensor.empty() : {a}\n%f = tensor.empty() : tensor<6x4xf32>\n%r:2 = {text}"
    yield function("two_results", [a], body, [("%r#0", a), ("%r#1", "tensor<6x4xf32>")])
    place = """^bb0(%o: i32):
%i = linalg.index 0 : index
%j = linalg.index 1 : index
%s = affine.apply affine_map<(d0, d1) -> (d0 * 10 + d1)>(%i, %j)
%v = arith.index_cast %s : index to i32
linalg.yield %v : i32"""
    text = _generic([], [("%e", "tensor<3x4xi32>", "d0, d1")], "pp", place, "d0, d1")
    yield function("places", [], f"%e = tensor.empty() : tensor<3x4xi32>\n%r = {text}", [("%r", "tensor<3x4xi32>")])


def _normalisations() -> Iterator[Program]:
    """What rounds: a mean, a variance, a sigmoid."""
    for e in ("f32", "f16"):
        a, v = tensor((4, 6), e), tensor([4], e)
        add = f"^bb0(%x: {e}, %z: {e}):\n%s = arith.addf %x, %z : {e}\nlinalg.yield %s : {e}"
        total = _generic([("%a0", a, "d0, d1")], [("%init", v, "d0")], "pr", add, "d0, d1")
        centre = f"""^bb0(%x: {e}, %s: {e}, %o: {e}):
%n = arith.constant 6.0 : {e}
%m = arith.divf %s, %n : {e}
%d = arith.subf %x, %m : {e}
linalg.yield %d : {e}"""
        text = _generic([("%a0", a, "d0, d1"), ("%t", v, "d0")], [("%e", a, "d0, d1")], "pp", centre, "d0, d1")
        body = f"{filled(v)}%t = {total}\n%e = tensor.empty() : {a}\n%r = {text}"
        yield function(f"centred_{e}", [a], body, [("%r", a)])
        sigmoid = f"""^bb0(%x: {e}, %o: {e}):
%one = arith.constant 1.0 : {e}
%n = arith.negf %x : {e}
%p = math.exp %n : {e}
%d = arith.addf %one, %p : {e}
%q = arith.divf %one, %d : {e}
linalg.yield %q : {e}"""
        text = _generic([("%a0", a, "d0, d1")], [("%e", a, "d0, d1")], "pp", sigmoid, "d0, d1")
        yield function(f"sigmoid_{e}", [a], f"%e = tensor.empty() : {a}\n%r = {text}", [("%r", a)])


def generics() -> Iterator[Program]:
    """All of them."""
    yield from _contractions()
    yield from _reductions()
    yield _argmax()
    yield from _gathers()
    yield from _maps()
    yield from _normalisations()
