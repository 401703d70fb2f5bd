"""Which pass of the compiler first shows a fault: from what it prints on the way, by stock processes alone.

A failure or a crash: the innermost pass that fails, or the last one that began. An oracle of the flow phase: the first
pass after which the dispatches are as the oracle finds them. What a wrong result comes from no IR tells: it would have
to be run.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from oracles.dispatch_count import DispatchCount
from oracles.no_op_flag import NoOpFlag
from oracles.registry import runs_programs
from oracles.signature import LEVELS, Fault, faults
from oracles.two_dispatches import TwoDispatches
from oracles.verdict import Verdict
from reducer.bisecting.dumps import Dump, pads, pipeline, read_dumps, regions
from reducer.case import Case
from reducer.errors import InputError
from reducer.toolchain.flags import drop_flags
from reducer.toolchain.oneshot import HEAD_BYTES, TAIL_BYTES, Ended, observed, run_limited

TIMEOUT_S = 300.0
LIMIT_MB = (HEAD_BYTES + TAIL_BYTES) >> 20
_ONE_THREAD = ("--mlir-disable-threading", "--mlir-print-ir-module-scope")


@dataclass(frozen=True)
class Culprit:
    """The pass. why: how it is known.

    before, after: the IR, of the whole module; after is "" where the pass does not end. opt_command: `iree-opt` with
    `{before}` for the file of the IR before, if that was seen to show the fault by itself; () if not.
    """

    name: str
    argument: str
    on: str
    why: str
    before: str
    after: str
    opt_command: tuple[str, ...] = ()


def find_pass(case: Case, file: Path, verdict: Verdict) -> Culprit | None:
    """The pass that first shows the fault of a verdict on the program in a file; None if none can be told.

    Raises InputError for a fault that no pass shows.
    """
    if runs_programs(case.oracle):
        raise InputError(f"--pass cannot tell for {case.oracle.name}: IREE's IR between passes cannot be run")
    run = _Compiler(case, file)
    if isinstance(case.oracle, NoOpFlag):
        return _first_same(run, case.oracle)
    if isinstance(case.oracle, TwoDispatches):
        return _first(run, _splits, "the first pass after which the pad is in a dispatch without the convolution")
    if isinstance(case.oracle, DispatchCount):
        most = case.oracle.expect
        return _first(run, lambda ir: len(regions(ir)) > most, f"the first pass after which there are more than {most}")
    return _failing(run, verdict)


@dataclass(frozen=True)
class _Compiler:
    """The stock compiler of a case, on its program."""

    case: Case
    file: Path

    def dumps(self, *flags: str, phase: str = "end", drop: tuple[str, ...] = ()) -> tuple[Dump, ...]:
        """The IR that it prints under these flags besides the case's own. Raises InputError: too much to keep."""
        return read_dumps(self.run(*flags, phase=phase, drop=drop).output)

    def run(self, *flags: str, phase: str = "end", drop: tuple[str, ...] = ()) -> Ended:
        """How it ends, and what it prints. Raises InputError if that is too much to keep."""
        own = drop_flags(self.case.command(), (*drop, "--mlir-print-ir-module-scope", "--mlir-disable-threading"))
        argv = (
            str(self.case.toolchain.iree_compile), str(self.file), *own, *_ONE_THREAD, *flags,
            f"--compile-to={phase}", "-o", "/dev/null",
        )  # fmt: skip
        ended = run_limited(argv, timeout_s=TIMEOUT_S, memory_bytes=None)
        if len(ended.output.encode()) >= HEAD_BYTES + TAIL_BYTES:
            raise InputError(
                f"{self.file.name} is too large for --pass: the IR between its passes is more than {LIMIT_MB} MB; "
                "reduce it first"
            )
        return ended


Shows = Callable[[str], bool]
"""Whether an IR is as the oracle finds it at the flow phase."""


def _first(run: _Compiler, shows: Shows, why: str) -> Culprit | None:
    previous = run.file.read_text("utf-8", "surrogateescape")
    for dump in run.dumps("--mlir-print-ir-after-all", phase="flow"):
        if shows(dump.ir):
            return _so_alone(run, Culprit(dump.name, dump.argument, _on(dump), why, previous, dump.ir), dump, shows)
        previous = dump.ir
    return None


def _splits(ir: str) -> bool:
    return any(region.pads and not region.convolves for region in regions(ir))


def _first_same(run: _Compiler, oracle: NoOpFlag) -> Culprit | None:
    """Of a flag without effect: the pass that the flag is for, which leaves the pad where it was."""
    with_it = run.dumps("--mlir-print-ir-after-all", phase="flow")
    without = run.dumps("--mlir-print-ir-after-all", phase="flow", drop=(oracle.flag,))
    for number, (ours, theirs) in enumerate(zip(with_it, without, strict=False)):
        if ours.ir != theirs.ir:
            why = "the first pass that the flag makes a difference to, which later ones take back"
            return Culprit(ours.name, ours.argument, _on(ours), why, with_it[max(number - 1, 0)].ir, ours.ir)
    previous = run.file.read_text("utf-8", "surrogateescape")
    for dump in with_it:
        shows = _leaves_the_pad if pads(dump.ir) else _has_no_pad
        if pads(previous) and shows(dump.ir):
            why = _LEFT if shows is _leaves_the_pad else _GONE
            culprit = Culprit(dump.name, dump.argument, _on(dump), why, previous, dump.ir)
            return _so_alone(run, culprit, dump, shows)
        previous = dump.ir
    return None


