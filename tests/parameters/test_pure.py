"""The parts that know nothing of IREE: shapes, maps, kinds and the graph of equations."""

from __future__ import annotations

import pytest

from reducer.parameters.affine import parse_maps, renumber
from reducer.parameters.graph import Equation, Graph, Invalid, Term
from reducer.parameters.kinds import KINDS, smaller, without
from reducer.parameters.reshape_ops import reassociation
from reducer.parameters.shapes import Shape, parse_shape


@pytest.mark.parametrize(
    ("text", "shape"),
    [
        ("tensor<1x?x3xf32>", Shape((1, None, 3), "f32")),
        ("tensor<f32>", Shape((), "f32")),
        ("tensor<0xi8>", Shape((0,), "i8")),
        ("tensor<2xcomplex<f32>>", Shape((2,), "complex<f32>")),
        ("tensor<4x4xf32, #iree_encoding.testing<[x, y]>>", Shape((4, 4), "f32", ", #iree_encoding.testing<[x, y]>")),
        ("!torch.vtensor<[1,?],si64>", Shape((1, None), "si64", kind="torch")),
        ("!torch.vtensor<[],f32>", Shape((), "f32", kind="torch")),
        ("tensor<*xf32>", None),
        ("memref<4xf32, 3>", Shape((4,), "f32", ", 3", kind="memref")),
        ("vector<4x2xi8>", Shape((4, 2), "i8", kind="vector")),
        ("vector<[4]x2xi8>", None),
        ("memref<4xf32, strided<[2]>>", None),
        ("!torch.vtensor", None),
        ("f32", None),
    ],
)
def test_shapes(text: str, shape: Shape | None) -> None:
    assert parse_shape(text) == shape
    if shape is not None:
        assert shape.text(shape.dims, shape.element) == text


def test_maps_read_and_print_back() -> None:
    text = "[affine_map<(d0, d1) -> (d0 * 2 + d1, 0, d1 + 3)>, affine_map<(d0, d1) -> ()>]"
    maps = parse_maps(text)
    assert f"[{', '.join(m.text() for m in maps)}]" == text
    assert maps[0].results[0].terms == ((0, 2), (1, 1))
    assert maps[0].results[2].constant == 3


def test_maps_that_are_not_linear_are_kept_as_text() -> None:
    (only,) = parse_maps("[affine_map<(d0, d1)[s0] -> ((d0 + d1) mod 2, d1 - d0)>]")
    assert only.symbols
    assert only.results[0].opaque == "(d0 + d1) mod 2"
    assert only.results[0].loops == (0, 1)
    assert only.results[1].terms == ((1, 1), (0, -1))
    assert renumber(only.results[0], {0: 3, 1: 4}).opaque == "(d3 + d4) mod 2"


def test_reassociation() -> None:
    assert reassociation("[[0, 1], [2]]") == [[0, 1], [2]]
    assert reassociation("[]") == []


def test_every_kind_is_its_own_without_nothing() -> None:
    for kind in KINDS.values():
        assert without(kind, frozenset()) is not None


def test_convolution_loses_its_channels_only_together() -> None:
    kind = KINDS["conv_2d_nchw_fchw"]
    assert without(kind, frozenset("n")) is None
    names = [other.name for other, _ in smaller(kind)]
    assert names == ["conv_1d", "conv_1d", "conv_2d", "conv_1d_ncw_fcw", "conv_1d_ncw_fcw"]


def test_sum_is_solved_for_its_total_first_and_for_a_part_if_that_is_pinned() -> None:
    for pinned, expected in ((False, [4, 1, 5]), (True, [3, 1, 4])):
        graph = Graph()
        source, pad, total = (graph.variable(v, 0) for v in (3, 1, 4))
        if pinned:
            graph.pin(total)
        graph.add(Equation(total, (Term(((source, 0),)), Term(((pad, 0),))), prefer=(total, source)))
        graph.close()
        assert graph.is_free(source) is not pinned
        assert graph.solve({} if pinned else {source: 4}) == expected


def window(graph: Graph, whole: int, size: int, stride: int) -> tuple[int, int, int, int]:
    """`whole = 1 + stride * (size - 1) + slack`."""
    axis, out, step = graph.variable(whole, 1), graph.variable(size, 1), graph.variable(stride, 1)
    slack = graph.variable(whole - 1 - stride * (size - 1), 0)
    terms = (Term(((out, 1), (step, 0))), Term(((slack, 0),)))
    graph.add(Equation(axis, terms, 1, (out, axis, slack), rounded=out, slack=slack))
    return axis, out, step, slack


def test_output_is_the_largest_that_fits_less_what_is_missing() -> None:
    graph = Graph()
    axis, out, step, slack = window(graph, 8, 3, 2)
    graph.close()
    assert graph.value(slack) == 1
    assert graph.solve({})[out] == 3
    assert graph.solve({slack: 0})[out] == 4
    assert graph.solve({axis: 5})[out] == 2
    assert graph.solve({step: 1})[out] == 7
    assert graph.solve({axis: 1})[out] == 1  # never less than one
    with pytest.raises(Invalid, match="would be 0"):
        graph.solve({axis: 0})


def test_slack_takes_up_what_equal_sizes_leave() -> None:
    graph = Graph()
    axis, out, step, slack = window(graph, 4, 4, 1)
    graph.merge(axis, out)
    graph.close()
    assert graph.is_free(axis)
    assert not graph.is_free(slack)
    assert graph.solve({axis: 2})[slack] == 0
    with pytest.raises(Invalid):
        graph.solve({step: 2})


def test_chain_of_equations_feeds_forward() -> None:
    graph = Graph()
    first = graph.variable(10, 1)
    last = first
    for _ in range(3000):
        following, pad = graph.variable(10, 1), graph.variable(0, 0)
        graph.add(Equation(following, (Term(((last, 0),)), Term(((pad, 0),))), prefer=(following, last)))
        last = following
    graph.close()
    assert graph.is_free(first)
    assert graph.solve({first: 2})[last] == 2


def test_equation_with_nothing_left_to_solve_for_is_a_check() -> None:
    graph = Graph()
    a, b = graph.variable(2, 1), graph.variable(2, 1)
    graph.add(Equation(a, (Term(((b, 0),)),), prefer=()))
    graph.close()
    assert graph.solve({a: 1, b: 1}) == [1, 1]
    with pytest.raises(Invalid, match="does not fit"):
        graph.solve({a: 1})


def test_sizes_that_disagree_are_pinned() -> None:
    graph = Graph()
    a, b, unknown = graph.variable(2, 1), graph.variable(3, 1), graph.variable(None, 1)
    graph.merge(a, b)
    graph.merge(a, unknown)
    graph.close()
    assert not graph.is_free(a)
    assert not graph.is_free(unknown)
    assert graph.solve({}) == [2, 3, None]
