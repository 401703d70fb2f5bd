"""The named linalg ops that come in several ranks, and which of them is another with some dimensions left out.

A layout is written with one letter a loop: `nc01`, `fc01` and `nf01` are a `conv_2d_nchw_fchw`. A digit in an input is
the window sum of an output loop and a kernel loop of that number. Only ops that every release from 2.9.0 on parses are
listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

_CONVOLUTIONS = """
conv_1d 0 0 0
conv_2d 01 01 01
conv_3d 012 012 012
conv_1d_nwc_wcf n0c 0cf n0f
conv_1d_ncw_fcw nc0 fc0 nf0
conv_2d_nhwc_hwcf n01c 01cf n01f
conv_2d_nhwc_fhwc n01c f01c n01f
conv_2d_nchw_fchw nc01 fc01 nf01
conv_2d_ngchw_fgchw ngc01 fgc01 ngf01
conv_2d_ngchw_gfchw ngc01 gfc01 ngf01
conv_3d_ndhwc_dhwcf n012c 012cf n012f
conv_3d_ncdhw_fcdhw nc012 fc012 nf012
depthwise_conv_1d_nwc_wc n0c 0c n0c
depthwise_conv_1d_ncw_cw nc0 c0 nc0
depthwise_conv_1d_nwc_wcm n0c 0cm n0cm
depthwise_conv_2d_nhwc_hwc n01c 01c n01c
depthwise_conv_2d_nchw_chw nc01 c01 nc01
depthwise_conv_2d_nhwc_hwcm n01c 01cm n01cm
depthwise_conv_3d_ndhwc_dhwc n012c 012c n012c
depthwise_conv_3d_ncdhw_cdhw nc012 c012 nc012
depthwise_conv_3d_ndhwc_dhwcm n012c 012cm n012cm
"""
_QUANTISED = """
conv_2d_nhwc_hwcf_q n01c 01cf n01f
conv_2d_ngchw_gfchw_q ngc01 gfc01 ngf01
conv_3d_ndhwc_dhwcf_q n012c 012cf n012f
depthwise_conv_2d_nhwc_hwc_q n01c 01c n01c
depthwise_conv_2d_nhwc_hwcm_q n01c 01cm n01cm
"""
_PRODUCTS = """
dot k k -
matvec mk k m
vecmat k kn n
matmul mk kn mn
batch_matmul bmk bkn bmn
batch_matvec bmk bk bm
batch_vecmat bk bkn bn
"""
_POOLS = {
    "sum": ("nhwc", "nchw", "nwc", "ncw", "ndhwc"),
    "max": ("nhwc", "nchw", "nwc", "ncw", "ndhwc"),
    "min": ("nhwc", "nwc", "ndhwc"),
    "max_unsigned": ("nhwc", "nwc"),
    "min_unsigned": ("nhwc", "nwc"),
}


@dataclass(frozen=True)
class Kind:
    """A named op.

    parts: the letters of input, filter (or window) and output; family: kinds of one family can stand for each other.
    """

    name: str
    family: str
    parts: tuple[str, str, str]

    @property
    def windows(self) -> tuple[str, ...]:
        """The digits, in order."""
        return tuple(sorted(c for c in self.parts[1] if c.isdigit()))

    @property
    def strided(self) -> bool:
        """Whether the op has strides and dilations."""
        return bool(self.windows) and self.name not in ("conv_1d", "conv_2d", "conv_3d")

    @property
    def dims(self) -> int:
        """How many dimensions its operands have in all."""
        return sum(map(len, self.parts))


def _rows(text: str, family: str) -> Iterator[Kind]:
    for line in text.split("\n"):
        if line:
            name, *parts = line.replace("-", "").split(" ")
            yield Kind(name, family, (parts[0], parts[1], parts[2]))


def _pools() -> Iterator[Kind]:
    for operation, layouts in _POOLS.items():
        for layout in layouts:
            spatial = [c for c in layout if c not in "nc"]
            letters = "".join(str(spatial.index(c)) if c in spatial else c for c in layout)
            window = "".join(str(i) for i in range(len(spatial)))
            yield Kind(f"pooling_{layout}_{operation}", f"pooling {operation}", (letters, window, letters))


KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        *_rows(_CONVOLUTIONS, "convolution"),
        *_rows(_QUANTISED, "quantised convolution"),
        *_rows(_PRODUCTS, "product"),
        *_pools(),
    )
}


def without(kind: Kind, letters: frozenset[str]) -> Kind | None:
    """The kind that is this one with the letters left out; None if there is none."""
    parts = tuple("".join(c for c in part if c not in letters) for part in kind.parts)
    left = sorted({c for part in parts for c in part if c.isdigit()})
    renumbered = tuple("".join(str(left.index(c)) if c.isdigit() else c for c in part) for part in parts)
    return next((k for k in KINDS.values() if k.family == kind.family and k.parts == renumbered), None)


@lru_cache(maxsize=256)
def smaller(kind: Kind) -> tuple[tuple[Kind, frozenset[str]], ...]:
    """Every kind that this one becomes by leaving letters out, with those letters; fewest dimensions first."""
    letters = sorted(set("".join(kind.parts)))
    found = []
    for mask in range(1, 2 ** len(letters)):
        chosen = frozenset(c for i, c in enumerate(letters) if mask >> i & 1)
        other = without(kind, chosen)
        if other is not None:
            found.append((other, chosen))
    return tuple(sorted(found, key=lambda f: (f[0].dims, f[0].name, sorted(f[1]))))


def shape_agrees(kind: Kind, ranks: Sequence[int]) -> bool:
    """Whether operands of these ranks can be the op's: input, filter, output."""
    return [len(p) for p in kind.parts] == list(ranks)
