"""The stable identity of a fault, from what IREE printed.

A signature survives renamed values and symbols, other shapes, numbers, line numbers and file names, and keeps apart
what differs in words or op names. Owns the normalisation and the grouping of errors by failing executable; whether
a fault is the one wanted is the oracle's business.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, get_args

from oracles.experiment import Diagnostic, Location, Observation, Status

Level = Literal["exact", "message", "class"]
LEVELS: tuple[Level, ...] = get_args(Level)

MAX_SIGNATURE_CHARS = 400
NAMED_FRAMES = {"exact": 8, "message": 3, "class": 0}

TRANSLATION = "translation"
SERIALIZATION = "serialization"
COMPILATION = "compilation"
CRASH = "crash"

_TRANSLATE_PASSES = frozenset(
    {"TranslateTargetExecutableVariantsPass", "TranslateExecutablesPass", "TranslateAllExecutablesPass"}
)
_SERIALIZE_PASSES = frozenset(
    {"SerializeTargetExecutablesPass", "SerializeExecutablesPass", "SerializeAllExecutablesPass"}
)
_TRANSLATED = re.compile(r"failed to run (?:translation|configuration) of source executable")
_SERIALIZED = re.compile(r"failed to serialize executable for target backend")
_TAIL = re.compile(
    r"failed to (?:run (?:translation|configuration) of source executable|serialize executables?\b"
    r"|configure executables|generate bytecode|translate executables|canonicalize vm\.module)"
    r"|failed to translate the MLIR LLVM dialect|unable to fully apply conversion"
    r"|conversion to vm\.module failed|Did you mean '"
)

_EMBEDDED_OP = re.compile(
    r"(failed to legalize operation '[^']+'(?: that was explicitly marked illegal)?):.*\Z"
    r"|: (?:%\S+ = )?\"[\w.$]+\"\(.*\Z",
    re.DOTALL,
)
_BACKEND = re.compile(r" for backend #hal\.executable\.target<.*\Z", re.DOTALL)
_SYMBOL_WORD = re.compile(r"\b(function|symbol|callee|global|executable) '[^']*'")
_SPELLINGS = ((re.compile(r"\bfaild\b"), "failed"),)
_SUBSTITUTIONS = (
    (re.compile(r"@(?:\"[^\"]*\"|[\w.$-]+)"), "@_"),
    (re.compile(r"%(?:\"[^\"]*\"|[\w.$-]+)(?::\d+|#\d+)?|<<UNKNOWN SSA VALUE>>"), "%_"),
    (re.compile(r"\b[su]?i\d+\b|\b(?:bf16|tf32|f\d+(?:E\d+M\d+\w*)?)\b"), "TYPE"),
    (re.compile(r"(?<![\w.])-?\d+(?:x\d+)+\b"), "N"),
    (re.compile(r"(?<![\w.])-?(?:0x[0-9a-fA-F]+|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)\b"), "N"),
    (re.compile(r"'TYPE'(?:, 'TYPE')+"), "'TYPE'"),
    (re.compile(r"\bN(?:, N)+\b"), "N"),
    (re.compile(r"\s+"), " "),
)
_ANGLED = re.compile(r"(?:[!#][\w.$]+|\b(?:tensor|memref|vector|complex|tuple|array|dense|affine_map|affine_set))<")

_GENERIC_FRAME = re.compile(
    r"^(?:abort|raise|gsignal|_?exit|__|pthread_kill|std::|call_init|operator |malloc|free|cfree)"
    r"|llvm::function_ref|callback_fn|PrintStackTrace|report_fatal_error|llvm_unreachable|GreedyPatternRewriteDriver"
    r"|RegionPatternRewriteDriver|applyPatternsGreedily|applyPatternsAndFoldGreedily|PatternApplicator|OpToOpPassAdaptor"
    r"|PassManager|OperationLegalizer|OperationConverter|applyConversion|mlir::Operation::fold$|assert_fail"
)
_WHOLE_LIBRARY = re.compile(r"\.so(?:\.\d+)*$")
_PASS_FRAME = re.compile(r"(\w+)::runOnOperation(?:Sync)?$")
_ADAPTOR = re.compile(r"OpPipelineAdaptor|OpToOpPassAdaptor")
_FATAL = re.compile(r"\ALLVM ERROR: |Assertion [`']")


@dataclass(frozen=True)
class Fault:
    """One fault that an observation shows.

    kind: TRANSLATION, SERIALIZATION, COMPILATION (any other failing pass or stage) or CRASH.
    signature: at the level that was asked for.
    message: what was said, raw; for a silent failure the name of the pass.
    raw: all the text that a user's regular expression is matched against.
    failing_pass: the innermost pass that failed; "" if unknown.
    locations: of the error itself and of the executable, in this order, where known.
    """

    kind: str
    signature: str
    message: str
    raw: str
    failing_pass: str = ""
    locations: tuple[Location, ...] = ()


def normalise(message: str) -> str:
    """The part of a diagnostic that stays the same when the program shrinks: its first line, without what can vary."""
    line = message.split("\n", 1)[0]
    line = _EMBEDDED_OP.sub(lambda m: m.group(1) or "", line)
    line = _BACKEND.sub("", line)
    line = _SYMBOL_WORD.sub(r"\1 '_'", line)
    line = _without_types(line)
    for pattern, replacement in (*_SPELLINGS, *_SUBSTITUTIONS):
        line = pattern.sub(replacement, line)
    return line.strip()[:MAX_SIGNATURE_CHARS]


def _without_types(line: str) -> str:
    """Replace every type and attribute in angle brackets, however nested, by TYPE."""
    parts: list[str] = []
    at = 0
    while (match := _ANGLED.search(line, at)) is not None:
        parts += (line[at : match.start()], "TYPE")
        at = _closing(line, match.end())
    return "".join((*parts, line[at:]))


def _closing(line: str, at: int) -> int:
    depth = 1
    while at < len(line) and depth:
        if line[at] == "<":
            depth += 1
        elif line[at] == ">" and line[at - 1] != "-":
            depth -= 1
        at += 1
    return at


def faults(observation: Observation, level: Level) -> tuple[Fault, ...]:
    """The faults that an observation shows, first seen first; empty if it compiled, or was stopped by a limit."""
    if observation.status is Status.CRASHED:
        return (crash_fault(observation, level),)
    if observation.status is not Status.FAILED:
        return ()
    found: list[Fault] = []
    for errors, passes in _groups(observation):
        found += _group_faults(errors, passes, level)
    unique = {fault.signature: fault for fault in reversed(found)}
    return tuple(sorted(unique.values(), key=found.index))


def _groups(observation: Observation) -> list[tuple[list[Diagnostic], list[str]]]:
    """Errors and failing passes by failing executable: each ends with its own complaint and its own outer pass."""
    errors: list[list[Diagnostic]] = [[]]
    for diagnostic in observation.errors:
        errors[-1].append(diagnostic)
        if _TRANSLATED.search(diagnostic.message):
            errors.append([])
    passes: list[list[str]] = [[]]
    for name in observation.failing_passes:
        if passes[-1] and passes[-1][-1] in _TRANSLATE_PASSES and name not in _TRANSLATE_PASSES:
            passes.append([])
        passes[-1].append(name)
    errors = [group for group in errors if any(not _is_outer(d) for d in group)] or [list(observation.errors)]
    if len(errors) != len(passes):
        merged = [name for group in passes for name in group]
        return [(group, merged if index == 0 else []) for index, group in enumerate(errors)]
    return list(zip(errors, passes, strict=True))


def _is_outer(diagnostic: Diagnostic) -> bool:
    """Whether a message only says that executables, seen as a whole, failed."""
    return re.match(r"failed to (?:serialize|configure|translate) executables$", diagnostic.message) is not None


def _group_faults(errors: list[Diagnostic], passes: list[str], level: Level) -> list[Fault]:
    kind = _kind(errors, passes)
    innermost = next((name for name in passes if not _ADAPTOR.search(name)), "")
    where = tuple(d.location for d in errors if d.location is not None)
    raw = "\n".join(d.message for d in errors) + f"\n{innermost}"
    telling = [d for d in errors if not _TAIL.search(d.message)]
    if not telling and kind == COMPILATION and errors:
        telling = errors[:1]
    if not telling:
        if not innermost and not errors:
            return []
        text = f"silent failure of {innermost}" if innermost else normalise(errors[0].message)
        return [Fault(kind, _at_level(kind, text, innermost, level), text, raw, innermost, _distinct(where))]
    return [
        Fault(
            kind,
            _at_level(kind, normalise(d.message), innermost, level),
            d.message.split("\n", 1)[0],
            raw,
            innermost,
            _distinct(((d.location,) if d.location else ()) + where),
        )
        for d in telling
    ]


def _distinct(places: tuple[Location, ...]) -> tuple[Location, ...]:
    return tuple(dict.fromkeys(places))


def _kind(errors: list[Diagnostic], passes: list[str]) -> str:
    if any(_SERIALIZED.search(d.message) for d in errors) or _SERIALIZE_PASSES.intersection(passes):
        return SERIALIZATION
    if any(_TRANSLATED.search(d.message) for d in errors) or _TRANSLATE_PASSES.intersection(passes):
        return TRANSLATION
    return COMPILATION


def _at_level(kind: str, text: str, failing_pass: str, level: Level) -> str:
    if level == "class":
        return "an executable fails to translate" if kind in (TRANSLATION, SERIALIZATION) else "compilation fails"
    if level == "exact" and failing_pass and failing_pass not in text:
        return f"{text} [{failing_pass}]"
    return text


def crash_fault(observation: Observation, level: Level) -> Fault:
    """The fault of an observation that crashed: its fatal error's words, else its top frames, else its signal."""
    signal = f"signal {observation.signal}" if observation.signal is not None else "abnormal exit"
    fatal = next((d.message for d in observation.errors if _FATAL.search(d.message)), "")
    names = [short_frame(frame) for frame in observation.frames]
    failing_pass = next((m[1] for name in names if (m := _PASS_FRAME.search(name)) and not _ADAPTOR.search(name)), "")
    where = tuple(d.location for d in observation.errors if d.location is not None)
    raw = "\n".join((signal, *(d.message for d in observation.errors), *observation.frames))
    if level == "class":
        text = f"crash: {signal}"
    elif fatal:
        text = f"crash: {normalise(fatal)}"
    else:
        top = _top_frames(names, NAMED_FRAMES[level])
        text = f"crash: {signal}" + (f" in {' < '.join(top)}" if top else "")
    return Fault(CRASH, text[:MAX_SIGNATURE_CHARS], text, raw, failing_pass, _distinct(where))


