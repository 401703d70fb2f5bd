"""Hypothesis strategies for MLIR programs that IREE compiles: small, valid, and with a defined value.

    from hypothesis import given
    from reducer.strategies import pad_conv_programs

    @given(pad_conv_programs())
    def test_compiles(program):
        compile_it(program.text)        # and run it on program.inputs

Everything that is drawn parses, verifies, and has results of which every element is defined. Nothing is filtered out:
what does not fit is not drawn. Shrinks towards f32, sizes of 1, pads of 0 and the plainest convolution.
"""

from __future__ import annotations

from reducer.strategies.convolutions import convolutions
from reducer.strategies.elementwise import elementwise
from reducer.strategies.pad_conv import pad_conv_programs, programs
from reducer.strategies.pads import pads
from reducer.strategies.program import Program, TensorType
from reducer.strategies.types import tensor_types

__all__ = [
    "Program",
    "TensorType",
    "convolutions",
    "elementwise",
    "pad_conv_programs",
    "pads",
    "programs",
    "tensor_types",
]
