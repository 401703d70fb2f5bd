"""The reductions: each makes a program smaller in one way. Runs in the worker, on the release's own MLIR bindings.

A pass is a plain function `pass_(module, choose)`. It first collects its sites, in a fixed order and without changing anything;
then asks `choose(label)` exactly once for each of them and rewrites those where the answer is yes, tolerating that an
earlier rewrite has taken a later site's ground away. So the number and order of sites never depend on the answers.
Programs need not keep their meaning, only verify.

Uses are replaced rather than ops erased. What became unused through an application (ops, function arguments) goes with it;
what was unused before stays, for that may be the fault, and is `drop_dead_ops`' and `drop_arguments`' business.
"""

from __future__ import annotations

from reducer.passes.cut_ops import cut_ops
from reducer.passes.sites import Choose, Pass

__all__ = ["PASSES", "Choose", "Pass"]

PASSES: tuple[Pass, ...] = (cut_ops,)
