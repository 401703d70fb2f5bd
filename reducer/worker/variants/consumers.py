"""Changes of what uses a pad: another convolution, or a convolution, in its place.

A new op takes the old one's users where its result has the same type; else they get a value from outside, and the new
op's result is returned.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from iree.compiler import ir

from reducer.parameters.kinds import KINDS, Kind
from reducer.parameters.linalg_ops import dense_numbers
from reducer.passes.cut_ops import cut
from reducer.passes.program import Node
from reducer.passes.types import Shape, is_scalar, may_be_argument
from reducer.worker.variants.insertion import insert
from reducer.worker.variants.subject import DoesNotApply, Subject

KERNELS = (3, 2)
CHANNELS = 2

_LAYOUTS = (
    ("conv_1d_ncw_fcw", "conv_1d_nwc_wcf"),
    ("conv_2d_nchw_fchw", "conv_2d_nhwc_hwcf"),
    ("conv_3d_ncdhw_fcdhw", "conv_3d_ndhwc_dhwcf"),
    ("depthwise_conv_1d_ncw_cw", "depthwise_conv_1d_nwc_wc"),
    ("depthwise_conv_2d_nchw_chw", "depthwise_conv_2d_nhwc_hwc"),
    ("depthwise_conv_3d_ncdhw_cdhw", "depthwise_conv_3d_ndhwc_dhwc"),
)
_BY_RANK: Mapping[int, Sequence[str]] = {
    1: ("conv_1d",),
    2: ("conv_2d",),
    3: ("conv_1d_ncw_fcw", "conv_1d_nwc_wcf", "conv_3d"),
    4: ("conv_2d_nchw_fchw", "conv_2d_nhwc_hwcf"),
    5: ("conv_3d_ncdhw_fcdhw", "conv_3d_ndhwc_dhwcf"),
}


_PLAIN = frozenset(name for names in _BY_RANK.values() for name in names)


@dataclass(frozen=True)
class Window:
    """A convolution to be: its kind, the kernel's sizes, strides and dilations (one a window), element types."""

    kind: Kind
    kernel: tuple[int, ...]
    strides: tuple[int, ...]
    dilations: tuple[int, ...]
    channels: int
    weight: str
    output: str

    @property
    def attributes(self) -> str:
        """Strides and dilations as text, "" for a kind that has none."""
        if not self.kind.strided:
            return ""
        count = len(self.strides)
        lists = {"dilations": self.dilations, "strides": self.strides}
        texts = (f"{name} = dense<{list(values)}> : tensor<{count}xi64>" for name, values in lists.items())
        return "{" + ", ".join(texts) + "}"


def wide_kernel(subject: Subject) -> None:
    """A kernel wider than 1 along each axis where there is room for it to slide, where it is 1 along all of them."""
    window = _window(subject)
    kernel = _kernel(_spatial(subject, window.kind), window.strides, window.dilations)
    if any(n != 1 for n in window.kernel) or kernel == window.kernel:
        raise DoesNotApply
    _put(subject, replace(window, kernel=kernel))


def _spatial(subject: Subject, kind: Kind) -> list[int | None]:
    """The sizes of what is padded along the axes that a window slides over, in the order of the windows."""
    sizes = dict(zip(kind.parts[0], subject.shape(subject.pad.results[0]).sizes, strict=True))
    return [sizes[c] for c in kind.windows]


def _kernel(sizes: Sequence[int | None], strides: Sequence[int], dilations: Sequence[int]) -> tuple[int, ...]:
    """For each axis the widest kernel that still takes two steps; 1 where none does."""
    found = []
    for size, stride, dilation in zip(sizes, strides, dilations, strict=True):
        fitting = (k for k in KERNELS if size is None or (k - 1) * dilation + 1 + stride <= size)
        found.append(next(fitting, 1))
    return tuple(found)


def plain_integers(subject: Subject) -> None:
    """The same convolution without zero points."""
    window = _window(subject)
    if not window.kind.name.endswith("_q"):
        raise DoesNotApply
    _put(subject, replace(window, kind=KINDS[window.kind.name.removesuffix("_q")]))


