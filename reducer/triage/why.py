"""Why: for each set of flags that leaves a pad where it should not be, what was tried and what that says.

Owns the order of the questions: does the release know the flag, does it reach the compiler, which pass ends the pad,
which single change of the program or of the flags makes the flag take effect.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from oracles.experiment import Status
from oracles.mlir_text import read
from reducer import wire
from reducer.toolchain.flag_history import history
from reducer.toolchain.flags import split_flag
from reducer.triage.bench import Bench
from reducer.triage.facts import Facts, FlagSet, Row, unmet
from reducer.triage.places import TENSOR_PAD, Pad, users
from reducer.triage.reasons import Reason, Tried, conclude
from reducer.triage.survey import Subject
from reducer.triage.trace import Step, fate, first_difference
from reducer.triage.trying import PadAt, acts_on, cut_down, look, try_changes, try_flags, try_pairs

MOST_PADS = 2
"""Pads of one set that are looked into: of those that went the same way, the first stands for all."""


def reasons(bench: Bench, subject: Subject, facts: Facts, *, every_flag: bool = True) -> tuple[Reason, ...]:
    """An answer for each set that is refused, or leaves a pad where it should not be, or changes nothing at all.

    every_flag: whether all related flags are tried, or the likeliest alone.
    """
    found: list[Reason] = []
    program = _program(bench, subject, facts.base)
    for row in facts.rows:
        if row.refused:
            found.append(Reason("refused", (row.flags.name,), (), row.refused))
        elif row.flow is not None and program and (pads := unmet(row.flags, row.flow)):
            at = PadAt(program, 0, subject.flow_target, row.flags)
            found += _of_pads(bench, at, pads, every_flag and row.flags.wanted == "consumer")
        elif facts.effect(row).startswith("changes no"):
            found.append(_of_nothing(bench, subject, facts, row))
    return tuple(found)


def _program(bench: Bench, subject: Subject, base: tuple[str, ...]) -> str:
    """The program in canonical form, or as the input phase leaves it, where its pads are of a higher level."""
    measured = bench.edit(wire.MeasureRequest(subject.program))
    text: str = measured.program if isinstance(measured, wire.Edited) else ""
    if _pads(text):
        return text
    seen = bench.input(subject.program, subject.flow_target, base)
    measured = bench.edit(wire.MeasureRequest(seen.ir)) if seen.status is Status.OK else None
    text = measured.program if isinstance(measured, wire.Edited) else ""
    return text if _pads(text) else ""


def _pads(program: str) -> int:
    return len(read(program).named(TENSOR_PAD))


@dataclass(frozen=True)
class _Group:
    """Pads of the canonical program that went the same way, by number."""

    numbers: tuple[int, ...]
    pad: Pad


def _of_pads(bench: Bench, at: PadAt, pads: Sequence[Pad], every_flag: bool) -> list[Reason]:
    """A reason for each way in which pads went wrong, of which the first pad is looked into."""
    groups = _groups(at.flags, tuple(p for p in look(bench, at).pads if p.op == TENSOR_PAD))
    found = []
    for group in groups[:MOST_PADS]:
        one = PadAt(at.program, group.numbers[0], at.target, at.flags)
        name, more = _called(group, pads)
        found.append(_of_pad(bench, one, Tried(name, group.pad.describe(), more=more), every_flag))
    left = sum(len(group.numbers) for group in groups[MOST_PADS:])
    if left:
        note = f"{left} more of the pads that are not fused went other ways, and were not looked into"
        found[-1] = replace(found[-1], evidence=(*found[-1].evidence, note))
    return found


def _groups(flags: FlagSet, pads: Sequence[Pad]) -> list[_Group]:
    numbers: dict[str, list[int]] = {}
    for number, pad in enumerate(pads):
        if pad.wheres != {"gone"} and not flags.is_met(pad):
            numbers.setdefault(pad.describe(), []).append(number)
    return [_Group(tuple(those), pads[those[0]]) for those in numbers.values()]


def _called(group: _Group, pads: Sequence[Pad]) -> tuple[str, int]:
    """What the user calls the pad, and how many others are like it."""
    alike = [pad for pad in pads if pad.describe() == group.pad.describe()] or [group.pad]
    return f"{alike[0].name} ({alike[0].location.line}:{alike[0].location.column})", len(alike) - 1


def _of_pad(bench: Bench, whole: PadAt, tried: Tried, every_flag: bool) -> Reason:
    at = cut_down(bench, whole)
    found = ["tried on the pad and what uses it alone, which shows the same"] if at is not whole else []
    found += _known(bench, at)
    changes = try_changes(bench, at)
    flags = try_flags(bench, at, every=every_flag)
    pairs = try_pairs(bench, at, changes) if not any(t.met for t in changes) else ()
    op, others = _users(at)
    tried = replace(tried, op=op, others=others, changes=changes, pairs=pairs, flags=flags)
    if not tried.is_met:
        tried = replace(tried, acts=acts_on(bench, at))
    return conclude(tried, at.flags.name, tuple(found))


def _users(at: PadAt) -> tuple[str, tuple[str, ...]]:
    """The first structured op that uses the pad, "" if none does, and what else uses it."""
    text = read(at.program)
    found = [op.name for op in users(text.named(TENSOR_PAD)[at.number], text)]
    structured = [name for name in found if name.startswith(("linalg.", "iree_linalg_ext."))]
    return (structured or [""])[0], tuple(name for name in found if name not in structured)


def _known(bench: Bench, at: PadAt) -> list[str]:
    """Whether the release knows the flags, whether they reach a pass, and what the pad meets on its way."""
    release = bench.toolchain.release
    with_all = bench.trace(at.program, at.target, at.flags.flags)
    lines = []
    for flag in at.flags.padding:
        rest = tuple(f for f in at.flags.flags if _name(f) != flag)
        reach = _reach(with_all, bench.trace(at.program, at.target, rest))
        lines.append(f"{flag} is {history(flag, release)}; {reach}")
    program = read(at.program)
    pad = program.named(TENSOR_PAD)[at.number]
    if at.flags.wanted == "consumer":
        said = fate(with_all, program, pad.location).describe()
        return [*lines, said] if said else lines
    source = next((op for op in program.ops if pad.operands[0] in op.results), None)
    return [*lines, f"what it pads is computed by {source.name}" if source else "what it pads comes from outside"]


def _reach(given: Sequence[Step], without: Sequence[Step]) -> str:
    if not given or not without:
        return "what it changes cannot be told: the compiler prints too much"
    first = first_difference(given, without)
    if not first:
        return (
            f"it changes nothing: the {len(given)} passes that do something up to the flow phase do the same without it"
        )
    return f"it reaches the compiler: {first}"


def _of_nothing(bench: Bench, subject: Subject, facts: Facts, row: Row) -> Reason:
    """A set that changes no dispatch and has no pad to move: what it reaches at all."""
    theirs = facts.baseline.flags
    added = [flag for flag in row.flags.flags if flag not in theirs.flags]
    if added and set(map(_name, added)) <= set(row.flags.padding):
        return Reason("unchanged", (row.flags.name,), (), "there is no pad that could be fused")
    given, without = (bench.trace(subject.program, subject.flow_target, f) for f in (row.flags.flags, theirs.flags))
    known = tuple(f"{flag} is {history(flag, bench.toolchain.release)}" for flag in added)
    says = f"every dispatch is as with {theirs.name}; {_reach(given, without)}"
    return Reason("unchanged", (row.flags.name,), (), says, known)


def _name(flag: str) -> str:
    return split_flag(flag)[0]
