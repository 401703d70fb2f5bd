from __future__ import annotations

from dataclasses import replace

from reducer import order
from reducer.wire import Size

SIZE = Size(ops=5, ranks=4, elements=9, numbers=3, text_bytes=100)


def test_the_documented_order_of_importance() -> None:
    """Each quantity outweighs any amount of those behind it: ops, flags, ranks, elements, numbers, bytes."""
    flags = ("--a",)
    steps = [
        order.key(replace(SIZE, ops=4, ranks=99, elements=99, numbers=99, text_bytes=999), ("--a", "--b")),
        order.key(replace(SIZE, ranks=99, elements=99), ()),
        order.key(replace(SIZE, ranks=3, elements=99), flags),
        order.key(replace(SIZE, elements=8, numbers=99), flags),
        order.key(replace(SIZE, numbers=2, text_bytes=999), flags),
        order.key(replace(SIZE, text_bytes=99), flags),
        order.key(SIZE, flags),
    ]
    assert steps == sorted(steps)
    assert len(set(steps)) == len(steps)


def test_a_shorter_flag_value_is_smaller() -> None:
    assert order.key(SIZE, ("--o=O1",)) < order.key(SIZE, ("--o=O10",))
