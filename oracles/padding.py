"""What the padding oracles share: the flow phase of a program under some flags, and its pads that feed convolutions.

Owns the link between the flow phase and the program's text, which is what keeps a pad or a convolution of IREE's own
making from standing in for one of the program's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from oracles.convolutions import is_convolution
from oracles.dispatches import Flow, read_flow
from oracles.experiment import Experiment, Location, Observation, Observe, Status
from oracles.feeds import Feed, feeds
from oracles.judging import ANY, DEBUG_INFO, absent, evidence, refusal
from oracles.mlir_text import Op, Text, read
from oracles.verdict import Evidence, Outcome, Verdict

_HIGH_LEVEL = re.compile(r"(?:torch|stablehlo|mhlo|chlo|tosa|onnx|vhlo|tm_tensor)\.")
_PADS = re.compile(r"\.pad\b|pad(?:_nd)?\b|[Pp]ad\"|conv|Conv|pool|Pool|reduce_window")
_CONVOLVES = re.compile(r"conv|Conv|pool|Pool|reduce_window")
_TENSOR_PAD = "tensor.pad"


@dataclass(frozen=True)
class Pair:
    """A pad and the convolution that it feeds, both of the program; `feed` says where the pad is computed."""

    feed: Feed
    pad: Evidence
    convolution: Evidence

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """Both; one if a single op of a higher level pads and convolves."""
        return (self.pad,) if self.pad.location == self.convolution.location else (self.pad, self.convolution)


@dataclass(frozen=True)
class FlowPhase:
    """A program at the flow phase, and its pairs."""

    flow: Flow
    pairs: tuple[Pair, ...]

    @property
    def outside(self) -> tuple[Pair, ...]:
        """The pairs whose pad is computed outside the convolution's dispatch."""
        fused = {id(p.feed.convolution) for p in self.pairs if p.feed.where == "inside"}
        return tuple(p for p in self.pairs if p.feed.where != "inside" and id(p.feed.convolution) not in fused)

    @property
    def inside(self) -> tuple[Pair, ...]:
        """The pairs whose pad is inside the convolution's dispatch."""
        return tuple(p for p in self.pairs if p.feed.where == "inside")

    def describe(self) -> str:
        """For people: `2 dispatches, tensor.pad by a slow memcpy`."""
        count = len(self.flow.dispatches)
        dispatches = f"{count} dispatch{'' if count == 1 else 'es'}"
        if not self.pairs:
            return f"{dispatches}, no pad that feeds a convolution"
        words = {
            "inside": "inside the convolution's",
            "dispatch": "in another than the convolution's",
            "slow memcpy": "done by a slow memcpy outside the convolution's",
            "update": "done by an update outside the convolution's",
        }
        shown = self.outside[0] if self.outside else self.pairs[0]
        return f"{dispatches}, `{_TENSOR_PAD}` {words[shown.feed.where]}"


def ask_flow(program: str, observe: Observe, add: tuple[str, ...], drop: tuple[str, ...]) -> FlowPhase | Verdict:
    """The flow phase with the flags `add` and without those of `drop`; or the verdict, if there is none."""
    flags = Experiment(
        phase="flow", ir=True, add=(*add, DEBUG_INFO), drop=tuple(dict.fromkeys((*drop, *add, DEBUG_INFO)))
    )
    observation: Observation = observe(flags)
    if observation.status is not Status.OK:
        return refusal(observation) or absent(
            observation, ANY, "a flow phase", "try the diagnostic or crash oracle on what fails instead"
        )
    return look(program, observation.ir)


def look(program: str, ir: str) -> FlowPhase:
    """The flow phase that `ir` holds, with the pairs of pad and convolution that are the program's own."""
    flow, text = read_flow(ir), read(program)
    theirs = {op.location for op in text.ops if convolves(op, text)}
    found = feeds(flow, lambda op: any(place in theirs for place in op.places))
    return FlowPhase(flow, tuple(_pairs(found, text)))


def nothing_to_see(program: str) -> Verdict | None:
    """The verdict on a program that has no pad or no convolution at all: no need to compile it."""
    text = read(program)
    pads, convolutions = any(pads_something(op) for op in text.ops), any(convolves(op, text) for op in text.ops)
    if pads and convolutions:
        return None
    missing = "tensor.pad" if not pads else "convolution"
    return Verdict(
        Outcome.NOT_INTERESTING,
        f"the program has no {missing}",
        comparison=(("looked for", "a tensor.pad that feeds a convolution"), ("seen", f"no {missing}")),
        advice="this oracle needs a convolution on a padded tensor; `reduce list oracles` shows the others",
    )


def pads_something(op: Op) -> bool:
    """Whether an op of the program is a `tensor.pad`, or one of a higher level that may pad."""
    return op.name == _TENSOR_PAD or (_HIGH_LEVEL.match(op.name) is not None and _PADS.search(op.head) is not None)


def convolves(op: Op, text: Text) -> bool:
    """Whether an op of the program is a convolution, of linalg or of a higher level."""
    return is_convolution(op, text) or (
        _HIGH_LEVEL.match(op.name) is not None and _CONVOLVES.search(op.head) is not None
    )


def _pairs(found: tuple[Feed, ...], text: Text) -> Iterator[Pair]:
    by_place = {op.location: op for op in text.ops}
    pads = [op for op in text.ops if pads_something(op)]
    convolutions = [op for op in text.ops if convolves(op, text)]
    for feed in found:
        pad = _own(feed.pad.places, by_place, pads)
        convolution = _own(feed.convolution.places, by_place, convolutions)
        if pad is not None and convolution is not None:
            yield Pair(feed, evidence(pad, "the pad"), evidence(convolution, "the convolution that it feeds"))


def _own(places: tuple[Location, ...], by_place: dict[Location, Op], candidates: list[Op]) -> Op | None:
    """The candidate that an op of the flow phase was made from; without a place the first, for nothing tells them."""
    known = [by_place[place] for place in places if place in by_place]
    if not known:
        return candidates[0] if candidates else None
    return next((op for op in known if op in candidates), None)
