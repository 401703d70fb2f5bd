"""Named `linalg` ops: convolutions and poolings of every kind against SciPy, products against NumPy."""

from __future__ import annotations

import math
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from scipy import ndimage, signal, special  # type: ignore[import-untyped]

from reducer.reference import types
from tests.reference.running import Array, exact, one, run

# Name, input, filter, output: letters are dimensions; digits are windows.
CONVOLUTIONS = [
    ("conv_1d_nwc_wcf", "n0c", "0cf", "n0f"), ("conv_1d_ncw_fcw", "nc0", "fc0", "nf0"),
    ("conv_1d", "0", "0", "0"), ("conv_2d", "01", "01", "01"), ("conv_3d", "012", "012", "012"),
    ("conv_2d_nhwc_hwcf", "n01c", "01cf", "n01f"), ("conv_2d_nhwc_fhwc", "n01c", "f01c", "n01f"),
    ("conv_2d_nchw_fchw", "nc01", "fc01", "nf01"),
    ("conv_2d_ngchw_gfchw", "ngc01", "gfc01", "ngf01"), ("conv_2d_ngchw_fgchw", "ngc01", "fgc01", "ngf01"),
    ("conv_2d_nhwgc_gfhwc", "n01gc", "gf01c", "n01gf"),
    ("conv_3d_ndhwc_dhwcf", "n012c", "012cf", "n012f"), ("conv_3d_ncdhw_fcdhw", "nc012", "fc012", "nf012"),
    ("depthwise_conv_1d_nwc_wc", "n0c", "0c", "n0c"), ("depthwise_conv_1d_ncw_cw", "nc0", "c0", "nc0"),
    ("depthwise_conv_2d_nhwc_hwc", "n01c", "01c", "n01c"), ("depthwise_conv_2d_nchw_chw", "nc01", "c01", "nc01"),
    ("depthwise_conv_2d_nhwc_hwcm", "n01c", "01cm", "n01cm"), ("depthwise_conv_1d_nwc_wcm", "n0c", "0cm", "n0cm"),
    ("depthwise_conv_3d_ndhwc_dhwc", "n012c", "012c", "n012c"),
    ("depthwise_conv_3d_ncdhw_cdhw", "nc012", "c012", "nc012"),
    ("depthwise_conv_3d_ndhwc_dhwcm", "n012c", "012cm", "n012cm"),
]  # fmt: skip
SIZES = {"n": 2, "c": 3, "f": 4, "g": 2, "m": 2}
IMAGE, WINDOW = {"0": 9, "1": 8, "2": 7}, {"0": 3, "1": 2, "2": 2}
STRIDES, DILATIONS = {"0": 2, "1": 1, "2": 2}, {"0": 1, "1": 3, "2": 2}


def shape_of(letters: str, windows: dict[str, int]) -> list[int]:
    return [windows[c] if c.isdigit() else SIZES[c] for c in letters]


def tensor(shape: list[int] | tuple[int, ...], kind: str = "f32") -> str:
    return f"tensor<{''.join(f'{n}x' for n in shape)}{kind}>"


def listed(numbers: dict[str, int], image: str) -> str:
    found = [numbers[c] for c in image if c.isdigit()]
    return f"dense<{found}> : tensor<{len(found)}xi64>"


def step(windows: dict[str, int], dilated: bool = True) -> dict[str, int]:
    """How large the output is along each window."""
    return {
        c: (IMAGE[c] - (windows[c] - 1) * (DILATIONS[c] if dilated else 1) - 1) // (STRIDES[c] if dilated else 1) + 1
        for c in "012"
    }


def has_strides(name: str) -> bool:
    return name not in ("conv_1d", "conv_2d", "conv_3d")


def attributes(name: str, image: str) -> str:
    if not has_strides(name):
        return ""
    return f"{{strides = {listed(STRIDES, image)}, dilations = {listed(DILATIONS, image)}}}"


def slow_convolution(name: str, kinds: tuple[str, str, str], x: Array, w: Array, out: Array) -> Array:
    """By SciPy: one correlation for each batch, channel and feature, dilated by hand, then strided."""
    image, kernel, result = kinds
    loose = sorted({c for c in image + kernel + result if not c.isdigit()})
    windows = [c for c in image if c.isdigit()]
    out = out.astype(np.float64)
    strided = has_strides(name)
    for at in np.ndindex(*(SIZES[c] for c in loose)):
        where = dict(zip(loose, at, strict=True))
        pick_x = x[tuple(slice(None) if c.isdigit() else where[c] for c in image)].astype(np.float64)
        pick_w = w[tuple(slice(None) if c.isdigit() else where[c] for c in kernel)].astype(np.float64)
        dilated = pick_w
        if strided:
            dilated = np.zeros([(n - 1) * DILATIONS[c] + 1 for n, c in zip(pick_w.shape, windows, strict=True)])
            dilated[tuple(slice(None, None, DILATIONS[c]) for c in windows)] = pick_w
        full = np.rint(signal.correlate(pick_x, dilated, mode="valid", method="direct"))
        if strided:
            full = full[tuple(slice(None, None, STRIDES[c]) for c in windows)]
        out[tuple(slice(None) if c.isdigit() else where[c] for c in result)] += full
    return out


