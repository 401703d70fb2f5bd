"""The protocol between a pass and whoever chooses among its sites."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from iree.compiler import ir

Choose = Callable[[str], bool]
Pass = Callable[[ir.Module, Choose], None]

T = TypeVar("T")


def chosen(sites: Sequence[tuple[str, T]], choose: Choose) -> list[T]:
    """Ask once for each (label, site), all before anything is changed; the sites where the answer is yes."""
    return [site for label, site in sites if choose(label)]
