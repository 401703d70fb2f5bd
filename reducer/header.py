"""The directives in a program's leading comments: read as a closed list, never handed to a shell.

Two kinds, each on lines of their own before the first line of code:

    // RUN: iree-compile %s --iree-opt-level=O2 | FileCheck %s
    // reduce: oracle=translation-error iree=3.3.0 target=cuda:sm_80 match="failed to legalize"

Of a RUN line only the flags of `iree-compile` are taken. Owns both syntaxes, reading and writing. What a file must not
ask for (`toolchain.untrusted`) is an error here, unless the caller has flags of its own and does not read the file's.
"""

from __future__ import annotations

import hashlib
import re
import shlex
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace

from reducer.errors import FlagError, InputError, nearest
from reducer.toolchain.flags import normalise
from reducer.toolchain.untrusted import refuse_flags

_COMMENT = re.compile(r"\s*//+(.*)")
_PAIR = re.compile(r"""\s*([A-Za-z_][\w-]*)=("(?:[^"\\]|\\.)*"|'[^']*'|[^\s"']*)(?=\s|$)""")
_RELEASE = re.compile(r"\d+(\.\d+)*\w*|newest")
_ESCAPES = {"n": "\n", "t": "\t", '"': '"', "\\": "\\"}


@dataclass(frozen=True)
class Directive:
    """One `// reduce:` line. Every field is a key of the same name; None where the line does not have it.

    iree: a version or "newest"; never a path: a file must not choose which program runs.
    flags: the case's flags, apart from the target's own. expect: a count; timeout: seconds.
    inputs: what the program is run on, one an argument, with semicolons between them; reference, rtol, atol: what its
    results are held against.
    """

    oracle: str | None = None
    iree: str | None = None
    target: str | None = None
    match: str | None = None
    flag: str | None = None
    expect: int | None = None
    timeout: float | None = None
    signature: str | None = None
    inputs: tuple[str, ...] | None = None
    reference: str | None = None
    rtol: float | None = None
    atol: float | None = None
    flags: tuple[str, ...] | None = None


KEYS = tuple(f.name for f in fields(Directive))


@dataclass(frozen=True)
class Header:
    """What a program's leading comments say. run_flags: of the first RUN line with `iree-compile`; None without one."""

    run_flags: tuple[str, ...] | None = None
    directives: tuple[Directive, ...] = ()

    def for_oracle(self, name: str | None) -> Directive | None:
        """The line that counts when the oracle `name` is asked for (None: no particular one).

        That is the line that names the oracle; or else one that names none; or else the first, without what only its
        own oracle understands (match, flag, expect, timeout, signature, inputs, reference, rtol, atol).
        """
        if not self.directives:
            return None
        if name is None:
            return self.directives[0]
        for wanted in (name, None):
            for directive in self.directives:
                if directive.oracle == wanted:
                    return replace(directive, oracle=name)
        return replace(
            self.directives[0], oracle=name, match=None, flag=None, expect=None, timeout=None, signature=None,
            inputs=None, reference=None, rtol=None, atol=None,
        )  # fmt: skip


def parse_header(text: str, *, take_flags: bool = True) -> Header:
    """Read the leading comments of a program.

    take_flags: False when the flags come from the command line: those in the file are then neither read nor refused.
    Raises InputError for a directive that is not understood, FlagError for a flag that a file must not set.
    """
    run_flags: tuple[str, ...] | None = None
    directives: list[Directive] = []
    for number, line in _logical_lines(text):
        keyword, colon, rest = line.partition(":")
        if not colon:
            continue
        if keyword.strip() == "RUN" and take_flags and run_flags is None:
            run_flags = _run_flags(rest, number)
        elif keyword.strip() == "reduce":
            directives.append(_directive(rest, number, take_flags))
    return Header(run_flags, tuple(directives))


def directive_line(directive: Directive) -> str:
    """The `// reduce:` line that reads back as `directive`."""
    pairs = []
    for key in KEYS:
        value = getattr(directive, key)
        if value is None:
            continue
        if key == "inputs":
            plain = "; ".join(value)
        else:
            whole = shlex.join(value) if isinstance(value, tuple) else str(value)
            plain = _plain_number(value) if isinstance(value, float) else whole
        pairs.append(f"{key}={_quoted(plain)}")
    return "// reduce: " + " ".join(pairs)


def run_line(flags: Iterable[str], phase: str) -> str:
    """The `// RUN:` line of a compilation to `phase`; its flags read back as they are, but for line breaks in them."""
    to = () if phase == "end" else (f"--compile-to={phase}",)
    words = (" ".join(shlex.quote(" ".join(flag.splitlines())) for flag in (*flags, *to))).replace("%", "%%")
    return f"// RUN: iree-compile %s {words} -o {'/dev/null' if phase == 'end' else '-'}"


def program_digest(text: str) -> str:
    """What a program is told from another by, whatever the comments above it say."""
    lines = text.splitlines()
    first = next((number for number, line in enumerate(lines) if not _is_leading(line)), len(lines))
    return hashlib.sha256("\n".join(lines[first:]).strip().encode("utf-8", "surrogateescape")).hexdigest()[:32]


def without_header(text: str) -> str:
    """The program without the RUN and reduce lines of its leading comments; other comments stay."""
    lines = text.splitlines(keepends=True)
    kept, number = [], 0
    continued = False
    while number < len(lines) and _is_leading(lines[number]):
        body = _COMMENT.match(lines[number])
        ours = body is not None and (continued or re.match(r"\s*(RUN|reduce):", body[1]) is not None)
        continued = ours and lines[number].rstrip().endswith("\\")
        if not ours:
            kept.append(lines[number])
        number += 1
    return "".join(kept + lines[number:])


