"""Programs as the front ends write them: StableHLO, TOSA, PyTorch and ONNX."""

from __future__ import annotations

from collections.abc import Iterator

from tests.truth.programs.text import Program, function, tensor


def _simple(dialect: str, op: str, types: list[str], result: str, *, suffix: str = "", words: str = "") -> Program:
    operands = ", ".join(f"%a{i}" for i in range(len(types)))
    body = f'%r = "{dialect}.{op}"({operands}) {words} : ({", ".join(types)}) -> {result}'
    return function(f"{dialect}_{suffix or op}", types, body, [("%r", result)])


def stablehlo() -> Iterator[Program]:
    """StableHLO, most of it elementwise, and what has windows and regions."""
    for e in ("f32", "f16", "i32"):
        a = tensor((3, 4), e)
        for op in ("add", "subtract", "multiply", "maximum", "minimum", "divide"):
            yield _simple("stablehlo", op, [a, a], a, suffix=f"{op}_{e}")
        yield _simple("stablehlo", "negate", [a], a, suffix=f"negate_{e}")
        yield _simple("stablehlo", "sign", [a], a, suffix=f"sign_{e}")
        yield _stablehlo_reduce("add", e)
        yield _stablehlo_reduce("maximum", e)
    a = "tensor<3x4xf32>"
    for op in ("exponential", "tanh", "logistic", "abs", "floor", "round_nearest_even", "sine", "cosine"):
        yield _simple("stablehlo", op, [a], a)
    yield from _stablehlo_shapes()
    yield from _stablehlo_windows()


def _stablehlo_reduce(op: str, e: str) -> Program:
    a, r = tensor((3, 4), e), tensor([3], e)
    start = "0" if e.startswith("i") else "0.0"
    body = f"""%z = stablehlo.constant dense<{start}> : tensor<{e}>
%r = stablehlo.reduce(%a0 init: %z) applies stablehlo.{op} across dimensions = [1] : ({a}, tensor<{e}>) -> {r}"""
    return function(f"stablehlo_reduce_{op}_{e}", [a], body, [("%r", r)])


def _stablehlo_shapes() -> Iterator[Program]:
    a = "tensor<3x4xf32>"
    for name, text, result in (
        ("reshape", "stablehlo.reshape %a0 : (tensor<3x4xf32>)", "tensor<2x6xf32>"),
        ("transpose", "stablehlo.transpose %a0, dims = [1, 0] : (tensor<3x4xf32>)", "tensor<4x3xf32>"),
        ("broadcast", "stablehlo.broadcast_in_dim %a0, dims = [0, 2] : (tensor<3x4xf32>)", "tensor<3x2x4xf32>"),
        ("slice", "stablehlo.slice %a0 [0:3:2, 1:3] : (tensor<3x4xf32>)", "tensor<2x2xf32>"),
        ("reverse", "stablehlo.reverse %a0, dims = [1] :", "tensor<3x4xf32>"),
        ("convert", "stablehlo.convert %a0 : (tensor<3x4xf32>)", "tensor<3x4xi32>"),
    ):
        arrow = "" if name == "reverse" else "-> "
        yield function(f"stablehlo_{name}", [a], f"%r = {text} {arrow}{result}", [("%r", result)])
    body = f"""%z = stablehlo.constant dense<2.5> : tensor<f32>
%r = stablehlo.pad %a0, %z, low = [1, 0], high = [0, 2], interior = [1, 0] : ({a}, tensor<f32>) -> tensor<6x6xf32>"""
    yield function("stablehlo_pad", [a], body, [("%r", "tensor<6x6xf32>")])
    body = f"%r = stablehlo.concatenate %a0, %a1, dim = 1 : ({a}, {a}) -> tensor<3x8xf32>"
    yield function("stablehlo_concatenate", [a, a], body, [("%r", "tensor<3x8xf32>")])
    body = f"""%c = stablehlo.compare GT, %a0, %a1 : ({a}, {a}) -> tensor<3x4xi1>
%r = stablehlo.select %c, %a0, %a1 : tensor<3x4xi1>, {a}"""
    yield function("stablehlo_select", [a, a], body, [("%r", a)])
    body = f"%r = stablehlo.clamp %a1, %a0, %a2 : ({a}, {a}, {a}) -> {a}"
    yield function("stablehlo_clamp", [a, a, a], body, [("%r", a)])
    yield function("stablehlo_iota", [], "%r = stablehlo.iota dim = 1 : tensor<3x4xi32>", [("%r", "tensor<3x4xi32>")])
    body = f"""%r = stablehlo.dynamic_slice %a0, %a1, %a2, sizes = [2, 2] :
({a}, tensor<i32>, tensor<i32>) -> tensor<2x2xf32>"""
    yield function("stablehlo_dynamic_slice", [a, "tensor<i32>", "tensor<i32>"], body, [("%r", "tensor<2x2xf32>")])
    body = f"""%r = "stablehlo.gather"(%a0, %a1) {{dimension_numbers = #stablehlo.gather<offset_dims = [1],
collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4>}} :
({a}, tensor<2xi32>) -> tensor<2x4xf32>"""
    yield function("stablehlo_gather", [a, "tensor<2xi32>"], body, [("%r", "tensor<2x4xf32>")])


