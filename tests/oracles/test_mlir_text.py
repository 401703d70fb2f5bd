from __future__ import annotations

from oracles.convolutions import is_convolution
from oracles.experiment import Location
from oracles.mlir_text import read
from tests.oracles import canned


def test_a_persons_file() -> None:
    """Aliases, an op over several lines, a region."""
    text = read(canned.program("pad_conv"))
    assert [(op.name, op.results, op.operands) for op in text.ops] == [
        ("util.func", (), ("%arg0", "%arg1")),
        ("arith.constant", ("%cst",), ()),
        ("arith.constant", ("%offset",), ()),
        ("tensor.pad", ("%padded_arg0",), ("%arg0", "%offset")),
        ("tensor.yield", (), ("%cst",)),
        ("tensor.empty", ("%empty",), ()),
        ("linalg.fill", ("%fill",), ("%cst", "%empty")),
        ("linalg.conv_2d_nchw_fchw", ("%0",), ("%padded_arg0", "%arg1", "%fill")),
        ("util.return", (), ("%0",)),
    ]
    assert text.ops[0].symbol == "conv_2d_nchw_fchw"
    assert text.at(Location(9, 18)) is text.named("tensor.pad")[0]
    assert text.named("tensor.yield")[0].parent is text.named("tensor.pad")[0]
    assert text.named("tensor.pad")[0].tail.strip() == ": !unpaddedA_T to !A_T"


def test_generic_form_and_one_line_regions() -> None:
    text = read(
        'module {\n  "func.func"() <{sym_name = "f.g"}> ({\n  ^bb0(%a: tensor<2xf32>):\n'
        '    %0:2 = "test.two"(%a) {k = "{ %x = a.b"} : (tensor<2xf32>) -> (i32, i32) // %9 = not.an_op\n'
        '    "test.none"(%0#1) : (i32) -> ()\n  }) : () -> ()\n'
        "  func.func @h(%x: tensor<2xf32>) -> tensor<3xf32> attributes {a.b, c.d = {e.f}} {\n"
        "    %p = tensor.pad %x low[1] high[0] { ^bb0(%i: index): tensor.yield %z : f32 }"
        " : tensor<2xf32> to tensor<3xf32>\n"
        "    return %p : tensor<3xf32>\n  }\n}\n"
    )
    assert [op.name for op in text.ops] == [
        "module", "func.func", "test.two", "test.none", "func.func", "tensor.pad", "tensor.yield", "return",
    ]  # fmt: skip
    assert text.ops[2].results == ("%0",)
    assert text.ops[3].operands == ("%0",)
    assert [op.name for op in text.roots] == ["module"]
    assert [op.name for op in text.roots[0].children] == ["func.func", "func.func"]
    assert text.ops[5].children == [text.ops[6]]
    assert text.ops[2].location == Location(4, 12)


def test_locations_name_the_ops_they_came_from() -> None:
    text = read(canned.flow("pad_conv.3.13.0.producer"))
    assert [pad.places for pad in text.named("tensor.pad")] == [(Location(9, 18),)]
    assert [op.places for op in text.named("linalg.generic")] == [(Location(15, 8),)]
    assert [op.places for op in text.named("flow.dispatch")] == [(Location(9, 18),), (Location(15, 8),)]


def test_location_aliases() -> None:
    text = read(
        '#loc1 = loc("x.mlir":3:4)\n#loc2 = loc("x.mlir":5:6)\n#loc3 = loc(fused[#loc1, #loc2])\n'
        "%0 = a.b : i32 loc(#loc3)\n%1 = a.c : i32 loc(callsite(#loc1 at #loc2))\n%2 = a.d : i32 loc(unknown)\n"
    )
    assert [op.places for op in text.ops] == [(Location(3, 4), Location(5, 6)), (Location(3, 4),), ()]


def test_nothing() -> None:
    assert read("").ops == ()
    assert read("hello { world").ops == ()


def one(text: str) -> bool:
    read_text = read(text)
    return is_convolution(next(op for op in read_text.ops if op.name.startswith("linalg.")), read_text)


def test_named_convolutions() -> None:
    for name in (
        "conv_1d", "conv_2d_nchw_fchw", "conv_2d_ngchw_fgchw", "conv_2d_nhwc_hwcf_q", "conv_3d_ndhwc_dhwcf",
        "depthwise_conv_2d_nhwc_hwc", "pooling_nhwc_max", "pooling_nchw_sum",
    ):  # fmt: skip
        assert one(f"%0 = linalg.{name} ins(%a, %b : t, t) outs(%c : t) -> t")
        assert one(f'%0 = "linalg.{name}"(%a, %b, %c) : (t, t, t) -> t')
    for name in ("matmul", "fill", "batch_matmul", "transpose", "reduce", "convert_like"):
        assert not one(f"%0 = linalg.{name} ins(%a, %b : t, t) outs(%c : t) -> t")


CONV = "affine_map<(d0, d1) -> (d0 + d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0)>"
STRIDED = CONV.replace("d0 + d1", "d0 * 2 + d1 * 3")
MATVEC = CONV.replace("d0 + d1", "d0, d1")


def generic(maps: str, kinds: str) -> str:
    return (
        "#map = affine_map<(d0, d1) -> (d0 + d1)>\n"
        f"%0 = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}}"
        " ins(%a, %b : t, t) outs(%c : t) {\n^bb0(%i: f32, %j: f32, %k: f32):\n  linalg.yield %i : f32\n} -> t\n"
    )


def test_generic_convolutions() -> None:
    kinds = '"parallel", "reduction"'
    assert one(generic(CONV, kinds))
    assert one(generic(STRIDED, kinds))
    assert one(generic(CONV.replace("affine_map<(d0, d1) -> (d0 + d1)>", "#map"), kinds))
    assert one(generic(CONV, "#linalg.iterator_type<parallel>, #linalg.iterator_type<reduction>"))
    assert not one(generic(MATVEC, kinds))
    assert not one(generic(CONV, '"parallel", "parallel"'))
