"""What the oracles that run a program need of the user, its inputs; and what became of the runs, in words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from oracles.experiment import ResultSeen
from oracles.verdict import Verdict
from reducer.cli.quantities import count
from reducer.errors import InputError

_SHOWN_CHARS = 400
_ELEMENTS = {"float32": "f32", "float64": "f64", "float16": "f16", "bool": "i1"}


def read_inputs(texts: Sequence[str]) -> tuple[str, ...]:
    """The inputs, those in files (`@file.npy`) written out. Raises InputError."""
    return tuple(_from_file(text[1:]) if text.startswith("@") else text for text in texts)


def _from_file(name: str) -> str:
    try:
        array = np.load(Path(name), allow_pickle=False)
    except OSError as error:
        raise InputError(f"--input @{name}: {error.strerror or error}; give a file of numpy.save") from error
    except (ValueError, EOFError) as error:
        raise InputError(_not_numpy(name)) from error
    if not isinstance(array, np.ndarray):
        array.close()
        raise InputError(_not_numpy(name))
    kind = array.dtype.name
    element = _ELEMENTS.get(kind) or (f"i{kind.lstrip('uint')}" if array.dtype.kind in "iu" else "")
    if not element:
        raise InputError(f"--input @{name} holds {kind}; give whole numbers, float16, float32, float64 or bool")
    numbers = array.astype(np.int64 if array.dtype.kind in "iub" else np.float64).reshape(-1).tolist()
    words = " ".join(repr(n).removesuffix(".0") for n in numbers)
    return "x".join([*map(str, array.shape), element]) + "=" + words


def _not_numpy(name: str) -> str:
    return f"--input @{name} is no file of numpy.save (.npy); write one array with numpy.save"


def explanation(verdict: Verdict) -> list[str]:
    """What each entry function was run on, and how each of its results was compared with what."""
    lines: list[str] = []
    for run in verdict.runs:
        lines.append(f"@{run.function}: reference {run.reference}" + (f": {run.why}" if run.why else ""))
        lines += [f"  input {number}: {text}" for number, text in enumerate(run.inputs)]
        if run.reference == "defined":
            lines.append(f"  {run.ended} after {run.run_s:.2f} s; the reference took {run.reference_s:.2f} s")
        for number, result in enumerate(run.results):
            elements = count(result.total, "element")
            lines.append(f"  result {number}: {_compared(result)}, {elements} compared {result.how}")
            if number < len(run.expected):
                lines += [f"    expected {run.expected[number]}", f"    got      {run.got[number]}"]
    return [shortened(line) for line in lines]


def shortened(line: str) -> str:
    """A line that fits on a screen or two: large values are cut."""
    return line if len(line) <= _SHOWN_CHARS else f"{line[:_SHOWN_CHARS]}… ({len(line)} characters)"


def _compared(result: ResultSeen) -> str:
    if result.kind in ("same", "unknown"):
        return "right" if result.kind == "same" else "cannot be told"
    where = f" at [{', '.join(map(str, result.index))}]" if result.index else ""
    return f"wrong {result.kind}{where}: {result.got}, expected {result.expected}"