def _stablehlo_windows() -> Iterator[Program]:
    image, window = "tensor<1x5x6x2xf32>", "tensor<3x2x2x4xf32>"
    for name, words, out in (
        ("plain", "{}", "tensor<1x3x5x4xf32>"),
        ("padded", "{pad = [[1, 1], [0, 1]]}", "tensor<1x5x6x4xf32>"),
        ("strided", "{stride = [2, 2]}", "tensor<1x2x3x4xf32>"),
        ("dilated", "{rhs_dilate = [2, 1]}", "tensor<1x1x5x4xf32>"),
        ("transposed", "{lhs_dilate = [2, 2], pad = [[2, 2], [1, 1]]}", "tensor<1x11x12x4xf32>"),
    ):
        body = f"""%r = stablehlo.convolution(%a0, %a1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
window = {words} {{batch_group_count = 1 : i64, feature_group_count = 1 : i64}} : ({image}, {window}) -> {out}"""
        yield function(f"stablehlo_convolution_{name}", [image, window], body, [("%r", out)])
    grouped = "tensor<3x2x1x4xf32>"
    body = f"""%r = stablehlo.convolution(%a0, %a1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
window = {{}} {{batch_group_count = 1 : i64, feature_group_count = 2 : i64}} :
({image}, {grouped}) -> tensor<1x3x5x4xf32>"""
    yield function("stablehlo_convolution_grouped", [image, grouped], body, [("%r", "tensor<1x3x5x4xf32>")])
    a, b = "tensor<2x3x5xf32>", "tensor<2x5x4xf32>"
    body = f"""%r = stablehlo.dot_general %a0, %a1, batching_dims = [0] x [0], contracting_dims = [2] x [1] :
({a}, {b}) -> tensor<2x3x4xf32>"""
    yield function("stablehlo_dot_general", [a, b], body, [("%r", "tensor<2x3x4xf32>")])
    for op, start in (("maximum", "0xFF800000"), ("add", "0.0")):
        body = f"""%z = stablehlo.constant dense<{start}> : tensor<f32>
%r = "stablehlo.reduce_window"(%a0, %z) ({{
^bb0(%x: tensor<f32>, %y: tensor<f32>):
%s = stablehlo.{op} %x, %y : tensor<f32>
stablehlo.return %s : tensor<f32>
}}) {{window_dimensions = array<i64: 1, 2, 3, 1>, window_strides = array<i64: 1, 2, 1, 1>,
padding = dense<[[0, 0], [1, 0], [1, 1], [0, 0]]> : tensor<4x2xi64>}} : ({image}, tensor<f32>) -> tensor<1x3x6x2xf32>"""
        yield function(f"stablehlo_reduce_window_{op}", [image], body, [("%r", "tensor<1x3x6x2xf32>")])


