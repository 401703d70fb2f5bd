"""How an input is spelled for `iree-run-module`, and read again."""

from __future__ import annotations

import ml_dtypes
import numpy as np
import pytest

from reducer.passes.input_values import InputError, values, write_explicit, written_scalar


def test_truths_of_a_tensor_are_bytes() -> None:
    text = write_explicit((2, 2), "i1", [1, 0, 0, 1])
    assert text == "2x2xi1=01 00 00 01"
    assert values(text, (2, 2), "i1")[1].tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("number", "element", "text"),
    [
        (np.float16(-4), "f16", "50176"),
        (ml_dtypes.bfloat16(-4), "bf16", "49280"),
        (np.float32(-4), "f32", "-4"),
        (np.float64(0.5), "f64", "0.5"),
        (np.int8(-4), "i8", "-4"),
        (np.bool_(True), "i1", "1"),
    ],
)
def test_narrow_floats_that_are_no_tensors_are_their_bits(number: np.generic, element: str, text: str) -> None:
    assert written_scalar(number, element) == text
    assert float(values(text, (), element)[1]) == float(number)


def test_a_number_with_its_type_is_no_bits() -> None:
    assert float(values("f16=-4", (), "f16")[1]) == -4
    with pytest.raises(InputError, match="the input -4 is no f16; a bare number is its 16 bits, else write f16=-4"):
        values("-4", (), "f16")
