"""What to try: the slices, the passes, the flags, the numbers. Each step takes the progress as far as it can.

Owns no state. In which order the steps come, and when to stop, is the session's business.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from oracles.experiment import Experiment, Location, Status
from oracles.verdict import Evidence
from reducer import order, wire
from reducer.evaluator import Candidate, Tested
from reducer.groups import Group, by_dispatch, by_op
from reducer.minimise import minimise
from reducer.progress import Best, Progress, refused
from reducer.search import Search
from reducer.toolchain.flags import simpler_values

# Generations of (producers, users) to keep around the evidence, smaller slices first. Most faults need a few producers;
# some are in how an op goes with what comes after it.
SLICES = ((0, 0), (1, 0), (2, 0), (3, 0), (1, 1), (5, 0), (2, 2), (3, 5), (8, 0), (5, 8), (13, 0), (13, 13))
ALL_PRODUCERS = 1_000_000
BISECT_OPS = 24  # a program of fewer ops is not worth a coarse cut
DEBUG_INFO = "--mlir-print-debuginfo"


def slice_at_evidence(progress: Progress, start: Best) -> bool:
    """Straight to the fault: the ops that the verdict on `start` names, with as few others as still show it."""
    places = tuple(e.location for e in start.verdict.evidence if e.location is not None)
    groups: list[Group] = list(dict.fromkeys([places[:1], places])) if places else []
    progress.begin("slice", len(groups) * len(SLICES))
    candidates = (
        Candidate(
            f"slice at {_named(group)}, {depth} producers and {users} users deep",
            start.program,
            start.flags,
            wire.SliceRequest(start.program, group, depth, users),
        )
        for depth, users in SLICES
        if 3 * max(depth, users) <= start.size.ops  # deeper ones hold all of so small a program
        for group in groups
    )
    return progress.first(candidates, "slice") is not None


def first_wrong(progress: Progress, whole: Best) -> Best:
    """Find the first op whose value is wrong; the program with that op as its evidence, itself if there is none.

    What an op computes is looked at by a program of its own: the op and all its producers, its results returned. The
    ops are bisected in the order of the text, for what follows a wrong value is mostly wrong too.
    """
    if whole.size.ops < BISECT_OPS:
        return whole
    ops = by_op(whole.program)
    progress.begin("first wrong", len(ops))
    low, high = 0, len(ops) - 1  # the last is taken to be wrong: the fault is somewhere
    while low < high:
        middle = (low + high) // 2
        if _is_wrong(progress, whole, ops[middle]):
            high = middle
        else:
            low = middle + 1
    if not ops:
        return whole
    found = Evidence("", ops[low][0], "the first value that is wrong")
    return replace(whole, verdict=replace(whole.verdict, evidence=(found,)))


def _is_wrong(progress: Progress, whole: Best, op: Group) -> bool:
    request = wire.SliceRequest(whole.program, op, ALL_PRODUCERS)
    candidate = Candidate(f"the value at {_named(op)}", whole.program, whole.flags, request)
    (tested,) = progress.evaluator.consume([candidate], lambda size, flags: True)
    smaller = tested.size is not None and order.key(tested.size, whole.flags) < progress.best.key
    progress.record(tested, "first wrong", accept=tested.interesting and smaller)
    return tested.interesting


def inline(progress: Progress) -> Best:
    """The best program with all calls inlined, so that it can be sliced across them; itself if that loses the fault.

    It may be larger than the best: it is where smaller ones start from.
    """
    best = progress.best
    candidate = Candidate("all calls inlined", best.program, best.flags, wire.InlineRequest(best.program))
    (tested,) = progress.evaluator.consume([candidate], lambda size, flags: True)
    if tested.verdict is None or tested.size is None:
        return best
    inlined = Best(tested.program, tested.size, best.flags, tested.verdict, candidate.label)
    progress.record(tested, "inline", accept=tested.interesting and inlined.key < best.key)
    return inlined if tested.interesting else best


def bisect(progress: Progress, whole: Best) -> None:
    """Without evidence: keep as few dispatches (or ops) of a large program as still show the fault."""
    if whole.size.ops < BISECT_OPS:
        return
    groups = _groups(progress, whole)
    search = Search(len(groups), (len(groups) + 1) // 2)
    progress.begin("bisect", len(groups))
    while search.count > 1:
        plan = list(search.candidates())
        done = progress.first((_without(whole, groups, search.sites(*step)) for step in plan), "bisect")
        if done is None:
            return
        gone = set(search.sites(*plan[done]))
        groups = tuple(group for i, group in enumerate(groups) if i not in gone)
        search = search.succeeded(*plan[done], len(groups))


def _groups(progress: Progress, best: Best) -> tuple[Group, ...]:
    """By dispatch if the program gets as far as the flow phase, else by op."""
    experiment = Experiment(phase="flow", ir=True, add=(DEBUG_INFO,), drop=(DEBUG_INFO,))
    seen = progress.evaluator.observe(best.program, best.flags, experiment)
    found = by_dispatch(best.program, seen.ir) if seen.status is Status.OK else ()
    return found or by_op(best.program)


def _without(whole: Best, groups: tuple[Group, ...], gone: tuple[int, ...]) -> Candidate:
    kept = [group for i, group in enumerate(groups) if i not in gone]
    places = tuple(dict.fromkeys(place for group in kept for place in group))
    label = f"bisect: {len(kept)} of {len(groups)} groups of ops"
    return Candidate(label, whole.program, whole.flags, wire.SliceRequest(whole.program, places, 0))


def _named(places: tuple[Location, ...]) -> str:
    return ", ".join(f"{p.line}:{p.column}" for p in places)


def run_pass(progress: Progress, name: str) -> None:
    """Apply a pass at as many of its sites as the fault allows."""
    labels = _sites(progress, name)
    search = Search.over(len(labels))
    progress.begin(name, search.count)
    while search.count:
        best = progress.best
        plan = list(search.candidates())
        done = progress.first((_applied(best, name, search.sites(*step), labels) for step in plan), name)
        if done is None:
            return
        labels = _sites(progress, name)
        search = search.succeeded(*plan[done], len(labels))


def _applied(best: Best, name: str, sites: tuple[int, ...], labels: tuple[str, ...]) -> Candidate:
    label = labels[sites[0]] if len(sites) == 1 else f"{name}: {len(sites)} of {len(labels)} sites"
    return Candidate(label, best.program, best.flags, wire.ApplyRequest(best.program, name, sites))


def _sites(progress: Progress, name: str) -> tuple[str, ...]:
    reply = progress.evaluator.ask(wire.SitesRequest(progress.best.program, name))
    if isinstance(reply, wire.Sites):
        return reply.labels
    progress.gap(f"pass {name} failed to list its sites: {reply}")
    return ()


def reduce_flags(progress: Progress) -> None:
    """Drop the user's flags one by one, then give those that stay simpler values."""
    progress.begin("flags", len(progress.best.flags))
    while progress.first(_fewer_flags(progress.best), "flags") is not None:
        pass


