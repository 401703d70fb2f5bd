"""What `reduce triage` says: aligned text of at most 100 columns, or the same as a document.

Owns how facts and reasons look. Every line is made here, none is judged here.
"""

from __future__ import annotations

import string
import textwrap
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict
from typing import Any

from oracles.experiment import Status
from reducer.cli.exits import Exit
from reducer.cli.quantities import count
from reducer.triage.facts import PADDING_FLAGS, Facts, FlowFacts, Row, TargetFacts
from reducer.triage.places import Pad, Place
from reducer.triage.reasons import Reason, merged

WIDTH = 100
MOST_NAME = 20
MOST_DISPATCHES = 12
MOST_PADS = 4
MEMCPY = "slow memcpy"


def tables(facts: Facts) -> list[str]:
    """The facts, table by table."""
    labels = labelled(facts)
    lines = ["", *_legend(facts, labels)]
    for title, rows in (
        (f"Dispatches (flow phase, {facts.flow_target})", _dispatches(facts, labels)),
        ("Pads", _pads(facts, labels)),
        ("Translation", _translation(facts, labels)),
        ("Numbers", _numbers(facts, labels)),
    ):
        if rows:
            lines += ["", title, *(f"  {row}".rstrip() for row in rows)]
    return lines


def reasons_text(reasons: Sequence[Reason]) -> list[str]:
    """The reasons, each with its evidence; those that say the same together."""
    lines = ["", "Why"] if reasons else []
    for reason in merged(reasons):
        lines += _wrapped(_short(f"{', '.join(reason.sets)}: {reason.says}"), "  ", "    ")
        for evidence in reason.evidence:
            lines += _wrapped(_short(evidence), "    - ", "      ")
    return lines


def _short(text: str) -> str:
    """The text with the names of the padding-fusion flags, which the legend has in full, cut short."""
    for flag in PADDING_FLAGS:
        text = text.replace(flag, f"--…{flag[-len('-consumer-ops') :]}")
    return text


def labelled(facts: Facts) -> dict[str, str]:
    """What each set is called in the tables, by its name."""
    names = [row.flags.name for row in facts.rows]
    return {name: name if len(name) <= MOST_NAME else f"set {i}" for i, name in enumerate(names, 1)}


def _legend(facts: Facts, labels: dict[str, str]) -> list[str]:
    width = max(map(len, labels.values()))
    shared = " ".join(facts.base)
    lines = [f"in every set: {shared}"] if shared else []
    for row in facts.rows:
        own = [flag for flag in row.flags.flags if flag not in facts.base]
        label = labels[row.flags.name]
        if label != " ".join(own):
            lines += [f"{label if i == 0 else '':<{width}}  {flag}" for i, flag in enumerate(own)]
    return lines


def _dispatches(facts: Facts, labels: dict[str, str]) -> list[str]:
    """Each set's dispatches, those of sets before it by reference."""
    width = max(map(len, labels.values()))
    lines: list[str] = []
    seen: dict[tuple[tuple[str, ...], ...], str] = {}
    for row in facts.rows:
        label = labels[row.flags.name]
        head = f"{label:<{width}}  "
        if row.flow is None or row.flow.flow is None:
            said = f"refused: {row.refused}" if row.flow is None else f"no flow phase: {row.flow.failure}"
            lines += _wrapped(said, head, " " * len(head), WIDTH - 2)
            continue
        head += f"{len(row.flow.dispatches):>2}  "
        if row.flow.dispatches in seen:
            lines.append(f"{head}as {seen[row.flow.dispatches]}")
            continue
        seen[row.flow.dispatches] = label
        rest = " " * len(head)
        for i, text in enumerate(_held(row.flow) or ["nothing"]):
            lines += _wrapped(text, head if i == 0 else rest, f"{rest}  ", WIDTH - 2)
    return lines


def _held(flow: FlowFacts) -> list[str]:
    """What the dispatches hold, one line each; with many, one line for those that hold the same."""
    texts = [", ".join(ops) if ops else MEMCPY for ops in flow.dispatches]
    if len(texts) <= MOST_DISPATCHES:
        return texts
    counted = Counter(texts).most_common(MOST_DISPATCHES)
    lines = [f"{number} x {text}" for text, number in counted]
    left = len(texts) - sum(number for _, number in counted)
    return [*lines, f"and {left} others"] if left else lines


def _pads(facts: Facts, labels: dict[str, str]) -> list[str]:
    """Where each pad went under each set; pads that went the same ways stand together."""
    flows = [(labels[row.flags.name], row.flow.pads) for row in facts.rows if row.flow is not None and row.flow.flow]
    width = max(map(len, labels.values()))
    groups: dict[tuple[str, ...], list[Pad]] = {}
    for place in dict.fromkeys((p.location, p.name) for _, pads in flows for p in pads):
        seen = [next((p for p in pads if (p.location, p.name) == place), None) for _, pads in flows]
        ways = tuple(p.describe() if p is not None else str(Place("gone")) for p in seen)
        groups.setdefault(ways, []).append(next(p for p in seen if p is not None))
    lines: list[str] = []
    for ways, alike in groups.items():
        lines.append(_named(alike))
        lines += [f"  {label:<{width}}  {way}" for (label, _), way in zip(flows, ways, strict=True)]
    return lines


