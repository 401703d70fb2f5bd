"""Which ops of a program belong together, as places in its text: the units of the first, coarse cut. Pure.

For a fault that comes without evidence (a crash, a hang), the program is cut by dispatch, since that is what IREE's
backends see one at a time; where there is no flow phase to look at, by op.
"""

from __future__ import annotations

from oracles.dispatches import read_flow
from oracles.experiment import Location
from oracles.mlir_text import Op, read

Group = tuple[Location, ...]

FUNCTIONS = ("func.func", "util.func", "func")
NO_WORK = ("arith.constant", "tensor.empty", "linalg.fill", "func.return", "util.return", "return")


def by_dispatch(program: str, flow: str) -> tuple[Group, ...]:
    """The ops of the program that each dispatch was made from; `flow`: IR at the flow phase, with locations."""
    own = {op.location: op for op in read(program).ops if _is_work(op)}
    groups = []
    for executable in read_flow(flow).executables:
        places = dict.fromkeys(place for op in executable.ops for place in op.places if place in own)
        if places:
            groups.append(tuple(places))
    return tuple(dict.fromkeys(groups))


def by_op(program: str) -> tuple[Group, ...]:
    """Every op that stands directly in a function and does some work, alone."""
    return tuple((op.location,) for op in read(program).ops if _is_work(op))


def _is_work(op: Op) -> bool:
    return op.parent is not None and op.parent.name in FUNCTIONS and op.name not in NO_WORK
