"""Canonical text, the verifier's words, and what the passes are told."""

from __future__ import annotations

import io

import pytest
from iree.compiler import ir

from reducer.passes import PASSES, editing
from tests.passes.golden import context

BLOBS = """
#id = affine_map<(d0) -> (d0)>
func.func @main() -> (tensor<3xf32>, tensor<1xf32>, tensor<3xf32>) {
  %0 = arith.constant dense_resource<zebra> : tensor<3xf32> loc("somewhere")
  %1 = arith.constant dense_resource<"an apple"> : tensor<1xf32>
  %2 = arith.constant dense_resource<zebra> : tensor<3xf32>
  return %0, %1, %2 : tensor<3xf32>, tensor<1xf32>, tensor<3xf32>
}
{-#
  dialect_resources: {
    builtin: {
      "an apple": "0x0400000000008040",
      zebra: "0x040000000000803F0000004000004040"
    }
  }
#-}
"""


def test_blobs_are_kept_and_named_by_their_first_use_in_any_context() -> None:
    once = editing.print_canonical(editing.parse(ir.Context(), BLOBS))
    assert once.endswith(
        """
{-#
  dialect_resources: {
    builtin: {
      blob: "0x040000000000803F0000004000004040",
      blob_1: "0x0400000000008040"
    }
  }
#-}
"""
    )
    assert "dense_resource<blob_1> : tensor<1xf32>" in once
    again = editing.parse(context(), BLOBS)
    for _ in range(3):
        assert editing.print_canonical(again) == once
        again = editing.parse(context(), once)


def test_locations_and_aliases_are_gone() -> None:
    text = editing.print_canonical(
        editing.parse(
            context(),
            """
            !t = tensor<2xf32>
            #id = affine_map<(d0) -> (d0)>
            func.func @main(%x: !t loc("a":1:2)) -> !t {
              %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel"]} outs(%x : !t) {
              ^bb0(%o: f32):
                linalg.yield %o : f32
              } -> !t loc("b":3:4)
              return %0 : !t
            }
            """,
        )
    )
    assert "loc(" not in text
    assert "#" not in text
    assert "!t" not in text
    assert "affine_map<(d0) -> (d0)>" in text


def test_elements_are_not_elided() -> None:
    values = ", ".join(f"{i}.0" for i in range(500))
    program = f"func.func @f() {{ %0 = arith.constant dense<[{values}]> : tensor<500xf32>\n return }}"
    text = editing.print_canonical(editing.parse(context(), program))
    assert "..." not in text
    assert editing.print_canonical(editing.parse(context(), text)) == text


def test_verify_gives_the_first_error() -> None:
    module = editing.parse(context(), "func.func @f(%x: f32) -> f32 { return %x : f32 }")
    assert editing.verify(module) == ""
    with context():
        module.body.operations[0].attributes["function_type"] = ir.Attribute.parse("() -> f32")
    assert "entry block must have 0 arguments" in editing.verify(module)


def test_parse_errors_have_a_place() -> None:
    with pytest.raises(ir.MLIRError, match=r'"-":1:\d+: .*nonsense'):
        editing.parse(context(), "func.func @f() { nonsense }")


def test_passes_have_distinct_names_and_say_what_they_do() -> None:
    assert len({p.__name__ for p in PASSES}) == len(PASSES)
    assert all(p.__doc__ for p in PASSES)


def test_bytecode_is_parsed_too() -> None:
    module = editing.parse(context(), "func.func @f(%x: f32) -> f32 { return %x : f32 }")
    raw = io.BytesIO()
    module.operation.write_bytecode(raw)
    text = raw.getvalue().decode("utf-8", "surrogateescape")
    assert editing.print_canonical(editing.parse(context(), text)) == editing.print_canonical(module)
