"""What can be told from the IR that each pass leaves, on the two ways in which releases print it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from oracles.experiment import Location
from oracles.mlir_text import read
from reducer.triage.trace import Fate, Step, fate, first_difference, read_trace

PROGRAM = """\
func.func @main(%x: tensor<2xf32>, %w: tensor<1xf32>, %o: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %z = arith.constant 0.0 : f32
  %p = tensor.pad %x low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %z : f32
  } : tensor<2xf32> to tensor<3xf32>
  %c = linalg.conv_1d ins(%p, %w : tensor<3xf32>, tensor<1xf32>) outs(%o : tensor<3xf32>) -> tensor<3xf32>
  return %c, %p : tensor<3xf32>, tensor<3xf32>
}
"""
PAD = Location(3, 8)
NEW = "// -----// IR Dump After {name}: iree-{name}{{{options}}} ('builtin.module' operation) //----- //"
OLD = "// -----// IR Dump After mlir::iree_compiler::{name} (iree-{name}) ('util.func' operation: @main) //----- //"

PADDED = """\
    %p = tensor.pad %x low[1] high[0] {
    ^bb0(%i: index):
      tensor.yield %z : f32
    } : tensor<2xf32> to tensor<3xf32> loc("program.mlir":3:8)
"""
CONV = '    %c = linalg.conv_1d ins(%p, %w : t, t) outs(%o : t) -> t loc("program.mlir":7:8)\n'
EXPORT = '    %e = hal.tensor.export %p "output 1" : t -> t loc("program.mlir":1:1)\n'
MATMUL = '    %c = linalg.generic {iterator_types = ["parallel"]} ins(%p : t) outs(%o : t) loc("program.mlir":7:8)\n'
INSERTED = '    %p = tensor.insert_slice %x into %e[1] [2] [1] : t into t loc("program.mlir":3:8)\n'


def module(*body: str) -> str:
    return "module {\n  util.func public @main(%x: t) -> t {\n" + "".join(body) + "  }\n}\n"


def dispatched(pad: str, rest: str) -> str:
    region = "    %d = flow.dispatch.region -> (t) {\n" + pad + "      flow.return %p : t\n    }\n"
    return module(region, rest)


def steps(*passes: tuple[str, str]) -> tuple[Step, ...]:
    return tuple(Step(name, "", ir) for name, ir in passes)


@pytest.mark.parametrize("head", [NEW, OLD])
def test_the_passes_in_order(head: str) -> None:
    printed = "".join(
        f"{head.format(name=name, options=options)}\n{module(PADDED)}\n\n"
        for name, options in (("FirstPass", "a=1 b=true"), ("SecondPass", ""))
    )
    found = read_trace(f"warning: something\n{printed}")
    assert [step.name for step in found] == ["FirstPass", "SecondPass"]
    assert [step.options for step in found] == (["a=1 b=true", ""] if head is NEW else ["", ""])
    assert all(step.pad(PAD) is not None and step.pad(Location(9, 9)) is None for step in found)


def test_nothing_printed() -> None:
    assert read_trace("error: no\n") == ()


def test_a_pad_that_is_rewritten() -> None:
    seen = fate(
        steps(("A", module(PADDED, CONV, EXPORT)), ("B", module(PADDED, CONV, EXPORT)), ("RewritePass", INSERTED)),
        read(PROGRAM), PAD,
    )  # fmt: skip
    assert seen == Fate(ended_by="RewritePass", uses=("linalg.conv_1d", "a result"))
    assert seen.describe() == (
        "RewritePass rewrites the pad before dispatches are formed; it has 2 uses there: linalg.conv_1d, a result"
    )


def test_a_pad_in_another_dispatch_than_a_convolution() -> None:
    seen = fate(steps(("A", module(PADDED, CONV)), ("FormPass", dispatched(PADDED, CONV))), read(PROGRAM), PAD)
    assert seen == Fate(formed_by="FormPass", consumer="linalg.conv_1d", was="linalg.conv_1d")
    assert seen.describe() == "FormPass puts the pad in another dispatch than what uses it, linalg.conv_1d"


def test_a_convolution_that_has_become_something_else() -> None:
    seen = fate(
        steps(
            ("A", module(PADDED, CONV)), ("FoldPass", module(PADDED, MATMUL)), ("FormPass", dispatched(PADDED, MATMUL))
        ),
        read(PROGRAM), PAD,
    )  # fmt: skip
    assert seen.changed_by == "FoldPass"
    assert seen.describe() == (
        "FormPass puts the pad in another dispatch than what uses it: linalg.conv_1d is a linalg.generic that is no "
        "convolution, since FoldPass"
    )


def test_a_pad_that_stays_or_never_was() -> None:
    assert fate(steps(("A", module(PADDED, CONV))), read(PROGRAM), PAD).describe() == ""
    assert fate(steps(("A", module(CONV))), read(PROGRAM), PAD).describe() == ""


ONE, TWO = Step("OnePass", "", "a"), Step("TwoPass", "", "b")


@pytest.mark.parametrize(
    ("given", "without", "said"),
    [
        ([ONE, TWO], [ONE, TWO], ""),
        ([ONE, Step("TwoPass", "", " b\n")], [ONE, TWO], ""),
        ([ONE, Step("TwoPass", "", "c")], [ONE, TWO], "TwoPass leaves something else"),
        (
            [ONE, Step("TwoPass", "x=1 fuse=true", "b")],
            [ONE, Step("TwoPass", "x=1 fuse=false", "b")],
            "TwoPass runs with fuse=true",
        ),
        ([ONE, TWO], [TWO], "OnePass does something"),
        ([TWO], [ONE, TWO], "OnePass does nothing any more"),
        ([ONE], [ONE, TWO], "TwoPass does nothing any more"),
        ([ONE, TWO], [ONE], "TwoPass does something"),
    ],
)
def test_what_a_flag_changes_first(given: Sequence[Step], without: Sequence[Step], said: str) -> None:
    assert first_difference(given, without) == said
