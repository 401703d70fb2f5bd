"""What counts as a convolution, in a program's text and in what IREE makes of it.

Owns the recognition of ops of MLIR's convolution interface by name and by shape. Follows no values.
"""

from __future__ import annotations

import re

from oracles.mlir_text import VALUE, Op, Text

_NAMED_CONVOLUTION = re.compile(r"linalg\.(?:(?:\w+_)?conv_\d\w*|pooling_\w+)\Z|iree_linalg_ext\.(?:im2col|winograd)")
_MAPS = re.compile(r"affine_map<\((?P<dims>[^)]*)\)(?:\[[^\]]*\])? -> \((?P<results>[^>]*)\)>")
_ITERATORS = re.compile(r"iterator_types\s*=\s*\[(?P<kinds>[^\]]*)\]")
_KIND = re.compile(r"parallel|reduction|window")
_DIMENSION = re.compile(r"\b[a-zA-Z_]\w*\b")
_INPUTS = re.compile(r"\bins\s*\((?P<values>[^:)]*)")


def is_convolution(op: Op, text: Text) -> bool:
    """Whether MLIR's convolution interface accepts `op`: a named one, or a `linalg.generic` that slides over its input.

    Sliding shows in an input's indexing map: a sum of a parallel and a reduction dimension.
    """
    if _NAMED_CONVOLUTION.match(op.name):
        return True
    if op.name != "linalg.generic":
        return False
    attributes = text.expand(op.head)
    kinds = _iterators(attributes)
    maps = list(_MAPS.finditer(attributes))
    return any(_slides(m["dims"], m["results"], kinds) for m in maps[:-1])


def _iterators(attributes: str) -> list[str]:
    match = _ITERATORS.search(attributes)
    return _KIND.findall(match["kinds"]) if match else []


def _slides(dims: str, results: str, kinds: list[str]) -> bool:
    kind = dict(zip((d.strip() for d in dims.split(",")), kinds, strict=False))
    for result in results.split(","):
        used = {kind.get(name) for name in _DIMENSION.findall(result)}
        if "+" in result and {"parallel", "reduction"} <= used:
            return True
    return False


def inputs(op: Op) -> tuple[str, ...]:
    """The SSA names that a structured op reads, its initial output left out."""
    match = _INPUTS.search(op.head)
    return tuple(VALUE.findall(match["values"])) if match else op.operands[:-1] or op.operands


def reduces(op: Op, text: Text) -> bool:
    """Whether a structured op that is no convolution sums over a dimension."""
    if op.name == "linalg.generic":
        return "reduction" in _iterators(text.expand(op.head))
    return bool(re.match(r"linalg\.(?:\w*matmul|\w*matvec|\w*vecmat|dot|mmt4d|contract|reduce|softmax)\w*\Z", op.name))
