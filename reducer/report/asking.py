"""The words of a header that ask the same question again: of an oracle, and of the fault that it found.

The inverse of `oracles.registry.make`: an oracle made from these words judges as the given one does.
"""

from __future__ import annotations

import re

from oracles.dispatch_count import DispatchCount
from oracles.dispatches import FLAG_CONSUMER
from oracles.experiment import NUMPY
from oracles.hang import Hang
from oracles.judging import ANY, Wanted
from oracles.no_op_flag import NoOpFlag
from oracles.run_fault import RunFault
from oracles.verdict import Oracle, Verdict
from oracles.wrong_result import WrongResult
from reducer.case import Case
from reducer.header import Directive
from reducer.toolchain.releases import KNOWN_RELEASES, Toolchain

_SILENT = re.compile(r"silent failure of (\w+)")
_EMBEDDED_OP = re.compile(r": (?:%\S+ = )?\"[\w.$]+\"\(")
_REGEX_CHARS = re.compile(r"([\\.^$*+?{}\[\]|()])")
_TOLD_BY_MESSAGE = ("translation-error", "diagnostic", "unsupported-fusion")


def directive_of(case: Case, verdict: Verdict) -> Directive:
    """The header by which `reduce check` sees the verdict's fault on the case's program."""
    oracle = case.oracle
    wanted: Wanted = getattr(oracle, "wanted", ANY)
    level = wanted.level if wanted.level != ANY.level else None
    run = oracle.run if isinstance(oracle, WrongResult | RunFault) else None
    return Directive(
        oracle=oracle.name,
        iree=release_in_header(case.toolchain),
        target=case.target or None,
        match=wanted.match or match_of(case, verdict, level),
        flag=oracle.flag if isinstance(oracle, NoOpFlag) and oracle.flag != FLAG_CONSUMER else None,
        expect=oracle.expect if isinstance(oracle, DispatchCount) else None,
        timeout=_timeout_s(oracle),
        signature=level,
        inputs=verdict.run.inputs if verdict.run is not None else None,
        reference=run.reference if run is not None and run.reference != NUMPY else None,
        rtol=run.rtol if run is not None else None,
        atol=run.atol if run is not None else None,
        flags=case.flags if case.target else (*case.target_flags, *case.flags),
    )


def release_in_header(toolchain: Toolchain) -> str | None:
    """The release as a file may name it; None for one that is known by its path alone."""
    named = toolchain.source != "path" or toolchain.release in KNOWN_RELEASES
    return toolchain.release or None if named else None


def match_of(case: Case, verdict: Verdict, level: str | None) -> str | None:
    """A regular expression that holds `reduce check` to the verdict's fault; None where the oracle says enough."""
    if case.oracle.name not in _TOLD_BY_MESSAGE or level == "class":
        return None
    silent = silent_pass(verdict)
    return silent if silent is not None else _REGEX_CHARS.sub(r"\\\1", said(verdict))


def silent_pass(verdict: Verdict) -> str | None:
    """The pass that failed without a word, if that is what the verdict says."""
    silent = _SILENT.match(verdict.reason)
    return silent[1] if silent else None


def said(verdict: Verdict) -> str:
    """The compiler's own words, as far as the verdict quotes them and they do not quote the program."""
    return _EMBEDDED_OP.split(verdict.reason, maxsplit=1)[0].removesuffix("…")


def _timeout_s(oracle: Oracle) -> float | None:
    if isinstance(oracle, Hang):
        return oracle.timeout_s
    return oracle.run.timeout_s if isinstance(oracle, RunFault) else None
