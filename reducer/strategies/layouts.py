"""The named ops that take a padded operand, as the letters of their dimensions.

n batch, c input channel, f output channel, g group, m channel multiplier; d, h, w are places: of the image, of the
window, of the output. A letter in both operands and not in the output is summed. Ops that only some releases have are
here if the newest one has them: an older one cannot parse a program with such an op, which is then no fault.
"""

from __future__ import annotations

from dataclasses import dataclass

from reducer.strategies.elements import ELEMENTS, INTEGERS

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

    @property
    def is_pooling(self) -> bool:
        """Whether the second operand says nothing but the window's size."""
        return self.fold != "sum"

    @property
    def is_quantised(self) -> bool:
        """Whether the op has two more operands, the zero points."""
        return self.name.endswith("_q") or self.name.startswith("quantized")

    @property
    def is_unsigned(self) -> bool:
        """Whether elements are compared as numbers without a sign."""
        return self.name.endswith("_unsigned")

    @property
    def places(self) -> str:
        """The letters along which a window moves."""
        return "".join(letter for letter in self.image if letter in PLACES)

    @property
    def elements(self) -> tuple[str, ...]:
        """The element types that the image may have."""
        if self.is_quantised:
            return ("i8",)
        return INTEGERS if self.is_unsigned else ELEMENTS


def _plain(*rows: str) -> tuple[Layout, ...]:
    """Rows of name, image, kernel, output (`-`: no dimension); the op has no strides."""
    found = []
    for row in rows:
        name, image, kernel, output = row.split()
        found.append(Layout(name, image, kernel, output.strip("-"), has_strides=False))
    return tuple(found)


def _windows(*rows: str) -> tuple[Layout, ...]:
    """Rows of a name that ends in the letters of the operands (and `_q`), and the output's."""
    found = []
    for row in rows:
        name, output = row.split()
        words = name.removesuffix("_q").split("_")
        found.append(Layout(name, words[-2], words[-1], output))
    return tuple(found)


def _pools(letters: str, *folds: str) -> tuple[Layout, ...]:
    """The poolings of an image of these letters."""
    kernel = "".join(letter for letter in letters if letter in PLACES)
    return tuple(
        Layout(f"pooling_{letters}_{fold}", letters, kernel, letters, "add" if fold == "sum" else fold.split("_")[0])
        for fold in folds
    )


FLAT = (
    *_plain("conv_1d w w w", "conv_2d hw hw hw"),
    *_windows("conv_2d_nhwc_hwcf nhwf", "conv_2d_nchw_fchw nfhw", "conv_2d_nhwc_fhwc nhwf"),
    *_windows("conv_1d_nwc_wcf nwf", "conv_1d_ncw_fcw nfw"),
    *_windows("conv_2d_nhwc_hwcf_q nhwf", "conv_2d_nhwc_fhwc_q nhwf", "conv_2d_nchw_fchw_q nfhw"),
)
DEEP = (
    *_plain("conv_3d dhw dhw dhw"),
    *_windows("conv_3d_ndhwc_dhwcf ndhwf", "conv_3d_ncdhw_fcdhw nfdhw", "conv_3d_ndhwc_dhwcf_q ndhwf"),
    *_windows("conv_2d_ngchw_fgchw ngfhw", "conv_2d_ngchw_gfchw ngfhw", "conv_2d_nhwgc_gfhwc nhwgf"),
    *_windows("conv_2d_ngchw_gfchw_q ngfhw", "conv_2d_nhwgc_gfhwc_q nhwgf"),
)
DEPTHWISE = (
    *_windows("depthwise_conv_2d_nhwc_hwc nhwc", "depthwise_conv_2d_nchw_chw nchw", "depthwise_conv_1d_nwc_wc nwc"),
    *_windows("depthwise_conv_1d_ncw_cw ncw", "depthwise_conv_2d_nhwc_hwcm nhwcm", "depthwise_conv_1d_nwc_wcm nwcm"),
    *_windows("depthwise_conv_2d_nhwc_hwc_q nhwc", "depthwise_conv_2d_nhwc_hwcm_q nhwcm"),
    *_windows("depthwise_conv_3d_ndhwc_dhwc ndhwc", "depthwise_conv_3d_ncdhw_cdhw ncdhw"),
    *_windows("depthwise_conv_3d_ndhwc_dhwcm ndhwcm"),
)
POOLINGS = (
    *_pools("nwc", "max", "sum", "min", "max_unsigned", "min_unsigned"),
    *_pools("ncw", "max", "sum"),
    *_pools("nhwc", "max", "sum", "min", "max_unsigned", "min_unsigned"),
    *_pools("nchw", "max", "sum"),
    *_pools("ndhwc", "max", "sum", "min"),
)
PRODUCTS = (
    *_plain("matmul nc cf nf", "dot c c -", "matvec nc c n", "vecmat c cf f", "batch_matmul gnc gcf gnf"),
    *_plain("batch_matvec gnc gc gn", "batch_vecmat gc gcf gf", "batch_reduce_matmul gnc gcf nf"),
    *_plain("mmt4d NCnc FCfc NFnf", "quantized_matmul nc cf nf", "quantized_batch_matmul gnc gcf gnf"),
)

FAMILIES = (DEPTHWISE, POOLINGS, PRODUCTS, DEEP)
"""Besides the flat ones. One is chosen before an op of it, so that no family is rare for having few ops."""

LAYOUTS = (*FLAT, *DEPTHWISE, *POOLINGS, *PRODUCTS, *DEEP)


def fitting(rank: int, element: str) -> tuple[Layout, ...]:
    """The ops that can take an image of this rank and element type."""
    return tuple(layout for layout in LAYOUTS if len(layout.image) == rank and element in layout.elements)
