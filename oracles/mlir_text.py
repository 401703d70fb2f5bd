"""A light reader of MLIR text: which ops there are, where, and what feeds what.

Owns just enough of the syntax to answer that for a person's own file as well as for what IREE prints, in pretty or
generic form, with aliases and locations, of any dialect. It never rejects: what it does not understand it leaves out.
Whether the text is MLIR at all is the compiler's to say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from oracles.diagnostics import line_and_column
from oracles.experiment import Location

_STRING_OR_COMMENT = re.compile(r'"(?:[^"\\\n]|\\.)*"|//[^\n]*')
_OP_NAME = re.compile(r'"[A-Za-z_][\w$]*(?:\.[\w$]+)*"\Z')
_RESULTS = r"%[\w$.-]+(?::\d+)?(?:\s*,\s*%[\w$.-]+(?::\d+)?)*\s*=\s*"
_WORD = r"[A-Za-z_][\w$]*"
_START = re.compile(
    rf"(?P<results>{_RESULTS})(?:(?P<defining>{_WORD}(?:\.[\w$]+)*)\b|\"(?P<quoted>[\w.$]+)\")"
    rf"|(?:(?<=[\n{{}}:])|\A)[ \t]*"
    rf"(?:(?P<plain>{_WORD}(?:\.[\w$]+)+|module|func|return|call|yield)(?![\w$.])(?![ \t]*[=,}}])"
    rf"|\"(?P<plain_quoted>[\w.$]+)\"(?=\s*\())"
)
VALUE = re.compile(r"%[\w$.-]+(?:#\d+)?")
_ALIAS = re.compile(r"^[ \t]*(#[\w$.-]+) = (.*)$", re.MULTILINE)
_LOC_ALIAS = re.compile(r"#loc[\w$]*")
_FILE_PLACE = re.compile(r'"(?P<file>(?:[^"\\]|\\.)*)":(?P<line>\d+):(?P<column>\d+)')
_CALLER = re.compile(r" at (?:#loc|\"|callsite|fused|unknown|<)")
_BRACE = re.compile(r"[{}]")
NOWHERE = Location(0, 0)
_SYMBOL = re.compile(r"@(?:\"[^\"]*\"|[\w$.-]+)")


@dataclass(eq=False)
class Op:
    """An operation.

    name: with its dialect, `linalg.conv_2d`; `func` for an op of no dialect.
    results: SSA names that it defines, `%0` (`%0` for `%0:2` too).
    operands: SSA names in its text up to its first region, in order, without `#n`.
    head: its text from its name up to its first nested op. text: all of it. tail: what follows its regions.
    at: offset of its name in the whole text.
    location: of its name, which is where MLIR says that the op is.
    places: for text printed with locations, the places that this op's own location names.
    """

    name: str
    results: tuple[str, ...]
    head: str
    at: int
    text: str = ""
    tail: str = ""
    location: Location = NOWHERE
    operands: tuple[str, ...] = ()
    places: tuple[Location, ...] = ()
    parent: Op | None = None
    children: list[Op] = field(default_factory=list)

    @property
    def symbol(self) -> str:
        """The first symbol of its head: what a function or an executable is called, without the `@`."""
        match = _SYMBOL.search(self.head)
        return match.group()[1:].strip('"') if match else ""

    def walk(self) -> Iterator[Op]:
        """This op and all below it, in the order of the text."""
        yield self
        for child in self.children:
            yield from child.walk()

    def ancestor(self, *names: str) -> Op | None:
        """The innermost op around this one that is called one of `names`."""
        op = self.parent
        while op is not None and op.name not in names:
            op = op.parent
        return op


@dataclass(frozen=True)
class Text:
    """A text's ops, in order; `roots` are those inside no other; `aliases` maps `#map` to what it stands for."""

    ops: tuple[Op, ...]
    roots: tuple[Op, ...]
    aliases: dict[str, str]

    def at(self, place: Location) -> Op | None:
        """The op at a place, if one starts there."""
        return next((op for op in self.ops if op.location == place), None)

    def named(self, *names: str) -> tuple[Op, ...]:
        """The ops called one of `names`."""
        return tuple(op for op in self.ops if op.name in names)

    def expand(self, text: str) -> str:
        """`text` with attribute aliases replaced by what they stand for, one level deep."""
        return re.sub(r"#[\w$.-]+", lambda m: self.aliases.get(m.group(), m.group()), text)


