"""`measure`, counted by hand."""

from __future__ import annotations

import pytest

from reducer import wire
from reducer.passes import editing
from reducer.passes.size import measure
from tests.passes.golden import context


def size(text: str) -> wire.Size:
    return measure(editing.parse(context(), text))


def test_pad() -> None:
    text = """
    func.func @main(%x: tensor<1x?xf32>, %v: f32) -> tensor<3x?xf32> {
      %0 = tensor.pad %x low[1, 0] high[1, 2] {
      ^bb0(%i: index, %j: index):
        tensor.yield %v : f32
      } : tensor<1x?xf32> to tensor<3x?xf32>
      return %0 : tensor<3x?xf32>
    }
    """
    canonical = editing.print_canonical(editing.parse(context(), text))
    # func, pad, yield, return; ranks 2 + 2; elements 1 * 64 + 3 * 64; amounts 1 + 1 + 2.
    assert size(text) == wire.Size(ops=4, ranks=4, elements=256, numbers=4, text_bytes=len(canonical.encode()))


def test_small_static_sizes_are_simpler_than_dynamic_ones() -> None:
    text = "func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> { return %x : tensor<?xf32> }"
    assert size(text).elements == 64
    assert size(text.replace("?", "16")).elements == 16


def test_bodies_of_named_ops_are_not_counted_and_unit_strides_are_free() -> None:
    text = """
    func.func @main(%x: tensor<5xf32>, %k: tensor<2xf32>, %o: tensor<4xf32>) -> tensor<4xf32> {
      %0 = linalg.conv_1d ins(%x, %k : tensor<5xf32>, tensor<2xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
      return %0 : tensor<4xf32>
    }
    """
    assert (size(text).ops, size(text).numbers) == (3, 0)


def test_strides_count_from_one() -> None:
    text = """
    func.func @main(%x: tensor<1x5x1xf32>, %k: tensor<1x1x1xf32>, %o: tensor<1x2x1xf32>) -> tensor<1x2x1xf32> {
      %0 = linalg.conv_1d_nwc_wcf {strides = dense<3> : tensor<1xi64>, dilations = dense<1> : tensor<1xi64>}
        ins(%x, %k : tensor<1x5x1xf32>, tensor<1x1x1xf32>) outs(%o : tensor<1x2x1xf32>) -> tensor<1x2x1xf32>
      return %0 : tensor<1x2x1xf32>
    }
    """
    assert size(text).numbers == 2


def test_bodies_of_generic_ops_are_counted_and_maps_hold_numbers() -> None:
    text = """
    func.func @main(%x: tensor<6xf32>, %o: tensor<3xf32>) -> tensor<3xf32> {
      %0 = linalg.generic {
        indexing_maps = [affine_map<(d0) -> (d0 * 2)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]
      } ins(%x : tensor<6xf32>) outs(%o : tensor<3xf32>) {
      ^bb0(%a: f32, %b: f32):
        %1 = arith.negf %a : f32
        linalg.yield %1 : f32
      } -> tensor<3xf32>
      return %0 : tensor<3xf32>
    }
    """
    assert (size(text).ops, size(text).numbers) == (5, 2)


def test_bodies_in_short_form_are_not_counted() -> None:
    text = """
    func.func @main(%x: tensor<6xf32>, %o: tensor<f32>) -> tensor<f32> {
      %0 = linalg.reduce { arith.addf } ins(%x : tensor<6xf32>) outs(%o : tensor<f32>) dimensions = [0]
      return %0 : tensor<f32>
    }
    """
    assert size(text).ops == 3


def test_terminators_that_are_not_printed_are_not_counted() -> None:
    text = """
    func.func @main(%c: i1) {
      scf.if %c {
        util.optimization_barrier %c : i1
      }
      return
    }
    """
    assert size(text).ops == 4


@pytest.mark.parametrize(
    ("constant", "numbers"),
    [
        ("0.0 : f32", 0),
        ("-2.5 : f32", 3),
        ("0x7FC00000 : f32", 1_000_000),
        ("7 : index", 7),
        ("7 : i32", 8),
        ("true", 1),
        ("dense<3.0> : tensor<4xf32>", 3),
        ("dense<[1.0, -2.0, 0.0]> : tensor<3xf32>", 3),
        ("dense<[1, 2]> : tensor<2xi64>", 4),
        ("dense<> : tensor<0xf32>", 0),
        ("dense<(1.0, 2.0)> : tensor<1xcomplex<f32>>", 1),
    ],
)
def test_constants(constant: str, numbers: int) -> None:
    assert size(f"func.func @f() {{ %0 = arith.constant {constant}\n return }}").numbers == numbers


def test_element_types_other_than_f32_cost_one_each() -> None:
    text = """
    func.func @main(%a: tensor<2xf32>, %b: tensor<2xbf16>, %c: f16, %d: f32, %e: index,
                    %f: !torch.vtensor<[2,3],si32>) {
      return
    }
    """
    assert size(text) == wire.Size(ops=2, ranks=4, elements=10, numbers=3, text_bytes=size(text).text_bytes)


def test_sizes_beside_a_size_of_zero_are_numbers() -> None:
    text = "func.func @main(%x: tensor<0x3x?xf32>) { return }"
    assert (size(text).ranks, size(text).elements, size(text).numbers) == (3, 0, 2 + 63)


def test_what_a_function_ties_is_no_number() -> None:
    assert size("util.func public @main(%x: tensor<1xf32>) -> %x { util.return %x : tensor<1xf32> }").numbers == 0
