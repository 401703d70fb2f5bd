"""What a program should return, and whether what it returned is that.

Owns the last evaluation: the main process asks for it while the program is still being compiled, and comes back with
the results. Knows nothing of how they were computed.
"""

from __future__ import annotations

import base64
import dataclasses
import io
import re
import time
from typing import Any

import numpy as np
from iree.compiler import ir

from oracles.experiment import ResultSeen
from reducer import wire
from reducer.passes.input_values import (
    DYNAMIC_SIZES,
    RANDOM,
    InputError,
    Making,
    values,
    write_explicit,
    written_scalar,
)
from reducer.passes.inputs import inputs_by_function
from reducer.passes.types import shape_of
from reducer.reference import (
    CannotEvaluateError,
    Entry,
    UndefinedError,
    Value,
    compare,
    entry_functions,
    evaluate,
    margin,
)
from reducer.reference.types import element as element_of

BUFFER = "!hal.buffer_view"
_IMPORT = "hal.tensor.import"
_INTEGER = re.compile(r"\bi(?:8|16|32|64)\b|xi(?:8|16|32|64)\b")
_FENCES = "!hal.fence"
_BOUND_DIGITS = 2
_SHOWN_ELEMENTS = 4096
_ELEMENTS = (
    *("f32", "f16", "f64", "bf16", "i1", "i8", "i16", "i32", "i64", "i4"),
    *("f8E4M3FN", "f8E5M2", "f8E4M3FNUZ", "f8E5M2FNUZ", "f8E4M3B11FNUZ"),
)


class Judge:
    """Evaluates programs, and compares with what it evaluated last."""

    def __init__(self) -> None:
        self._expected: dict[str, tuple[Value, ...]] = {}
        self._types: dict[str, tuple[str, ...]] = {}
        self._inputs: dict[str, tuple[str, ...]] = {}

    def evaluate(self, request: wire.EvaluateRequest) -> wire.Evaluation:
        """Every entry function's inputs, and what it should return. Raises ir.MLIRError."""
        self._expected, self._types = {}, {}
        with ir.Context(), ir.Location.unknown():
            self._inputs = inputs_by_function(ir.Module.parse(request.source))
            module = ir.Module.parse(request.program)
            entries = entry_functions(module)
            shown = [e for e in entries if _FENCES not in e.arguments]  # each of torch's has an asynchronous twin
            return wire.Evaluation(tuple(self._function(module, e) for e in shown or entries))

    def _function(self, module: Any, entry: Entry) -> wire.Evaluated:
        """Evaluate with the first made-up numbers for which the function has a value; else with the first of all."""
        started = time.perf_counter()
        self._types[entry.name] = entry.results
        tried: list[wire.Evaluated] = []
        for making in _makings(" ".join(_types(module, entry))):
            tried.append(self._evaluate(module, entry, making))
            if tried[-1].reference != "undefined":
                break
        chosen = tried[-1] if tried[-1].reference != "undefined" else tried[0]
        return dataclasses.replace(chosen, seconds=time.perf_counter() - started)

    def _evaluate(self, module: Any, entry: Entry, making: Making) -> wire.Evaluated:
        blank = wire.Evaluated(entry.name, results=tuple(_element(t) for t in entry.results), reference="unknown")
        try:
            arguments, texts = _arguments(_types(module, entry), self._inputs.get(entry.name, ()), making)
            found = tuple(evaluate(module, entry.name, arguments))
        except (CannotEvaluateError, InputError) as error:
            return dataclasses.replace(blank, why=str(error))
        except UndefinedError as error:
            return dataclasses.replace(blank, inputs=texts, reference="undefined", why=str(error))
        except MemoryError:
            return dataclasses.replace(blank, inputs=texts, why="there is not enough memory to evaluate it")
        self._expected[entry.name] = found
        expected = tuple(_text(v.data, t) for v, t in zip(found, entry.results, strict=True))
        elements = tuple(_spelled(v.data.dtype) for v in found)
        bad = [i for i, v in enumerate(found) if v.undefined is not None and bool(np.any(v.undefined))]
        why = f"elements of result {bad[0]} are undefined" if bad else ""
        return wire.Evaluated(entry.name, texts, elements, expected, "undefined" if bad else "defined", why)

    def compare(self, request: wire.CompareRequest) -> wire.Comparison:
        """Compare results with those of the last evaluation, or with the given ones."""
        if request.expected:
            expected = tuple(Value(_array(a, None)) for a in request.expected)
        else:
            expected = self._expected[request.function]
        seen, wanted, got, margins = [], [], [], []
        for value, result, type_ in zip(expected, request.results, self._types[request.function], strict=True):
            is_scalar = shape_of(type_) is None and not type_.startswith("!")
            array = _scalar(_array(result, None), value.data) if is_scalar else _array(result, value.data)
            seen.append(_compared(value, array, request.rtol, request.atol))
            wanted.append(_text(value.data, type_))
            got.append(_text(array, type_))
            if seen[-1].kind not in ("shape", "type"):
                m = margin(value, array, rtol=request.rtol, atol=request.atol)
                margins.append((_spelled(value.data.dtype), m.allowed, m.apart, m.size))
        return wire.Comparison(tuple(seen), tuple(wanted), tuple(got), tuple(margins))