def tosa() -> Iterator[Program]:
    """TOSA, the ops that need nothing but their operands."""
    for e in ("f32", "f16", "i32"):
        a = tensor((3, 4), e)
        for op in ("add", "sub", "maximum", "minimum"):
            yield _simple("tosa", op, [a, a], a, suffix=f"{op}_{e}")
        yield _simple("tosa", "reduce_sum", [a], tensor((3, 1), e), suffix=f"reduce_sum_{e}", words="{axis = 1 : i32}")
        yield _simple("tosa", "reduce_max", [a], tensor((1, 4), e), suffix=f"reduce_max_{e}", words="{axis = 0 : i32}")
        yield _simple("tosa", "concat", [a, a], tensor((6, 4), e), suffix=f"concat_{e}", words="{axis = 0 : i32}")
        yield _simple("tosa", "reverse", [a], a, suffix=f"reverse_{e}", words="{axis = 1 : i32}")
        yield _simple("tosa", "greater", [a, a], tensor((3, 4), "i1"), suffix=f"greater_{e}")
    a = "tensor<3x4xf32>"
    for op in ("exp", "tanh", "sigmoid", "abs", "floor", "ceil", "reciprocal"):
        yield _simple("tosa", op, [a], a)
    yield _simple("tosa", "argmax", [a], "tensor<3xi32>", words="{axis = 1 : i32}")
    yield _simple("tosa", "select", ["tensor<3x4xi1>", a, a], a)
    yield _simple("tosa", "clamp", [a], a, words="{min_val = -1.5 : f32, max_val = 2.0 : f32}")
    yield _simple("tosa", "transpose", [a], "tensor<4x3xf32>", words="{perms = array<i32: 1, 0>}")
    i8 = "tensor<3x4xi8>"
    yield _simple("tosa", "cast", [i8], "tensor<3x4xf32>")
    yield _simple("tosa", "cast", [a], "tensor<3x4xi32>", suffix="cast_to_integer")
    body = f"""%s = "tosa.const_shape"() {{values = dense<[2, 6]> : tensor<2xindex>}} : () -> !tosa.shape<2>
%r = tosa.reshape %a0, %s : ({a}, !tosa.shape<2>) -> tensor<2x6xf32>"""
    yield function("tosa_reshape", [a], body, [("%r", "tensor<2x6xf32>")])
    image = "tensor<1x6x6x2xf32>"
    body = f"""%r = "tosa.max_pool2d"(%a0) {{kernel = array<i64: 2, 2>, stride = array<i64: 2, 2>,
pad = array<i64: 0, 0, 0, 0>}} : ({image}) -> tensor<1x3x3x2xf32>"""
    yield function("tosa_max_pool2d", [image], body, [("%r", "tensor<1x3x3x2xf32>")])
    body = f"""%z = "tosa.const"() {{values = dense<0.0> : tensor<1xf32>}} : () -> tensor<1xf32>
%r = "tosa.conv2d"(%a0, %a1, %a2, %z, %z) {{acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>,
dilation = array<i64: 1, 1>}} : ({image}, tensor<4x3x3x2xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>)
-> tensor<1x6x6x4xf32>"""
    types = [image, "tensor<4x3x3x2xf32>", "tensor<4xf32>"]
    yield function("tosa_conv2d", types, body, [("%r", "tensor<1x6x6x4xf32>")])


def _torch(sizes: str, element: str = "f32") -> str:
    return f"!torch.vtensor<[{sizes}],{element}>"


def torch() -> Iterator[Program]:
    """PyTorch, as `torch.export` gives it."""
    a = _torch("3,4")
    for op in ("relu", "tanh", "sigmoid", "exp", "abs", "neg", "floor", "silu", "reciprocal"):
        yield function(f"torch_{op}", [a], f"%r = torch.aten.{op} %a0 : {a} -> {a}", [("%r", a)])
    for op in ("mul", "div", "maximum", "minimum"):
        name = f"{op}.Tensor" if op in ("mul", "div") else op
        yield function(f"torch_{op}", [a, a], f"%r = torch.aten.{name} %a0, %a1 : {a}, {a} -> {a}", [("%r", a)])
    body = f"%one = torch.constant.int 1\n%r = torch.aten.add.Tensor %a0, %a1, %one : {a}, {a}, !torch.int -> {a}"
    yield function("torch_add", [a, a], body, [("%r", a)])
    b, c = _torch("4,5"), _torch("3,5")
    yield function("torch_mm", [a, b], f"%r = torch.aten.mm %a0, %a1 : {a}, {b} -> {c}", [("%r", c)])
    body = f"""%d = torch.constant.int 1
%n = torch.constant.none
%r = torch.aten.softmax.int %a0, %d, %n : {a}, !torch.int, !torch.none -> {a}"""
    yield function("torch_softmax", [a], body, [("%r", a)])
    t = _torch("4,3")
    body = "%x = torch.constant.int 0\n%y = torch.constant.int 1\n%r = torch.aten.transpose.int %a0, %x, %y : "
    yield function("torch_transpose", [a], body + f"{a}, !torch.int, !torch.int -> {t}", [("%r", t)])
    i, w, v, o = _torch("1,2,6,6"), _torch("4,2,3,3"), _torch("4"), _torch("1,4,6,6")
    body = f"""%one = torch.constant.int 1
%zero = torch.constant.int 0
%no = torch.constant.bool false
%l = torch.prim.ListConstruct %one, %one : (!torch.int, !torch.int) -> !torch.list<int>
%e = torch.prim.ListConstruct : () -> !torch.list<int>
%r = torch.aten.convolution %a0, %a1, %a2, %l, %l, %l, %no, %e, %one : {i}, {w}, {v}, !torch.list<int>,
!torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, !torch.int -> {o}"""
    yield function("torch_convolution", [i, w, v], body, [("%r", o)])
    n, out = _torch("2", "si64"), _torch("2,4")
    body = f"%z = torch.constant.int 0\n%r = torch.aten.index_select %a0, %z, %a1 : {a}, !torch.int, {n} -> {out}"
    yield function("torch_index_select", [a, n], body, [("%r", out)])


