"""A program that is compiled rightly is never called wrong, and nearly all of several hundred are judged.

The exceptions are listed with what is seen, for both targets: those that the compiler refuses, and those that it does
get wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from reducer.toolchain.releases import Toolchain
from tests.truth.programs import FAMILIES
from tests.truth.programs.running import DOES_NOT_COMPILE, RIGHT, Runner
from tests.truth.programs.text import Program

# To read them: `atan2` of two zeros or two infinities, and `powf` of a negative base (-2 to the 3rd) or of 0 to the
# 0th, are NaN on llvm-cpu. On vmvx, `oge`, `one`, `ord` and `uge` take NaN for ordered, `remf` and conversions to
# integers round where they should cut off, and i8 and i16 keep their sign in unsigned divisions and shifts.
_NO_ROUTINE = (
    *(f"{op}_{element}" for op in ("trunc", "log10", "erfc") for element in ("f32", "f16", "bf16", "f64")),
    *(f"tofp_{element}_bf16" for element in ("i8", "i16", "i32", "i64")),
    "maxnumf_minnumf_f16",
)
_NOT_IN_VMVX = (
    *("tan", "sinh_cosh_tanh", "atan_asin_acos", "asinh_acosh_atanh", "erf_cbrt", "trunc", "erfc", "copysign"),
)
_F = ("f32", "f64")
KNOWN: dict[str, dict[str, str]] = {
    "llvm-cpu": {
        **dict.fromkeys(_NO_ROUTINE, DOES_NOT_COMPILE),
        **dict.fromkeys(("element_f16", "element_bf16", "pad_by_index"), DOES_NOT_COMPILE),
        **{f"atan2_{element}": "result 0 nan at [22], nan not 0.78" for element in ("f32", "f16", "bf16", "f64")},
        **{f"powf_{element}": "result 0 nan at [3], nan not 1" for element in ("f32", "f16", "bf16", "f64")},
    },
    "vmvx": {
        **dict.fromkeys(("pad_by_index", "stablehlo_sign_f32"), DOES_NOT_COMPILE),
        **{f"{op}_{element}": DOES_NOT_COMPILE for op in _NOT_IN_VMVX for element in ("f32", "f64")},
        **{f"fptosi_{f}_{i}": "result 0 value at [0], 1 not 0" for f in _F for i in ("i8", "i16", "i32", "i64")},
        **{f"fptoui_{f}_{i}": "result 0 value at [0], 1 not 0" for f in _F for i in ("i32", "i64")},
        **{f"fptoui_{f}_{i}": DOES_NOT_COMPILE for f in _F for i in ("i8", "i16")},
        **{f"cmpf_ordered_{f}": "result 2 value at [0], True not False" for f in _F},
        **{f"cmpf_unordered_{f}": "result 2 value at [0], False not True" for f in _F},
        **{f"counts_{i}": DOES_NOT_COMPILE for i in ("i8", "i16", "i32", "i64")},
        "divisions_i8": "result 1 value at [32], -1 not 127",
        "divisions_i16": "result 1 value at [32], -1 not 32767",
        "shifts_i8": "result 2 value at [7], -1 not 31",
        "shifts_i16": "result 2 value at [13], -1 not 8191",
        "remf_f32": "result 0 value at [52], -0.5 not 1.0",
        "remf_f64": "result 0 value at [44], -0.5 not 1.0",
    },
}
"""What IREE 3.13.0 does not do right: how it begins to show, by target and program."""


def programs_for(target: str, family: str) -> list[Program]:
    """VMVX has no arithmetic on f16 and bf16."""
    return [p for p in FAMILIES[family] if target != "vmvx" or "f16" not in p.text]


@pytest.fixture(scope="module")
def runners(installed: Toolchain) -> Iterator[dict[str, Runner]]:
    found = {target: Runner(installed, target) for target in KNOWN}
    yield found
    for runner in found.values():
        runner.close()


@pytest.mark.parametrize("family", FAMILIES)
def test_right_programs_are_judged_and_called_right(runners: dict[str, Runner], family: str) -> None:
    def run(target: str) -> dict[str, str]:
        alone = [name for name, what in KNOWN[target].items() if what == DOES_NOT_COMPILE]
        return runners[target].run(programs_for(target, family), alone)

    with ThreadPoolExecutor(len(KNOWN)) as threads:
        for target, found in zip(KNOWN, threads.map(run, KNOWN), strict=True):
            exceptions = {name: KNOWN[target][name] for name in found if name in KNOWN[target]}
            seen = {name: what for name, what in found.items() if what != RIGHT}
            assert set(seen) == set(exceptions), (target, seen)
            for name, what in exceptions.items():
                assert seen[name].startswith(what), (target, name, seen[name])


def test_nearly_all_are_judged() -> None:
    names = [p.name for family in FAMILIES.values() for p in family]
    assert len(set(names)) == len(names) >= 600
    for target, known in KNOWN.items():
        mine = {p.name for family in FAMILIES for p in programs_for(target, family)}
        assert set(known) <= mine
        assert len(known) < {"llvm-cpu": 0.04, "vmvx": 0.1}[target] * len(mine)
