"""`reduce list`: the oracles, targets, passes and releases there are."""

from __future__ import annotations

import sys

from oracles.registry import ORACLES
from reducer.cli.console import Out
from reducer.cli.exits import Exit
from reducer.cli.requests import ListRequest
from reducer.errors import InputError, ToolchainError, nearest
from reducer.toolchain.install import cache_directory
from reducer.toolchain.pool import Limits, Slot
from reducer.toolchain.releases import KNOWN_RELEASES, installed, resolve
from reducer.toolchain.targets import TARGETS

KINDS = ("oracles", "targets", "passes", "releases")


def run_list(request: ListRequest) -> Exit:
    """Print one listing. Raises InputError for a kind that there is not."""
    listings = {"oracles": _oracles, "targets": _targets, "passes": _passes, "releases": _releases}
    if request.what not in listings:
        hint = nearest(request.what, KINDS) or f"; known are {', '.join(KINDS)}"
        raise InputError(f"cannot list {request.what!r}{hint}")
    out = Out(0)
    rows = listings[request.what](request, out)
    width = max(len(name) for name, _ in rows)
    for name, about in rows:
        out.result(f"{name:<{width}}  {about}".rstrip())
    return Exit.CONFIRMED


def _oracles(request: ListRequest, out: Out) -> list[tuple[str, str]]:
    return [(kind.name, kind.summary) for kind in ORACLES]


def _targets(request: ListRequest, out: Out) -> list[tuple[str, str]]:
    return [(", ".join(target.examples), target.summary) for target in TARGETS]


def _passes(request: ListRequest, out: Out) -> list[tuple[str, str]]:
    """The passes are known to the worker's side alone: ask a worker."""
    slot = Slot(resolve(request.iree, out.say), Limits(60.0, 0))
    try:
        return [(name, "") for name in slot.passes]
    finally:
        slot.close()


def _releases(request: ListRequest, out: Out) -> list[tuple[str, str]]:
    try:
        here = installed().release
    except ToolchainError:
        here = ""
    python = f"cp{sys.version_info[0]}{sys.version_info[1]}"
    cached = {r for r in KNOWN_RELEASES if (cache_directory() / f"{r}-{python}" / "bin" / "python").exists()}
    names = [*KNOWN_RELEASES, *([here] if here and here not in KNOWN_RELEASES else [])]
    return [(r, "installed" if r == here else "in the cache" if r in cached else "") for r in names]
