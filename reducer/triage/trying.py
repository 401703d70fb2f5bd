"""Tries changes of a program and other flags, to find the single one that puts a pad where a flag should have put it.

Owns the experiments: which programs and flags are compiled to the flow phase. What the outcomes mean is told by
`reasons.py`.
"""

from __future__ import annotations

import itertools
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from oracles.dispatches import FLAG_CONSUMER, FLAG_PRODUCER
from oracles.mlir_text import read
from oracles.no_op_flag import UNCHANGED, sameness
from reducer import wire
from reducer.errors import FlagError
from reducer.toolchain.flags import options, split_flag
from reducer.triage.bench import Bench
from reducer.triage.facts import PADDING_FLAGS, FlagSet, FlowFacts, flow_facts
from reducer.triage.places import TENSOR_PAD, Pad, Place, reshapes
from reducer.triage.reasons import ADDED, ALONE, REPLACED, TAKEN, Trial

MOST_PAIRS = 60
MOST_FLAGS = 60
SMALL_OPS = 60
"""A program of more ops is cut down to the pad and what uses it, if that shows the same."""

_RELATED = re.compile(
    r"--iree-(?:dispatch-creation|global-opt(?:imization)?|flow|opt)-(?:\w+-)*"
    r"(?:fus\w*|pad\w*|collapse|conv\w*|level|aggressive\w*|generaliz\w*|multi-use|propagat\w*|tiling|reshape|quant\w*)\b.*"
)
_NEVER = re.compile(r"dump|trace|export|import|file")
_CALLS = ("call", "func.call", "util.call")
_LEVELS = ("O0", "O1", "O2", "O3")


@dataclass(frozen=True)
class PadAt:
    """A pad to try things with. number: among the pads of the program, in the order of its text."""

    program: str
    number: int
    target: str
    flags: FlagSet

    @property
    def name(self) -> str:
        """`%padded (9:18)`."""
        op = [op for op in read(self.program).ops if op.name == TENSOR_PAD][self.number]
        return f"{op.results[0]} ({op.location.line}:{op.location.column})"


def seen_at(facts: FlowFacts, number: int) -> Pad | None:
    """Where the pad with this number went; None if there is no flow phase."""
    pads = [pad for pad in facts.pads if pad.op == TENSOR_PAD]
    return pads[number] if number < len(pads) else None


def look(bench: Bench, at: PadAt) -> FlowFacts:
    """The flow phase of the program."""
    return flow_facts(at.program, bench.flow(at.program, at.target, at.flags.flags))


def cut_down(bench: Bench, at: PadAt) -> PadAt:
    """The pad and what uses it as a program of its own, if the whole is large and that shows the same.

    Also where functions are called: those cannot take more arguments, which many changes of the program want.
    """
    text = read(at.program)
    if len(text.ops) <= SMALL_OPS and not text.named(*_CALLS):
        return at
    pad = text.named(TENSOR_PAD)[at.number]
    edited = bench.edit(wire.SliceRequest(at.program, (pad.location,), 0, 1 + len(reshapes(pad, text))))
    if not isinstance(edited, wire.Edited) or edited.invalid:
        return at
    small = PadAt(edited.program, 0, at.target, at.flags)
    before, after = seen_at(look(bench, at), at.number), seen_at(look(bench, small), 0)
    return small if before is not None and after is not None and before.wheres == after.wheres else at


def try_changes(bench: Bench, at: PadAt, after: tuple[wire.Variant, ...] = ()) -> tuple[Trial, ...]:
    """Every single change of the program, after those given."""
    request = wire.VariantsRequest(at.program, at.number, tuple(v.name for v in after))
    reply = bench.edit(request)
    if not isinstance(reply, wire.Variants):
        return ()
    before = seen_at(look(bench, at), at.number)
    return tuple(bench.map(lambda variant: _try_change(bench, at, variant, before), reply.variants))


def _try_change(bench: Bench, at: PadAt, variant: wire.Variant, before: Pad | None) -> Trial:
    facts = flow_facts(variant.program, bench.flow(variant.program, at.target, at.flags.flags))
    pad = seen_at(facts, at.number)
    met = _is_met(at.flags, pad)
    if met:  # and not without the flags too
        plain = without_padding(at.flags.flags)
        without = seen_at(flow_facts(variant.program, bench.flow(variant.program, at.target, plain)), at.number)
        met = not _is_met(at.flags, without)
    return Trial(variant.name, variant.says, _place(facts, pad), met, _moved(before, pad))


