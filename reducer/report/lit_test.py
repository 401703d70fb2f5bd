"""The repro as a test for lit and FileCheck: it passes where the fault shows, and fails where it does not.

The CHECK lines hold what the oracle saw: an error's words, the pass that fails, a crash, or which ops are in which
dispatch. Needs nothing but `lit`, `FileCheck` and the stock tools on PATH.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence

from reducer.errors import InputError
from reducer.header import without_header
from reducer.report.document import Document
from reducer.report.repro import run_arguments
from reducer.report.shell import Crashes, Dispatches, PassFails, RunGoesWrong, SameWork, SaysError
from reducer.toolchain.flags import drop_flags

_TOKEN = re.compile(
    r"flow\.executable private|flow\.dispatch @|tensor\.pad|(?:linalg|iree_linalg_ext)\.(?!yield|index)[a-z_0-9]+"
)
_PAD = "tensor.pad"


def write_lit_test(document: Document) -> str:
    """The text of the test. Raises InputError for a fault that FileCheck cannot tell."""
    runs, checks = _lines(document)
    head = [f"// RUN: {run} | FileCheck %s" for run in runs]
    said = " ".join(f"{document.oracle}: {document.reason}".split())
    release = f"IREE {document.repro.release}" if document.repro.release else "a build of IREE"
    program = without_header(document.repro.program).strip("\n")
    about = f"// Passes where the fault shows, as with {release}: {said[:300]}"
    return "\n".join([*head, "", about, *checks, "", program, ""])


def _lines(document: Document) -> tuple[list[str], list[str]]:
    repro, check = document.repro, document.check
    to = [] if repro.phase == "end" else [f"--compile-to={repro.phase}"]
    compiling = _command("iree-compile", ["%s", *repro.flags, *to, "-o", "/dev/null"])
    match check:
        case SaysError(texts):
            lines = [text.splitlines()[0] for text in texts if text.strip()]
            return [f"not {compiling} 2>&1"], [f"// CHECK: {_literal(line)}" for line in lines]
        case PassFails(pass_name):
            more = ("--mlir-print-ir-after-failure", "--mlir-disable-threading")
            printing = _command("iree-compile", ["%s", *dict.fromkeys((*repro.flags, *more)), *to, "-o", "/dev/null"])
            return [f"not {printing} 2>&1"], [f"// CHECK: IR Dump After {pass_name} Failed"]
        case Crashes():
            # `not --crash` is a program of LLVM's build, which lit alone does not have
            telling = """sh -c '"$@"; echo "status $?"' sh"""
            return [f"{telling} {compiling} 2>/dev/null"], ["// CHECK: status {{129|1[3-9][0-9]|2[0-9][0-9]}}"]
        case SameWork(flag):
            rest = drop_flags(repro.flags, [flag])
            return [_flow(repro.flags), _flow(rest)], _work(document)
        case Dispatches():
            return [_flow(repro.flags)], _work(document)
        case RunGoesWrong(run, "wrong-result", _):
            words = run_arguments(run, compared=True)
            made = _command("iree-compile", ["%s", *repro.flags, "-o", "%t.vmfb"])
            ran = _command("iree-run-module", ["--module=%t.vmfb", "--device=local-sync", *words])
            return [f"{made} && not {ran} 2>&1"], ["// CHECK: [FAILED]"]
        case _:
            raise InputError(f"a {document.oracle} repro cannot be told by FileCheck; use --format sh")


def _flow(flags: Sequence[str]) -> str:
    return _command("iree-compile", ["%s", *flags, "--compile-to=flow", "-o", "-"])


def _work(document: Document) -> list[str]:
    """Which ops are in which dispatch, in the order of the text, and that no pad is anywhere else."""
    with_flags = document.flows[-1].ir if document.flows else ""
    lines: list[str] = []
    padded = False
    for token in _TOKEN.findall(with_flags):
        if token != _PAD and not padded:
            lines.append(f"// CHECK-NOT: {_PAD}")
        lines.append(f"// CHECK: {token}")
        padded = token == _PAD
    return [*lines, f"// CHECK-NOT: {_PAD}", "// CHECK-NOT: flow.dispatch @"]


def _command(tool: str, words: Sequence[str]) -> str:
    """A command of a RUN line, where `%s` and `%t` are lit's and any other `%` is doubled."""
    quoted = (shlex.quote(re.sub(r"%(?!s\Z|t\.vmfb\Z)", "%%", word)) for word in words)
    return " ".join([tool, *quoted])


def _literal(line: str) -> str:
    """Text that FileCheck takes as it stands: up to what it would read as a pattern."""
    return re.split(r"\[\[|\{\{", line)[0].strip()
