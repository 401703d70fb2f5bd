"""What a program should compute: MLIR evaluated on NumPy arrays, independently of IREE's code generators.

Evaluates what `iree-compile --compile-to=input` prints. Runs in the worker, on the bindings of the release. A result
says what of it is undefined, and how far off a right computation may be; what is not known here is refused by name.
"""

from __future__ import annotations

from reducer.reference.compare import Difference, Margin, compare, margin
from reducer.reference.evaluate import Entry, entry_functions, evaluate
from reducer.reference.failures import CannotEvaluateError, UndefinedError
from reducer.reference.values import Value

__all__ = [
    "CannotEvaluateError",
    "Difference",
    "Entry",
    "Margin",
    "UndefinedError",
    "Value",
    "compare",
    "entry_functions",
    "evaluate",
    "margin",
]
