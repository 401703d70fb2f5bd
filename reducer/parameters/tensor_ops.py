"""The tensor dialect: pads, slices, reshapes and what else carries sizes in its attributes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from iree.compiler import ir

from reducer.parameters.builder import Builder, Invalid, Solution
from reducer.parameters.graph import Equation, Term

DYNAMIC = -(2**63)
PADS, SLICES = 3, 4


def numbers(op: Any, name: str) -> list[int]:
    """The whole numbers in an array attribute (`array<i64: 1, 2>`)."""
    text = str(op.attributes[name]) if name in op.attributes else ""
    inside = text.partition(":")[2].rstrip("> ")
    return [int(n) for n in inside.split(",") if n.strip()]


def set_numbers(op: Any, name: str, values: Sequence[int]) -> None:
    """Write an array attribute of i64, if it changes."""
    if numbers(op, name) != list(values):
        op.attributes[name] = ir.DenseI64ArrayAttr.get(list(values))


class Entries:
    """A mixed list of an op: static numbers, and operands where they are dynamic.

    variables: None for an operand that is no constant.
    """

    def __init__(self, builder: Builder, op: Any, static: str, segment: int, make: Callable[[int, int], int]) -> None:
        self._op, self._static = op, static
        self.now = numbers(op, static)
        sizes = numbers(op, "operandSegmentSizes")
        operands = iter(list(op.operands)[sum(sizes[:segment]) : sum(sizes[: segment + 1])])
        self.variables: list[int | None] = []
        self.attribute: list[bool] = []
        for axis, number in enumerate(self.now):
            dynamic = number == DYNAMIC
            self.variables.append(builder.constant(next(operands)) if dynamic else make(axis, number))
            self.attribute.append(not dynamic)

    def write(self, solution: Solution, keep: Sequence[int]) -> None:
        """Put the new numbers into the attribute, only those at the positions `keep`."""
        new = [
            solution.number(variable) if static and variable is not None else DYNAMIC
            for variable, static in zip(self.variables, self.attribute, strict=True)
        ]
        set_numbers(self._op, self._static, [new[i] for i in keep])


def pad(builder: Builder, op: Any) -> None:
    """`result = source + low + high` on every axis."""
    name = builder.ordinal(op)
    source, result = builder.dims(op.operands[0]), builder.dims(op.results[0])

    def amount(side: str) -> Callable[[int, int], int]:
        return lambda axis, n: builder.amount(n, f"{name} {side}[{axis}]", low=0, simplest=0, order=PADS)

    low = Entries(builder, op, "static_low", 1, amount("low"))
    high = Entries(builder, op, "static_high", 2, amount("high"))
    for axis, (s, r) in enumerate(zip(source, result, strict=True)):
        builder.tie(s, r)
        before, after = low.variables[axis], high.variables[axis]
        if not (low.attribute[axis] and high.attribute[axis]):
            builder.keep(r)
        if before is not None and after is not None and builder.known(s, r):
            terms = [Term(((s, 0),)), Term(((before, 0),)), Term(((after, 0),))]
            static = low.attribute[axis] and high.attribute[axis]
            now = [builder.graph.value(v) or 0 for v in (s, before, after)]
            if static or sum(now) == builder.graph.value(r):
                builder.require(r, terms, 0, [r, s, after, before])

    def check(solution: Solution) -> None:
        for axis, r in enumerate(result):
            for variable in (low.variables[axis], high.variables[axis]):
                if solution.dropped(r) and (variable is None or solution.number(variable)):
                    raise Invalid(f"{name} pads an axis that is to go")

    def update(solution: Solution) -> None:
        keep = solution.kept(result)
        low.write(solution, keep)
        high.write(solution, keep)
        _erase_indices(op, keep, len(result))

    builder.checks.append(check)
    builder.updates.append(update)


def _erase_indices(op: Any, keep: Sequence[int], rank: int) -> None:
    """Take the index arguments of the axes that went out of the op's body; what used them sees a zero."""
    block = next(iter(op.regions[0].blocks))
    for axis in reversed([i for i in range(rank) if i not in keep]):
        argument = block.arguments[axis]
        if list(argument.uses):
            argument.replace_all_uses_with(index_constant(0, ir.InsertionPoint.at_block_begin(block)))
        block.erase_argument(axis)


