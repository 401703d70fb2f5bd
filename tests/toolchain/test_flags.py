from __future__ import annotations

import pytest

from reducer.errors import FlagError
from reducer.toolchain.flags import check_flags, drop_flags, known_flags, normalise, simpler_values, split_flag
from reducer.toolchain.releases import Toolchain
from reducer.toolchain.targets import target_flags


@pytest.mark.parametrize(
    ("flag", "parts"),
    [
        ("--iree-foo=1", ("--iree-foo", "1")),
        ("-iree-foo=1", ("--iree-foo", "1")),
        ("--iree-foo", ("--iree-foo", None)),
        ("--iree-foo=", ("--iree-foo", "")),
        ("--iree-foo=a=b", ("--iree-foo", "a=b")),
        ("-o", ("-o", None)),
        ("--o=x", ("-o", "x")),
    ],
)
def test_split(flag: str, parts: tuple[str, str | None]) -> None:
    assert split_flag(flag) == parts


@pytest.mark.parametrize(
    ("words", "flags"),
    [
        ([], ()),
        (["-iree-a", "--iree-b=1"], ("--iree-a", "--iree-b=1")),
        (["--iree-a", "1", "--iree-b"], ("--iree-a=1", "--iree-b")),
        (["model.mlir", "--iree-a", "-o", "out.vmfb"], ("--iree-a",)),
        (["--iree-a", "model.mlir", "--compile-to=flow"], ("--iree-a",)),
        (["-o", "out.mlir", "--iree-a"], ("--iree-a",)),
        (["--compile-to", "flow", "-"], ()),
        (["--iree-a=x y", "%s"], ("--iree-a=x y",)),
    ],
)
def test_a_pasted_command_line(words: list[str], flags: tuple[str, ...]) -> None:
    assert normalise(words) == flags


def test_a_word_that_belongs_to_no_flag() -> None:
    with pytest.raises(FlagError, match="'stray' is neither a flag of iree-compile nor the value of one"):
        normalise(["--iree-a=1", "stray"])


def test_drop_is_by_name_whatever_the_value_and_the_dashes() -> None:
    flags = ("--iree-foo=1", "--iree-foo", "--iree-foo-bar", "-iree-foo=2", "--iree-b")
    assert drop_flags(flags, ["--iree-foo", "-iree-b=x"]) == ("--iree-foo-bar",)


@pytest.mark.parametrize(
    ("flag", "simpler"),
    [
        ("--iree-opt-level=O3", ["O0", "O1", "O2"]),
        ("--iree-opt-level=O0", []),
        ("--iree-tiles=9", ["0", "1", "2", "4", "8"]),
        ("--iree-tiles=-3", ["-0", "-1", "-2"]),
        ("--iree-tiles=1000000", ["0", *[str(2**k) for k in range(20)]]),
        ("--iree-features=+a,-b,+c", ["-b,+c", "+a,+c", "+a,-b"]),
        ("--iree-llvmcpu-target-cpu=host", ["generic"]),
        ("--iree-input-type=stablehlo", []),
        ("--iree-target=sm_80", []),
        ("--iree-a", []),
        ("--iree-a=", []),
        ("--iree-a=false", []),
    ],
)
def test_simpler_values(flag: str, simpler: list[str]) -> None:
    name = split_flag(flag)[0]
    assert simpler_values(flag) == [f"{name}={value}" for value in simpler]


@pytest.mark.parametrize("flag", ["--iree-a=true", "--iree-a=TRUE"])
def test_true_need_not_be_said(flag: str) -> None:
    assert simpler_values(flag) == ["--iree-a"]


@pytest.mark.parametrize("flag", ["--iree-a=O97", "--iree-b=123456", "--iree-c=true,O3,host", "--iree-d=1"])
def test_going_on_comes_to_an_end(flag: str) -> None:
    seen = 0
    while simpler_values(flag):
        flag = simpler_values(flag)[-1]
        seen += 1
        assert seen < 200


def test_the_release_knows_its_options(installed: Toolchain) -> None:
    names = known_flags(installed)
    assert {"--iree-opt-level", "--iree-hal-target-backends", "--mlir-disable-threading", "-o"} <= names
    assert len(names) > 1000


def test_flags_that_are_accepted(installed: Toolchain) -> None:
    check_flags(installed, ("--iree-opt-level=O2", *target_flags("llvm-cpu", installed.release)))


@pytest.mark.parametrize(
    ("flag", "message"),
    [
        ("--iree-opt-leve=O2", "unknown command line argument '--iree-opt-leve=O2'; did you mean --iree-opt-level"),
        ("--iree-opt-level=O9", "'O9' value not a valid optimization level"),
        ("--iree-hal-target-backends=llvm-cp", "target backend 'llvm-cp' not registered"),
        ("--iree-llvmcpu-link-embedded=maybe", "'maybe' is invalid value for boolean argument"),
    ],
)
def test_flags_that_are_rejected_in_irees_words(installed: Toolchain, flag: str, message: str) -> None:
    with pytest.raises(FlagError) as caught:
        check_flags(installed, (flag,))
    assert str(caught.value).startswith(f"IREE {installed.release} rejects the flags")
    assert message in str(caught.value)


@pytest.mark.parametrize("flag", ["--help", "-help", "-h", "--help-hidden", "--version"])
def test_flags_that_compile_nothing(installed: Toolchain, flag: str) -> None:
    with pytest.raises(FlagError, match=f"with {flag} the compiler compiles nothing"):
        check_flags(installed, ("--iree-opt-level=O2", flag))
