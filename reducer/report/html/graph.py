"""The flow phase as a picture: which ops are in which dispatch, and what feeds what. SVG by drawsvg.

Boxes are dispatches, in layers by their distance from the program's arguments. Owns the layout, which needs no more
than that: what is reported is small, and what is not is cut off and said to be.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import drawsvg

from oracles.convolutions import is_convolution
from oracles.dispatches import Flow, read_flow
from oracles.mlir_text import Op

MOST = 24
_WIDTH, _LINE, _PAD, _GAP_X, _GAP_Y = 230, 20, 10, 24, 34
_FONT = 13


@dataclass
class Node:
    """A box. title: what it is; rows: the names of its ops with their kinds ("pad", "convolution", "other")."""

    title: str
    rows: list[tuple[str, str]]
    feeds_on: list[int] = field(default_factory=list)
    layer: int = 0

    @property
    def height(self) -> int:
        """In units of the picture."""
        return _PAD * 2 + _LINE * (1 + len(self.rows))


def draw_flow(ir: str) -> str:
    """The picture of an IR at the flow phase; of the first MOST boxes of a large one."""
    nodes = nodes_of(read_flow(ir))
    hidden = max(0, len(nodes) - MOST)
    return _draw(nodes[:MOST], hidden)


def nodes_of(flow: Flow) -> list[Node]:
    """The boxes of a program, in the order of the text: its dispatches, and what else fills or updates a tensor."""
    dispatches = {id(d.op): d for d in flow.dispatches}
    nodes: list[Node] = []
    made_by: dict[str, int] = {}
    for op in flow.text.ops:
        sources = [made_by[name] for name in op.operands if name in made_by]
        if id(op) in dispatches:
            dispatch = dispatches[id(op)]
            inner = [o for o in dispatch.executable.ops if o.name in dispatch.executable.work]
            rows = _rows(flow, inner) or [("copy into a part", "pad")]
            sources = [made_by[name] for name in dispatch.arguments if name in made_by]
            nodes.append(Node(f"dispatch {sum(n.title.startswith('dispatch') for n in nodes)}", rows, sources))
        elif op.name in ("flow.tensor.splat", "flow.tensor.update"):
            kind = "pad" if op.name.endswith("update") else "other"
            nodes.append(Node("no dispatch", [(op.name.removeprefix("flow."), kind)], sources))
        else:
            for name in op.results:
                if sources:
                    made_by[name] = sources[-1]
            continue
        for name in op.results:
            made_by[name] = len(nodes) - 1
    for node in nodes:
        node.feeds_on = list(dict.fromkeys(node.feeds_on))
        node.layer = max((nodes[source].layer + 1 for source in node.feeds_on), default=0)
    return nodes


def _rows(flow: Flow, ops: list[Op]) -> list[tuple[str, str]]:
    """Each kind of op once, with how often it is there."""
    counted = Counter((op.name, _kind(flow, op)) for op in ops)
    return [(f"{name} x{count}" if count > 1 else name, kind) for (name, kind), count in counted.items()]


def _kind(flow: Flow, op: Op) -> str:
    if op.name == "tensor.pad":
        return "pad"
    return "convolution" if is_convolution(op, flow.text) else "other"


def _draw(nodes: list[Node], hidden: int) -> str:
    layers: dict[int, list[Node]] = {}
    for node in nodes:
        layers.setdefault(node.layer, []).append(node)
    wide = max((len(layer) for layer in layers.values()), default=1)
    width = wide * _WIDTH + (wide - 1) * _GAP_X + 2 * _PAD
    places: dict[int, tuple[float, float]] = {}
    y = float(_PAD)
    for number in sorted(layers):
        layer = layers[number]
        x = (width - len(layer) * _WIDTH - (len(layer) - 1) * _GAP_X) / 2
        for node in layer:
            places[id(node)] = (x, y)
            x += _WIDTH + _GAP_X
        y += max(node.height for node in layer) + _GAP_Y
    height = max(y - _GAP_Y + _PAD, _LINE * 2.0) + (_LINE if hidden else 0)
    picture = drawsvg.Drawing(width, height)
    _edges(picture, nodes, places)
    for node in nodes:
        _box(picture, node, *places[id(node)])
    if not nodes:
        picture.append(drawsvg.Text("no dispatch", _FONT, _PAD, _LINE, class_="label"))
    if hidden:
        picture.append(drawsvg.Text(f"and {hidden} more", _FONT, _PAD, height - 6, class_="label"))
    return inline(picture, f"{len(nodes) + hidden} boxes: the dispatches and what feeds what")


def _edges(picture: drawsvg.Drawing, nodes: list[Node], places: dict[int, tuple[float, float]]) -> None:
    for node in nodes:
        x, y = places[id(node)]
        for source in node.feeds_on:
            from_x, from_y = places[id(nodes[source])]
            start, end = from_y + nodes[source].height, y
            middle = (start + end) / 2
            path = drawsvg.Path(class_="edge")
            path.M(from_x + _WIDTH / 2, start)
            path.C(from_x + _WIDTH / 2, middle, x + _WIDTH / 2, middle, x + _WIDTH / 2, end - 4)
            picture.append(path)
            tip = x + _WIDTH / 2
            picture.append(drawsvg.Lines(tip - 4, end - 7, tip + 4, end - 7, tip, end - 1, close=True, class_="tip"))


def _box(picture: drawsvg.Drawing, node: Node, x: float, y: float) -> None:
    kind = "dispatch" if node.title.startswith("dispatch") else "outside"
    picture.append(drawsvg.Rectangle(x, y, _WIDTH, node.height, rx=8, class_=f"box {kind}"))
    picture.append(drawsvg.Text(node.title, _FONT - 1, x + _PAD, y + _PAD + 10, class_="title"))
    for number, (name, what) in enumerate(node.rows):
        top = y + _PAD + _LINE * (number + 1)
        picture.append(drawsvg.Rectangle(x + _PAD, top, _WIDTH - 2 * _PAD, _LINE - 3, rx=3, class_=f"op {what}"))
        picture.append(drawsvg.Text(_fitting(name), _FONT, x + _PAD + 6, top + 13, class_=f"name {what}"))


def _fitting(name: str) -> str:
    most = (_WIDTH - 2 * _PAD - 12) // 8
    return name if len(name) <= most else name[: most - 1] + "…"


def inline(picture: drawsvg.Drawing, about: str) -> str:
    """The picture for a page: as wide as there is room for, and named for those who do not see it."""
    svg = str(picture.as_svg())
    svg = svg[svg.index("<svg") :]
    return svg.replace("<svg", f'<svg role="img" aria-label="{about}"', 1)