def _top_frames(names: list[str], count: int) -> list[str]:
    """The innermost frames that tell something: not the machinery that every pass runs in, nor a library as a whole."""
    placed = [name for name in names if not _WHOLE_LIBRARY.search(name)]
    return ([name for name in placed if not _GENERIC_FRAME.search(name)] or placed)[:count]


def short_frame(frame: str) -> str:
    """A frame's qualified name: without return type, template arguments, parameters and namespaces of the project."""
    if re.fullmatch(r"\S+[+-]0x[0-9a-f]+", frame):
        return frame
    text = frame.replace("(anonymous namespace)::", "").replace("[abi:cxx11]", "")
    text = re.sub(r"operator(?:\(\)|<<?|>>?|<=>?|>=|->)", "operator", text)
    text = _drop_nested(_drop_nested(text, "<", ">").replace("->", ""), "(", ")")
    text = re.sub(r" (?:const|volatile|&&?|\[clone[^\]]*\]|\.\S+)(?= |$)", "", text.strip()).strip()
    words = text.rsplit(" ", 1)[-1] or frame
    return re.sub(r"^(?:mlir::|llvm::)?(?:iree_compiler::)?(?:IREE::)?", "", words).strip() or frame


def _drop_nested(text: str, opening: str, closing: str) -> str:
    depth = 0
    kept: list[str] = []
    for index, char in enumerate(text):
        if char == opening:
            depth += 1
        elif char == closing and depth and text[index - 1] != "-":
            depth -= 1
        elif not depth:
            kept.append(char)
    return "".join(kept)
