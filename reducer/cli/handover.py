"""From a result to what `reducer.report` writes: the header's directive, and how a script can tell the fault.

Knows which question each oracle leaves to a reader who has only `iree-compile`.
"""

from __future__ import annotations

from dataclasses import replace

from oracles.dispatch_count import DispatchCount
from oracles.hang import Hang
from oracles.no_op_flag import NoOpFlag
from oracles.run_fault import RunFault
from oracles.script import Script as ScriptOracle
from oracles.verdict import Verdict
from reducer.case import Case, Result
from reducer.header import Directive
from reducer.report.asking import match_of, release_in_header, said, silent_pass
from reducer.report.repro import Repro
from reducer.report.shell import Check, Crashes, Dispatches, Hangs, PassFails, RunGoesWrong, SameWork, SaysError, Script

RUN_TIMEOUT_S = 60.0


def make_repro(result: Result, settled: Directive, file_name: str) -> Repro:
    """The result for the writers of reports. settled: what the options and the seed's header said of the oracle."""
    case = result.case
    run = result.verdict.run
    directive = replace(
        settled,
        iree=release_in_header(case.toolchain),
        target=case.target or None,
        match=settled.match or match_of(case, result.verdict, settled.signature),
        flags=result.flags if case.target else (*case.target_flags, *result.flags),
        inputs=run.inputs if run is not None else None,
    )
    return Repro(
        program=result.program,
        file_name=file_name,
        release=case.toolchain.release,
        flags=case.command(result.flags),
        phase=result.verdict.phase or "end",
        directive=directive,
        seen=f"{case.oracle.name}: {result.verdict.reason}",
        run=run,
    )


def make_original(repro: Repro, case: Case, program: str, file_name: str, *, seen: str) -> Repro:
    """The program that a repro was made from, under a header by which `reduce check` sees the fault on it too.

    case: as it was before; seen: what was seen on it, one line.
    """
    return replace(
        repro, program=program, file_name=file_name, flags=case.command(), run=None,
        directive=replace(
            repro.directive, flags=case.flags if case.target else (*case.target_flags, *case.flags),
            inputs=case.inputs or None,
        ),
        seen=f"{case.oracle.name}: {seen}",
    )  # fmt: skip


def make_check(case: Case, verdict: Verdict) -> Check:
    """How a script that has only the stock compiler can tell that the fault of `verdict` is there."""
    oracle = case.oracle
    if isinstance(oracle, NoOpFlag):
        return SameWork(oracle.flag)
    if isinstance(oracle, DispatchCount):
        return Dispatches(oracle.expect + 1)
    if isinstance(oracle, Hang):
        return Hangs(oracle.timeout_s)
    if isinstance(oracle, ScriptOracle):
        return Script(oracle.argv, nonzero=oracle.exit_interesting == "nonzero")
    if verdict.run is not None:
        limit_s = oracle.run.timeout_s if isinstance(oracle, RunFault) else None
        return RunGoesWrong(verdict.run, oracle.name, limit_s or RUN_TIMEOUT_S)
    if oracle.name == "two-dispatches":
        return Dispatches(2)
    if oracle.name == "crash":
        return Crashes()
    silent = silent_pass(verdict)
    return PassFails(silent) if silent is not None else SaysError((said(verdict),))
