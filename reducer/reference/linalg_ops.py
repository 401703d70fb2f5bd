"""`linalg.generic` with any maps, any body, any number of results.

Three ways, the first that fits: a plain product (`contraction`), one evaluation of the body over all loops with the
results placed or folded (`reductions`), or, for a body that uses its outputs in another way, one evaluation a step of
the loops that the outputs do not follow, in order, each over all other loops at once.

Memory: the body is evaluated over parts of the iteration space of at most `PART` elements, so that a body of k ops
holds at most k * PART * (8 to 24) bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np

from reducer.reference import contraction, types
from reducer.reference.affine_maps import Map, parse_maps
from reducer.reference.failures import UndefinedError
from reducer.reference.iteration import Generic, Target, cut
from reducer.reference.machine import Environment, Machine
from reducer.reference.program import Node, reads
from reducer.reference.reductions import Chain, Fold, dependents, find_chain
from reducer.reference.values import Value, settle
from reducer.reference.views import Part, check, see

PART = 1 << 20


def generic(machine: Machine, node: Node, env: Environment) -> list[Value]:
    """Evaluate the op."""
    maps = node.cache.setdefault("maps", parse_maps(node.text("indexing_maps") or ""))
    ins, outs = node.segments()
    operands = [env[o] for o in (*ins, *outs)]
    sizes = loop_sizes(node, maps, operands)
    if 0 in sizes:
        return operands[len(ins) :]
    for value, map_, type_ in zip(operands, maps, node.operand_types, strict=True):
        check(node.name, value.shape, map_, sizes)
        _agree(node, value, map_, sizes, type_)
    block = node.regions[0][0]
    uses = frozenset(o for inner in block.nodes for o in reads(inner))
    pairs = list(zip(operands, maps, strict=True))
    op = Generic(machine, node, env, block, sizes, pairs[: len(ins)], pairs[len(ins) :], uses)
    chains = _chains(op)
    if chains is None:
        return _in_order(op)
    fast = contraction.contract(op, chains)
    return [fast] if fast is not None else _at_once(op, chains)


def loop_sizes(node: Node, maps: Sequence[Map], operands: Sequence[Value]) -> tuple[int, ...]:
    """How far each loop goes: what an operand's dimension says that is this loop alone."""
    count = maps[0].loops if maps else 0
    found: dict[int, int] = {}
    for value, map_ in zip(operands, maps, strict=True):
        for size, expression in zip(value.shape, map_.results, strict=True):
            loop = expression.loop
            if loop is not None and found.setdefault(loop, size) != size:
                raise UndefinedError(f"`{node.name}`: operands of {found[loop]} and {size} along the same loop")
    if len(found) != count:
        raise UndefinedError(f"`{node.name}`: no operand says how far a loop goes")
    return tuple(found[i] for i in range(count))


def _agree(node: Node, value: Value, map_: Map, sizes: tuple[int, ...], type_: str) -> None:
    """Refuse a dynamic size that only fits because the other loops of its expression happen to be of one step.

    `d0 + d1` with one d1 is d0, whose size is the dimension's, and compilers take it to be so.
    """
    for axis, (size, expression) in enumerate(zip(value.shape, map_.results, strict=True)):
        factors, constant = expression.linear(map_.loops) or ((), 1)
        moving = [(i, f) for i, f in enumerate(factors) if f and sizes[i] > 1]
        dynamic = (types.shape(type_) or ())[axis] is None
        if dynamic and constant == 0 and len(moving) == 1 and moving[0][1] == 1 and sizes[moving[0][0]] != size:
            raise UndefinedError(
                f"`{node.name}`: operands of {sizes[moving[0][0]]} and {size} along the same loop, whose window is 1"
            )


def followed(map_: Map) -> frozenset[int]:
    """The loops that are a dimension of the operand."""
    return frozenset(e.loop for e in map_.results if e.loop is not None)


def _is_plain(map_: Map) -> bool:
    """Whether each dimension is a loop of its own, or a constant."""
    loops = [e.loop for e in map_.results if e.kind != "c"]
    return None not in loops and len(set(loops)) == len(loops)


