"""The program that a report shows: canonical, its symbols with neutral names, without strings and weights.

The key is that the oracle judges *this* program, so nothing that the compiler says of it can quote the original. Owns
what is taken out and whether the fault survives that; which text is a name is `report.neutral`'s.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from oracles.verdict import Verdict
from reducer.errors import InputError
from reducer.report.neutral import outline, rename, strings, with_string
from reducer.search import Search
from reducer.toolchain.pool import Slot
from reducer.wire import ApplyRequest, Edited, MeasureRequest, Sites, SitesRequest

Judge = Callable[[str], Verdict]

_KEY = re.compile(r" (\S+): dropped\Z")
_OTHER = re.compile(r'"t\d+"')
_OURS = ("hal.", "iree.compiler.", "stream.", "flow.", "util.", "llvm.", "reduce.")
_WELL_KNOWN = frozenset(
    {
        *("nofold", "fastmath", "overflowFlags", "isExact", "nonNeg", "nuw", "nsw", "exact", "in_bounds", "inbounds"),
        *("strides", "dilations", "cast", "ordering", "lowering_config", "compilation_info", "inlining_policy"),
        *("window_strides", "padding", "lhs_dilation", "rhs_dilation", "window_dilations", "window_reversal"),
        *("precision_config", "sym_visibility", "no_inline", "noinline", "initial_value"),
    }
)


@dataclass(frozen=True)
class Neutral:
    """program: to be shown. kept: what the fault needs of the original, as counts."""

    program: str
    kept: tuple[str, ...]


def canonical(slot: Slot, text: str, shown_as: str) -> str:
    """The program as the release prints it: no comments, aliases or value names of the author's. Raises InputError."""
    edited = slot.edit(MeasureRequest(text))
    if not isinstance(edited, Edited) or edited.invalid:
        why = edited.invalid if isinstance(edited, Edited) else edited.message
        raise InputError(f"{shown_as}: IREE cannot use this program: {why}")
    return edited.program


def make_neutral(slot: Slot, text: str, names: Mapping[str, str], judge: Judge, *, minimal: bool) -> Neutral:
    """A program that shows the same and says less. text: canonical.

    As far as the fault allows, strings become others (`"t1"`), attributes that are not MLIR's or IREE's are dropped,
    and tensors of constants become splats. minimal: a reduction has tried to drop and simplify everything; only strings
    are left to do.
    """
    program = rename(text, names)
    if not minimal:
        program = _without(slot, program, "drop_attributes", judge, _foreign)
        alike = _places(_sites(slot, program, "splat_constants"))
        program = _without(slot, program, "zero_constants", judge, lambda label: _place(label) in alike)
        program = _without(slot, program, "splat_constants", judge, lambda _: True)
    program = _with_other_strings(slot, program, judge)
    return Neutral(program, tuple(_kept(slot, program, minimal=minimal)))


def outlined(slot: Slot, text: str) -> str:
    """An outline of a canonical program that is only looked at: nothing needs to show any more. "" if there is none."""
    sites = tuple(n for n, label in enumerate(_sites(slot, text, "drop_attributes")) if _foreign(label))
    edited = slot.edit(ApplyRequest(text, "drop_attributes", sites))
    return outline(edited.program) if isinstance(edited, Edited) and not edited.invalid else ""


def _without(slot: Slot, program: str, pass_name: str, judge: Judge, wanted: Callable[[str], bool]) -> str:
    """The program after the pass at as many of the wanted sites as the fault allows: all, halves … single ones."""
    search: Search | None = None
    while True:
        sites = [number for number, label in enumerate(_sites(slot, program, pass_name)) if wanted(label)]
        search = Search.over(len(sites)) if search is None else search
        for chunk, start in search.candidates():
            picked = tuple(sites[start : start + chunk])
            edited = slot.edit(ApplyRequest(program, pass_name, picked))
            if isinstance(edited, Edited) and not edited.invalid and judge(edited.program).interesting:
                program = edited.program
                search = search.succeeded(chunk, start, len(sites) - len(picked))
                break
        else:
            return program


def _with_other_strings(slot: Slot, program: str, judge: Judge) -> str:
    """The program with other strings: all of them, or else those of which the fault lets it."""
    old = [text for text in strings(program) if not _OTHER.fullmatch(text)]
    search = Search.over(len(old))
    for chunk, start in search.candidates():
        changed = program
        for number in range(start, min(start + chunk, len(old))):
            changed = with_string(changed, old[number], f'"t{number + 1}"')
        edited = slot.edit(MeasureRequest(changed)) if changed != program else None
        if isinstance(edited, Edited) and not edited.invalid and judge(edited.program).interesting:
            program = edited.program
    return program


def _sites(slot: Slot, program: str, pass_name: str) -> tuple[str, ...]:
    sites = slot.edit(SitesRequest(program, pass_name))
    return sites.labels if isinstance(sites, Sites) else ()


def _places(labels: Iterable[str]) -> frozenset[str]:
    return frozenset(map(_place, labels))


def _place(label: str) -> str:
    return label.rpartition(": ")[0]


def _foreign(label: str) -> bool:
    """Whether an attribute that can be dropped is neither MLIR's nor IREE's own."""
    key = _KEY.search(label)
    if key is None:
        return False
    return not key[1].startswith(_OURS) if "." in key[1] else key[1] not in _WELL_KNOWN


def _kept(slot: Slot, program: str, *, minimal: bool) -> Iterable[str]:
    """What is left of the original, as counts: to name it would be to show it."""
    foreign = sum(map(_foreign, _sites(slot, program, "drop_attributes")))
    texts = sum(not _OTHER.fullmatch(text) for text in strings(program))
    tensors = 0 if minimal else len(_sites(slot, program, "splat_constants"))
    for count, one, many in (
        (foreign, "attribute", "attributes"),
        (texts, "string", "strings"),
        (tensors, "tensor of constants", "tensors of constants"),
    ):
        if count:
            yield f"{count} {one if count == 1 else many}"