def _named(pads: Sequence[Pad]) -> str:
    shown = ", ".join(f"{p.name} ({p.location.line}:{p.location.column})" for p in pads[:MOST_PADS])
    more = f" and {len(pads) - MOST_PADS} more" if len(pads) > MOST_PADS else ""
    return f"{shown}{more}" if len(pads) == 1 else f"{count(len(pads), 'pad')}: {shown}{more}"


def _translation(facts: Facts, labels: dict[str, str]) -> list[str]:
    """`ok`, or a letter for what failed, by set and target; what the letters stand for."""
    letters: dict[str, str] = {}

    def cell(target: TargetFacts) -> str:
        if target.status is Status.OK:
            return "ok"
        text = target.signature or target.status.value
        if target.failing_pass and target.failing_pass not in text:
            text += f" ({target.failing_pass})"
        return letters.setdefault(text, _letter(len(letters)))

    rows = _grid(facts, labels, [[cell(t) for t in row.targets] for row in facts.rows])
    for text, letter in letters.items():
        rows += _wrapped(text, f"{letter}  ", " " * (len(letter) + 2), WIDTH - 2)
    return rows


def _letter(number: int) -> str:
    letters = string.ascii_uppercase
    return letters[number] if number < len(letters) else f"{letters[number % 26]}{number // 26}"


def _numbers(facts: Facts, labels: dict[str, str]) -> list[str]:
    """What running showed, by set and target; what was wrong or in the way below it."""
    ran = {t.target for row in facts.rows for t in row.targets if t.numbers is not None}
    if not ran:
        return []
    said: dict[str, list[str]] = {}
    for row in facts.rows:
        for target in row.targets:
            if target.numbers is not None and target.numbers.kind != "right":
                said.setdefault(target.numbers.said, []).append(labels[row.flags.name])
    cells = [
        [t.numbers.kind if t.numbers is not None else "-" for t in row.targets if t.target in ran] for row in facts.rows
    ]
    rows = _grid(facts, labels, cells, ran)
    for text, sets in said.items():
        rows += _wrapped(f"{', '.join(dict.fromkeys(sets))}: {text}", "", "  ", WIDTH - 2)
    return rows


def _grid(
    facts: Facts, labels: dict[str, str], cells: Sequence[Sequence[str]], only: Collection[str] | None = None
) -> list[str]:
    """A table of one row a set and one column a target (`only` these). A set that is refused has no row."""
    names = next(([t.target for t in row.targets] for row in facts.rows if row.targets), [])
    names = [name for name in names if only is None or name in only]
    if not names:
        return []
    table = [["", *names]]
    table += [[labels[row.flags.name], *of] for row, of in zip(facts.rows, cells, strict=True) if row.targets]
    widths = [max(len(line[i]) for line in table) for i in range(len(table[0]))]
    return ["  ".join(f"{text:<{w}}" for text, w in zip(line, widths, strict=True)) for line in table]


def _wrapped(text: str, first: str, rest: str, width: int = WIDTH) -> list[str]:
    """A text in lines that fit; a word longer than a line stays whole."""
    return textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )


def document(facts: Facts, reasons: Iterable[Reason], targets: Sequence[str], code: Exit) -> dict[str, Any]:
    """The document of `--json`, but for the program."""
    return {
        "release": facts.release,
        "targets": list(targets),
        "flow_target": facts.flow_target,
        "flags": list(facts.base),
        "sets": [_set_json(facts, row) for row in facts.rows],
        "why": [_reason_json(reason) for reason in reasons],
        "exit": int(code),
    }


def _set_json(facts: Facts, row: Row) -> dict[str, Any]:
    flow = row.flow
    return {
        "name": row.flags.name,
        "flags": list(row.flags.flags),
        "refused": row.refused or None,
        "wrong": facts.is_wrong(row),
        "effect": facts.effect(row) or None,
        "dispatches": [list(ops) for ops in flow.dispatches] if flow is not None and flow.flow is not None else None,
        "slow_memcpys": len(flow.flow.slow_memcpys) if flow is not None and flow.flow is not None else None,
        "no_flow": flow.failure or None if flow is not None else None,
        "pads": [_pad_json(pad) for pad in flow.pads] if flow is not None else [],
        "without_effect": [pad.name for pad in facts.without_effect(row)],
        "targets": [_target_json(target) for target in row.targets],
    }


def _reason_json(reason: Reason) -> dict[str, Any]:
    return {
        "kind": reason.kind, "sets": list(reason.sets), "pads": list(reason.pads), "says": reason.says,
        "evidence": list(reason.evidence), "changes": [asdict(t) for t in reason.changes],
        "flags": [asdict(t) for t in reason.flags],
    }  # fmt: skip


def _pad_json(pad: Pad) -> dict[str, Any]:
    return {
        "name": pad.name, "op": pad.op, "line": pad.location.line, "column": pad.location.column,
        "places": [{"where": place.where, "op": place.op or None} for place in pad.places],
    }  # fmt: skip


def _target_json(target: TargetFacts) -> dict[str, Any]:
    numbers = target.numbers
    return {
        "target": target.target, "status": target.status.value, "signature": target.signature or None,
        "failing_pass": target.failing_pass or None, "seconds": round(target.seconds, 3),
        "numbers": {"kind": numbers.kind, "said": numbers.said} if numbers is not None else None,
    }  # fmt: skip
