"""Several programs as one: most of a small compilation is set-up, which they then share.

    func.func @main(%arg0: tensor<2xf32>)    and    func.func @main(%arg0: f32)

become

    module attributes {reduce.runs} {
      func.func @p0(%arg0: tensor<2xf32> {reduce.input = "2xf32=1 -2"})
      func.func @p1(%arg0: f32 {reduce.input = "3"})
"""

from __future__ import annotations

from collections.abc import Sequence

from iree.compiler import ir

from reducer.passes import editing
from reducer.passes.input_values import InputError
from reducer.passes.inputs import RUNS, annotate, inputs_by_function


def join(
    context: ir.Context, programs: Sequence[str], names: Sequence[str], inputs: Sequence[Sequence[str]]
) -> ir.Module:
    """One module with the entry function of each program under its new name, with its inputs.

    Raises ir.MLIRError; InputError for a program that has anything beside one function, or whose inputs do not fit.
    """
    parts = []
    for text, name, given in zip(programs, names, inputs, strict=True):
        module = editing.parse(context, text)
        annotate(module, given, 0)
        entries = tuple(inputs_by_function(module))
        if len(entries) != 1 or len(list(module.body.operations)) != 1:
            raise InputError(f"{len(entries)} entry functions where there should be one function and nothing else")
        function = next(iter(module.body.operations)).operation
        function.attributes["sym_name"] = ir.StringAttr.get(name, context)
        parts.append(str(function.get_asm(use_local_scope=True)))
    return editing.parse(context, f"module attributes {{{RUNS}}} {{\n{chr(10).join(parts)}\n}}\n")
