"""`arith` and `math` on the numbers where implementations part: NaN, infinities, either zero, limits, fractions.

Owns which operands leave the value open (a division by zero, a shift past the width): no program gets those.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tests.truth.programs.text import Program, function, tensor

_COMMON = (
    *("nan", "inf", "-inf", "0", "-0", "1", "-1", "0.5", "-0.5", "1.5", "-1.5", "2.5", "-2.5", "0.1", "-0.3", "3.75"),
    *("-7.2", "100", "-127.5", "1000", "0.001"),
)
_OWN = {
    "f32": ("3.4028235e38", "-3.4028235e38", "1.1754944e-38", "8388609", "16777217", "1e-20", "3e20", "1e-40"),
    "f16": ("65504", "-65504", "2049", "6.1e-05", "6e-08", "40000"),
    "bf16": ("3.38e38", "257", "1e-30", "1e20"),
    "f64": ("3e38", "-1e30", "16777217", "1e-30"),
}
_FRACTIONS = ("0.1", "-0.3", "0.7", "1.3", "-2.6", "3.3", "5.9", "-0.05", "0.99", "-1", "0", "2", "9.7", "-8.1")
FLOATS = ("f32", "f16", "bf16", "f64")
INTEGERS = ("i8", "i16", "i32", "i64")


def _pairs(values: Sequence[str]) -> tuple[list[str], list[str]]:
    return [a for a in values for _ in values], [b for _ in values for b in values]


def _on(name: str, ops: Sequence[str], operands: Sequence[Sequence[str]], source: str, target: str) -> Program:
    """Ops on these numbers, element by element; each op is one result. An op's attributes follow its name."""
    count = len(operands[0])
    a, r = tensor([count], source), tensor([count], target)
    names, types = ", ".join(f"%a{i}" for i in range(len(operands))), ", ".join([a] * len(operands))
    lines = []
    for number, text in enumerate(ops):
        op, _, words = text.partition(" ")
        lines.append(f'%r{number} = "{op}"({names}) {words} : ({types}) -> {r}')
    inputs = [f"{count}x{source}={' '.join(values)}" for values in operands]
    results = [(f"%r{number}", r) for number in range(len(ops))]
    return function(name, [a] * len(operands), "\n".join(lines), results, inputs=inputs)


def _comparisons(op: str, predicates: Sequence[int]) -> list[str]:
    return [f"{op} {{predicate = {number} : i64}}" for number in predicates]


def special_floats() -> Iterator[Program]:
    """Each op on floats on every pair of special numbers."""
    for element in FLOATS:
        numbers = (*_COMMON, *_OWN[element])
        both = _pairs(numbers)
        for ops in ("addf subf", "mulf divf", "maximumf minimumf", "maxnumf minnumf"):
            ops_ = [f"arith.{op}" for op in ops.split()]
            yield _on(f"{ops.replace(' ', '_')}_{element}", ops_, both, element, element)
        yield _on(f"negf_{element}", ["arith.negf"], [numbers], element, element)
        finite = [n for n in numbers if n not in ("nan", "inf", "-inf")]
        over = [(a, b) for a in finite for b in finite if float(b) and abs(float(a)) < 1000]
        yield _on(f"remf_{element}", ["arith.remf"], ([a for a, _ in over], [b for _, b in over]), element, element)
        if element in ("f16", "bf16"):
            yield _on(f"extf_{element}", ["arith.extf"], [numbers], element, "f32")
            yield _on(f"truncf_{element}", ["arith.truncf"], [(*_COMMON, *_OWN["f32"])], "f32", element)
        ordered, unordered = _comparisons("arith.cmpf", range(1, 8)), _comparisons("arith.cmpf", range(8, 15))
        yield _on(f"cmpf_ordered_{element}", ordered, both, element, "i1")
        yield _on(f"cmpf_unordered_{element}", unordered, both, element, "i1")


