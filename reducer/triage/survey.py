"""Fills the table of facts: each set of flags at the flow phase, on each target, and on its numbers.

Owns which questions that takes. What the answers mean is the business of `facts.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reducer import wire
from reducer.errors import FlagError, InputError
from reducer.toolchain.flag_history import history
from reducer.toolchain.flags import check_flags, known_flags, split_flag
from reducer.toolchain.targets import target_flags
from reducer.triage.bench import Bench
from reducer.triage.facts import Facts, FlagSet, FlowFacts, Numbers, Row, TargetFacts, flow_facts, target_facts

RUNNABLE = ("llvm-cpu", "vmvx")


@dataclass(frozen=True)
class Subject:
    """The program, and what is asked of it. inputs: of its function, () for made-up ones, from `seed`."""

    program: str
    targets: tuple[str, ...]
    inputs: tuple[str, ...] = ()
    seed: int = 0

    @property
    def flow_target(self) -> str:
        """Whose flow phase is looked at."""
        return self.targets[0]


def survey(bench: Bench, subject: Subject, sets: Sequence[FlagSet], base: tuple[str, ...]) -> Facts:
    """The table. Raises InputError for a program that the release does not take, FlagError if it takes no set."""
    release = bench.toolchain.release
    measured = bench.edit(wire.MeasureRequest(subject.program))
    if not isinstance(measured, wire.Edited) or measured.invalid:
        why = measured.invalid if isinstance(measured, wire.Edited) else measured.message
        raise InputError(f"IREE {release} cannot use this program: {why}")
    annotated, why_not = _with_inputs(bench, subject)
    refused = {flags: refusal(bench, subject.targets, flags) for flags in sets}
    taken = [flags for flags in sets if not refused[flags]]
    if not taken:
        raise FlagError(f"IREE {release} takes none of these flags: {refused[sets[0]]}")
    flows = dict(zip(taken, bench.map(lambda s: _flow(bench, subject, s), taken), strict=True))
    asked = [(flags, target) for flags in taken for target in subject.targets]
    seen = bench.map(lambda question: _target(bench, subject, annotated, why_not, question), asked)
    by_set: dict[FlagSet, list[TargetFacts]] = {flags: [] for flags in taken}
    for (flags, _), facts in zip(asked, seen, strict=True):
        by_set[flags].append(facts)
    rows = tuple(Row(s, refused[s], flows.get(s), tuple(by_set.get(s, ()))) for s in sets)
    return Facts(release, rows, subject.flow_target, base)


def refusal(bench: Bench, targets: Sequence[str], flags: FlagSet) -> str:
    """Why the release does not take a set of flags, "" if it does; for a flag that it does not know, who does."""
    toolchain = bench.toolchain
    names = known_flags(toolchain)
    unknown = [flag for flag in flags.flags if split_flag(flag)[0] not in names]
    if unknown:
        return "; ".join(f"{split_flag(f)[0]} is {history(f, toolchain.release)}" for f in unknown)
    try:
        check_flags(toolchain, (*target_flags(targets[0], toolchain.release), *flags.flags))
    except FlagError as error:
        return str(error)
    return ""


def _flow(bench: Bench, subject: Subject, flags: FlagSet) -> FlowFacts:
    return flow_facts(subject.program, bench.flow(subject.program, subject.flow_target, flags.flags))


def _with_inputs(bench: Bench, subject: Subject) -> tuple[str, str]:
    """The program with inputs, to be run; or "" and why it cannot be."""
    if not any(_is_runnable(target) for target in subject.targets):
        return "", ""
    if not bench.toolchain.iree_run_module.is_file():
        return "", "there is no iree-run-module beside this IREE; install iree-base-runtime there"
    edited = bench.edit(wire.InputsRequest(subject.program, subject.inputs, subject.seed))
    why_not: str = edited.invalid if isinstance(edited, wire.Edited) else edited.message
    if why_not and subject.inputs:
        raise InputError(why_not)
    return (edited.program, "") if not why_not else ("", why_not)


def _is_runnable(target: str) -> bool:
    return target.partition(":")[0] in RUNNABLE


def _target(bench: Bench, subject: Subject, annotated: str, why_not: str, question: tuple[FlagSet, str]) -> TargetFacts:
    flags, target = question
    run = _is_runnable(target) and bool(annotated)
    observation = bench.end(annotated if run else subject.program, target, flags.flags, run=run)
    facts = target_facts(target, observation, ran=run)
    if why_not and _is_runnable(target) and not facts.signature:
        return TargetFacts(target, facts.status, seconds=facts.seconds, numbers=Numbers("unknown", why_not))
    return facts
