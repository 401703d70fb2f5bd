"""Function arguments and results: dropped, merged."""

from __future__ import annotations

from iree.compiler import ir

from reducer.passes import bindings
from reducer.passes.edit import Edit
from reducer.passes.program import Function, Program
from reducer.passes.signature import Signature
from reducer.passes.sites import Choose, chosen


def drop_results(module: ir.Module, choose: Choose) -> None:
    """Stop returning a value: `return %0, %1` becomes `return %1`, and what only `%0` needed goes.

    Where calls use the result, it stays.
    """
    program = Program(module)
    sites: list[tuple[str, tuple[Function, int]]] = []
    for function in program.functions:
        signature = Signature(function)
        if signature.may_change_results:
            for i, value in enumerate(signature.return_ops[0].operands):
                label = f"{program.label(function.node)} result {i} ({program.name(value)}): dropped"
                sites.append((label, (function, i)))
    picked = chosen(sites, choose)
    if not picked:
        return
    edit = Edit(program)
    for function in dict.fromkeys(f for f, _ in picked):
        callers = program.callers(function)
        going = {i for f, i in picked if f is function}
        if callers and not edit.has_plain_calls(function):
            continue
        going = {i for i in going if not any(edit.is_used(c.results[i]) for c in callers)}
        signature = edit.signature(function)
        edit.change_calls(function, results=[i for i in range(signature.original_results) if i not in going])
        signature.drop_results(going)
    edit.finish()


def drop_arguments(module: ir.Module, choose: Choose) -> None:
    """Drop unused arguments, in the calls too: `@main(%x, %y)` becomes `@main(%y)`."""
    program = Program(module)
    sites: list[tuple[str, tuple[Function, ir.Value]]] = []
    for function in program.functions:
        for argument in function.entry.arguments:
            if not bindings.has_uses(argument):
                label = f"{program.label(function.node)} argument {program.name(argument)}: dropped"
                sites.append((label, (function, argument)))
    picked = chosen(sites, choose)
    if not picked:
        return
    edit = Edit(program)
    for function in dict.fromkeys(f for f, _ in picked):
        going = {a for f, a in picked if f is function}
        if edit.has_plain_calls(function):
            edit.drop_arguments(function, [i for i, a in enumerate(function.entry.arguments) if a in going])
    edit.finish()


def merge_arguments(module: ir.Module, choose: Choose) -> None:
    """Use an earlier argument of the same type instead: `f(%x, %y)` becomes `f(%x, %x)`, and `%y` goes."""
    program = Program(module)
    sites: list[tuple[str, tuple[ir.Value, ir.Value]]] = []
    for function in program.functions:
        first: dict[ir.Type, ir.Value] = {}
        for argument in function.entry.arguments:
            earlier = first.setdefault(argument.type, argument)
            if earlier != argument and bindings.has_uses(argument):
                name = f"{program.label(function.node)} argument {program.name(argument)}"
                label = f"{name}: {program.name(earlier)} instead"
                sites.append((label, (argument, earlier)))
    picked = chosen(sites, choose)
    if picked:
        edit = Edit(program)
        for argument, earlier in picked:
            edit.replace(argument, earlier)
        edit.finish()
