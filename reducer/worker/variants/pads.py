"""Changes of a pad itself, each the smallest that makes it otherwise in one way."""

from __future__ import annotations

import re
from collections.abc import Sequence

from iree.compiler import ir

from reducer.passes import bindings
from reducer.passes.cut_ops import cut
from reducer.passes.program import Node
from reducer.passes.types import is_scalar, may_be_argument, zero
from reducer.worker.variants.insertion import insert
from reducer.worker.variants.subject import DoesNotApply, Subject


def constant_value(subject: Subject) -> None:
    """Pad with a constant, zero, where the value is known at run time alone."""
    node = _yield(subject)
    producer = subject.program.definer.get(node.operands[0])
    if producer is not None and "constant" in producer.name:
        raise DoesNotApply
    _pad_with_zero(subject, node)


def zero_value(subject: Subject) -> None:
    """Pad with zero, where it is another constant."""
    node = _yield(subject)
    producer = subject.program.definer.get(node.operands[0])
    if producer is None or "constant" not in producer.name:
        raise DoesNotApply
    wanted = zero(subject.program.type_text(node.operands[0]))
    number = str(bindings.attribute(producer.op, "value")).partition(" : ")[0]
    if wanted is None or number in ("false", "0") or set(number) <= set("-0.e+"):
        raise DoesNotApply
    _pad_with_zero(subject, node)


def _yield(subject: Subject) -> Node:
    return subject.pad.regions[0][0].nodes[-1]


def _pad_with_zero(subject: Subject, node: Node) -> None:
    value = node.operands[0]
    constant = zero(subject.program.type_text(value))
    if constant is None:
        raise DoesNotApply
    node.op.operands[0] = subject.edit.constant(constant.op, constant.value, value.type, subject.pad)


def one_use(subject: Subject) -> None:
    """Let the consumer alone use the pad: whatever else does gets a value from outside."""
    consumer = subject.the_consumer()
    result = subject.pad.results[0]
    others = [n for n in subject.users() if n is not consumer]
    if not others or result not in consumer.operands:
        raise DoesNotApply
    if not may_be_argument(subject.program.type_text(result)):
        raise DoesNotApply
    signature = subject.edit.signature(subject.function)
    outside = signature.add_argument(result.type, subject.program.context)
    for node in others:
        if node in signature.return_ops:
            signature.open_results()
            signature.replace(result, outside)
            continue
        for place, value in enumerate(node.operands):
            if value == result:
                node.op.operands[place] = outside


def no_low(subject: Subject) -> None:
    """Add at the end what is added at the beginning of each axis."""
    low, high = _known(subject)
    if not any(low):
        raise DoesNotApply
    _write(subject, [0] * len(low), [a + b for a, b in zip(low, high, strict=True)])


def no_high(subject: Subject) -> None:
    """Add at the beginning what is added at the end of each axis."""
    low, high = _known(subject)
    if not any(high):
        raise DoesNotApply
    _write(subject, [a + b for a, b in zip(low, high, strict=True)], [0] * len(high))


def static_amounts(subject: Subject) -> None:
    """Write constants that say how much is added into the attributes."""
    low, high = _known(subject)
    if len(subject.pad.operands) == 1:
        raise DoesNotApply
    _write(subject, low, high)


def _known(subject: Subject) -> tuple[list[int], list[int]]:
    low, high = subject.amounts()
    known = [[n for n in side if n is not None] for side in (low, high)]
    if len(known[0]) < len(low) or len(known[1]) < len(high):
        raise DoesNotApply
    return known[0], known[1]


def _write(subject: Subject, low: Sequence[int], high: Sequence[int]) -> None:
    subject.edit.rebuild(
        subject.pad,
        operands=subject.pad.operands[:1],
        attributes={
            "static_low": ir.DenseI64ArrayAttr.get(list(low), subject.program.context),
            "static_high": ir.DenseI64ArrayAttr.get(list(high), subject.program.context),
            "operandSegmentSizes": ir.DenseI32ArrayAttr.get([1, 0, 0], subject.program.context),
        },
    )


def foldable(subject: Subject) -> None:
    """Drop `nofold`."""
    if "nofold" not in subject.pad.op.attributes:
        raise DoesNotApply
    del subject.pad.op.attributes["nofold"]


def outside_source(subject: Subject) -> None:
    """Pad a value from outside instead of one that is computed."""
    source = subject.pad.operands[0]
    producer = subject.program.definer.get(source)
    if producer is None or not producer.operands or producer.block is not subject.function.entry:
        raise DoesNotApply
    if not all(may_be_argument(subject.program.type_text(r)) for r in producer.results):
        raise DoesNotApply
    cut(subject.edit, [(producer, subject.function)])


def produced_source(subject: Subject) -> None:
    """Pad a value that a structured op has computed, where it comes from outside as it is."""
    source = subject.pad.operands[0]
    shape = subject.shape(source)
    if subject.program.definer.get(source) is not None or None in shape.sizes or not is_scalar(shape.element):
        raise DoesNotApply
    type_, element = str(source.type), shape.element
    add = "arith.addi" if re.fullmatch(r"i\d+|index", element) else "arith.addf"
    axes = ", ".join(f"d{i}" for i in range(len(shape.sizes)))
    same = f"affine_map<({axes}) -> ({axes})>"
    kinds = ", ".join(['"parallel"'] * len(shape.sizes))
    body = (
        f"%e = tensor.empty() : {type_}\n"
        f"%r = linalg.generic {{indexing_maps = [{same}, {same}], iterator_types = [{kinds}]}} "
        f"ins(%0 : {type_}) outs(%e : {type_}) {{\n^bb0(%in: {element}, %out: {element}):\n"
        f"%s = {add} %in, %in : {element}\nlinalg.yield %s : {element}\n}} -> {type_}"
    )
    subject.pad.op.operands[0] = insert(subject.pad.op, body, [source], type_)