def _is_leading(line: str) -> bool:
    return not line.strip("\ufeff \t\r\n") or _COMMENT.match(line) is not None


def _logical_lines(text: str) -> list[tuple[int, str]]:
    """The leading comments' contents, with lines that end in a backslash joined to the next; each with its number."""
    joined: list[tuple[int, str]] = []
    pending = ""
    for line_number, raw in enumerate(text.lstrip("\ufeff").splitlines(), start=1):
        if not _is_leading(raw):
            break
        match = _COMMENT.match(raw)
        body, number = match[1].strip() if match else "", line_number
        if pending:
            body = pending + " " + re.sub(r"^(RUN|reduce):", "", body)
            number, _ = joined.pop()
        pending = body[:-1].rstrip() if body.endswith("\\") else ""
        joined.append((number, pending or body))
    return joined


def _run_flags(text: str, number: int) -> tuple[str, ...] | None:
    """The flags of the first `iree-compile` of a RUN line; None if it does not run one."""
    for command in _commands(text, number):
        names = [word.rpartition("/")[2] for word in command]
        if "iree-compile" in names:
            arguments = [
                word.replace("%%", "%") if word != "%s" else word for word in command[names.index("iree-compile") + 1 :]
            ]
            try:
                flags = normalise(arguments)
            except FlagError as error:
                raise InputError(f"line {number}: RUN: {error}") from error
            refuse_flags(flags, f"the file's RUN line ({number})")
            return flags
    return None


def _commands(text: str, number: int) -> list[list[str]]:
    """The simple commands of a pipeline, redirections left out. Nothing is expanded."""
    lexer = shlex.shlex(text, posix=True, punctuation_chars="|&;<>")
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        words = list(lexer)
    except ValueError as error:
        raise InputError(f"line {number}: RUN: {error} in {text.strip()!r}") from error
    commands: list[list[str]] = [[]]
    redirected = False
    for word in words:
        if set(word) <= set("|&;<>"):
            redirected = "<" in word or ">" in word
            if not redirected:
                commands.append([])
            elif commands[-1] and commands[-1][-1].isdigit():
                commands[-1].pop()
        elif redirected:
            redirected = False
        else:
            commands[-1].append(word)
    return commands


def _directive(text: str, number: int, take_flags: bool) -> Directive:
    values: dict[str, str] = {}
    position = 0
    while text[position:].strip():
        pair = _PAIR.match(text, position)
        if pair is None:
            raise InputError(
                f'line {number}: reduce: cannot read {text[position:].strip()!r}; write key=value or key="value"'
            )
        key, position = pair[1], pair.end()
        if key not in KEYS:
            hint = nearest(key, KEYS) or f"; known are {', '.join(KEYS)}"
            raise InputError(f"line {number}: reduce: unknown key {key!r}{hint}")
        if key in values:
            raise InputError(f"line {number}: reduce: {key} is given twice")
        values[key] = _unquoted(pair[2])
    return _checked(values, number, take_flags)


def _checked(values: dict[str, str], number: int, take_flags: bool) -> Directive:
    where = f"line {number}: reduce: "
    directive = Directive(
        oracle=values.get("oracle"), iree=values.get("iree"), target=values.get("target"), match=values.get("match"),
        signature=values.get("signature"), reference=values.get("reference"), inputs=_inputs(values, where),
        rtol=_tolerance(values, "rtol", where), atol=_tolerance(values, "atol", where),
    )  # fmt: skip
    if directive.iree is not None and not _RELEASE.fullmatch(directive.iree):
        raise InputError(f"{where}iree={directive.iree}: a file may name a version or newest; give a path with --iree")
    expect, timeout = values.get("expect"), values.get("timeout")
    if expect is not None:
        if not re.fullmatch(r"\d{1,6}", expect):
            raise InputError(f"{where}expect={expect}: not a count")
        directive = replace(directive, expect=int(expect))
    if timeout is not None:
        if not re.fullmatch(r"\d{1,9}(\.\d+)?", timeout):
            raise InputError(f"{where}timeout={timeout}: not a number of seconds")
        directive = replace(directive, timeout=float(timeout))
    if not take_flags:
        return directive
    try:
        flag = normalise([values["flag"]]) if "flag" in values else ()
        flags = normalise(shlex.split(values["flags"])) if "flags" in values else None
    except (FlagError, ValueError) as error:
        raise InputError(f"{where}{error}") from error
    refuse_flags((*flag, *(flags or ())), f"the file's line {number}")
    return replace(directive, flag=flag[0] if flag else None, flags=flags)


def _inputs(values: dict[str, str], where: str) -> tuple[str, ...] | None:
    if "inputs" not in values:
        return None
    inputs = tuple(text.strip() for text in values["inputs"].split(";") if text.strip())
    for text in inputs:
        if text.startswith("@"):
            raise InputError(f"{where}inputs={text}: a file may not name another file; give it with --input")
    return inputs


def _tolerance(values: dict[str, str], key: str, where: str) -> float | None:
    if key not in values:
        return None
    if not re.fullmatch(r"\d+(\.\d*)?([eE][-+]?\d+)?|\.\d+", values[key]):
        raise InputError(f"{where}{key}={values[key]}: not a number from 0 on")
    return float(values[key])


def _plain_number(value: float) -> str:
    """Every digit, so that what is read back is the same; whole numbers without a point."""
    return repr(value).removesuffix(".0")


def _quoted(value: str) -> str:
    if re.fullmatch(r"[^\s\"'\\]+", value):
        return value
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
    return f'"{escaped}"'


def _unquoted(text: str) -> str:
    if text.startswith("'"):
        return text[1:-1]
    if not text.startswith('"'):
        return text
    return re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[0]), text[1:-1])
