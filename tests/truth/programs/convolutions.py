"""Named convolutions and pooling, plain, strided and dilated, over elements of all widths."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from tests.truth.programs.text import Program, filled, function, tensor

_CONVOLUTIONS = (
    *("conv_1d_nwc_wcf", "conv_1d_ncw_fcw", "conv_2d_nhwc_hwcf", "conv_2d_nhwc_fhwc", "conv_2d_nchw_fchw"),
    *("conv_2d_ngchw_fgchw", "conv_2d_ngchw_gfchw", "conv_2d_nhwgc_gfhwc"),
    *("conv_3d_ndhwc_dhwcf", "conv_3d_ncdhw_fcdhw"),
    *("depthwise_conv_1d_nwc_wc", "depthwise_conv_1d_ncw_cw", "depthwise_conv_1d_nwc_wcm"),
    *("depthwise_conv_2d_nchw_chw", "depthwise_conv_2d_nhwc_hwc", "depthwise_conv_2d_nhwc_hwcm"),
    *("depthwise_conv_3d_ndhwc_dhwc", "depthwise_conv_3d_ncdhw_cdhw", "depthwise_conv_3d_ndhwc_dhwcm"),
)
_QUANTISED = (
    *(
        "conv_2d_nhwc_hwcf_q",
        "conv_2d_nhwc_fhwc_q",
        "conv_2d_nchw_fchw_q",
        "conv_2d_nhwgc_gfhwc_q",
        "conv_2d_ngchw_gfchw_q",
    ),
    *("conv_3d_ndhwc_dhwcf_q", "depthwise_conv_2d_nhwc_hwc_q", "depthwise_conv_2d_nhwc_hwcm_q"),
)
_POOLING = (
    *(
        "nhwc_sum",
        "nchw_sum",
        "nhwc_max",
        "nchw_max",
        "nhwc_min",
        "nwc_sum",
        "ncw_sum",
        "nwc_max",
        "ncw_max",
        "nwc_min",
    ),
    *("ndhwc_sum", "ndhwc_max", "ndhwc_min"),
)
_UNSIGNED_POOLING = ("nhwc_max_unsigned", "nhwc_min_unsigned", "nwc_max_unsigned", "nwc_min_unsigned")
_SPATIAL = "dhw"
_IMAGE = {"n": 1, "c": 3, "g": 2, "d": 4, "h": 5, "w": 6}
_FILTER = {"f": 4, "c": 3, "g": 2, "m": 2, "d": 2, "h": 3, "w": 2}


@dataclass(frozen=True)
class _Steps:
    """Strides and dilations of a window, one each for all its dimensions."""

    stride: int
    dilation: int

    def out(self, size: int, window: int) -> int:
        return (size - self.dilation * (window - 1) - 1) // self.stride + 1

    def text(self, image: str) -> str:
        rank = sum(letter in _SPATIAL for letter in image)
        kind = tensor([rank], "i64")
        return f"{{dilations = dense<{self.dilation}> : {kind}, strides = dense<{self.stride}> : {kind}}}"


_PLAIN, _STRIDED, _DILATED = _Steps(1, 1), _Steps(2, 1), _Steps(1, 2)


def _convolution(op: str, elements: tuple[str, str, str], steps: _Steps, suffix: str, *, onto_zeros: bool) -> Program:
    """elements: of the image, the filter, and the result. onto_zeros: onto zeros, else onto an argument."""
    _, image, window = op.removesuffix("_q").rsplit("_", 2)
    depthwise = op.startswith("depthwise")
    out = [
        steps.out(_IMAGE[x], _FILTER[x]) if x in _SPATIAL else _FILTER["f"] if x == "c" and not depthwise else _IMAGE[x]
        for x in image
    ]
    out += [_FILTER["m"]] if window.endswith("m") else []
    types = [
        tensor((_IMAGE[x] for x in image), elements[0]),
        tensor((_FILTER[x] for x in window), elements[1]),
        tensor(out, elements[2]),
    ]
    zeros = ("i32", "i32") if op.endswith("_q") else ()
    inputs = [*types[:2], *zeros]
    onto = "%init" if onto_zeros else f"%a{len(inputs)}"
    names = ", ".join(f"%a{i}" for i in range(len(inputs)))
    body = filled(types[2]) if onto_zeros else ""
    body += f"%r = linalg.{op} {steps.text(image)} ins({names} : {', '.join(inputs)})\n"
    body += f"outs({onto} : {types[2]}) -> {types[2]}"
    return function(f"{op}{suffix}", inputs if onto_zeros else [*inputs, types[2]], body, [("%r", types[2])])


def convolutions() -> Iterator[Program]:
    """Every named convolution; the plain ones of f32 with strides and dilations too, some of other elements."""
    f32 = ("f32", "f32", "f32")
    for op in _CONVOLUTIONS:
        yield _convolution(op, f32, _PLAIN, "", onto_zeros=True)
        yield _convolution(op, f32, _STRIDED, "_strided", onto_zeros=False)
        yield _convolution(op, f32, _DILATED, "_dilated", onto_zeros=True)
    for op in ("conv_1d_nwc_wcf", "conv_2d_nhwc_hwcf", "conv_2d_nchw_fchw", "depthwise_conv_2d_nhwc_hwc"):
        for source, target in (("f16", "f16"), ("f16", "f32"), ("bf16", "f32"), ("i8", "i32"), ("i32", "i32")):
            yield _convolution(op, (source, source, target), _PLAIN, f"_{source}_{target}", onto_zeros=source != "f16")
    for op in _QUANTISED:
        yield _convolution(op, ("i8", "i8", "i32"), _PLAIN, "", onto_zeros=True)
        yield _convolution(op, ("i8", "i8", "i32"), _STRIDED, "_strided", onto_zeros=True)
    yield from _bare_convolutions()


def _bare_convolutions() -> Iterator[Program]:
    """Those without batches and channels."""
    for rank in (1, 2, 3):
        types = [tensor([n] * rank, "f32") for n in (5, 2, 4)]
        body = f"%r = linalg.conv_{rank}d ins(%a0, %a1 : {types[0]}, {types[1]}) outs(%a2 : {types[2]}) -> {types[2]}"
        yield function(f"conv_{rank}d", types, body, [("%r", types[2])])


def _pool(op: str, element: str, steps: _Steps, suffix: str) -> Program:
    image, kind, *_ = op.split("_")
    start = {"sum": None, "max": "-128", "min": "127"}[kind]
    if op.endswith("unsigned"):
        start = {"max": "0", "min": "-1"}[kind]
    elif start is not None and not element.startswith("i"):
        start += ".0"
    source = tensor((_IMAGE[x] for x in image), element)
    window = tensor((_FILTER[x] for x in image if x in _SPATIAL), element)
    out = tensor((steps.out(_IMAGE[x], _FILTER[x]) if x in _SPATIAL else _IMAGE[x] for x in image), element)
    body = f"""{filled(out, start)}%window = tensor.empty() : {window}
%r = linalg.pooling_{op} {steps.text(image)} ins(%a0, %window : {source}, {window}) outs(%init : {out}) -> {out}"""
    return function(f"pooling_{op}{suffix}", [source], body, [("%r", out)])


def pooling() -> Iterator[Program]:
    """Every named pooling."""
    for op in _POOLING:
        yield _pool(op, "f32", _PLAIN, "")
        yield _pool(op, "f32", _STRIDED, "_strided")
        yield _pool(op, "i32", _DILATED, "_i32_dilated")
    for op in ("nhwc_max", "nchw_sum", "nwc_min"):
        for element in ("f16", "bf16", "i8"):
            yield _pool(op, element, _PLAIN, f"_{element}")
    for op in _UNSIGNED_POOLING:
        yield _pool(op, "i8", _STRIDED, "_i8")
