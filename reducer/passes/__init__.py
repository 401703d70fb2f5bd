"""The reductions: each makes a program smaller in one way. Runs in the worker, on the release's own MLIR bindings.

A pass is a plain function `pass_(module, choose)`. It first collects its sites, in a fixed order and without changing anything;
then asks `choose(label)` exactly once for each of them and rewrites those where the answer is yes, tolerating that an
earlier rewrite has taken a later site's ground away. So the number and order of sites never depend on the answers.
Programs need not keep their meaning, only verify.
"""