def acts_on(bench: Bench, at: PadAt) -> tuple[int, int]:
    """On how many variants of the program the flag that is wanted changes a dispatch, and how many there are.

    The program itself is one of them.
    """
    reply = bench.edit(wire.VariantsRequest(at.program, at.number))
    programs = [at.program, *(v.program for v in reply.variants)] if isinstance(reply, wire.Variants) else [at.program]
    flag = FLAG_CONSUMER if at.flags.wanted == "consumer" else FLAG_PRODUCER
    rest = tuple(f for f in at.flags.flags if split_flag(f)[0] != flag)

    def acts(program: str) -> bool:
        given, without = (
            flow_facts(program, bench.flow(program, at.target, flags)).flow for flags in (at.flags.flags, rest)
        )
        return given is not None and without is not None and sameness(given, without) != UNCHANGED

    return sum(bench.map(acts, programs)), len(programs)


def try_pairs(bench: Bench, at: PadAt, single: Sequence[Trial]) -> tuple[Trial, ...]:
    """Pairs of changes of which none does it alone."""
    names = [t.name for t in single if t.name != REPLACED]
    says = {t.name: t.says for t in single}
    pairs = list(itertools.combinations(names, 2))[:MOST_PAIRS]
    found: list[Trial] = []
    for first, those in itertools.groupby(pairs, key=lambda pair: pair[0]):
        wanted = {second for _, second in those}
        start = wire.Variant(first, says[first], "")
        for trial in try_changes(bench, at, (start,)):
            if trial.name in wanted:
                both = f"{says[first]} and {trial.says}"
                found.append(Trial(f"{first} + {trial.name}", both, trial.place, trial.met, trial.moved))
    return tuple(found)


def try_flags(bench: Bench, at: PadAt, *, every: bool) -> tuple[Trial, ...]:
    """Each flag of the set taken away, each related flag of the release added. every: not only the likeliest."""
    before = seen_at(look(bench, at), at.number)
    alone = at.flags.padding[0] if len(at.flags.padding) == 1 else ""  # without it nothing is left to take effect
    taken = [flag for flag in at.flags.flags if split_flag(flag)[0] != alone]
    tries = [(f"{TAKEN} {flag}", tuple(f for f in at.flags.flags if f != flag)) for flag in taken]
    named = {split_flag(flag)[0] for flag in at.flags.flags}
    for flag in related(options(bench.toolchain), every=every):
        if split_flag(flag)[0] not in named:
            tries.append((f"{ADDED} {flag}", (*at.flags.flags, flag)))
    found = bench.map(lambda t: _try_flags(bench, at, t, before), tries[:MOST_FLAGS])
    return tuple(trial for trial in found if trial is not None)


def _try_flags(bench: Bench, at: PadAt, tried: tuple[str, tuple[str, ...]], before: Pad | None) -> Trial | None:
    name, flags = tried
    try:
        facts = flow_facts(at.program, bench.flow(at.program, at.target, flags))
    except FlagError:
        return None
    pad = seen_at(facts, at.number)
    given = FlagSet(name, flags)
    met = _is_met(given, pad)
    plain = seen_at(look(bench, replace(at, flags=FlagSet("", without_padding(flags)))), at.number) if met else None
    alone = met and _is_met(given, plain)
    return Trial(name, ALONE if alone else "", _place(facts, pad), met, _moved(before, pad))


def related(known: Mapping[str, str], *, every: bool) -> list[str]:
    """The flags of a release that may have to do with fusion, each with each of its values; the likeliest first."""
    levels = [f"{name}={level}" for name in sorted(known) if known[name] == "<optimization level>" for level in _LEVELS]
    first = [
        *(flag for flag in PADDING_FLAGS if flag in known),
        *(f for f in levels if f.startswith("--iree-opt-level")),
    ]
    if not every:
        return first
    rest = [f for f in levels if f not in first and _RELATED.fullmatch(split_flag(f)[0])]
    switches = sorted(n for n, takes in known.items() if not takes and _RELATED.fullmatch(n) and not _NEVER.search(n))
    both = [f"{name}={value}" for name in switches if name not in PADDING_FLAGS for value in ("true", "false")]
    return [*first, *both, *rest]


def without_padding(flags: Sequence[str]) -> tuple[str, ...]:
    """The flags that are no padding-fusion flags."""
    return tuple(flag for flag in flags if split_flag(flag)[0] not in PADDING_FLAGS)


def _is_met(flags: FlagSet, pad: Pad | None) -> bool:
    return pad is not None and flags.is_met(pad)


def _place(facts: FlowFacts, pad: Pad | None) -> str:
    if pad is not None:
        return pad.describe()
    return (
        str(Place("gone")) if facts.flow is not None else f"it does not compile ({textwrap.shorten(facts.failure, 80)})"
    )


def _moved(before: Pad | None, after: Pad | None) -> bool:
    return before is None or after is None or before.wheres != after.wheres
