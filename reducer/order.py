"""The one meaning of "smaller" in this project.

Programs are compared by, in this order: ops, flags, the sum of ranks, tensor elements, the other numbers, bytes of
text. Every accepted candidate is strictly smaller than the one before it, so a reduction always ends.
"""

from __future__ import annotations

from reducer.wire import Size

Key = tuple[int, int, int, int, int, int]


def key(size: Size, flags: tuple[str, ...]) -> Key:
    """What to compare a program under its flags by; less is smaller."""
    return (size.ops, len(flags), size.ranks, size.elements, size.numbers, size.text_bytes + sum(map(len, flags)))