_ONNX = " attributes {torch.onnx_meta.ir_version = 9 : si64, torch.onnx_meta.opset_version = 19 : si64}"


def _onnx(name: str, op: str, types: list[str], result: str, words: str = "") -> Program:
    operands = ", ".join(f"%a{i}" for i in range(len(types)))
    body = f'%r = torch.operator "onnx.{op}"({operands}) {words} : ({", ".join(types)}) -> {result}'
    return function(f"onnx_{name}", types, body, [("%r", result)], attributes=_ONNX)


def onnx() -> Iterator[Program]:
    """ONNX, as the importer gives it."""
    a, t = _torch("3,4"), "torch.onnx"
    for op in ("Relu", "Tanh", "Sigmoid", "Exp", "Abs", "Neg", "Floor", "Ceil", "Sign", "Erf"):
        yield _onnx(op.lower(), op, [a], a)
    for op in ("Add", "Sub", "Mul", "Div", "Max", "Min"):
        yield _onnx(op.lower(), op, [a, a], a)
    yield _onnx("matmul", "MatMul", [a, _torch("4,5")], _torch("3,5"))
    yield _onnx("softmax", "Softmax", [a], a, f"{{{t}.axis = 1 : si64}}")
    yield _onnx("transpose", "Transpose", [a], _torch("4,3"), f"{{{t}.perm = [1 : si64, 0 : si64]}}")
    yield _onnx("concat", "Concat", [a, a], _torch("6,4"), f"{{{t}.axis = 0 : si64}}")
    yield _onnx("gemm", "Gemm", [a, _torch("4,5"), _torch("5")], _torch("3,5"))
    image = _torch("1,2,6,6")
    pads = f"{t}.pads = [1 : si64, 1 : si64, 1 : si64, 1 : si64]"
    for name, words, out in (
        ("plain", "", "1,4,4,4"), ("padded", pads, "1,4,6,6"),
        ("strided", f"{t}.strides = [2 : si64, 2 : si64]", "1,4,2,2"),
    ):  # fmt: skip
        attributes = f"{{{t}.kernel_shape = [3 : si64, 3 : si64]{', ' if words else ''}{words}}}"
        yield _onnx(f"conv_{name}", "Conv", [image, _torch("4,2,3,3")], _torch(out), attributes)
    grouped = f"{{{t}.group = 2 : si64, {t}.kernel_shape = [3 : si64, 3 : si64]}}"
    yield _onnx("conv_grouped", "Conv", [image, _torch("4,1,3,3")], _torch("1,4,4,4"), grouped)
    for op in ("MaxPool", "AveragePool"):
        window = f"{{{t}.kernel_shape = [2 : si64, 2 : si64], {t}.strides = [2 : si64, 2 : si64]}}"
        yield _onnx(op.lower(), op, [image], _torch("1,2,3,3"), window)
    yield _onnx("globalaveragepool", "GlobalAveragePool", [image], _torch("1,2,1,1"))
