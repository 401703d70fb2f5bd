"""Reads the standard error of iree-compile: diagnostics, failing passes, crash frames.

Owns the knowledge of how LLVM, MLIR and IREE print these, for every release from 2.9.0 on. Decides nothing about a
fault. Everything is found by searching for fixed markers, never line by line: with `--mlir-print-ir-after-failure`
the text is megabytes of IR in which a handful of lines matter.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

from oracles.experiment import Diagnostic, Location

MAX_MESSAGE_CHARS = 4000
MAX_FRAMES = 64

_MARKERS = (": error: ", ": warning: ", ": remark: ", ": note: ")
_BARE = ("\nerror: ", "\nwarning: ", "\niree-compile: ", "\nLLVM ERROR: ", "\nerror opening input file: ")
_DUMP = "// -----// IR Dump After "
_PLACE = re.compile(r"(?P<file><unknown>|[^\s].*?):(?P<line>\d+)(?::(?P<column>\d+))?\Z")
_BARE_PLACE = re.compile(r"loc\(.*\)\Z|<stdin>\Z|-\Z")
_CARET = re.compile(r"^[ \t]*[\^~]+[ \t~^]*$", re.MULTILINE)
_DUMP_LINE = re.compile(r"// -----// IR Dump After (?P<name>\S.*?) Failed\b")
_ASSERTION = re.compile(r"^(?:[\w./-]+: )?(?P<said>.*Assertion [`'].*failed.*)$", re.MULTILINE)

# Said by stages that run pass managers of their own, without instrumentation: no dump, though the input was accepted.
_LATE = re.compile(
    r"failed to (?:run|translate|serialize|configure|legalize|canonicalize|generate|convert|link)\b"
    r"|unable to fully apply"
    r"|conversion to vm|vm\.module|LLVM Translation failed|LLVMTranslationDialectInterface|\ALLVM ERROR|\AAssertion"
)
_USAGE = re.compile(
    r"unknown command line argument|cannot find option named|value not a valid|: for the --|\Afor the --|may only occur"
    r"|requires a value|does not allow a value|not enough positional|too many positional|value invalid"
    r"|requires (?:an )?argument",
    re.IGNORECASE,
)

_STACK = re.compile(r"^(?:Stack dump|PLEASE submit a bug report|[ ]?#?0[ ]+\S*[ ]*0x[0-9a-f]{8,})", re.MULTILINE)
_SYMBOLISED = re.compile(r"^ *#(?P<number>\d+) (?P<address>0x[0-9a-f]+)(?: (?P<rest>.*))?$", re.MULTILINE)
_PLAIN = re.compile(
    r"^(?P<number>\d+) +(?P<library>\S+) +(?P<address>0x[0-9a-f]+)(?: (?P<symbol>.*?)(?: \+ \d+)?)?$", re.MULTILINE
)
_BACKTRACE = re.compile(
    r"^(?P<library>\S+?)\((?:(?P<symbol>[^()+]\S*?)?\+(?P<offset>0x[0-9a-f]+))?\) ?\[(?P<address>0x[0-9a-f]+)\]$",
    re.MULTILINE,
)
_IN_LIBRARY = re.compile(r" ?\((?P<path>[^()]*?)\+(?P<offset>0x[0-9a-f]+)\)$")
_SOURCE = re.compile(r" \S+:\d+(?::\d+)?$")
_HANDLER = re.compile(r"PrintStackTrace|RunSignalHandlers|SignalHandler|CrashRecoverySignalHandler|__restore_rt")
_LIBC = re.compile(r"\Alibc[.-]|\Alibpthread")


@dataclass(frozen=True)
class Parsed:
    """What a standard error says; fields as in `Observation`.

    usage: IREE's own words if it refused the command line; "" otherwise.
    """

    diagnostics: tuple[Diagnostic, ...] = ()
    failing_passes: tuple[str, ...] = ()
    frames: tuple[str, ...] = ()
    parsed: bool = True
    usage: str = ""


@dataclass(frozen=True)
class _Head:
    """A place where something of interest starts: `start` of its line, `text` of its message, `kind` of what it is."""

    start: int
    text: int
    kind: str
    place: str = ""


def parse_stderr(text: str, name: str) -> Parsed:
    """Read `text`, the standard error of a compilation of the buffer or file `name`.

    Locations in other files than `name` (a program may carry those of the model it came from) become None, for they are
    no place in the program's text.
    """
    text = text.replace("\r\n", "\n")
    stack = _STACK.search(text)
    end = stack.start() if stack else len(text)
    heads = _heads(text, end)
    diagnostics = _diagnostics(text, heads, end, name)
    passes = tuple(_pass_name(text, head) for head in heads if head.kind == "dump")
    frames = _frames(text[stack.start() :]) if stack else ()
    usage = next((d.message for d in diagnostics if d.location is None and is_usage_error(d.message)), "")
    return Parsed(diagnostics, passes, frames, _was_parsed(diagnostics, passes, stack is not None, usage), usage)


def is_usage_error(message: str) -> bool:
    """Whether a message is IREE refusing the command line rather than the program."""
    return _USAGE.search(message) is not None


def _was_parsed(diagnostics: tuple[Diagnostic, ...], passes: tuple[str, ...], crashed: bool, usage: str) -> bool:
    """A pass that fails dumps its IR or is followed by a stage's complaint; the parser and its verifier do neither."""
    errors = [d for d in diagnostics if d.severity == "error"]
    return bool(not errors or passes or crashed or usage or any(_LATE.search(d.message) for d in errors))


