"""Where pads went, read off what released compilers printed (tests/oracles/data/flow)."""

from __future__ import annotations

import pytest

from oracles.dispatches import read_flow
from oracles.mlir_text import Text, read
from reducer.triage.places import Pad, holds, place_pads
from tests.oracles import canned
from tests.oracles.test_dispatches import UPDATE

CONV = "linalg.conv_2d_nchw_fchw"


def pads(name: str) -> tuple[Pad, ...]:
    return place_pads(read(canned.program(name.split(".", maxsplit=1)[0])), read_flow(canned.flow(name)))


@pytest.mark.parametrize(
    ("name", "places"),
    [
        ("pad_conv.2.9.0.none", "slow memcpy"),
        ("pad_conv.2.9.0.both", f"fused into {CONV}"),
        ("pad_conv.3.3.0.consumer", "slow memcpy"),
        ("pad_conv.3.3.0.producer", "a dispatch of its own"),
        ("pad_conv.3.6.0.both", "a dispatch of its own"),
        ("pad_conv.3.13.0.consumer", f"fused into {CONV}"),
        ("matmul.3.13.0.consumer", "a dispatch of its own"),
        ("matmul.3.13.0.tiled", "fused with the packing for linalg.matmul, outside its dispatch"),
        ("pad_used_twice.3.13.0.consumer", "slow memcpy"),
        ("pad_used_twice.3.13.0.both", f"fused into {CONV}"),
        ("quantised_conv.3.13.0.consumer", "slow memcpy"),
        ("strided_1x1_conv.3.13.0.none", "slow memcpy"),
        ("strided_1x1_conv.3.13.0.consumer", "a dispatch of its own"),
    ],
)
def test_where_a_pad_went(name: str, places: str) -> None:
    (pad,) = pads(name)
    assert pad.describe() == places
    assert pad.op == "tensor.pad"


def test_a_pad_is_named_as_in_the_program() -> None:
    (pad,) = pads("pad_conv.3.13.0.none")
    assert (pad.name, pad.location.line, pad.location.column) == ("%padded_arg0", 9, 18)


@pytest.mark.parametrize(
    ("name", "dispatches"),
    [
        ("pad_conv.3.3.0.none", [(), ("linalg.fill", CONV)]),
        ("pad_conv.3.3.0.both", [("linalg.fill", "tensor.pad", CONV)]),
        ("pad_conv.3.13.0.producer", [("tensor.pad",), ("linalg.fill", f"linalg.generic from {CONV}")]),
        ("strided_1x1_conv.3.13.0.none", [(), (f"linalg.generic from {CONV}",)]),
    ],
)
def test_what_dispatches_hold(name: str, dispatches: list[tuple[str, ...]]) -> None:
    by_place = {op.location: op for op in read(canned.program(name.split(".", maxsplit=1)[0])).ops}
    assert [holds(d, by_place) for d in read_flow(canned.flow(name)).dispatches] == dispatches


def test_two_ops_that_were_one() -> None:
    """A quantised convolution is several ops at the flow phase, two of them in one dispatch."""
    by_place = {op.location: op for op in read(canned.program("quantised_conv")).ops}
    last = read_flow(canned.flow("quantised_conv.3.13.0.consumer")).dispatches[-1]
    assert holds(last, by_place) == ("2 x linalg.generic from linalg.conv_2d_nhwc_hwcf_q",)


PADDED = """
func.func @main(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>) -> tensor<2xf32> {
  %p = tensor.pad %arg0 low[1] high[0] {
  ^bb0(%i: index):
    tensor.yield %c : f32
  } : tensor<2xf32> to tensor<3xf32>
  return %arg0 : tensor<2xf32>
}
"""


def padded() -> Text:
    return read(PADDED)


def test_an_update_of_a_filled_buffer() -> None:
    ir = UPDATE.replace("{%c1}\n    %2", '{%c1} loc("program.mlir":3:8)\n    %2')
    (pad,) = place_pads(padded(), read_flow(ir))
    assert pad.describe() == "an update of a filled buffer"


def test_a_pad_of_which_nothing_is_left() -> None:
    (pad,) = place_pads(padded(), read_flow(UPDATE))
    assert pad.describe() == "no op is left of it"


FUSED_WITH_PRODUCER = """
module {
  flow.executable private @d {
    flow.executable.export public @d
    builtin.module {
      func.func @d(%arg0: !flow.dispatch.tensor<readonly:tensor<2xf32>>, %arg1: !flow.dispatch.tensor<t>) {
        %0 = flow.dispatch.tensor.load %arg0, offsets = [0], sizes = [2], strides = [1] : t -> tensor<2xf32>
        %1 = tensor.empty() : tensor<2xf32>
        %2 = linalg.exp ins(%0 : tensor<2xf32>) outs(%1 : tensor<2xf32>) -> tensor<2xf32>
        %3 = tensor.pad %2 low[1] high[0] {
        ^bb0(%i: index):
          tensor.yield %cst : f32
        } : tensor<2xf32> to tensor<3xf32> loc("program.mlir":3:8)
        flow.dispatch.tensor.store %3, %arg1, offsets = [0], sizes = [3], strides = [1] : t -> t
        return
      }
    }
  }
  util.func public @main(%arg0: tensor<2xf32>) -> tensor<3xf32> {
    %3 = flow.dispatch @d::@d(%arg0) : (tensor<2xf32>) -> tensor<3xf32>
    util.return %3 : tensor<3xf32>
  }
}
"""


def test_fused_with_a_producer() -> None:
    (pad,) = place_pads(padded(), read_flow(FUSED_WITH_PRODUCER))
    assert pad.describe() == "fused with its producer linalg.exp"


def test_what_pads_on_a_higher_level_counts_where_it_does() -> None:
    """A torch op that could pad is listed only where the flow phase has a pad of it."""
    program = read(
        "%0 = torch.aten.convolution %arg0, %arg1 : t -> t\n%1 = torch.aten.convolution %0, %arg1 : t -> t\n"
    )
    ir = FUSED_WITH_PRODUCER.replace(":3:8", ":2:6")
    assert [(p.name, p.op) for p in place_pads(program, read_flow(ir))] == [("%1", "torch.aten.convolution")]