def _chains(op: Generic) -> list[Chain | None] | None:
    """For each output its chain, or None where it is only placed. None if the body must be run in order."""
    every = frozenset(range(len(op.sizes)))
    yielded = op.block.nodes[-1].operands
    found: list[Chain | None] = []
    folded: set[int] = set()
    for (_, map_), out, value in zip(op.outputs, op.out_arguments, yielded, strict=True):
        moving = frozenset(i for i in every if op.sizes[i] > 1)
        chain = None
        if not _is_plain(map_):
            return None
        if not moving <= followed(map_):
            chain = find_chain(op.block, out, value)
            if chain is None:
                return None
            folded.add(out)
        found.append(chain)
    inside = frozenset().union(*(c.ops for c in found if c))
    late = dependents(op.block, folded)
    if any(i not in inside and late & set(node.results) for i, node in enumerate(op.block.nodes)):
        return None
    placed = [v for c, v in zip(found, yielded, strict=True) if c is None]
    if late & set(placed) or (folded and len({followed(m) for _, m in op.outputs}) > 1):
        return None
    return found


def _at_once(op: Generic, chains: Sequence[Chain | None]) -> list[Value]:
    targets = [Target(value) for value, _ in op.outputs]
    skip = frozenset().union(*(c.ops for c in chains if c))
    loops = sorted(followed(op.outputs[0][1])) if any(chains) else range(len(op.sizes))
    rest = [i for i in range(len(op.sizes)) if i not in loops]
    yielded = op.block.nodes[-1].operands
    for outer in cut((0,) * len(op.sizes), op.sizes, loops, PART):
        folds: list[Fold | None] = []
        for chain, target, (_, map_) in zip(chains, targets, op.outputs, strict=True):
            folds.append(Fold(chain, _copied(see(target.value(), map_, outer)), tuple(rest)) if chain else None)
        for part in cut(outer.starts, outer.sizes, rest, PART):
            op.arguments(part, [t.value() if c is None else None for t, c in zip(targets, chains, strict=True)])
            op.body(part, skip)
            for fold, chain in zip(folds, chains, strict=True):
                for number, minus in chain.terms if chain and fold else ():
                    assert fold is not None
                    fold.add(op.env[number], minus, part.sizes)
        for fold, target, number, (_, map_) in zip(folds, targets, yielded, op.outputs, strict=True):
            value = fold.finish() if fold else op.env[number]
            target.write(map_, outer, value, sorted(followed(map_)))
    return [t.value() for t in targets]


def _copied(value: Value) -> Value:
    return Value(np.array(value.data), value.undefined, value.error)


def _in_order(op: Generic) -> list[Value]:
    """Step through the loops that some output does not follow; the last to write an element wins."""
    free = frozenset(range(len(op.sizes))).intersection(*(followed(m) for _, m in op.outputs))
    loops = sorted(free)
    steps = [i for i in range(len(op.sizes)) if i not in free]
    targets = [Target(value) for value, _ in op.outputs]
    yielded = op.block.nodes[-1].operands
    for outer in cut((0,) * len(op.sizes), op.sizes, loops, PART):
        for at in product(*(range(op.sizes[i]) for i in steps)):
            starts, sizes = list(outer.starts), list(outer.sizes)
            for loop, number in zip(steps, at, strict=True):
                starts[loop], sizes[loop] = number, 1
            part = Part(tuple(starts), tuple(sizes))
            op.arguments(part, [t.value() for t in targets])
            op.body(part)
            new = [settle(np.array(v.data), v.undefined, v.error) for v in (op.env[n] for n in yielded)]
            for target, value, (_, map_) in zip(targets, new, op.outputs, strict=True):
                target.write(map_, part, value, loops)
    return _races(op, [t.value() for t in targets])


def _races(op: Generic, values: list[Value]) -> list[Value]:
    """A parallel loop along which an output does not move writes each element several times, in no order."""
    kinds = [k.strip(' "') for k in (op.node.text("iterator_types") or "").strip("[]").split(",")]
    done = []
    for value, (_, map_) in zip(values, op.outputs, strict=True):
        moved = {i for e in map_.results if (linear := e.linear(map_.loops)) for i, f in enumerate(linear[0]) if f}
        moved |= {i for e in map_.results if e.linear(map_.loops) is None for i in range(map_.loops)}
        loops = enumerate(zip(kinds, op.sizes, strict=True))
        racing = any("parallel" in k and n > 1 and i not in moved for i, (k, n) in loops)
        done.append(Value(value.data, np.ones(value.shape, bool), value.error) if racing else value)
    return done


def loop_index(machine: Machine, node: Node, _env: Environment) -> list[Value]:
    """`linalg.index`."""
    return [Value(machine.indices[-1][node.numbers("dim")[0]])]


OPS = {"linalg.generic": generic, "linalg.index": loop_index}
