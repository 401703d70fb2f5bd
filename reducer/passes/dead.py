"""Ops that nothing needed to begin with."""

from __future__ import annotations

from iree.compiler import ir

from reducer.passes.edit import Edit, is_dead
from reducer.passes.program import Program
from reducer.passes.sites import Choose, chosen


def drop_dead_ops(module: ir.Module, choose: Choose) -> None:
    """Erase an op whose results nothing uses, and what only it used.

    Such ops stay through every other pass: that they are unused may be the fault.
    """
    program = Program(module)
    sites = [(f"{program.label(n)}: unused, erased", n) for n in program.nodes if is_dead(n)]
    picked = chosen(sites, choose)
    if picked:
        edit = Edit(program)
        for node in reversed(picked):
            if not node.erased:
                edit.erase(node)
        edit.finish()