def read(text: str) -> Text:
    """Read MLIR text."""
    masked = _STRING_OR_COMMENT.sub(_mask, text)
    starts = [m for m in _START.finditer(masked) if not _inside_attribute(masked, m)]
    depths = _depths(masked, [m.start() for m in starts])
    aliases = {name: value for name, value in _ALIAS.findall(text) if not name.startswith("#loc")}
    loc_aliases = {name: value for name, value in _ALIAS.findall(text) if name.startswith("#loc")}
    ops = [_op(text, m, starts[i + 1].start() if i + 1 < len(starts) else len(text)) for i, m in enumerate(starts)]
    for op, place in zip(ops, line_and_column(text, [op.at for op in ops]), strict=True):
        op.location = place
    roots = _nest(text, masked, ops, [m.start() for m in starts], depths)
    if "loc(" in text:
        for op in ops:
            op.places = _places(op.tail if op.children else op.head, loc_aliases)
    return Text(tuple(ops), tuple(roots), aliases)


def _mask(match: re.Match[str]) -> str:
    """Blank out strings and comments, so that braces and op names in them do not count; quoted op names stay."""
    token = match.group()
    if token[0] != '"':
        return " " * len(token)
    return token if _OP_NAME.match(token) else f'"{" " * (len(token) - 2)}"'


def _inside_attribute(masked: str, match: re.Match[str]) -> bool:
    """Whether what looks like an op is a keyword in a dictionary: `{iree.abi.stub}`, or a type: `: index`."""
    name = match["plain"]
    if name is None:
        return False
    before = masked[max(match.start() - 1, 0) : match.start()]
    if before == ":":
        line = masked[masked.rfind("\n", 0, match.start()) + 1 : match.start()]
        return not line.lstrip().startswith("^") and "^bb" not in line
    return before == "{" and masked[match.end() : match.end() + 1] in ("}", ",", ">")


def _depths(masked: str, at: list[int]) -> list[int]:
    depths: list[int] = []
    depth = position = 0
    for offset in at:
        depth += masked.count("{", position, offset) - masked.count("}", position, offset)
        position = offset
        depths.append(depth)
    return depths


def _op(text: str, match: re.Match[str], end: int) -> Op:
    group = next(g for g in ("defining", "quoted", "plain", "plain_quoted") if match[g] is not None)
    at = match.start(group) - (1 if "quoted" in group else 0)
    results = tuple(r.split(":")[0].strip() for r in (match["results"] or "").rstrip(" \n\t=").split(",") if r.strip())
    return Op(match[group], results, text[at:end], at)


def _nest(text: str, masked: str, ops: list[Op], begins: list[int], depths: list[int]) -> list[Op]:
    """Link each op to the one around it, and give each its whole text and its operands."""
    roots: list[Op] = []
    stack: list[tuple[Op, int]] = []
    for op, begin, depth in zip(ops, begins, depths, strict=True):
        while stack and stack[-1][1] >= depth:
            _close(text, masked, stack.pop()[0], begin)
        if stack:
            op.parent = stack[-1][0]
            op.parent.children.append(op)
        else:
            roots.append(op)
        stack.append((op, depth))
    while stack:
        _close(text, masked, stack.pop()[0], len(text))
    return roots


def _close(text: str, masked: str, op: Op, limit: int) -> None:
    """End `op` at the brace that closes the region around it, or at the next op."""
    start = op.at
    if op.children:
        last = op.children[-1]
        start = last.at + len(last.text) + 1
    end = _unmatched_brace(masked, start, limit)
    op.text = text[op.at : end]
    if op.children:
        op.tail = text[start:end]
    else:
        op.head = op.text
    head = masked[op.at : op.at + len(op.head)]
    region = re.search(r"\{\s*\^", head)
    names = VALUE.findall(head[: region.start()] if region else head)
    op.operands = tuple(dict.fromkeys(name.split("#")[0] for name in names))


def _unmatched_brace(masked: str, start: int, limit: int) -> int:
    depth = 0
    for match in _BRACE.finditer(masked, start, limit):
        depth += 1 if match.group() == "{" else -1
        if depth < 0:
            return match.start()
    return limit


def _places(text: str, aliases: dict[str, str]) -> tuple[Location, ...]:
    """The places in files that the last `loc(…)` of `text` names, of a call site only the callee's."""
    at = text.rfind("loc(")
    if at < 0:
        return ()
    return tuple(dict.fromkeys(_expand_places(text[at:].split("\n", 1)[0], aliases, 0)))


def _expand_places(text: str, aliases: dict[str, str], depth: int) -> Iterator[Location]:
    caller = _CALLER.search(text)
    callee = text[: caller.start()] if caller else text
    for match in _FILE_PLACE.finditer(callee):
        yield Location(int(match["line"]), int(match["column"]))
    if depth < 8:
        for name in _LOC_ALIAS.findall(callee):
            yield from _expand_places(aliases.get(name, ""), aliases, depth + 1)