@pytest.mark.parametrize("kind", ["f32", "i32", "f16"])
@pytest.mark.parametrize("parts", CONVOLUTIONS, ids=lambda p: p[0])
def test_convolutions(parts: tuple[str, str, str, str], kind: str) -> None:
    name, image, kernel, result = parts
    dtype: Any = {"f32": np.float32, "i32": np.int32, "f16": np.float16}[kind]
    shapes = [shape_of(image, IMAGE), shape_of(kernel, WINDOW), shape_of(result, step(WINDOW, has_strides(name)))]
    random = np.random.default_rng(1)
    x, w, z = (random.integers(-4, 5, s).astype(dtype) for s in shapes)
    a, b, c = (tensor(s, kind) for s in shapes)
    text = f"""func.func @f(%x: {a}, %w: {b}, %z: {c}) -> {c} {{
      %r = linalg.{name} {attributes(name, image)} ins(%x, %w : {a}, {b}) outs(%z : {c}) -> {c}
      return %r : {c} }}"""
    assert exact(text, x, w, z).tolist() == slow_convolution(name, (image, kernel, result), x, w, z).tolist()


POOLINGS = [
    (f"pooling_{layout}_{what}", image)
    for layout, image in (("nhwc", "n01c"), ("nchw", "nc01"), ("nwc", "n0c"), ("ncw", "nc0"), ("ndhwc", "n012c"))
    for what in ("sum", "max", "min")
    if what != "min" or layout[1] != "c"
]