def convolution(subject: Subject) -> None:
    """A plain convolution, by name, whose window slides along the padded axes, in place of what is none."""
    if subject.the_consumer().name.removeprefix("linalg.") in _PLAIN:
        raise DoesNotApply
    _put(subject, _fitting(subject))


def direct_use(subject: Subject) -> None:
    """The same on the pad itself, where the consumer uses it through a reshape."""
    if subject.pad.results[0] in subject.the_consumer().operands:
        raise DoesNotApply
    _put(subject, _fitting(subject))


def _fitting(subject: Subject) -> Window:
    """A convolution that slides along the padded axes. Raises DoesNotApply."""
    shape = subject.shape(subject.pad.results[0])
    low, high = subject.amounts()
    padded = {i for i, pair in enumerate(zip(low, high, strict=True)) if any(pair)}
    names = _BY_RANK.get(len(shape.sizes), ())
    fitting = [n for n in names if padded <= {i for i, c in enumerate(KINDS[n].parts[0]) if c.isdigit()}]
    if not names or not is_scalar(shape.element):
        raise DoesNotApply
    kind = KINDS[(fitting or list(names))[0]]
    ones = (1,) * len(kind.windows)
    kernel = _kernel(_spatial(subject, kind), ones, ones)
    output = "i32" if re.fullmatch(r"i\d+", shape.element) else shape.element
    return Window(kind, kernel, ones, ones, CHANNELS, shape.element, output)


def other_layout(subject: Subject) -> None:
    """The same convolution with its channels last where they come first, or first where they come last."""
    window = _window(subject)
    pair = next((pair for pair in _LAYOUTS if window.kind.name in pair), None)
    if pair is None or len(subject.users()) > 1:
        raise DoesNotApply
    other = KINDS[pair[1 - pair.index(window.kind.name)]]
    order = [window.kind.parts[0].index(c) for c in other.parts[0]]
    _put(subject, replace(window, kind=other), _turned(subject, order))
    old = subject.pad.results[0]
    subject.edit.signature(subject.function).keep_results(lambda value: value != old)
    subject.edit.erase_if_unused(subject.pad)


def no_users(subject: Subject) -> None:
    """Return the consumer's result as it is; what is computed from it gets a value from outside."""
    consumer = subject.the_consumer()
    (result,) = consumer.results if len(consumer.results) == 1 else (None,)
    if result is None or not may_be_argument(subject.program.type_text(result)):
        raise DoesNotApply
    signature = subject.edit.signature(subject.function)
    users = [n for n in subject.program.nodes if result in n.operands]
    if not signature.may_change_results or all(n in signature.return_ops for n in users):
        raise DoesNotApply
    outside = signature.add_argument(result.type, subject.program.context)
    signature.open_results()
    subject.edit.replace(result, outside)
    signature.add_result(result)


def _window(subject: Subject) -> Window:
    """The consumer, if it is a named convolution on the pad itself. Raises DoesNotApply."""
    consumer = subject.the_consumer()
    kind = KINDS.get(consumer.name.removeprefix("linalg."))
    if kind is None or "conv" not in kind.name or consumer.operands[0] != subject.pad.results[0]:
        raise DoesNotApply
    weight, output = subject.shape(consumer.operands[1]), subject.shape(consumer.results[0])
    if [len(p) for p in kind.parts[1:]] != [len(weight.sizes), len(output.sizes)]:
        raise DoesNotApply
    sizes = dict(zip(kind.parts[1], weight.sizes, strict=True))
    kernel = tuple(size for c in kind.windows if (size := sizes[c]) is not None)
    channels = next((size for c, size in sizes.items() if c in "fm" and size is not None), CHANNELS)
    if len(kernel) < len(kind.windows):
        raise DoesNotApply
    strides, dilations = (tuple(dense_numbers(consumer.op, w, len(kernel))) for w in ("strides", "dilations"))
    return Window(kind, kernel, strides, dilations, channels, weight.element, output.element)


