"""The reductions: each makes a program smaller in one way. Runs in the worker, on the release's own MLIR bindings.

A pass is a plain function `pass_(module, choose)`. It first collects its sites, in a fixed order and without changing
anything; then asks `choose(label)` exactly once for each of them and rewrites those where the answer is yes, tolerating
that an earlier rewrite has taken a later site's ground away. So the number and order of sites never depend on the
answers.
Programs need not keep their meaning, only verify.

Uses are replaced rather than ops erased. What became unused through an application (ops, function arguments) goes with
it; what was unused before stays, for that may be the fault, and is `drop_dead_ops`' and `drop_arguments`' business.
"""

from __future__ import annotations

from reducer.passes.attributes import drop_attributes
from reducer.passes.branches import straighten_branches
from reducer.passes.constants import make_constant, merge_constants, splat_constants, zero_constants
from reducer.passes.cut_ops import cut_constants, cut_ops
from reducer.passes.dead import drop_dead_ops
from reducer.passes.fold_constants import fold_constants
from reducer.passes.func_ops import use_func_ops
from reducer.passes.functions import drop_functions, flatten_modules, inline_calls
from reducer.passes.generics import drop_generic_inputs, drop_generic_outputs
from reducer.passes.inputs import one_input_elements, spell_inputs, zero_input_elements, zero_inputs
from reducer.passes.operands import drop_operands
from reducer.passes.regions import inline_regions, simplify_bodies
from reducer.passes.replace_ops import bypass_chains, bypass_ops, drop_casts, use_earlier_values
from reducer.passes.signatures import drop_arguments, drop_results, merge_arguments
from reducer.passes.sites import Choose, Pass

__all__ = ["PASSES", "Choose", "Pass"]

PASSES: tuple[Pass, ...] = (
    flatten_modules,
    drop_functions,
    inline_calls,
    use_func_ops,
    drop_results,
    straighten_branches,
    fold_constants,
    cut_ops,
    drop_dead_ops,
    simplify_bodies,
    inline_regions,
    bypass_ops,
    bypass_chains,
    merge_constants,
    cut_constants,
    use_earlier_values,
    make_constant,
    drop_casts,
    drop_generic_inputs,
    drop_generic_outputs,
    drop_operands,
    drop_arguments,
    merge_arguments,
    drop_attributes,
    splat_constants,
    zero_constants,
    zero_inputs,
    spell_inputs,
    zero_input_elements,
    one_input_elements,
)
"""Every pass, coarse ones first."""
