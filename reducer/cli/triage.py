"""`reduce triage`: what do the flags do to this program?

Owns the precedence of the command line over the file's header, and the exit code.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, fields

from reducer.cli.check import bytecode_as_text
from reducer.cli.console import Out
from reducer.cli.exits import Exit
from reducer.cli.json_file import check_json_path, write_json
from reducer.cli.pasted import parse_pasted
from reducer.cli.requests import TriageRequest
from reducer.cli.runs import read_inputs
from reducer.cli.setup import check_oracles
from reducer.cli.source import Source, read_source
from reducer.cli.triage_tables import document, reasons_text, tables
from reducer.errors import InputError, TargetError
from reducer.header import Directive, Header, parse_header, program_digest
from reducer.toolchain.flags import check_flags, normalise, split_flag
from reducer.toolchain.pool import Limits
from reducer.toolchain.releases import Toolchain, resolve
from reducer.toolchain.targets import DEFAULT_TARGET, TARGET_OPTIONS, TARGETS, target_flags
from reducer.triage.bench import Bench
from reducer.triage.facts import FlagSet, default_sets
from reducer.triage.survey import Subject, survey
from reducer.triage.why import reasons


@dataclass(frozen=True)
class _Plan:
    """What is asked of which program. shown_as: as the user named it; base: the flags in every set."""

    shown_as: str
    digest: str
    toolchain: Toolchain
    subject: Subject
    sets: tuple[FlagSet, ...]
    base: tuple[str, ...]


def run_triage(request: TriageRequest) -> Exit:
    """Look, and say what was seen. Raises ReducerError for what cannot be looked at."""
    out = Out(request.verbosity, to_stderr=request.json == "-")
    plan = _plan(request, out)
    limits = Limits(request.timeout_s, request.memory_bytes)
    with Bench(plan.toolchain, request.jobs, limits) as bench:
        try:
            facts = survey(bench, plan.subject, plan.sets, plan.base)
        except InputError as error:
            raise InputError(f"{plan.shown_as}: {error}") from error
        out.say(f"{plan.shown_as} · IREE {facts.release}")
        for line in tables(facts):
            out.say(line)
        found = reasons(bench, plan.subject, facts) if request.why else ()
    for line in reasons_text(found):
        out.say(line)
    code = Exit.CONFIRMED if facts.any_wrong else Exit.NO_FAULT
    if request.json is not None:
        seen = document(facts, found, plan.subject.targets, code)
        write_json(request.json, {"program": plan.shown_as, "digest": plan.digest, **seen})
    return code


def _plan(request: TriageRequest, out: Out) -> _Plan:
    pasted = parse_pasted(request.words, request.program) if request.words is not None else None
    program = request.program if request.program is not None else pasted.program if pasted else None
    if program is None:
        raise InputError("no program given; name an .mlir file, or - for standard input; see `reduce triage --help`")
    source = read_source(program)
    if request.json is not None:
        check_json_path(request.json, [source.path] if source.path is not None else [])
    header = Header() if source.bytecode else parse_header(source.text, take_flags=pasted is None)
    check_oracles(header)
    said = _said(header)
    toolchain = resolve(request.iree or said.iree, out.say)
    in_file = said.flags if said.flags is not None else header.run_flags or ()
    flags = pasted.flags if pasted is not None else in_file
    targets = request.targets or _targets_of(flags, said.target, toolchain.release)
    base = tuple(flag for flag in flags if split_flag(flag)[0] not in TARGET_OPTIONS)
    check_flags(toolchain, flags)
    standing = {flag for target in targets for flag in target_flags(target, toolchain.release)}
    if left_out := [flag for flag in flags if flag not in base and flag not in standing]:
        out.say(f"left out: {' '.join(left_out)}; what is compiled for is {', '.join(targets)}")
    for target in targets:
        check_flags(toolchain, (*target_flags(target, toolchain.release), *base))
    sets = _compared(request.compare, base) if request.compare else default_sets(base)
    shared = tuple(flag for flag in base if all(flag in s.flags for s in sets))
    inputs = read_inputs(request.inputs or said.inputs or ())
    subject = Subject(_text(source, toolchain, program), targets, inputs, request.seed)
    return _Plan(program, program_digest(source.text), toolchain, subject, sets, shared)


def _said(header: Header) -> Directive:
    """What the header says whichever fault is meant: its only line, or what all its lines agree on."""
    lines = header.directives
    if len(lines) < 2:
        return lines[0] if lines else Directive()
    agreed = {f.name: getattr(lines[0], f.name) for f in fields(Directive)}
    same = {k: v for k, v in agreed.items() if all(getattr(line, k) == v for line in lines)}
    return Directive(**same)


def _text(source: Source, toolchain: Toolchain, shown_as: str) -> str:
    return bytecode_as_text(source.text, toolchain, shown_as) if source.bytecode else source.text


def _compared(sets: tuple[str, ...], base: tuple[str, ...]) -> tuple[FlagSet, ...]:
    """The sets that the user gives, called by what they add to `base`, which loses the flags that one of them names."""
    found = []
    for text in sets:
        try:
            found.append(normalise(shlex.split(text)))
        except ValueError as error:
            raise InputError(f"--compare {text!r}: {error}") from error
    varied = {split_flag(flag)[0] for own in found for flag in own}
    rest = tuple(flag for flag in base if split_flag(flag)[0] not in varied)
    if len(found) == 1:
        found.insert(0, ())
    return tuple(FlagSet(" ".join(own) or "none", (*rest, *own)) for own in dict.fromkeys(found))


def _targets_of(flags: tuple[str, ...], named: str | None, release: str) -> tuple[str, ...]:
    """The target that flags choose, by name; or else the header's, or llvm-cpu."""
    chosen = {split_flag(flag)[0] for flag in flags} & {"--iree-hal-target-backends", "--iree-hal-target-device"}
    if not chosen:
        return (named or DEFAULT_TARGET,)
    values = ["", *(value for flag in flags if (value := split_flag(flag)[1]))]
    for target in TARGETS:
        for name in (f"{target.name}:{value}" if value else target.name for value in values):
            try:
                wanted = target_flags(name, release)
            except TargetError:
                continue
            if set(wanted) <= set(flags):
                return (name,)
    if "--iree-hal-target-backends=llvm-cpu" in flags:
        return (DEFAULT_TARGET,)
    raise InputError(f"the flags choose a target ({' '.join(sorted(chosen))}) that has no name here; give --target")