def _heads(text: str, end: int) -> list[_Head]:
    heads = [
        head
        for marker in _MARKERS
        for at in _occurrences(text, marker, end)
        if (head := _located_head(text, at, marker)) is not None
    ]
    for marker in _BARE:
        kind = "warning" if "warning" in marker else "error"
        at_start = [-1] if text.startswith(marker[1:]) else []
        for at in at_start + _occurrences(text, marker, end):
            skip = 0 if "LLVM ERROR" in marker else len(marker) - 1
            heads.append(_Head(at + 1, at + 1 + skip, kind))
    for at in _occurrences(text, _DUMP, end):
        if _DUMP_LINE.match(text, at):
            heads.append(_Head(at, at, "dump"))
    if text.find("Assertion ", 0, end) >= 0:
        heads += [_Head(m.start(), m.start("said"), "error") for m in _ASSERTION.finditer(text, 0, end)]
    return sorted({h.start: h for h in heads}.values(), key=lambda h: h.start)


def _occurrences(text: str, marker: str, end: int) -> list[int]:
    found = []
    at = text.find(marker, 0, end)
    while at >= 0:
        found.append(at)
        at = text.find(marker, at + 1, end)
    return found


def _located_head(text: str, at: int, marker: str) -> _Head | None:
    start = text.rfind("\n", 0, at) + 1
    place = text[start:at]
    if len(place) > 4096 or not (_PLACE.match(place) or _BARE_PLACE.match(place)):
        return None
    return _Head(start, at + len(marker), marker[2:-2], place)


def _diagnostics(text: str, heads: list[_Head], end: int, name: str) -> tuple[Diagnostic, ...]:
    found: list[Diagnostic] = []
    ends = [*(head.start for head in heads[1:]), end]
    for head, stop in zip(heads, ends[: len(heads)], strict=True):
        if head.kind == "dump":
            continue
        message = _message(text[head.text : min(stop, head.text + 4 * MAX_MESSAGE_CHARS)])
        if head.kind == "note":
            if found:
                last = found[-1]
                found[-1] = Diagnostic(last.severity, last.message, last.location, (*last.notes, message))
            continue
        found.append(Diagnostic(head.kind, message, _location(head.place, name)))
    return tuple(found)