_LEFT = "the pass that puts the convolution into a dispatch without the pad, with the flag as without it"
_GONE = "the pass that makes other ops of the pad before there is a dispatch, with the flag as without it"


def _leaves_the_pad(ir: str) -> bool:
    return any(region.convolves and not region.pads for region in regions(ir))


def _has_no_pad(ir: str) -> bool:
    return not pads(ir)


def _failing(run: _Compiler, verdict: Verdict) -> Culprit | None:
    """The innermost pass that fails; of a crash, the last one that began."""
    phase = verdict.phase or "end"
    ended = run.run("--mlir-print-ir-after-failure", phase=phase)
    shown = _shown(ended, run.file, verdict)
    inner = {fault.failing_pass for fault in shown}
    dumps = [d for d in read_dumps(ended.output) if d.failed]
    failed = next((d for d in dumps if d.name in inner), dumps[0] if dumps else None)
    if failed is None:
        ended = run.run("--mlir-print-ir-before-all", phase=phase)
        begun = [d for d in read_dumps(ended.output) if d.before]
        if not begun or run.case.oracle.name not in ("crash", "hang"):
            return None
        last = begun[-1]
        culprit = Culprit(last.name, last.argument, _on(last), "the last pass that began", last.ir, "")
        return _alone(run, culprit, last, _shown(ended, run.file, verdict))
    name = failed.argument.partition("{")[0]
    flags = (f"--mlir-print-ir-before={name}", "--mlir-print-ir-after-failure")
    before = failed
    for dump in run.dumps(*flags, phase=phase):
        if dump.failed:
            break
        before = dump
    on = _on(before)
    why = "the innermost pass that fails"
    return _alone(run, Culprit(failed.name, failed.argument, on, why, before.ir, failed.ir), before, shown)


def _shown(ended: Ended, file: Path, verdict: Verdict) -> tuple[Fault, ...]:
    """The fault of a verdict as a compilation shows it; all that it shows, if none of them is known for that."""
    seen = observed(ended, str(file))
    held = {f.message for level in LEVELS for f in faults(seen, level) if f.signature == verdict.signature}
    found = faults(seen, "message")
    return tuple(f for f in found if f.message in held) or found


def _on(dump: Dump) -> str:
    return f"{dump.op} @{dump.symbol}" if dump.symbol else dump.op


def _so_alone(run: _Compiler, culprit: Culprit, dump: Dump, shows: Shows) -> Culprit:
    """The same for a pass that does not fail: its output must show it too."""
    passes = pipeline(replace(dump, ir=culprit.before))
    ended = _opt(run, culprit.before, passes)
    if ended is None or ended.code != 0 or not shows(ended.output):
        return culprit
    return replace(culprit, opt_command=("iree-opt", "{before}", f"--pass-pipeline={passes}"))


def _opt(run: _Compiler, ir: str, passes: str | None, *flags: str) -> Ended | None:
    """What the release's own `iree-opt` makes of an IR; None if it cannot be asked."""
    iree_opt = run.case.toolchain.iree_compile.with_name("iree-opt")
    if passes is None or not iree_opt.is_file():
        return None
    with tempfile.TemporaryDirectory(prefix="iree-reduce-") as folder:
        file = Path(folder) / "before.mlir"
        file.write_text(ir, "utf-8", "surrogateescape")
        argv = (str(iree_opt), str(file), f"--pass-pipeline={passes}", *flags)
        return run_limited(argv, timeout_s=TIMEOUT_S, memory_bytes=None)


def _alone(run: _Compiler, culprit: Culprit, before: Dump, shown: tuple[Fault, ...]) -> Culprit:
    """The culprit with a command that shows the same fault alone, if there is one that was seen to."""
    passes = pipeline(before)
    ended = _opt(run, before.ir, passes, "--mlir-print-ir-after-failure", "--mlir-disable-threading")
    if ended is None:
        return culprit
    fails = any(d.failed and d.name == culprit.name for d in read_dumps(ended.output))
    dies = ended.code is not None and ended.code < 0 and not culprit.after
    same = {f.signature for f in shown} & {f.signature for f in faults(observed(ended, ""), "message")}
    if not same or not (fails or dies):
        return culprit
    silent = fails and "error:" not in ended.output.split("// -----//", 1)[0]
    more = ("--mlir-print-ir-after-failure",) if silent else ()
    return replace(culprit, opt_command=("iree-opt", "{before}", f"--pass-pipeline={passes}", *more))
