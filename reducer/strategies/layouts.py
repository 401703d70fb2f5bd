"""The named ops that take a padded operand, as the letters of their dimensions.

n batch, c input channel, f output channel, g group, m channel multiplier; d, h, w are places: of the image, of the
window, of the output. A letter in both operands and not in the output is summed.
"""

from __future__ import annotations

from dataclasses import dataclass

PLACES = "dhw"


@dataclass(frozen=True)
class Layout:
    """One op. fold: `sum` of products, or `max`, `min`, `add` over a window whose operand is only its size."""

    name: str
    image: str
    kernel: str
    output: str
    fold: str = "sum"
    has_strides: bool = True
    is_quantised: bool = False

    @property
    def is_pooling(self) -> bool:
        """Whether the second operand says nothing but the window's size."""
        return self.fold != "sum"

    @property
    def places(self) -> str:
        """The letters along which a window moves."""
        return "".join(letter for letter in self.image if letter in PLACES)


LAYOUTS = (
    Layout("conv_1d", "w", "w", "w", has_strides=False),
    Layout("matmul", "nc", "cf", "nf", has_strides=False),
    Layout("conv_2d", "hw", "hw", "hw", has_strides=False),
    Layout("conv_2d_nhwc_hwcf", "nhwc", "hwcf", "nhwf"),
    Layout("conv_2d_nchw_fchw", "nchw", "fchw", "nfhw"),
    Layout("depthwise_conv_2d_nhwc_hwc", "nhwc", "hwc", "nhwc"),
    Layout("pooling_nhwc_max", "nhwc", "hw", "nhwc", "max"),
)
"""Plainest first."""