def _message(block: str) -> str:
    """The message at the head of `block`, without the quoted source line and the caret below it."""
    first, newline, rest = block.partition("\n")
    if not newline or not rest.strip():
        return first.strip()[:MAX_MESSAGE_CHARS]
    caret = _CARET.search(rest)
    more = rest[: rest.rfind("\n", 0, max(caret.start() - 1, 0)) + 1] if caret else rest
    return (first + "\n" + more).strip()[:MAX_MESSAGE_CHARS]


def _location(place: str, name: str) -> Location | None:
    match = _PLACE.match(place)
    if match is None:
        return None
    line, column = int(match["line"]), int(match["column"] or 0)
    same = match["file"] == name or match["file"].rsplit("/", 1)[-1] == name.rsplit("/", 1)[-1]
    return Location(line, column) if same and line > 0 else None


def _pass_name(text: str, head: _Head) -> str:
    match = _DUMP_LINE.match(text, head.start)
    assert match is not None
    return match["name"].rsplit("::", 1)[-1]


def _frames(dump: str) -> tuple[str, ...]:
    """The frames below the signal's own, innermost first."""
    raw = _symbolised(dump) or _plain(dump) or _backtrace(dump)
    last_handler = max((i for i, (symbol, _) in enumerate(raw[:8]) if symbol and _HANDLER.search(symbol)), default=-1)
    first_libc = next((i for i, (_, place) in enumerate(raw[:8]) if _LIBC.match(place)), -1)
    start = max(last_handler + 1, first_libc + 1 if first_libc <= last_handler + 2 or last_handler < 0 else 0)
    return tuple(symbol or place for symbol, place in raw[start:] if symbol or place)[:MAX_FRAMES]


def _symbolised(dump: str) -> list[tuple[str, str]]:
    """(symbol, library+offset) of ` #4 0x… function (library+0x…)` or `… file:line:column`, by llvm-symbolizer."""
    frames: list[tuple[str, str]] = []
    for match in _SYMBOLISED.finditer(dump):
        if int(match["number"]) < len(frames):
            break
        rest = match["rest"] or ""
        place = _IN_LIBRARY.search(rest)
        symbol = rest[: place.start()] if place else _SOURCE.sub("", rest)
        frames.append((symbol.strip(), f"{_basename(place['path'])}+{place['offset']}" if place else ""))
    return frames


def _plain(dump: str) -> list[tuple[str, str]]:
    """(symbol, library+offset) of `4  library 0x… function + 12`, printed when there is no llvm-symbolizer.

    The addresses move from run to run. Their distance to the first frame, a fixed place in the compiler's library, does
    not: a frame of another library has no offset. `(error)` is an address in no library.
    """
    matches: list[re.Match[str]] = []
    for match in _PLAIN.finditer(dump):
        if int(match["number"]) != len(matches):
            break
        matches.append(match)
    if not matches:
        return []
    home, base = matches[0]["library"], int(matches[0]["address"], 16)
    frames = []
    for match in matches:
        library = "" if match["library"] == "(error)" else _basename(match["library"])
        place = f"{library}{int(match['address'], 16) - base:+#x}" if match["library"] == home else library
        frames.append((match["symbol"] or "", place))
    return frames


def _backtrace(dump: str) -> list[tuple[str, str]]:
    """(symbol, library+offset) of glibc's `library(symbol+0x1) [0x…]`."""
    return [(m["symbol"] or "", f"{_basename(m['library'])}+{m['offset'] or '0x0'}") for m in _BACKTRACE.finditer(dump)]


def _basename(path: str) -> str:
    return path.rsplit("/", 1)[-1]


def line_and_column(text: str, offsets: list[int]) -> list[Location]:
    """The locations of character offsets into `text`, both counted from 1."""
    starts = [0]
    starts += [i + 1 for i in _occurrences(text, "\n", len(text))]
    return [Location(n := bisect_right(starts, at), at - starts[n - 1] + 1) for at in offsets]
