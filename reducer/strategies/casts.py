"""Conversions between element types, for the inside of a body."""

from __future__ import annotations

from reducer.strategies.elements import is_float, width


def cast(name: str, source: str, target: str, result: str) -> tuple[list[str], str]:
    """The lines that convert a value, and what it is called then; no line where the types agree.

    A float becomes an integer by `arith.fptosi`, whose value is defined only where it fits: the caller sees to that.
    """
    if source == target:
        return [], name
    if {source, target} == {"f16", "bf16"}:
        wide = f"{result}_wide"
        lines, _ = cast(wide, "f32", target, result)
        return [f"{wide} = arith.extf {name} : {source} to f32", *lines], result
    if is_float(source) != is_float(target):
        op = "fptosi" if is_float(source) else "sitofp"
    elif width(source) < width(target):
        op = "extf" if is_float(source) else "extsi"
    else:
        op = "truncf" if is_float(source) else "trunci"
    return [f"{result} = arith.{op} {name} : {source} to {target}"], result
