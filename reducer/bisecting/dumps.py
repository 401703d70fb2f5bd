"""What `--mlir-print-ir-before=…`, `-after-all` and `-after-failure` print: passes, what they ran on, the IR. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from oracles.convolutions import is_convolution
from oracles.mlir_text import Op, read

_HEAD = re.compile(
    r"^// -----// IR Dump (?P<when>Before|After) (?P<name>\S+)(?P<failed> Failed)?"
    r"(?:: (?P<new>[^\s{(]+)(?P<options>\{.*?\})?| \((?P<old>[\w-]+)\))"
    r"(?: \('(?P<op>[\w.]+)' operation(?:: @(?P<symbol>\S+))?\))? //----- //$",
    re.MULTILINE,
)


_MODULE = re.compile(r"\s*(.*?^\}(?:(?: loc\([^\n]*)?(?:\n#[^\n]*)*\s*\n\{-#\n.*?^#-\})?)$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Dump:
    """One dump.

    name: of the pass's class, `ConcretizePadResultShapePass`; argument: what `--pass-pipeline` calls it, with the
    options that it was run with, where they are printed. op, symbol: what it ran on ("" if not said). ir: the text.
    """

    before: bool
    failed: bool
    name: str
    argument: str
    op: str
    symbol: str
    ir: str


def read_dumps(text: str) -> tuple[Dump, ...]:
    """All dumps in what the compiler printed, in order. Each is of a whole module, or its end is not known."""
    heads = list(_HEAD.finditer(text))
    ends = [*(m.start() for m in heads[1:]), len(text)] if heads else []
    return tuple(_dump(m, _module(text[m.end() : end])) for m, end in zip(heads, ends, strict=True))


def _module(text: str) -> str:
    """The module at the beginning of a text, with its resources, but without what else was printed after it."""
    found = _MODULE.match(text)
    return (found[1] if found is not None else text.strip("\n")) + "\n"


def _dump(match: re.Match[str], ir: str) -> Dump:
    options = match["options"] or ""
    usable = "" if "=opaque" in options or "=unknown" in options else re.sub(r"\s+", " ", options)
    return Dump(
        before=match["when"] == "Before",
        failed=match["failed"] is not None,
        name=match["name"].rpartition("::")[2],
        argument=(match["new"] or match["old"]) + usable,
        op=match["op"] or "",
        symbol=(match["symbol"] or "").strip('"'),
        ir=ir,
    )


def pipeline(dump: Dump) -> str | None:
    """The `--pass-pipeline` that runs the pass of a dump of a whole module on the op it ran on; None if unknown."""
    if dump.op in ("builtin.module", "") and not dump.symbol:
        return f"builtin.module({dump.argument})"
    found = next((op for op in read(dump.ir).ops if _is(op, dump.op) and op.symbol == dump.symbol), None)
    if found is None:
        return None
    chain = [_anchor(found)]
    while found.parent is not None:
        found = found.parent
        chain.append(_anchor(found))
    if chain[-1] != "builtin.module":
        chain.append("builtin.module")
    nested = dump.argument
    for op in chain:
        nested = f"{op}({nested})"
    return nested


def _is(op: Op, name: str) -> bool:
    return _anchor(op) == name


def _anchor(op: Op) -> str:
    return {"module": "builtin.module", "func": "func.func"}.get(op.name, op.name)


@dataclass(frozen=True)
class Region:
    """A dispatch, as it is being formed or done. pads, convolves: whether a `tensor.pad`, a convolution is in it."""

    pads: bool
    convolves: bool


def pads(ir: str) -> bool:
    """Whether there is a `tensor.pad` in an IR."""
    return bool(read(ir).named("tensor.pad"))


_REGIONS = ("flow.dispatch.region", "flow.dispatch.workgroups", "flow.executable")


def regions(ir: str) -> tuple[Region, ...]:
    """The dispatches of an IR on its way to the flow phase: what is in none of them is not in a dispatch yet."""
    text = read(ir)
    outer = [op for op in text.ops if op.name in _REGIONS and op.ancestor(*_REGIONS) is None]
    return tuple(
        Region(any(o.name == "tensor.pad" for o in op.walk()), any(is_convolution(o, text) for o in op.walk()))
        for op in outer
    )