def _compared(expected: Value, got: Any, rtol: float | None, atol: float | None) -> ResultSeen:
    difference = compare(expected, got, rtol=rtol, atol=atol)
    how = _how(expected, rtol, atol)
    if difference is not None:
        d = difference
        return ResultSeen(d.kind, d.index, d.expected, d.got, d.wrong, d.total, how)
    unknown = rtol is None and atol is None and expected.error is not None and bool(np.all(np.isinf(expected.error)))
    return ResultSeen("unknown" if unknown and got.size else "same", total=int(got.size), how=how)


def _how(expected: Value, rtol: float | None, atol: float | None) -> str:
    if rtol is not None or atol is not None:
        return f"within {atol or 0:g} + {rtol or 0:g} of the value"
    if expected.error is None or not bool(np.any(expected.error)):
        return "bit for bit"
    finite = expected.error[np.isfinite(expected.error)]
    if not finite.size:
        return "not at all: no bound is known"
    return f"within a bound of at most {float(np.max(finite)):.{_BOUND_DIGITS}g}"


def _types(module: Any, entry: Entry) -> list[str]:
    """The type of each argument, the tensor's where it is passed as a buffer."""
    return [_behind(module, entry.name, number, text) for number, text in enumerate(entry.arguments)]


def _makings(types: str) -> list[Making]:
    """The ways to make up inputs for arguments of these types: other sizes of what is dynamic, other integers."""
    sizes = DYNAMIC_SIZES if "?" in types else DYNAMIC_SIZES[:1]
    indices = (False, True) if _INTEGER.search(types) else (False,)
    return [Making(size, as_index) for as_index in indices for size in sizes]


def _arguments(types: list[str], inputs: tuple[str, ...], making: Making) -> tuple[list[Value], tuple[str, ...]]:
    """The arguments of these types, and the same as texts. Raises CannotEvaluateError, InputError."""
    made, texts = [], []
    for number, text in enumerate(types):
        said = inputs[number] if number < len(inputs) else f"{RANDOM}{1000 + number}"
        kind = element_of(text)
        shape = shape_of(text)
        _, numbers = values(said, shape.sizes if shape is not None else (), kind.name, making)
        with np.errstate(all="ignore"):
            array = numbers.astype(kind.dtype)
        made.append(Value(array))
        texts.append(_text(array, text, most=array.size))
    return made, tuple(texts)


def _behind(module: Any, function: str, number: int, text: str) -> str:
    """The type of an argument; of a buffer view, the type of the tensor that it is taken for."""
    if not text.startswith("!"):
        return text
    for view in module.body.operations:
        op = view.operation
        if "sym_name" in op.attributes and str(op.attributes["sym_name"]).split("$async")[0].strip('"') == function:
            argument = op.regions[0].blocks[0].arguments[number]
            for use in argument.uses:
                if use.owner.operation.name == _IMPORT:
                    return str(use.owner.operation.results[0].type)
    raise CannotEvaluateError(text)


def _array(array: wire.Array, like: Any) -> Any:
    """The array of a message. like: what it should be, for bytes that say nothing of their shape."""
    data = base64.b64decode(array.data)
    if array.element == "npy":
        return np.load(io.BytesIO(data), allow_pickle=False)
    dtype = element_of(array.element).dtype
    flat = np.frombuffer(data, dtype)
    return flat.reshape(like.shape) if like is not None and flat.size == like.size else flat


def _scalar(array: Any, like: Any) -> Any:
    """A scalar result as it is meant: what is narrower than 32 bits is returned in 32, of which the rest is open."""
    raw = array.tobytes()
    if like.dtype.itemsize >= 4 or len(raw) != 4:
        return array.reshape(like.shape) if array.size == like.size else array
    low = np.frombuffer(raw, np.uint8)[: like.dtype.itemsize]
    return (low & 1 if like.dtype == np.bool_ else low).view(like.dtype).reshape(())


def _element(text: str) -> str:
    """The element type of a result; "" for what is neither tensor nor number; BUFFER where the type does not say."""
    if text == BUFFER:
        return BUFFER
    try:
        return element_of(text).name
    except CannotEvaluateError:
        return ""


def _spelled(dtype: Any) -> str:
    """The element type of an array as MLIR spells it."""
    return next((name for name in _ELEMENTS if element_of(name).dtype == dtype), str(dtype))


def _text(array: Any, type_: str, most: int = _SHOWN_ELEMENTS) -> str:
    """An argument or result of this type for `iree-run-module`, a bare number for a scalar; "" for more elements."""
    if array.size > most:
        return ""
    if shape_of(type_) is None and not type_.startswith("!") and array.ndim == 0:
        return written_scalar(array[()], _spelled(array.dtype))
    return write_explicit(array.shape, _spelled(array.dtype), _numbers(array))


def _numbers(array: Any) -> list[float]:
    if array.dtype.kind in "iub" or "int" in array.dtype.name:
        return [int(v) for v in array.astype(np.int64).reshape(-1)]
    numbers: list[float] = array.astype(np.float64).reshape(-1).tolist()
    return numbers
