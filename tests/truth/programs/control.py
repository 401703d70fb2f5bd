"""Control flow, calls, globals, scalars."""

from __future__ import annotations

from collections.abc import Iterator

from tests.truth.programs.text import Program, function

_A = "tensor<4xf32>"


def _add(x: str, y: str) -> str:
    return f"arith.addf {x}, {y} : {_A}"


def control() -> Iterator[Program]:
    """All of them."""
    yield from _scf()
    yield from _scalars()
    yield from _beside()


def _scf() -> Iterator[Program]:
    body = f"""%r = scf.if %a1 -> ({_A}) {{
%s = {_add("%a0", "%a0")}
scf.yield %s : {_A}
}} else {{
scf.yield %a0 : {_A}
}}"""
    yield function("if_else", [_A, "i1"], body, [("%r", _A)])
    body = f"""%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%c5 = arith.constant 5 : index
%r = scf.for %i = %c0 to %c5 step %c1 iter_args(%x = %a0) -> ({_A}) {{
%s = {_add("%x", "%a0")}
scf.yield %s : {_A}
}}"""
    yield function("for_constant", [_A], body, [("%r", _A)])
    body = f"""%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%n = arith.index_cast %a1 : i32 to index
%r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a0) -> ({_A}) {{
%s = {_add("%x", "%x")}
scf.yield %s : {_A}
}}"""
    yield function("for_argument", [_A, "i32"], body, [("%r", _A)])
    body = f"""%z = arith.constant 0 : i32
%one = arith.constant 1 : i32
%r:2 = scf.while (%i = %z, %x = %a0) : (i32, {_A}) -> (i32, {_A}) {{
%c = arith.cmpi slt, %i, %a1 : i32
scf.condition(%c) %i, %x : i32, {_A}
}} do {{
^bb0(%i: i32, %x: {_A}):
%j = arith.addi %i, %one : i32
%s = {_add("%x", "%a0")}
scf.yield %j, %s : i32, {_A}
}}"""
    yield function("while_loop", [_A, "i32"], body, [("%r#0", "i32"), ("%r#1", _A)])
    body = f"""%c0 = arith.constant 0 : index
%t = tensor.extract %a0[%c0] : {_A}
%z = arith.constant 0.0 : f32
%c = arith.cmpf ogt, %t, %z : f32
%r = scf.if %c -> (f32) {{
scf.yield %t : f32
}} else {{
%n = arith.negf %t : f32
scf.yield %n : f32
}}"""
    yield function("if_of_element", [_A], body, [("%r", "f32")])
    body = f"""cf.cond_br %a1, ^yes, ^no
^yes:
cf.br ^end(%a0 : {_A})
^no:
%s = {_add("%a0", "%a0")}
cf.br ^end(%s : {_A})
^end(%r: {_A}):"""
    yield function("branches", [_A, "i1"], body, [("%r", _A)])


def _scalars() -> Iterator[Program]:
    for e, op in (("f32", "mulf"), ("i32", "muli"), ("i64", "subi"), ("f64", "addf")):
        yield function(f"scalars_{e}", [e, e], f"%r = arith.{op} %a0, %a1 : {e}", [("%r", e)])
    for e in ("f32", "f16", "i8", "i32", "i64", "bf16"):
        t = f"tensor<4x{e}>"
        body = f"%e = tensor.empty() : {t}\n%r = linalg.fill ins(%a0 : {e}) outs(%e : {t}) -> {t}"
        yield function(f"splat_{e}", [e], body, [("%r", t)])
    for e in ("f32", "f16", "bf16", "f64", "i1", "i8", "i16", "i32", "i64"):
        body = f"%c2 = arith.constant 2 : index\n%r = tensor.extract %a0[%c2] : tensor<4x{e}>"
        yield function(f"element_{e}", [f"tensor<4x{e}>"], body, [("%r", e)])
    for e in ("i8", "i16"):
        body = f"%c = arith.constant 100 : {e}\n%r = arith.muli %a0, %c : {e}"
        yield function(f"scalar_that_wraps_{e}", [e], body, [("%r", e)], inputs=["77"])
    body = "%r = tensor.from_elements %a0, %a1, %a0 : tensor<3xf32>"
    yield function("from_elements", ["f32", "f32"], body, [("%r", "tensor<3xf32>")])
    body = f"""%c2 = arith.constant 2 : index
%r = tensor.insert %a0 into %a1[%c2] : {_A}"""
    yield function("insert_element", ["f32", _A], body, [("%r", _A)])
    body = f"%r = arith.constant dense<[1.5, -2.0, 0.1, 3.0]> : {_A}"
    yield function("constant", [], body, [("%r", _A)])
    yield function("several_results", [_A, "i32"], "", [("%a0", _A), ("%a1", "i32"), ("%a0", _A)])


def _beside() -> Iterator[Program]:
    """With something beside the function: another one that it calls, a global."""
    callee = f"""func.func private @called_twice_callee(%x: {_A}) -> {_A} {{
%s = {_add("%x", "%x")}
return %s : {_A}
}}
"""
    body = f"""%c = func.call @called_twice_callee(%a0) : ({_A}) -> {_A}
%r = func.call @called_twice_callee(%c) : ({_A}) -> {_A}"""
    yield function("called_twice", [_A], body, [("%r", _A)], beside=callee)
    body = f"%g = util.global.load @global_constant_g : {_A}\n%r = {_add('%a0', '%g')}"
    beside = f"util.global private @global_constant_g = dense<[1.0, 2.0, 3.0, 4.0]> : {_A}\n"
    yield function("global_constant", [_A], body, [("%r", _A)], beside=beside)
    body = f"""util.global.store %a0, @global_stored_g : {_A}
%r = util.global.load @global_stored_g : {_A}"""
    beside = f"util.global private mutable @global_stored_g = dense<0.0> : {_A}\n"
    yield function("global_stored", [_A], body, [("%r", _A)], beside=beside)
    body = f"""%c = util.optimization_barrier %a0 : {_A}
%r = {_add("%c", "%a0")}"""
    yield function("barrier", [_A], body, [("%r", _A)])
