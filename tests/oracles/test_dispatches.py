from __future__ import annotations

from oracles.dispatches import read_flow
from oracles.feeds import feeds
from tests.oracles import canned

UPDATE = """
module {
  flow.executable private @main_dispatch_0 {
    flow.executable.export public @main_dispatch_0_conv
    builtin.module {
      func.func @main_dispatch_0_conv(%arg0: !flow.dispatch.tensor<readonly:tensor<3xf32>>, %arg1: index) {
        %0 = flow.dispatch.tensor.load %arg0, offsets = [0], sizes = [3], strides = [1] : t -> tensor<3xf32>
        %1 = tensor.empty() : tensor<2xf32>
        %2 = linalg.conv_1d ins(%0, %0 : tensor<3xf32>, tensor<3xf32>) outs(%1 : tensor<2xf32>) -> tensor<2xf32>
        flow.dispatch.tensor.store %2, %arg2, offsets = [0], sizes = [2], strides = [1] : t -> t
        return
      }
    }
  }
  util.func public @main(%arg0: tensor<2xf32>) -> tensor<2xf32> {
    %c1 = arith.constant 1 : index
    %cst = arith.constant 0.0 : f32
    %0 = flow.tensor.splat %cst : tensor<?xf32>{%c1}
    %1 = flow.tensor.update %arg0, %0[%c1] : tensor<2xf32> -> %0 as tensor<?xf32>{%c1}
    %2 = flow.tensor.reshape %1 : tensor<?xf32>{%c1} -> tensor<3xf32>
    %3 = flow.dispatch @main_dispatch_0::@main_dispatch_0_conv[%c1](%2, %c1) : (tensor<3xf32>, index) -> tensor<2xf32>
    util.return %3 : tensor<2xf32>
  }
}
"""


def test_what_dispatches_hold() -> None:
    flow = read_flow(canned.flow("pad_conv.3.13.0.producer"))
    assert [d.executable.work for d in flow.dispatches] == [("tensor.pad",), ("linalg.fill", "linalg.generic")]
    assert [d.arguments for d in flow.dispatches] == [("%2",), ("%3", "%1")]
    assert [d.into for d in flow.dispatches] == ["", ""]


def test_slow_memcpy() -> None:
    flow = read_flow(canned.flow("pad_conv.3.13.0.none"))
    assert [d.executable.slow_memcpy for d in flow.dispatches] == [True, False]
    assert flow.dispatches[0].into == "%3"
    assert len(flow.splats) == 1


def test_update_of_a_splat_is_a_pad() -> None:
    (feed,) = feeds(read_flow(UPDATE))
    assert (feed.where, feed.pad.name, feed.convolution.name) == ("update", "flow.tensor.update", "linalg.conv_1d")


def test_update_of_something_else_is_no_pad() -> None:
    ir = UPDATE.replace("flow.tensor.splat %cst", "hal.tensor.import %cst")
    assert feeds(read_flow(ir)) == ()


def test_matmul_is_no_convolution() -> None:
    assert feeds(read_flow(canned.flow("matmul.3.13.0.consumer"))) == ()


def test_quantised_convolution_of_five_dispatches() -> None:
    flow = read_flow(canned.flow("quantised_conv.3.13.0.consumer"))
    assert len(flow.dispatches) == 5
    assert [feed.where for feed in feeds(flow)] == ["slow memcpy"]


def test_degenerate_convolution_is_found_by_its_place() -> None:
    flow = read_flow(canned.flow("strided_1x1_conv.3.13.0.consumer"))
    assert feeds(flow) == ()
    (feed,) = feeds(flow, lambda op: any((p.line, p.column) == (9, 8) for p in op.places))
    assert (feed.where, feed.pad.name) == ("dispatch", "tensor.pad")


def test_pad_fused_for_one_of_two_users() -> None:
    found = feeds(read_flow(canned.flow("pad_used_twice.3.13.0.both")))
    assert [feed.where for feed in found] == ["inside"]


def test_nothing() -> None:
    flow = read_flow("")
    assert (flow.dispatches, flow.executables, feeds(flow)) == ((), (), ())
