"""Compiler flags as text: names and values, dropping, simplifying, and asking a release whether it accepts them.

Knows the syntax of LLVM's command lines (`--a=b`, `-a=b`, `--a b`) and nothing of what a flag means. Whether a file may
ask for a flag at all is `untrusted`'s business.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from reducer.errors import FlagError, nearest
from reducer.toolchain.oneshot import Ended, run_limited
from reducer.toolchain.releases import Toolchain

DRIVER_OPTIONS = ("-o", "--compile-to")
"""Options that say what to write and how far to go: the reducer sets them itself."""

_ANSWERS = ("--help", "--help-hidden", "--help-list", "--help-list-hidden", "-h", "--version")
"""Options that the compiler answers, and then ends."""

_PROGRAM = re.compile(r"(-|%s|.*\.(mlir|mlirbc|mlir\.bc|torch|onnx))")
_CHECK_TIMEOUT_S = 60.0
_TRIVIAL = "util.func public @f(%arg0: tensor<4xf32>) -> tensor<4xf32> {\n  util.return %arg0 : tensor<4xf32>\n}\n"


def split_flag(flag: str) -> tuple[str, str | None]:
    """Name and value of one flag: `-iree-foo=1` is ("--iree-foo", "1"), `--iree-foo` is ("--iree-foo", None).

    Names get two dashes, but for those of one letter (`-o`).
    """
    name, equals, value = flag.partition("=")
    bare = name.lstrip("-")
    return ("-" if len(bare) == 1 else "--") + bare, value if equals else None


def normalise(arguments: Iterable[str]) -> tuple[str, ...]:
    """The flags of a command line, one string each (`--a`, `b` becomes `--a=b`), without the program and the output.

    So a command line that was pasted from a bug report turns into what the reducer can drop and change one by one:
    `-o X`, `--compile-to=X` and the input file are left out. Raises FlagError for a word that belongs to no flag.
    """
    flags: list[str] = []
    open_flag = False
    for word in arguments:
        if word.startswith("-") and word != "-":
            name, value = split_flag(word)
            flags.append(name if value is None else f"{name}={value}")
            open_flag = value is None
        elif open_flag and flags[-1] == "-o":
            flags[-1], open_flag = f"-o={word}", False
        elif _PROGRAM.fullmatch(word):
            open_flag = False
        elif open_flag:
            flags[-1], open_flag = f"{flags[-1]}={word}", False
        else:
            raise FlagError(f"{word!r} is neither a flag of iree-compile nor the value of one")
    return drop_flags(flags, DRIVER_OPTIONS)


def drop_flags(flags: Iterable[str], names: Collection[str]) -> tuple[str, ...]:
    """The flags without those of these names, whatever their values."""
    gone = {split_flag(name)[0] for name in names}
    return tuple(flag for flag in flags if split_flag(flag)[0] not in gone)


def simpler_values(flag: str) -> list[str]:
    """The same flag with simpler values, simplest first: lower levels, smaller numbers, shorter lists.

    Every answer is strictly simpler than `flag`, so going on until none is accepted comes to an end.
    """
    name, value = split_flag(flag)
    if not value:
        return []
    values: list[str] = []
    level = re.fullmatch(r"(.*?)(\d+)", value)
    parts = value.split(",")
    if len(parts) > 1:
        values = [",".join(parts[:i] + parts[i + 1 :]) for i in range(len(parts))]
    elif value.lower() in ("true", "1"):
        return [name]
    elif level and level[1] in ("", "O", "-"):
        values = [level[1] + str(n) for n in _smaller(int(level[2]))]
    elif value == "host" and name.endswith("-target-cpu"):
        values = ["generic"]
    return [f"{name}={v}" for v in values]


def _smaller(number: int) -> list[int]:
    """Smaller numbers to try, in rising order: 0, 1, the powers of two below, and one less."""
    powers = {2**k for k in range(number.bit_length()) if 2**k < number}
    close = {number - 1} if number < 64 else set()
    return sorted({0} | powers | close) if number > 0 else []


@lru_cache(maxsize=32)
def options(toolchain: Toolchain) -> Mapping[str, str]:
    """All options of the release by name, as its `--help-hidden` lists them (LLVM's included).

    With each what it takes, in the help's words (`<string>`, `<optimization level>`); "" for a switch.
    """
    ended = run_limited((str(toolchain.iree_compile), "--help-hidden"), timeout_s=_CHECK_TIMEOUT_S, memory_bytes=None)
    found = re.findall(r"^ *(--?[A-Za-z][\w.-]*)(?:=(<[^>\n]*>))?", ended.output, re.M)
    return {split_flag(name)[0]: takes for name, takes in found}


def known_flags(toolchain: Toolchain) -> frozenset[str]:
    """The names of all options of the release."""
    return frozenset(options(toolchain))


def check_flags(toolchain: Toolchain, flags: Sequence[str]) -> None:
    """Raise FlagError, with IREE's own words, if the release rejects a flag, its value or the target.

    It is asked with a program that has nothing to compile, up to where the target's architecture is looked at. (An
    unknown architecture is an error that some releases crash of, and others go on from.) A crash or a hang without
    words is no rejection: it may be the very fault that the user is after.
    """
    for flag in flags:
        if split_flag(flag)[0] in _ANSWERS:
            raise FlagError(f"with {flag} the compiler compiles nothing; leave it out")
    with tempfile.TemporaryDirectory(prefix="iree-reduce-") as scratch:
        program = Path(scratch) / "empty.mlir"
        program.write_text(_TRIVIAL, "utf-8")
        command = (
            str(toolchain.iree_compile),
            str(program),
            *flags,
            "--compile-to=executable-sources",
            "-o",
            "/dev/null",
        )
        ended = run_limited(command, timeout_s=_CHECK_TIMEOUT_S, memory_bytes=None)
    words = _words(ended)
    if not words:
        return
    unknown = re.search(r"Unknown command line argument '([^']*)'", words)
    if unknown:
        name = split_flag(unknown[1])[0]
        own = [known for known in known_flags(toolchain) if known.startswith(("--iree-", "--mlir-"))]
        words = f"unknown command line argument {unknown[1]!r}{nearest(name, own)}"
    whole = "" if any(split_flag(flag)[0] in words for flag in flags) else f" ({' '.join(flags)})"
    raise FlagError(f"IREE {toolchain.release} rejects the flags{whole}: {words}")


def _words(ended: Ended) -> str:
    """The line in which the compiler says what is wrong, "" if it does not."""
    said = re.search(
        r"(?:^iree-compile\S*: |\berror: |^(?=Unknown CPU|'\S+' is not a recognized))(.*)", ended.output, re.M
    )
    if said:
        return said[1].partition("  Try: ")[0]
    if ended.code is None or ended.code <= 0:
        return ""
    first = next((line for line in ended.output.splitlines() if line.strip()), f"it ends with exit code {ended.code}")
    return first[:300]
