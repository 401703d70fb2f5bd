"""Takes out of a program what a company cannot share and a fault does not need: names, strings, weights. Pure text.

For programs as the reducer prints them, without comments, locations and the author's SSA names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_SYMBOL = re.compile(r'@("(?:[^"\\]|\\.)*"|[A-Za-z_][\w$.-]*)')
_COMMENT = re.compile(r'("(?:[^"\\]|\\.)*")|//.*')
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_DENSE = re.compile(r"dense<(\[[^<>]*\]|\"[^\"]*\")>")
_RESOURCE = re.compile(r"dense_resource<[^<>]*>")
_BLOBS = re.compile(r"\n?\{-#.*?#-\}\n?", re.DOTALL)
_FUNCTION = re.compile(
    r"^\s*(?:func|util)\.func (?P<private>private )?(?:public )?@(?P<name>\"[^\"]*\"|[\w$.-]+)", re.MULTILINE
)
_WEIGHT_CHARS = 24
KEPT_STRINGS = frozenset({"parallel", "reduction", "window", "private", "public", "nested"})


def uncommented(program: str) -> tuple[str, int]:
    """A program without comments, and how many lines shorter its beginning is. Other lines stay where they are."""
    lines = [_COMMENT.sub(lambda m: m[1] or "", line).rstrip() for line in program.splitlines()]
    first = next((number for number, line in enumerate(lines) if line), len(lines))
    return "\n".join(lines[first:]).rstrip("\n") + "\n", first


def symbols(program: str) -> dict[str, str]:
    """New names for all symbols: `main` for the first public function, `f1` … for the others, `s1` … for the rest."""
    functions = {m["name"].strip('"'): m["private"] is None for m in _FUNCTION.finditer(program)}
    names: dict[str, str] = {}
    public = next((name for name, is_public in functions.items() if is_public), None)
    for match in _SYMBOL.finditer(program):
        name = match[1].strip('"')
        if name in names:
            continue
        if name == public:
            names[name] = "main"
        elif name in functions:
            names[name] = f"f{sum(new.startswith('f') for new in names.values()) + 1}"
        else:
            names[name] = f"s{sum(new.startswith('s') for new in names.values()) + 1}"
    return names


def rename(text: str, names: Mapping[str, str]) -> str:
    """The text with its symbols called by their new names, those without one `_`."""
    return _SYMBOL.sub(lambda m: f"@{names.get(m[1].strip(chr(34)), '_')}", text)


def neutral(program: str) -> str:
    """A program that still compiles and shows the same, with other symbols. For reduced programs."""
    return rename(program, symbols(program))


def outline(program: str) -> str:
    """A program to look at, not to compile: without names, strings, weights and blobs. For seeds."""
    text = neutral(_BLOBS.sub("\n", program))
    text = _RESOURCE.sub("dense_resource<…>", text)
    text = _DENSE.sub(lambda m: m[0] if len(m[1]) <= _WEIGHT_CHARS else "dense<…>", text)
    return _STRING.sub(lambda m: m[0] if m[0].strip('"') in KEPT_STRINGS else '"…"', text)