def index_constant(number: int, place: Any) -> Any:
    """A new `arith.constant` of type index there; its result."""
    index = ir.IndexType.get()
    attributes = {"value": ir.IntegerAttr.get(index, number)}
    return ir.Operation.create("arith.constant", results=[index], attributes=attributes, ip=place).results[0]


def _slice(builder: Builder, op: Any, whole: Any, part: Any, first: int) -> None:
    """A window of `whole` that is `part`: `whole = 1 + offset + stride * (part - 1) + slack` where that is static."""
    name = builder.ordinal(op)
    big, small = builder.dims(whole), builder.dims(part)

    def amount(what: str, low: int) -> Callable[[int, int], int]:
        return lambda axis, n: builder.amount(n, f"{name} {what}[{axis}]", low=low, simplest=low, order=SLICES)

    offsets = Entries(builder, op, "static_offsets", first, amount("offset", 0))
    strides = Entries(builder, op, "static_strides", first + 2, amount("stride", 1))
    sizes = Entries(builder, op, "static_sizes", first + 1, lambda _, n: builder.fixed(n))
    which = _match_axes(sizes.now, [builder.graph.value(v) for v in small])
    if which is None:
        builder.pin(*big, *small)
        builder.graph.pin(*(v for e in (offsets, strides) for v in e.variables if v is not None))
        return
    for axis, size in enumerate(sizes.now):
        position = which[axis]
        if position is not None and size != DYNAMIC:
            sizes.variables[axis] = small[position]
            builder.tie(big[axis], small[position])
        else:
            builder.keep(big[axis], *([] if position is None else [small[position]]))
        if not (offsets.attribute[axis] and strides.attribute[axis]):
            builder.keep(big[axis])
        entries = (offsets.variables[axis], sizes.variables[axis], strides.variables[axis])
        _window(builder, f"{name} slack[{axis}]", big[axis], entries)

    def check(solution: Solution) -> None:
        for axis, variable in enumerate(big):
            offset = offsets.variables[axis]
            if solution.dropped(variable) and offset is not None and solution.number(offset):
                raise Invalid(f"{name} has an offset on an axis that is to go")

    def update(solution: Solution) -> None:
        keep = solution.kept(big)
        for entries in (offsets, sizes, strides):
            entries.write(solution, keep)

    builder.checks.append(check)
    builder.updates.append(update)


def _window(builder: Builder, name: str, big: int, entries: tuple[int | None, int | None, int | None]) -> None:
    """`entries`: offset, size and stride."""
    offset, size, stride = entries
    if offset is None or size is None or stride is None or not builder.known(big, size):
        return
    whole, start, count, step = (builder.graph.value(v) or 0 for v in (big, offset, size, stride))
    left = whole - (1 + start + step * (count - 1))
    if left < 0:
        builder.pin(big, size)
        builder.graph.pin(offset, stride)
        return
    slack = builder.amount(left, name, low=0, simplest=0, order=SLICES)
    terms = [Term(((offset, 0),)), Term(((stride, 0), (size, 1))), Term(((slack, 0),))]
    builder.graph.add(Equation(big, tuple(terms), 1, (big, size, slack), rounded=size, slack=slack))


def _match_axes(sizes: Sequence[int], small: Sequence[int | None]) -> list[int | None] | None:
    """For each axis of a window, which axis of the (perhaps rank-reduced) value it is; None in the list for one left
    out.

    Axes of size 1 may be left out; as MLIR does, the first ones that can be matched are.
    """
    which: list[int | None] = []
    left_out = len(sizes) - len(small)
    for size in sizes:
        position = sum(w is not None for w in which)
        wanted = None if size == DYNAMIC else size
        if position < len(small) and small[position] == wanted:
            which.append(position)
        elif size == 1 and left_out:
            left_out -= 1
            which.append(None)
        else:
            return None
    return which if sum(w is not None for w in which) == len(small) else None


def extract_slice(builder: Builder, op: Any) -> None:
    """A window out of the source."""
    _slice(builder, op, op.operands[0], op.results[0], 1)


