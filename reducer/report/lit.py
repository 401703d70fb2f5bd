"""NAME.reduced.mlir: the program, under a header that a person, lit and `reduce check` can all use."""

from __future__ import annotations

import shlex
from dataclasses import replace

from oracles.script import Script
from reducer.header import directive_line, run_line, without_header
from reducer.report.repro import Repro, run_arguments
from reducer.toolchain.flags import split_flag
from reducer.toolchain.untrusted import reason_to_refuse

_SEEN_CHARS = 500


def write_repro(repro: Repro) -> str:
    """The text of the file: what was seen, the RUN line, the reduce line, the program.

    Where a script of the user's judges, a compilation shows nothing: a line says so in place of the RUN line.

    Flags that a file may not ask for (`toolchain.untrusted`) stay in the RUN line, for a person to copy; a line above
    it says that `reduce check` wants them on its command line.
    """
    refused = [flag for flag in repro.flags if reason_to_refuse(flag)]
    lines = [f"// IREE {repro.release or '(a build without a version)'}: {shortened(repro.seen)}"]
    if refused:
        names = ", ".join(dict.fromkeys(split_flag(flag)[0] for flag in refused))
        lines.append(f"// A file may not ask for {names}: give `reduce check` the flags below after `--`.")
    directive = replace(repro.directive, flags=None) if refused else repro.directive
    by_script = "// Judged by a script of the user's: give `reduce check` the same --script (and --exit-interesting)."
    how = by_script if directive.oracle == Script.name else _run_line(repro)
    lines += [how, directive_line(directive), ""]
    return "\n".join(lines) + "\n" + _bare(repro) + "\n"


def header_lines(repro: Repro) -> int:
    """How many lines stand above the program in its file, where its own lines are as many further down."""
    written = write_repro(repro)
    return written[: -len(_bare(repro)) - 1].count("\n")


def _bare(repro: Repro) -> str:
    return without_header(repro.program).strip("\n")


def _run_line(repro: Repro) -> str:
    """The RUN line of the compilation; of a program that is run, with the run after it."""
    line = run_line(repro.flags, repro.phase)
    run = repro.run
    if run is None:
        return line
    words = shlex.join(run_arguments(run, compared=True)).replace("%", "%%")
    compiled = line.removesuffix("-o /dev/null") + "-o %t.vmfb"
    return f"{compiled} && iree-run-module --module=%t.vmfb --device=local-sync {words}"


def shortened(text: str) -> str:
    """One line of at most 500 characters."""
    line = " ".join(text.split())
    return line if len(line) <= _SEEN_CHARS else line[: _SEEN_CHARS - 1] + "…"
