"""`reduce`: from the seed to the files of a confirmed repro.

Runs a session, writes what came of it, and has the stock compiler judge the written file once more, as its header says.
The session decides what is smaller and what still shows the fault; this module only knows what happens when.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from oracles.verdict import Verdict
from reducer import events
from reducer.case import Limits, Result
from reducer.cli import console, summary
from reducer.cli.check import refuse_invalid
from reducer.cli.console import Out
from reducer.cli.exits import Exit
from reducer.cli.handover import make_check, make_original, make_repro
from reducer.cli.healthy import refuse_limits, too_little
from reducer.cli.json_file import JsonError, check_json, error_json, result_json, write_json
from reducer.cli.outputs import Outputs, check_outputs, choose_outputs, no_space, write_minimality
from reducer.cli.progress import Progress
from reducer.cli.requests import CaseRequest, ReduceRequest
from reducer.cli.setup import Plan, plan_case
from reducer.cli.stock import judge_file
from reducer.errors import FlagError, OutputError, ReducerError, ToolchainError
from reducer.header import Directive
from reducer.interrupts import Interrupts
from reducer.journal import FREE_SPACE, RESULT, SEED, write_atomic
from reducer.report.lit import write_repro
from reducer.report.shell import write_script

if TYPE_CHECKING:
    from reducer.session import Session

MAX_ATTEMPTS = 100


def run_reduce(request: ReduceRequest, interrupts: Interrupts) -> Exit:
    """Reduce and say so; with `--json` in a document too, whatever happens."""
    out = Out(request.verbosity, to_stderr=request.json == "-")
    check_json(request)
    try:
        code, document = _reduce(request, out, interrupts)
    except JsonError:
        raise
    except ReducerError as error:
        console.error(str(error))
        code, document = Exit.BAD_INPUT, error_json("error", str(error), Exit.BAD_INPUT)
    except OSError as error:
        full = no_space(error)
        if full is None:
            raise
        console.error(str(full))
        code, document = Exit.BAD_INPUT, error_json("error", str(full), Exit.BAD_INPUT)
    except KeyboardInterrupt:
        console.error("interrupted before the seed had shown the fault twice; nothing is written")
        code, document = Exit.INTERRUPTED, error_json("interrupted", "interrupted", Exit.INTERRUPTED)
    if request.json is not None:
        try:
            with interrupts.shield():
                write_json(request.json, document)
        except OutputError as error:
            console.error(str(error))
            return Exit.BAD_INPUT
    return code


def _reduce(request: ReduceRequest, out: Out, interrupts: Interrupts) -> tuple[Exit, dict[str, Any]]:
    plan = plan_case(request.case, out.say)
    refuse_limits(plan.case, request.case.memory_bytes)
    with Progress(out, plan.case) as progress:
        outputs, session = _open(request, plan, out, progress.see)
        summary.show_start(out, plan.case, plan.shown_as)
        try:
            result = session.run()
        except ToolchainError as error:
            if not request.case.memory_bytes:
                raise
            raise too_little(request.case.memory_bytes, str(error)) from error  # a worker needs more than the binary
        except (OutputError, OSError) as error:
            full = error if isinstance(error, OutputError) else no_space(error)
            best = session.so_far()
            if full is None or best is None:
                raise
            return _hold(outputs, best, plan.settled, full, interrupts)
    refuse_invalid(plan, result.verdict)
    if result.outcome in ("no-fault", "unreliable"):
        summary.show_no_fault(out, result.verdict, unreliable=result.outcome == "unreliable")
        return Exit.NO_FAULT, result_json(result, None, confirmed=False, code=Exit.NO_FAULT)
    replaced = outputs.program.exists()
    with interrupts.shield():
        _write_program(outputs, result, plan.settled)
        _write_rest(outputs, result, plan.settled)
        _write_seed(plan, result)
    code, confirmed = _confirm(request, outputs, result, interrupts)
    interrupted = code is Exit.INTERRUPTED
    summary.show_end(out, result, outputs, confirmed=confirmed, interrupted=interrupted, replaced=replaced)
    document = result_json(result, outputs, confirmed=confirmed, code=code)
    kept = {**document, "refusals": [[r.simplification, r.instead, r.judged] for r in result.refusals]}
    with interrupts.shield():
        write_atomic(result.run_dir / RESULT, json.dumps(kept, ensure_ascii=False, indent=1) + "\n", FREE_SPACE)
    return code, document


def _open(request: ReduceRequest, plan: Plan, out: Out, emit: events.Emit) -> tuple[Outputs, Session]:
    """A session with a run folder that no other reduction is using. Raises OutputError, InputError."""
    from reducer.session import Options, Session  # half a second of imports that nobody waits for who mistyped a name

    limits = Limits(plan.settled.timeout, request.case.memory_bytes, request.limit_time_s, request.limit_tests)
    first = choose_outputs(request.output, plan.case.name)
    for attempt in range(1, MAX_ATTEMPTS):
        outputs = choose_outputs(request.output, plan.case.name, attempt)
        if attempt > 1 and (outputs.program.exists() or outputs.script.exists()):
            continue
        check_outputs(outputs, plan.keep)
        check_json(request, outputs.program, outputs.script)
        options = Options(outputs.run_dir, limits, request.jobs, request.seed, request.resume)
        try:
            session = Session(plan.case, options, emit)
        except OutputError:
            if request.resume or not _is_locked(outputs.run_dir):
                raise
            continue
        if attempt > 1:
            out.say(f"another reduction is writing {summary.relative(first.program)}; this one writes")
            out.say(f"  {summary.relative(outputs.program)}")
        return outputs, session
    raise OutputError(f"{MAX_ATTEMPTS} reductions are writing {first.program}; choose another place with -o")


def _is_locked(run_dir: Path) -> bool:
    """Whether another process holds the run folder (asked after it was refused to us, so nobody is disturbed)."""
    try:
        with (run_dir / ".lock").open("r", encoding="utf-8") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def _hold(
    outputs: Outputs, best: Result, settled: Directive, full: OutputError, interrupts: Interrupts
) -> tuple[Exit, dict[str, Any]]:
    """There is no room to go on: write at least the best so far, which is small. Raises `full` if not even that."""
    with interrupts.shield():
        try:
            _write_program(outputs, best, settled)
        except OutputError:
            raise full from None
        with contextlib.suppress(OutputError):
            _write_rest(outputs, best, settled)
    line = f"{full}; the best so far, not confirmed, is {summary.relative(outputs.program)}"
    console.error(line)
    return Exit.UNCONFIRMED, error_json("error", line, Exit.UNCONFIRMED)


def _write_program(outputs: Outputs, result: Result, settled: Directive) -> None:
    write_atomic(outputs.program, write_repro(make_repro(result, settled, outputs.program.name)), FREE_SPACE)


def _write_rest(outputs: Outputs, result: Result, settled: Directive) -> None:
    repro = make_repro(result, settled, outputs.program.name)
    write_atomic(outputs.script, write_script(repro, make_check(result.case, result.verdict)), FREE_SPACE)
    outputs.script.chmod(0o755)
    write_minimality(result)


def _write_seed(plan: Plan, result: Result) -> None:
    """The seed into the run folder, for whoever asks about it later; bytecode stays where it is."""
    if not plan.source.bytecode:
        repro = make_repro(result, plan.settled, SEED)
        seed = make_original(repro, plan.case, plan.source.text, SEED, seen="the program before it was reduced")
        write_atomic(result.run_dir / SEED, write_repro(seed), FREE_SPACE)


def _confirm(request: ReduceRequest, outputs: Outputs, result: Result, interrupts: Interrupts) -> tuple[Exit, bool]:
    """The stock compiler's word on the written file, under the command that its header gives."""
    if result.outcome == "interrupted" or interrupts.seen:
        return Exit.INTERRUPTED, False
    if not result.confirmed:
        return Exit.UNCONFIRMED, False
    try:
        verdict = _judge_written(request.case, outputs, result)
    except KeyboardInterrupt:
        return Exit.INTERRUPTED, False
    if verdict.interesting:
        return Exit.CONFIRMED, True
    console.warn(f"{summary.relative(outputs.program)} as written does not show the fault: {verdict.reason}")
    return Exit.UNCONFIRMED, False


def _judge_written(request: CaseRequest, outputs: Outputs, result: Result) -> Verdict:
    """Judge the file by its header, but for what a header may not say: a path, a script, flags that write files."""
    case = result.case
    by_header = CaseRequest(
        program=str(outputs.program),
        oracle=case.oracle.name,
        iree=request.iree if case.toolchain.source == "path" else None,
        script=request.script,
        exit_interesting=request.exit_interesting,
        timeout_s=request.timeout_s,
    )
    try:
        plan = plan_case(by_header, lambda line: None)
    except FlagError as error:
        console.warn(f"`reduce check` will want the flags on its command line, after --: {error}")
        words = (*case.target_flags, *result.flags)
        plan = plan_case(replace(by_header, words=words), lambda line: None)
    held = replace(plan.case, oracle=plan.case.oracle.hold(result.verdict))
    return judge_file(held, outputs.program, timeout_s=plan.settled.timeout, memory_bytes=request.memory_bytes)