def insert_slice(builder: Builder, op: Any) -> None:
    """A window into the destination, which the result is like."""
    builder.equal(builder.dims(op.operands[1]), builder.dims(op.results[0]))
    _slice(builder, op, op.operands[1], op.operands[0], 2)


def reshape(builder: Builder, op: Any) -> None:
    """`expand_shape` and `collapse_shape`: the size of a group is the product of its parts."""
    expand = op.name.endswith("expand_shape")
    source, result = builder.dims(op.operands[0]), builder.dims(op.results[0])
    folded, parts = (source, result) if expand else (result, source)
    groups = reassociation(str(op.attributes["reassociation"]))
    builder.keep(*source, *result)
    if not groups and parts:
        builder.pin(*parts)
    for whole, group in zip(folded, groups, strict=False):
        members = [parts[i] for i in group]
        if not builder.known(whole, *members):
            builder.pin(whole, *members)
        elif len(members) == 1:
            builder.graph.merge(whole, members[0])
        else:
            builder.require(whole, [Term(tuple((m, 0) for m in members))], 0, [whole, *members])

    def update(solution: Solution) -> None:
        if "static_output_shape" in op.attributes:
            sizes = [solution.size(v) for v in result]
            set_numbers(op, "static_output_shape", [DYNAMIC if s is None else s for s in sizes])

    builder.updates.append(update)


def reassociation(text: str) -> list[list[int]]:
    """The groups of `[[0, 1], [2]]`."""
    groups = []
    for piece in text.split("[")[1:]:
        digits = piece.partition("]")[0].replace(": i64", "")
        if digits.strip():
            groups.append([int(n) for n in digits.split(",")])
    return groups


def concat(builder: Builder, op: Any) -> None:
    """Sizes add up along one axis."""
    axis = int(str(op.attributes["dim"]).partition(" ")[0])
    concatenate(builder, op, axis, "dim")


def concatenate(builder: Builder, op: Any, axis: int, attribute: str) -> None:
    """Sizes add up along `axis`, whose number stands in an attribute; the other axes agree."""
    result = builder.dims(op.results[0])
    inputs = [builder.dims(v) for v in op.operands]
    for dims in inputs:
        for i, (a, b) in enumerate(zip(result, dims, strict=True)):
            if i != axis:
                builder.equal([a], [b])
    along = [dims[axis] for dims in inputs]
    builder.keep(result[axis], *along)
    if builder.known(result[axis], *along):
        builder.require(result[axis], [Term(((v, 0),)) for v in along], 0, [result[axis], *along])

    def update(solution: Solution) -> None:
        gone = sum(solution.dropped(v) for v in result[:axis])
        if gone:
            op.attributes[attribute] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), axis - gone)

    builder.updates.append(update)


def dim(builder: Builder, op: Any) -> None:
    """Asks for the size of an axis: the number of the axis must not change but with the axes that go."""
    axes = builder.dims(op.operands[0])
    variable = builder.constant(op.operands[1])
    if variable is None:
        builder.keep(*axes)
        return
    builder.graph.pin(variable)
    axis = builder.graph.value(variable) or 0
    if 0 <= axis < len(axes):
        builder.keep(axes[axis])

    def update(solution: Solution) -> None:
        gone = sum(solution.dropped(v) for v in axes[:axis])
        if gone:
            op.operands[1] = index_constant(axis - gone, ir.InsertionPoint(op))

    builder.updates.append(update)


def free(builder: Builder, op: Any) -> None:
    """Says nothing about the sizes of its operands and results (`tensor.empty`, a splat)."""
    builder.shaped([*op.operands, *op.results])


def indexed(builder: Builder, op: Any) -> None:
    """Takes one index for each axis: any sizes, but the axes stay. A destination is like the result."""
    slots = builder.shaped([*op.operands, *op.results])
    for slot in slots:
        builder.keep(*slot.axes)
    builder.all_equal(slots)


MODELS = {
    "tensor.pad": pad,
    "tensor.extract_slice": extract_slice,
    "tensor.insert_slice": insert_slice,
    "tensor.expand_shape": reshape,
    "tensor.collapse_shape": reshape,
    "tensor.concat": concat,
    "tensor.dim": dim,
    "tensor.empty": free,
    "tensor.splat": free,
    "tensor.extract": indexed,
    "tensor.insert": indexed,
}
