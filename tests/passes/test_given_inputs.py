"""Which function takes the inputs that a user gives."""

from __future__ import annotations

import pytest

from reducer.passes import editing, inputs
from reducer.passes.input_values import InputError
from tests.passes.golden import context

TWO = """\
func.func @pair(%a: tensor<2xf32>, %b: i32) { return }
func.func @other(%a: tensor<?x3xf32>, %b: tensor<i32>) { return }
"""


def given(program: str, *texts: str) -> dict[str, tuple[str, ...]]:
    module = editing.parse(context(), program)
    inputs.annotate(module, texts, 5)
    return inputs.inputs_by_function(module)


def test_random_where_nothing_is_given() -> None:
    assert given(TWO) == {"pair": ("random:5", "random:6"), "other": ("random:5", "random:6")}


def test_given_to_the_functions_that_have_room_for_them() -> None:
    assert given(TWO, "2xf32=1 2", "7") == {"pair": ("2xf32=1 2", "7"), "other": ("random:5", "random:6")}
    assert given(TWO, "4x3xf32=1", "i32=7") == {"pair": ("random:5", "random:6"), "other": ("4x3xf32=1", "i32=7")}


def test_given_to_all_that_have_room_for_them() -> None:
    assert given(TWO, "zeros", "random:9") == {"pair": ("zeros", "random:9"), "other": ("zeros", "random:9")}


def test_torch_arguments_and_buffers() -> None:
    torch = "func.func @f(%a: !torch.vtensor<[2,?],f32>, %b: !torch.int) { return }"
    assert given(torch, "2x5xf32=1", "3") == {"f": ("2x5xf32=1", "3")}
    with pytest.raises(InputError, match=r"'3x5xf32=1' does not fit argument 0 of @f, a !torch.vtensor<\[2,\?\],f32>"):
        given(torch, "3x5xf32=1", "3")


@pytest.mark.parametrize(
    ("texts", "said"),
    [
        (("1",), r"--input is given 1 times, which no function takes \(@pair 2, @other 2 arguments\)"),
        (("3xf32=1", "1"), r"the input '3xf32=1' does not fit argument 0 of @pair, a tensor<2xf32>"),
        (("2xf32=1", "1xi32=1"), r"the input '1xi32=1' does not fit argument 1 of @pair, a i32"),
        (("random:x", "1"), r"the input 'random:x' has no number at 'random:x'"),
    ],
)
def test_inputs_that_nothing_has_room_for(texts: tuple[str, ...], said: str) -> None:
    with pytest.raises(InputError, match=said):
        given(TWO, *texts)
