"""What stands after `--`: flags for `iree-compile`, or a whole command line pasted from a bug report.

Takes from it what is not a flag: the compiler's own name, the program, and where the output goes. Everything else is
handed to the compiler as it stands. Knows no flag's meaning.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath

from reducer.errors import InputError
from reducer.toolchain.flags import normalise

_BINARIES = ("iree-compile", "iree-compile.exe")
_PROGRAM_SUFFIXES = (".mlir", ".mlirbc")


@dataclass(frozen=True)
class Pasted:
    """flags: for the compiler, in order, one string each. program: the input file that the command named, if it did."""

    flags: tuple[str, ...]
    program: str | None


def parse_pasted(words: Sequence[str], program: str | None) -> Pasted:
    """Split the words after `--`. program: what the user named as the program before it, if anything.

    Raises InputError if the words name another program, or two; FlagError for a word that belongs to no flag.
    """
    rest = list(words)
    if rest and PurePath(rest[0]).name in _BINARIES:
        del rest[0]
    flags: list[str] = []
    named: list[str] = []
    for before, word in zip(["", *rest], rest, strict=False):
        (named if before != "-o" and _is_program(word, program) else flags).append(word)
    found = list(dict.fromkeys(named))
    if len(found) > 1 or (program is not None and found not in ([], [program])):
        both = " and ".join(dict.fromkeys([*([program] if program is not None else []), *found]))
        raise InputError(f"the command line names more than one program: {both}; keep one of them")
    return Pasted(normalise(flags), found[0] if found else None)


def _is_program(word: str, program: str | None) -> bool:
    if word in ("-", program):
        return True
    return not word.startswith("-") and PurePath(word).suffix in _PROGRAM_SUFFIXES