def _limits(bits: int) -> list[int]:
    half = 1 << (bits - 1)
    return [0, 1, -1, 2, -2, 3, -3, 7, -10, 85, -86, half - 1, -half, half // 2, -half // 2 - 1, half - 100]


_WRAPPING = ("addi", "subi", "muli", "andi", "ori", "xori", "maxsi", "maxui", "minsi", "minui")
_DIVISIONS = ("divsi", "divui", "remsi", "remui", "ceildivsi", "floordivsi", "ceildivui")
_SHIFTS = ("shli", "shrsi", "shrui")


def special_integers() -> Iterator[Program]:
    """Each op on integers on every pair of special numbers for which it has a value; conversions of integers."""
    for element in INTEGERS:
        bits = int(element[1:])
        both = [(a, b) for a in _limits(bits) for b in _limits(bits)]
        divided = [(a, b) for a, b in both if b != 0 and (a, b) != (-(1 << (bits - 1)), -1)]
        shifted = [(a, b) for a in _limits(bits) for b in range(0, bits, 3)]
        for name, ops, pairs in (
            ("wrapping", _WRAPPING, both),
            ("divisions", _DIVISIONS, divided),
            ("shifts", _SHIFTS, shifted),
        ):
            operands = [str(a) for a, _ in pairs], [str(b) for _, b in pairs]
            yield _on(f"{name}_{element}", [f"arith.{op}" for op in ops], operands, element, element)
        operands = [str(a) for a, _ in both], [str(b) for _, b in both]
        yield _on(f"cmpi_{element}", _comparisons("arith.cmpi", range(10)), operands, element, "i1")
        yield from _from_integers(element, [str(n) for n in _limits(bits)])
    truths = [0, 0, 1, 1], [0, 1, 0, 1]
    bits_ = [f"arith.{op}" for op in ("addi", "subi", "muli", "andi", "ori", "xori")]
    yield _on("wrapping_i1", bits_, [[str(n) for n in t] for t in truths], "i1", "i1")


def _from_integers(element: str, numbers: list[str]) -> Iterator[Program]:
    bits = int(element[1:])
    for target in ("f32", "f16", "bf16", "f64"):
        yield _on(f"tofp_{element}_{target}", ["arith.sitofp", "arith.uitofp"], [numbers], element, target)
    for target in ("i1", *INTEGERS):
        wide = 1 if target == "i1" else int(target[1:])
        if wide != bits:
            ops = ["arith.trunci"] if wide < bits else ["arith.extsi", "arith.extui"]
            yield _on(f"{'trunci' if wide < bits else 'ext'}_{element}_{target}", ops, [numbers], element, target)
    ops = [f"math.{op}" for op in ("absi", "ctlz", "cttz", "ctpop")]
    yield _on(f"counts_{element}", ops, [numbers], element, element)


def special_casts() -> Iterator[Program]:
    """Floats to integers, towards zero; only what fits has a value. Bits of one as the other."""
    signed = ("0.5", "-0.5", "0.99", "-0.99", "1.5", "-1.5", "2.5", "-2.5", "126.5", "-127.5", "-0")
    natural = ("0.5", "-0.5", "0.99", "-0.99", "1.5", "2.5", "126.5", "200", "-0")
    for source in FLOATS:
        for target in INTEGERS:
            yield _on(f"fptosi_{source}_{target}", ["arith.fptosi"], [signed], source, target)
            yield _on(f"fptoui_{source}_{target}", ["arith.fptoui"], [natural], source, target)
    for source, target in (("f32", "i32"), ("f16", "i16"), ("bf16", "i16")):
        yield _on(f"bits_of_{source}", ["arith.bitcast"], [signed[:-1]], source, target)
    yield _on("bits_as_f32", ["arith.bitcast"], [("1065353216", "-1073741824", "1078530011")], "i32", "f32")
    for target in ("f32", "f16", "i8", "i64"):
        ops = ["arith.uitofp", "arith.sitofp"] if target.startswith("f") else ["arith.extui", "arith.extsi"]
        yield _on(f"from_i1_{target}", ops, [("0", "1", "1")], "i1", target)


_MATH = (
    *("absf ceil floor", "round", "roundeven", "exp exp2 expm1", "sin cos", "tan", "sinh cosh tanh", "atan asin acos"),
    *("asinh acosh atanh", "erf cbrt", "sqrt rsqrt", "log log2 log1p"),
    *("trunc", "log10", "erfc"),
)
"""What is one program, of a result each; those alone that a target may not have."""


def special_mathematics() -> Iterator[Program]:
    """Each function on special numbers, inside its domain and out of it."""
    for element in ("f32", "f16", "bf16", "f64"):
        numbers = (*_COMMON, *_OWN[element], *_FRACTIONS)
        for ops in _MATH:
            name = f"{ops.replace(' ', '_')}_{element}"
            yield _on(name, [f"math.{op}" for op in ops.split()], [numbers], element, element)
        left, right = _pairs(_COMMON)
        yield _on(f"copysign_{element}", ["math.copysign"], (left, right), element, element)
        yield _on(f"atan2_{element}", ["math.atan2"], (left, right), element, element)
        yield _on(f"powf_{element}", ["math.powf"], (left, right), element, element)
        yield _on(f"fma_{element}", ["math.fma"], (left, right, right[1:] + right[:1]), element, element)
        plain = [(a, b) for a in _FRACTIONS for b in _FRACTIONS if float(a) > 0]
        base, other = [a for a, _ in plain], [b for _, b in plain]
        yield _on(f"atan2_plain_{element}", ["math.atan2"], (other, base), element, element)
        yield _on(f"powf_plain_{element}", ["math.powf"], (base, other), element, element)
