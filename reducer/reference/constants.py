"""The values of constant attributes, read from their text: the bindings of no release can hand out all of them."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from reducer.reference import types
from reducer.reference.failures import CannotEvaluateError
from reducer.reference.rounding import round_to
from reducer.reference.values import Array, Value

_DENSE = re.compile(r"dense<(.*)> : (.*)", re.DOTALL)
_RESOURCE = re.compile(r"dense_resource<(.*?)> : (.*)", re.DOTALL)
_TOKEN = re.compile(r"[^\s,\[\]]+")
_WORDS = {"true": 1, "false": 0}


def read(text: str, program_text: str = "") -> Value:
    """The value of an attribute's text: `1 : i32`, `dense<…> : tensor<…>`, `dense_resource<…> : tensor<…>`.

    program_text: where the bytes of a resource are found, at the end of the whole module's text.
    """
    if match := _DENSE.fullmatch(text):
        return _dense(match[1], match[2])
    if match := _RESOURCE.fullmatch(text):
        return _resource(match[1], match[2], program_text)
    literal, _, type_ = text.partition(" : ")
    if literal in _WORDS:
        type_ = "i1"
    if not type_ or literal.startswith(("#", "sparse<")):
        raise CannotEvaluateError(text[:60])
    return Value(_numbers([literal], types.element(type_)).reshape(()))


def _dense(inside: str, type_: str) -> Value:
    sizes, element = types.sizes(type_), types.element(type_)
    if inside.startswith('"'):
        return Value(_bytes(bytes.fromhex(inside.strip('"')[2:]), sizes, element))
    tokens = _TOKEN.findall(inside)
    data = _numbers(tokens, element)
    if "[" not in inside and len(tokens) == 1:
        return Value(np.broadcast_to(data.reshape(()), sizes))
    return Value(data.reshape(sizes))


def _numbers(tokens: list[str], element: types.Element) -> Array:
    if element.is_float:
        found = [_float(token, element) for token in tokens]
        return np.array(found, element.dtype)
    whole = np.array([_WORDS[t] if t in _WORDS else int(t, 0) for t in tokens], object)
    half = 1 << (element.bits - 1)
    wrapped = [int(n) if element.bits == 1 else (int(n) + half) % (2 * half) - half for n in whole]
    return np.array(wrapped, np.int64).astype(element.dtype)


def _float(token: str, element: types.Element) -> Any:
    """A float's literal; in hexadecimal it is the bits of the number, in the element's width."""
    if token.lower().startswith(("0x", "-0x")):
        bits = int(token, 16)
        width = element.dtype.itemsize
        return np.frombuffer(bits.to_bytes(width, "little"), element.dtype)[0]
    return round_to(np.array(float(token)), element)[()]


def _bytes(raw: bytes, sizes: tuple[int, ...], element: types.Element) -> Array:
    """The elements of their little-endian bytes; one element alone is meant for all."""
    count = int(np.prod(sizes, dtype=np.int64))
    if element.name == "i1":
        if len(raw) == count or len(raw) == 1:
            found = np.frombuffer(raw, np.uint8) != 0
        else:
            found = np.unpackbits(np.frombuffer(raw, np.uint8), bitorder="little")[:count] != 0
    elif element.name == "i4":
        found = ((np.frombuffer(raw, np.uint8).astype(np.int64) + 8) % 16 - 8).astype(element.dtype)
    else:
        found = np.frombuffer(raw, element.dtype)
    if found.size == count:
        return np.asarray(found).reshape(sizes)
    if found.size == 1:
        return np.broadcast_to(found.reshape(()), sizes)
    raise CannotEvaluateError("dense", f"{len(raw)} bytes for {count} elements of {element.name}")


def _resource(name: str, type_: str, program_text: str) -> Value:
    """A blob's first four bytes say how it is aligned."""
    pattern = rf'^\s*{re.escape(name)}: "0x([0-9A-Fa-f]*)"'
    match = re.search(pattern, program_text, re.MULTILINE)
    if match is None:
        raise CannotEvaluateError("dense_resource", f"the program holds no bytes for {name}")
    sizes, element = types.sizes(type_), types.element(type_)
    return Value(_bytes(bytes.fromhex(match[1])[4:], sizes, element))