@pytest.mark.parametrize(("name", "image"), POOLINGS)
def test_poolings(name: str, image: str) -> None:
    windows = [c for c in image if c.isdigit()]
    shapes = [shape_of(image, IMAGE), [WINDOW[c] for c in windows], shape_of(image, step(WINDOW))]
    what = name.rsplit("_", 1)[1]
    x = np.random.default_rng(2).integers(-9, 10, shapes[0]).astype(np.float32)
    z = np.full(shapes[2], {"sum": 1, "max": -np.inf, "min": np.inf}[what], np.float32)
    footprint = np.zeros([(WINDOW[c] - 1) * DILATIONS[c] + 1 if c.isdigit() else 1 for c in image], bool)
    footprint[tuple(slice(None, None, DILATIONS[c]) if c.isdigit() else slice(None) for c in image)] = True
    origin = [-(n // 2) for n in footprint.shape]
    if what == "sum":
        right = ndimage.correlate(x, footprint.astype(np.float32), mode="constant", origin=origin) + 1
    else:
        filter_ = ndimage.maximum_filter if what == "max" else ndimage.minimum_filter
        right = filter_(x, footprint=footprint, mode="nearest", origin=origin)
    right = right[
        tuple(
            slice(0, (step(WINDOW)[c] - 1) * STRIDES[c] + 1, STRIDES[c]) if c.isdigit() else slice(None) for c in image
        )
    ]
    a, b, c = tensor(shapes[0]), tensor(shapes[1]), tensor(shapes[2])
    text = f"""func.func @f(%x: {a}, %z: {c}) -> {c} {{
      %w = tensor.empty() : {b}
      %r = linalg.{name} {attributes(name, image)} ins(%x, %w : {a}, {b}) outs(%z : {c}) -> {c}
      return %r : {c} }}"""
    assert exact(text, x, z).tolist() == right.tolist()


PRODUCTS = [
    ("matmul", "mk", "kn", "mn"), ("batch_matmul", "bmk", "bkn", "bmn"), ("matvec", "mk", "k", "m"),
    ("vecmat", "k", "kn", "n"), ("dot", "k", "k", ""), ("batch_matvec", "bmk", "bk", "bm"),
    ("batch_reduce_matmul", "bmk", "bkn", "mn"), ("mmt4d", "mkxz", "nkyz", "mnxy"),
    ("batch_mmt4d", "bmkxz", "bnkyz", "bmnxy"), ("batch_vecmat", "bk", "bkn", "bn"),
]  # fmt: skip
EXTENTS = dict(zip("mknbxyz", (3, 5, 4, 2, 2, 3, 4), strict=True))


@pytest.mark.parametrize(("source", "target"), [("f32", "f32"), ("bf16", "f32"), ("i8", "i32"), ("i64", "i64")])
@pytest.mark.parametrize("parts", PRODUCTS, ids=lambda p: p[0])
def test_products(parts: tuple[str, str, str, str], source: str, target: str) -> None:
    name, left, right, out = parts
    kinds: dict[str, Any] = {
        "f32": np.float32, "bf16": ml_dtypes.bfloat16, "i8": np.int8, "i32": np.int32, "i64": np.int64,
    }  # fmt: skip
    random = np.random.default_rng(3)
    high = 2**40 if source == "i64" else 5
    shapes = [[EXTENTS[c] for c in part] for part in (left, right, out)]
    x, y = (random.integers(-high, high, s).astype(kinds[source]) for s in shapes[:2])
    z = random.integers(-4, 5, shapes[2]).astype(kinds[target])
    wide: Any = np.int64 if target[0] == "i" else np.float64
    expected = np.einsum(f"{left},{right}->{out}", x.astype(wide), y.astype(wide)) + z
    a, b, c = tensor(shapes[0], source), tensor(shapes[1], source), tensor(shapes[2], target)
    text = f"""func.func @f(%x: {a}, %y: {b}, %z: {c}) -> {c} {{
      %r = linalg.{name} ins(%x, %y : {a}, {b}) outs(%z : {c}) -> {c}
      return %r : {c} }}"""
    assert exact(text, x, y, z).tolist() == np.asarray(expected).astype(kinds[target]).tolist()


def test_a_quantised_product_takes_zero_points_off() -> None:
    text = """func.func @f(%x: tensor<2x3xi8>, %y: tensor<3x2xi8>, %p: i32, %q: i32, %z: tensor<2x2xi32>)
        -> tensor<2x2xi32> {
      %r = linalg.quantized_matmul ins(%x, %y, %p, %q : tensor<2x3xi8>, tensor<3x2xi8>, i32, i32)
          outs(%z : tensor<2x2xi32>) -> tensor<2x2xi32>
      return %r : tensor<2x2xi32> }"""
    x, y = np.array([[1, 2, 3], [4, 5, 6]], np.int8), np.array([[1, -1], [2, -2], [3, 100]], np.int8)
    z = np.array([[1, 2], [3, 4]], np.int32)
    got = exact(text, x, y, np.int32(3), np.int32(-7), z)
    right = (x.astype(int) - 3) @ (y.astype(int) + 7) + z
    assert got.tolist() == right.tolist()


def test_softmax() -> None:
    text = """func.func @f(%x: tensor<2x5xf32>, %z: tensor<2x5xf32>) -> tensor<2x5xf32> {
      %r = linalg.softmax dimension(1) ins(%x : tensor<2x5xf32>) outs(%z : tensor<2x5xf32>) -> tensor<2x5xf32>
      return %r : tensor<2x5xf32> }"""
    x = np.array([[1, 2, 3, 4, 5], [0, -1, 100, 3, 0.5]], np.float32)
    got = one(text, x, x)
    assert got.error is not None
    assert (np.abs(got.data - special.softmax(x.astype(np.float64), axis=1)) <= got.error).all()
    assert got.error.max() < 1e-4


@pytest.mark.parametrize("kind", ["f32", "f16", "bf16"])
@pytest.mark.parametrize("low", [-math.inf, -1e4, -1e38])
def test_a_logit_that_is_as_good_as_masked_leaves_the_rest_of_its_row_checked(low: float, kind: str) -> None:
    shape = f"tensor<1x4x{kind}>"
    text = f"""func.func @f(%x: {shape}, %z: {shape}) -> {shape} {{
      %r = linalg.softmax dimension(1) ins(%x : {shape}) outs(%z : {shape}) -> {shape}
      return %r : {shape} }}"""
    dtype = types.element(kind).dtype
    x = np.array([[1, 2, max(low, -6e4) if kind == "f16" and low > -math.inf else low, 0.5]]).astype(dtype)
    got = one(text, x, x)
    assert got.error is not None
    right = special.softmax(x.astype(np.float64), axis=1)
    assert (np.abs(got.data.astype(np.float64) - right) <= got.error).all()
    assert got.error.max() < 40 * types.element(kind).unit


def test_the_ops_with_bodies_of_their_own() -> None:
    text = """func.func @f(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2xf32>, tensor<3x2xf32>, tensor<2x2xf32>) {
      %e = tensor.empty() : tensor<2x3xf32>
      %zero = arith.constant 0.0 : f32
      %m = linalg.map { arith.addf } ins(%x, %x : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>)
      %e1 = tensor.empty() : tensor<2xf32>
      %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<2xf32>) -> tensor<2xf32>
      %r = linalg.reduce { arith.maximumf } ins(%x : tensor<2x3xf32>) outs(%f1 : tensor<2xf32>) dimensions = [1]
      %e2 = tensor.empty() : tensor<3x2xf32>
      %t = linalg.transpose ins(%x : tensor<2x3xf32>) outs(%e2 : tensor<3x2xf32>) permutation = [1, 0]
      %e3 = tensor.empty() : tensor<2x2xf32>
      %b = linalg.broadcast ins(%r : tensor<2xf32>) outs(%e3 : tensor<2x2xf32>) dimensions = [0]
      return %m, %r, %t, %b : tensor<2x3xf32>, tensor<2xf32>, tensor<3x2xf32>, tensor<2x2xf32> }"""
    x = np.array([[1, 2, -3], [-4, -5, -6]], np.float32)
    mapped, reduced, turned, spread = run(text, x)
    assert mapped.data.tolist() == (2 * x).tolist()
    assert reduced.data.tolist() == [2, 0]
    assert turned.data.tolist() == x.T.tolist()
    assert spread.data.tolist() == [[2, 0], [2, 0]]
    assert all(v.undefined is None for v in (mapped, reduced, turned, spread))
