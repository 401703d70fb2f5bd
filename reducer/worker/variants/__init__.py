"""Programs that differ from one in a single way that may matter to whether a pad is fused.

Owns the list of ways. Which of them matters is found out by compiling, and none of the worker's business.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from iree.compiler import ir
from iree.compiler.passmanager import PassManager

from reducer import parameters, wire
from reducer.passes import editing
from reducer.passes.bindings import plain_ops
from reducer.worker.variants import consumers, pads
from reducer.worker.variants.subject import DoesNotApply, Subject, look

Change = Callable[[ir.Module, int], None]
"""Changes a module, for the pad with this number. Raises DoesNotApply; the module may not verify afterwards."""


@dataclass(frozen=True)
class Way:
    """A change. name: short and stable; says: what is true of the program then, to go with `takes effect if`."""

    name: str
    says: str
    change: Change


def vary(context: Any, request: wire.VariantsRequest) -> wire.Variants:
    """Every variant that there is, after the changes that the request names. None if these do not apply."""
    found = []
    for way in WAYS:
        if way.name in request.after:
            continue
        module = editing.parse(context, request.program)
        try:
            for name in request.after:
                next(w for w in WAYS if w.name == name).change(module, request.pad)
            way.change(module, request.pad)
        except (DoesNotApply, parameters.Invalid):
            continue
        if not editing.verify(module):
            text = editing.print_canonical(module)
            if text != request.program:
                found.append(wire.Variant(way.name, way.says, text))
    return wire.Variants(tuple(found))


def _edited(change: Callable[[Subject], None]) -> Change:
    """A change that is an edit of a subject."""

    def on_module(module: ir.Module, number: int) -> None:
        with plain_ops():
            subject = look(module, number)
            change(subject)
            for function in subject.program.functions:
                subject.edit.changed(function)
            subject.edit.finish()

    return on_module


def _numbers(wanted: Callable[[wire.Parameter], int | None]) -> Change:
    """A change of some of the program's numbers; whatever depends on them follows."""

    def on_module(module: ir.Module, number: int) -> None:
        known = parameters.parameters(module)
        values = [p.value if (value := wanted(p)) is None else value for p in known]
        if values == [p.value for p in known]:
            raise DoesNotApply
        parameters.assign(module, values)

    return on_module


def _ones(word: str) -> Callable[[wire.Parameter], int | None]:
    return lambda p: 1 if f" {word}[" in p.name else None


def _static(p: wire.Parameter) -> int | None:
    """A size to go on from that is neither 1 nor large."""
    return 1 if p.name.startswith("shape ") and p.value == len(p.labels) - 1 else None


def _f32(p: wire.Parameter) -> int | None:
    return 0 if p.name.startswith("element type ") else None


def _generic(module: ir.Module, number: int) -> None:
    """MLIR's own pass, on every named op: which of them matters is the consumer."""
    del number
    PassManager.parse("builtin.module(linalg-generalize-named-ops)", module.context).run(module.operation)


WAYS: tuple[Way, ...] = (
    Way("one use", "the pad has one use", _edited(pads.one_use)),
    Way("constant value", "it pads with a constant", _edited(pads.constant_value)),
    Way("zero value", "it pads with zero", _edited(pads.zero_value)),
    Way("no low padding", "it adds at the end alone", _edited(pads.no_low)),
    Way("no high padding", "it adds at the beginning alone", _edited(pads.no_high)),
    Way("static amounts", "its amounts are attributes", _edited(pads.static_amounts)),
    Way("foldable", "it is not `nofold`", _edited(pads.foldable)),
    Way("outside source", "what it pads comes from outside", _edited(pads.outside_source)),
    Way("produced source", "what it pads is computed by a structured op", _edited(pads.produced_source)),
    Way("static shape", "all shapes are static", _numbers(_static)),
    Way("unit stride", "all strides are 1", _numbers(_ones("stride"))),
    Way("unit dilation", "all dilations are 1", _numbers(_ones("dilation"))),
    Way("f32", "all elements are f32", _numbers(_f32)),
    Way("wide kernel", "the kernel is wider than 1", _edited(consumers.wide_kernel)),
    Way("no zero points", "the convolution is not quantised", _edited(consumers.plain_integers)),
    Way("other layout", "the channels are at the other end", _edited(consumers.other_layout)),
    Way("generic", "named ops are `linalg.generic`s", _generic),
    Way("no users", "nothing is computed from the consumer's result", _edited(consumers.no_users)),
    Way("direct use", "a convolution uses the pad itself, with no reshape between", _edited(consumers.direct_use)),
    Way("convolution", "a plain convolution takes the consumer's place", _edited(consumers.convolution)),
)