def _put(subject: Subject, window: Window, turned: ir.Value | None = None) -> None:
    """Put a convolution on the pad, or on `turned`, in the consumer's place, which leaves."""
    old, context = subject.the_consumer(), subject.program.context
    padded = turned if turned is not None else subject.pad.op.results[0]
    weight, output = _types(window, subject.shape(padded))
    signature = subject.edit.signature(subject.function)
    same = len(old.results) == 1 and str(old.results[0].type) == output
    if not same and (not signature.may_change_results or old.block is not subject.function.entry):
        raise DoesNotApply
    filter_ = _operand(old, 1, weight) or signature.add_argument(ir.Type.parse(weight, context), context)
    init = old.operands[-1] if same else signature.add_argument(ir.Type.parse(output, context), context)
    body = (
        f"%r = linalg.{window.kind.name} {window.attributes} "
        f"ins(%0, %1 : {padded.type}, {weight}) outs(%2 : {output}) -> {output}"
    )
    new = insert(old.op, body, [padded, filter_, init], output)
    if same:
        subject.edit.replace(old.results[0], new)
        subject.edit.erase(old)
    else:
        returned = [value for value, _ in signature.open_results()]
        cut(subject.edit, [(old, subject.function)])
        signature.keep_results(lambda value: value in returned)  # not what the old op alone has used
        signature.add_result(new)


def _types(window: Window, padded: Shape) -> tuple[str, str]:
    """The types of filter and output on what is padded. Raises DoesNotApply where the window is too large."""
    letters, weights, outputs = window.kind.parts
    sizes: dict[str, int | None] = dict(zip(letters, padded.sizes, strict=True))
    kernel: dict[str, int | None] = dict(zip(window.kind.windows, window.kernel, strict=True))
    extra = dict.fromkeys("fm", window.channels)
    out: dict[str, int | None] = {**sizes, **extra}
    for i, c in enumerate(window.kind.windows):
        size, reach = sizes[c], (window.kernel[i] - 1) * window.dilations[i] + 1
        if size is not None:
            if size < reach:
                raise DoesNotApply
            out[c] = (size - reach) // window.strides[i] + 1
    weight = _tensor([kernel[c] if c.isdigit() else out[c] for c in weights], window.weight)
    return weight, _tensor([out[c] for c in outputs], window.output)


def _tensor(sizes: Sequence[int | None], element: str) -> str:
    dims = "".join("?x" if size is None else f"{size}x" for size in sizes)
    return f"tensor<{dims}{element}>"


def _operand(node: Node, number: int, type_: str) -> ir.Value | None:
    """The op's operand with this number, if it has this type."""
    found = node.operands[number] if number < len(node.operands) - 1 else None
    return found if found is not None and str(found.type) == type_ else None


def _turned(subject: Subject, order: Sequence[int]) -> ir.Value:
    """Put a pad of a value from outside, with its axes in another order, in front of the pad."""
    low, high = subject.amounts()
    context, old = subject.program.context, subject.pad
    value = old.regions[0][0].nodes[-1].operands[0]
    inside = subject.program.definer.get(value)
    if None in low or None in high or (inside is not None and inside.block is old.regions[0][0]):
        raise DoesNotApply
    source, result = (subject.shape(v) for v in (old.operands[0], old.results[0]))
    from_, to = (_tensor([s.sizes[i] for i in order], s.element) for s in (source, result))
    outside = subject.edit.signature(subject.function).add_argument(ir.Type.parse(from_, context), context)
    sides = " ".join(f"{name}{[side[i] for i in order]}" for name, side in (("low", low), ("high", high)))
    nofold = "nofold " if "nofold" in old.op.attributes else ""
    indices = ", ".join(f"%i{i}: index" for i in order)
    body = (
        f"%r = tensor.pad %0 {nofold}{sides} {{\n^bb0({indices}):\ntensor.yield %1 : {value.type}\n}} : {from_} to {to}"
    )
    return insert(old.op, body, [outside, value], to)
