"""Takes out of a program what a company cannot share and a fault does not need: names, strings, weights. Pure text.

For programs as the reducer prints them, without comments, locations and the author's SSA names.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

_SYMBOL = re.compile(r'@("(?:[^"\\]|\\.)*"|[A-Za-z_][\w$.-]*)')
_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_LITERAL = re.compile(r'("(?:[^"\\]|\\.)*")(\(?)')
_DENSE = re.compile(r"dense<(\[[^<>]*\]|\"[^\"]*\")>")
_RESOURCE = re.compile(r"dense_resource<[^<>]*>")
_BLOBS = re.compile(r"\n?\{-#.*?#-\}\n?", re.DOTALL)
_FUNCTION = re.compile(
    r"^\s*(?:func|util)\.func (?P<private>private )?(?:public )?@(?P<name>\"[^\"]*\"|[\w$.-]+)", re.MULTILINE
)
_VALUE = re.compile(r"%([A-Za-z_][\w$.-]*?)((?:_\d+)?)(?![\w$.-])")
_NOT_IN_VALUES = re.compile(r"[^\w$.-]")
_FLOAT = re.compile(r"(?<![\w.])-?(?:\d+\.\d+(?:[eE][-+]?\d+)?|0x[0-9a-fA-F]+)(?![\w.])")
_PLAIN_FLOATS = ("0.000000e+00", "-0.000000e+00", "1.000000e+00", "-1.000000e+00")
_WEIGHT_CHARS = 24
KEPT_STRINGS = frozenset({"parallel", "reduction", "window", "private", "public", "nested"})


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
    """The text with its symbols called by their new names, those without one `_`.

    Values too that the printer calls after a symbol (`%weights = util.global.load @weights`).
    """
    values = {_NOT_IN_VALUES.sub("_", old): new for old, new in names.items()}
    text = _VALUE.sub(lambda m: f"%{values.get(m[1], m[1])}{m[2]}", text)
    return _SYMBOL.sub(lambda m: f"@{names.get(m[1].strip(chr(34)), '_')}", text)


def rename_words(text: str, names: Mapping[str, str]) -> str:
    """The same in prose and in patterns for it, where symbols may stand in quotes, or in the name of a dispatch."""
    if not names:
        return text
    old = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    return re.sub(
        rf"(?<=['\"`@])({old})(?=['\"`\\.$]|\b|_dispatch)|\b({old})(?=(?:\\?\$async)?_dispatch_\d)",
        lambda m: names[m[1] or m[2]], text,
    )  # fmt: skip


def rename_in_pattern(pattern: str, names: Mapping[str, str]) -> str:
    """A regular expression for what is said of a program, for what is said of the renamed one: every word counts."""
    if not names:
        return pattern
    old = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    words = re.compile(rf"(?<![\w.])({old})(?!\w)")
    return words.sub(lambda m: names[m[1]], rename_words(pattern, names))


def prose(text: str, names: Mapping[str, str]) -> str:
    """What was said of the original, or of a program on the way: names are replaced, what is quoted of it goes."""
    return _unquoted(rename_words(rename(text, names), names))


def _unquoted(text: str) -> str:
    return _STRING.sub(lambda m: m[0] if m[0].strip('"') in KEPT_STRINGS else '"…"', text)


def strings(program: str) -> tuple[str, ...]:
    """The string literals that may be the author's own words, with their quotes, each once."""
    found = (m[1] for m in _LITERAL.finditer(_BLOBS.sub("\n", program)) if not m[2])
    return tuple(dict.fromkeys(s for s in found if s != '""' and s[1:-1] not in KEPT_STRINGS and s[1:3] != "0x"))


def with_string(program: str, old: str, new: str) -> str:
    """The program with another literal in place of `old`, one of its `strings`."""
    return _LITERAL.sub(lambda m: new if m[1] == old and not m[2] else m[0], program)


def neutral(program: str) -> str:
    """A program that still compiles and shows the same, with other symbols. For reduced programs."""
    return rename(program, symbols(program))


def outline(program: str) -> str:
    """A program to look at, not to compile: without names, strings, weights, blobs and fractions. For seeds."""
    text = neutral(_BLOBS.sub("\n", program))
    text = _RESOURCE.sub("dense_resource<…>", text)
    text = _DENSE.sub(lambda m: m[0] if len(m[1]) <= _WEIGHT_CHARS else "dense<…>", text)
    text = _FLOAT.sub(lambda m: m[0] if m[0] in _PLAIN_FLOATS else "…", text)
    return _unquoted(text)
