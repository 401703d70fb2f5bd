"""Reading the program that the user named: a file, or standard input.

Owns what can be said about bytes before any parser sees them. The seed is only ever read.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path

from reducer.errors import InputError, nearest

BYTECODE_MAGIC = b"ML\xefR"
MAX_PROGRAM_BYTES = 1 << 30


@dataclass(frozen=True)
class Source:
    """A program as given. name: for people and file names; path: None for standard input.

    text: bytes that are not UTF-8 (MLIR bytecode) are carried as surrogates; the session's encoder gives them back.
    """

    name: str
    path: Path | None
    text: str
    bytecode: bool


def read_source(word: str) -> Source:
    """Read the program called `word` on the command line, `-` for standard input. Raises InputError."""
    if word == "-":
        if sys.stdin is None:
            raise InputError("standard input is closed; name an .mlir file")
        return _source("stdin", None, sys.stdin.buffer.read(MAX_PROGRAM_BYTES + 1), "standard input")
    path = Path(word)
    try:
        if path.is_dir():
            beside = path.with_suffix(".mlir")
            which = f"{beside}, beside it" if beside.is_file() else "the .mlir file in it"
            raise InputError(f"{word} is a directory; give {which}")
        with path.open("rb") as file:
            data = file.read(MAX_PROGRAM_BYTES + 1)
    except FileNotFoundError:
        raise InputError(f"no such file: {word}{_resembling(path)}") from None
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else error
        raise InputError(f"cannot read {word}: {why}") from error
    return _source(path.stem or path.name, path, data, word)


def _source(name: str, path: Path | None, data: bytes, shown: str) -> Source:
    if len(data) > MAX_PROGRAM_BYTES:
        raise InputError(f"{shown} is larger than {MAX_PROGRAM_BYTES >> 30} GiB")
    if data.startswith(BYTECODE_MAGIC):
        return Source(name, path, data.decode("utf-8", "surrogateescape"), bytecode=True)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise InputError(f"{shown} is neither MLIR text nor MLIR bytecode but some other binary file")
    if not text.strip():
        raise InputError(f"{shown} is empty")
    return Source(name, path, text, bytecode=False)


def _resembling(path: Path) -> str:
    try:
        names = [p.name for p in path.parent.iterdir() if p.suffix in (".mlir", ".mlirbc")]
    except OSError:
        return ""
    return nearest(path.name, names)