def _fewer_flags(best: Best) -> Iterator[Candidate]:
    flags = best.flags
    for i, flag in enumerate(flags):
        yield Candidate(f"without {flag}", best.program, flags[:i] + flags[i + 1 :])
    for i, flag in enumerate(flags):
        for simpler in simpler_values(flag):
            yield Candidate(f"{flag}: → {simpler}", best.program, (*flags[:i], simpler, *flags[i + 1 :]))


def reduce_numbers(progress: Progress, seed: int) -> None:
    """Let Hypothesis minimise the numbers; what is smaller on the way becomes the best."""
    best = progress.best
    reply = progress.evaluator.ask(wire.ParametersRequest(best.program))
    if not isinstance(reply, wire.Parameters):
        progress.gap(f"the numbers could not be listed: {reply}")
        return
    found = reply.parameters
    progress.begin("numbers", len(found))
    if not found:
        return
    outcomes: dict[tuple[int, ...], Tested] = {}

    def test(values: tuple[int, ...]) -> bool:
        request = wire.AssignRequest(best.program, values)
        candidate = Candidate(_changes(found, values), best.program, best.flags, request)
        (tested,) = progress.evaluator.consume([candidate], lambda size, flags: True)
        smaller = (
            tested.size is not None
            and Best(tested.program, tested.size, best.flags, best.verdict, "").key < progress.best.key
        )
        progress.record(tested, "numbers", accept=tested.interesting and smaller)
        outcomes[values] = tested
        return tested.interesting

    result = minimise(found, test, seed=seed, limit=None)
    for attempt in result.tried:
        progress.refusals[str(attempt)] = refused(str(attempt), outcomes[attempt.values])


def _changes(parameters: tuple[wire.Parameter, ...], values: tuple[int, ...]) -> str:
    """A label: the first three numbers that change."""
    changed = [(p, v) for p, v in zip(parameters, values, strict=True) if p.value != v]
    parts = [f"{p.name}: {_shown(p, p.value)} → {_shown(p, v)}" for p, v in changed[:3]]
    return ", ".join(parts) + (f" and {len(changed) - 3} more" if len(changed) > 3 else "")


def _shown(parameter: wire.Parameter, value: int) -> str:
    return parameter.labels[value] if parameter.labels else str(value)
