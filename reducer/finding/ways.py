"""The ways to compile one program that a search tries: each target under each set of flags. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from oracles.dispatches import FLAG_CONSUMER, FLAG_PRODUCER
from reducer.toolchain.targets import target_flags


@dataclass(frozen=True)
class Way:
    """A target and flags. name: of the flags, for people; target_flags: how the release spells the target."""

    target: str
    target_flags: tuple[str, ...]
    name: str
    flags: tuple[str, ...]

    @property
    def is_own(self) -> bool:
        """Whether the flags are the user's, of which nothing is known."""
        return self.name == OWN


OWN = "yours"


FLAG_SETS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("none", ()),
    ("consumer", (FLAG_CONSUMER,)),
    ("producer", (FLAG_PRODUCER,)),
    ("both", (FLAG_CONSUMER, FLAG_PRODUCER)),
)
"""By name, fewer flags first: what needs none is not looked for with some."""


def ways(targets: Sequence[str], release: str, own: tuple[str, ...]) -> tuple[tuple[Way, ...], ...]:
    """For each target, each set of flags, and the user's own where there are any. Raises TargetError."""
    sets = (*FLAG_SETS, *([(OWN, own)] if own else []))
    return tuple(
        tuple(Way(target, target_flags(target, release), name, flags) for name, flags in sets) for target in targets
    )


def way_of(of_target: Sequence[Way], flags: Sequence[str]) -> Way:
    """The way whose padding-fusion flags are those among `flags`."""
    padding = {FLAG_CONSUMER, FLAG_PRODUCER} & set(flags)
    return next(way for way in of_target if not way.is_own and set(way.flags) == padding)
