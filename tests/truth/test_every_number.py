"""Every function of `math` of one operand, for every f16 and bf16 number: what IREE computes is within the bounds."""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
from iree.compiler import ir

from reducer.reference import Value, evaluate
from reducer.reference.compare import compare
from reducer.reference.math_ops import FAMILIES
from reducer.reference.types import element
from reducer.toolchain.module_runs import run_module
from reducer.toolchain.releases import Toolchain
from reducer.toolchain.targets import target_flags

NO_ROUTINE = ("log10", "erfc")  # llvm-cpu has none
COUNT = 1 << 16
NAMES = [name for name in (family.removeprefix("math.") for family in FAMILIES) if name not in NO_ROUTINE]


@pytest.mark.parametrize("kind", ["f16", "bf16"])
def test_every_number_is_within_the_bounds(kind: str, installed: Toolchain, tmp_path: Path) -> None:
    shape = f"tensor<{COUNT}x{kind}>"
    text = "\n".join(
        f"func.func @{name}(%x: {shape}) -> {shape} {{ %r = math.{name} %x : {shape} return %r : {shape} }}"
        for name in NAMES
    )
    source, module = tmp_path / "functions.mlir", tmp_path / "functions.vmfb"
    source.write_text(text)
    flags = target_flags("llvm-cpu", installed.release)
    subprocess.run([str(installed.iree_compile), *flags, str(source), "-o", str(module)], check=True)
    numbers = np.arange(COUNT, dtype=np.uint16).view(element(kind).dtype)
    numbers.tofile(tmp_path / "numbers.bin")
    parsed = ir.Module.parse(text, ir.Context())
    wrong = {}
    for name in NAMES:
        out = tmp_path / "out.bin"
        inputs = [f"{COUNT}x{kind}=@{tmp_path / 'numbers.bin'}"]
        ended = run_module(installed, module, name, inputs, outputs=[out], timeout_s=60)
        assert ended.ended == "returned", ended.said
        (expected,) = evaluate(parsed, name, [Value(numbers)])
        assert expected.error is not None
        difference = compare(expected, np.fromfile(out, element(kind).dtype))
        if difference is not None:
            wrong[name] = f"{numbers[difference.index]}: {difference.got}, not {difference.expected}"
    assert wrong == {}
