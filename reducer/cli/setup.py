"""From what was asked and what the file's header says to a case.

The command line wins over the header, the header over the defaults. Owns that precedence and nothing else: each part is
checked by the module that knows it.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from oracles.experiment import NUMPY
from oracles.registry import ORACLES, UsageError, make, runs_programs
from oracles.verdict import Oracle
from reducer.case import Case
from reducer.cli.pasted import parse_pasted
from reducer.cli.requests import CaseRequest
from reducer.cli.runs import read_inputs
from reducer.cli.source import Source, read_source
from reducer.errors import InputError
from reducer.header import Directive, Header, parse_header
from reducer.runnable import check_runnable, other_way
from reducer.toolchain.flags import check_flags, split_flag
from reducer.toolchain.releases import resolve
from reducer.toolchain.targets import DEFAULT_TARGET, target_flags

T = TypeVar("T")

_BACKEND = re.compile(r"--iree-hal-(target-(backends|devices?)|local-target-device-backends|default-device)")
_TARGET = re.compile(rf"{_BACKEND.pattern}|--iree-(llvmcpu|cuda|rocm|hip|vulkan|metal|vmvx)-target\b.*")


@dataclass(frozen=True)
class Plan:
    """A case that is ready to be judged.

    settled: what was decided about the oracle, in the words of a header. shown_as: the program as the user named it.
    keep: files that must never be overwritten.
    """

    case: Case
    source: Source
    settled: Directive
    shown_as: str
    keep: tuple[Path, ...]


def plan_case(request: CaseRequest, report: Callable[[str], None]) -> Plan:
    """Read the program and settle every question about its case. Raises ReducerError.

    report: told, in one line, of what takes long (installing a release).
    """
    pasted = parse_pasted(request.words, request.program) if request.words is not None else None
    program = request.program if request.program is not None else pasted.program if pasted else None
    if program is None:
        raise InputError("no program given; name an .mlir file, or - for standard input; see the command's --help")
    source = read_source(program)
    header = Header() if source.bytecode else parse_header(source.text, take_flags=pasted is None)
    name = request.oracle or _only_oracle(header)
    said = header.for_oracle(name) or Directive()
    settled = _settle(name, request, said)
    oracle = _make(settled, request)
    toolchain = resolve(request.iree or said.iree, report)
    if pasted is not None:
        target, flags = _choose_target(request.target, said.target, pasted.flags, pasted=True)
    else:
        in_file = said.flags if said.flags is not None else header.run_flags or ()
        target, flags = _choose_target(request.target, said.target, in_file, pasted=False)
    if target is not None:
        chosen = target_flags(target, toolchain.release)
    else:
        chosen = tuple(flag for flag in flags if _BACKEND.fullmatch(split_flag(flag)[0]))
    own = tuple(flag for flag in flags if flag not in chosen)
    runs = runs_programs(oracle)
    if not runs and (given := _only_for_runs(request)):
        raise InputError(f"{given} is for oracles that run the program, not for {name}; try --oracle wrong-result")
    case = Case(
        source.name, source.text, oracle, toolchain, target or "", chosen, own,
        other=other_way(settled.reference, toolchain, chosen, report) if runs else None,
        inputs=read_inputs(settled.inputs or ()) if runs else (),
    )  # fmt: skip
    if runs:
        check_runnable(case)
    check_flags(toolchain, case.command())
    keep = tuple(path for path in (source.path, *_script_files(request.script)) if path is not None)
    return Plan(case, source, settled, program, keep)


def _choose_target(
    asked: str | None, in_file: str | None, flags: tuple[str, ...], *, pasted: bool
) -> tuple[str | None, tuple[str, ...]]:
    """The target by name, None where the flags choose one themselves; and the flags that stay beside it.

    --target wins; then flags after `--` that choose one; then the header's target; then the header's flags.
    """
    names_one = any(_BACKEND.fullmatch(split_flag(flag)[0]) for flag in flags)
    if pasted:
        return (asked or (None if names_one else in_file or DEFAULT_TARGET)), flags
    target = asked or in_file
    if target is not None:
        return target, tuple(flag for flag in flags if not _TARGET.fullmatch(split_flag(flag)[0]))
    return (None if names_one else DEFAULT_TARGET), flags


def _only_for_runs(request: CaseRequest) -> str:
    """The first option given that only oracles that run the program understand; "" if there is none."""
    values = {"--input": request.inputs or None, "--reference": request.reference, "--rtol": request.rtol}
    return next((name for name, value in {**values, "--atol": request.atol}.items() if value is not None), "")


def _settle(name: str, request: CaseRequest, said: Directive) -> Directive:
    """What the oracle is asked, the command line before the header."""
    return Directive(
        oracle=name,
        match=_first(request.match, said.match),
        flag=_first(request.flag, said.flag),
        expect=_first(request.expect, said.expect),
        timeout=_first(request.timeout_s, said.timeout),
        signature=_first(request.signature, said.signature),
        inputs=request.inputs or said.inputs,
        reference=_first(request.reference, said.reference),
        rtol=_first(request.rtol, said.rtol),
        atol=_first(request.atol, said.atol),
    )


def _only_oracle(header: Header) -> str:
    """The oracle that the header names, if it names exactly one."""
    names = list(dict.fromkeys(d.oracle for d in header.directives if d.oracle is not None))
    if len(names) != 1:
        choice = f"the file's header names {', '.join(names)}" if names else ", ".join(kind.name for kind in ORACLES)
        raise InputError(f"which fault? name it with --oracle: {choice}")
    return names[0]


def check_oracles(header: Header) -> None:
    """Raise InputError for what a header says of an oracle that is wrong in itself."""
    for said in header.directives:
        if said.oracle is not None:
            _make(said, CaseRequest(program=None, script="true" if said.oracle == "script" else None))


def _make(settled: Directive, request: CaseRequest) -> Oracle:
    assert settled.oracle is not None
    try:
        return make(
            settled.oracle,
            match=settled.match,
            level=settled.signature or "message",
            flag=settled.flag,
            expect=settled.expect,
            timeout_s=settled.timeout,
            script=tuple(_script(request.script)) if request.script is not None else None,
            exit_interesting=request.exit_interesting or "zero",
            reference=settled.reference or NUMPY,
            rtol=settled.rtol,
            atol=settled.atol,
        )
    except UsageError as error:
        raise InputError(str(error)) from error


def _first(*choices: T | None) -> T | None:
    return next((choice for choice in choices if choice is not None), None)


def _script(command: str) -> list[str]:
    """The words of `--script`. A path with blanks in it that exists is one word."""
    if Path(command).is_file():
        return [os.path.abspath(command)]
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise InputError(f"--script {command!r}: {error}") from error
    if not words:
        raise InputError("--script is empty; give the command that judges a program")
    return [os.path.abspath(words[0]) if os.sep in words[0] else words[0], *words[1:]]


def _script_files(command: str | None) -> list[Path]:
    return [Path(word) for word in _script(command) if os.path.isfile(word)] if command is not None else []
