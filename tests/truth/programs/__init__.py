"""Small programs of every kind, by family. A module is made of programs of one family alone."""

from __future__ import annotations

from tests.truth.programs.control import control
from tests.truth.programs.convolutions import convolutions, pooling
from tests.truth.programs.frontends import onnx, stablehlo, torch, tosa
from tests.truth.programs.generics import generics
from tests.truth.programs.products import products
from tests.truth.programs.shapes import pads, shapes
from tests.truth.programs.special import special_casts, special_floats, special_integers, special_mathematics
from tests.truth.programs.text import Program

FAMILIES: dict[str, tuple[Program, ...]] = {
    "convolutions": tuple(convolutions()),
    "pooling": tuple(pooling()),
    "products": tuple(products()),
    "special_floats": tuple(special_floats()),
    "special_integers": tuple(special_integers()),
    "special_casts": tuple(special_casts()),
    "special_mathematics": tuple(special_mathematics()),
    "shapes": tuple(shapes()),
    "pads": tuple(pads()),
    "generics": tuple(generics()),
    "control": tuple(control()),
    "stablehlo": tuple(stablehlo()),
    "tosa": tuple(tosa()),
    "torch": tuple(torch()),
    "onnx": tuple(onnx()),
}
