"""The picture of a graph, as SVG by drawsvg: boxes in rows from top to bottom, lines from what feeds to what is fed.

Owns the layout, which needs no engine: what is reported is small, and of what is not the first boxes are drawn. At most
two boxes stand side by side, so that the picture fits half a page and a telephone; a line that passes a row runs
beside the boxes.
"""

from __future__ import annotations

from dataclasses import dataclass

import drawsvg

from reducer.report.html.graph import Edge, Graph, Node, Row

MOST = 40
"""Boxes that are drawn."""

_ACROSS = 2
_WIDTH, _LINE, _PAD, _GAP_X, _GAP_Y, _MARGIN = 236, 22, 10, 40, 44, 20
_FONT, _SMALL = 13, 11
_NAME_CHARS, _TYPE_CHARS = 26, 30


@dataclass(frozen=True)
class _Place:
    """Where a box is: its row and column, and its corners."""

    row: int
    column: int
    x: float
    y: float
    height: float

    @property
    def middle(self) -> float:
        return self.x + _WIDTH / 2

    @property
    def bottom(self) -> float:
        return self.y + self.height


def draw_graph(graph: Graph, above: int) -> str:
    """The picture; of the first MOST boxes of a large one, with how many more there are.

    above: how many lines stand above the program in its file, which is what lines are counted in.
    """
    nodes = graph.nodes[:MOST]
    places = _places(nodes)
    right = max((place.x + _WIDTH for place in places), default=_WIDTH + _MARGIN) + _MARGIN
    bottom = max((place.bottom for place in places), default=_LINE) + _PAD
    more = len(graph.nodes) - len(nodes)
    picture = drawsvg.Drawing(right, bottom + (_LINE if more else 0))
    for number, node in enumerate(nodes):
        for edge in node.edges:
            _line(picture, edge, places[edge.source], places[number])
    for node, place in zip(nodes, places, strict=True):
        _box(picture, node, place, above)
    if not nodes:
        picture.append(drawsvg.Text("no dispatch", _FONT, _MARGIN, _LINE, class_="label"))
    if more:
        said = f"and {more} more, which are not drawn"
        picture.append(drawsvg.Text(said, _FONT, _MARGIN, bottom + _LINE - 8, class_="label"))
    return inline(picture, f"{graph.said}; {len(graph.nodes)} boxes, and what feeds what")


def inline(picture: drawsvg.Drawing, about: str) -> str:
    """The picture for a page, named for those who do not see it."""
    svg = str(picture.as_svg())
    svg = svg[svg.index("<svg") :]
    about = about.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    return svg.replace("<svg", f'<svg role="img" aria-label="{about}"', 1)


def _places(nodes: tuple[Node, ...]) -> list[_Place]:
    """Boxes in layers by their distance from what feeds on nothing; a layer takes as many rows as it needs."""
    depth: list[int] = []
    for node in nodes:
        depth.append(max((depth[edge.source] + 1 for edge in node.edges), default=0))
    places: dict[int, _Place] = {}
    y, row = float(_PAD), 0
    for layer in range(max(depth, default=-1) + 1):
        members = [number for number in range(len(nodes)) if depth[number] == layer]
        for start in range(0, len(members), _ACROSS):
            across = members[start : start + _ACROSS]
            for column, number in enumerate(across):
                x = _MARGIN + column * (_WIDTH + _GAP_X)
                places[number] = _Place(row, column, x, y, _height(nodes[number]))
            y += max(_height(nodes[number]) for number in across) + _GAP_Y
            row += 1
    return [places[number] for number in range(len(nodes))]


def _height(node: Node) -> float:
    return 2 * _PAD + _LINE * (1 + len(node.rows)) - 4


def _line(picture: drawsvg.Drawing, edge: Edge, start: _Place, end: _Place) -> None:
    """A line from the bottom of one box to the top of another; beside the boxes if it passes a row."""
    kind = "edge padded" if edge.padded else "edge"
    path = drawsvg.Path(class_=kind)
    top, tip = end.y - 3, end.middle
    if end.row - start.row == 1:
        bend = (start.bottom + top) / 2
        path.M(start.middle, start.bottom).C(start.middle, bend, tip, bend, tip, top)
    else:
        tip += 26 if end.column else -26
        beside = start.x + _WIDTH + _MARGIN / 2 if start.column else start.x - _MARGIN / 2
        low = start.bottom
        path.M(start.middle, low).C(start.middle, low + 16, beside, low, beside, low + 24)
        path.V(top - 24).C(beside, top - 6, tip, top - 18, tip, top)
    picture.append(path)
    head = (tip - 4.5, top - 6, tip + 4.5, top - 6, tip, top + 1)
    picture.append(drawsvg.Lines(*head, close=True, class_="tip padded" if edge.padded else "tip"))
    if edge.what and end.row - start.row == 1:
        said = _fitting(edge.what, _TYPE_CHARS)
        picture.append(drawsvg.Text(said, _SMALL, tip + 9, top - 12, class_="type"))


def _box(picture: drawsvg.Drawing, node: Node, place: _Place, above: int) -> None:
    kind = "outside" if node.dispatch is None else "dispatch"
    picture.append(drawsvg.Rectangle(place.x, place.y, _WIDTH, place.height, rx=8, class_=f"box {kind}"))
    picture.append(drawsvg.Text(node.title, _FONT - 1, place.x + _PAD, place.y + _PAD + 10, class_="title"))
    for number, row in enumerate(node.rows):
        said = f"line {row.line + above}" if row.line else ""
        _row(picture, row, said, (place.x + _PAD, place.y + _PAD + _LINE * (number + 1) - 3))


def _row(picture: drawsvg.Drawing, row: Row, said: str, at: tuple[float, float]) -> None:
    x, y = at
    width = _WIDTH - 2 * _PAD
    picture.append(drawsvg.Rectangle(x, y, width, _LINE - 3, rx=4, class_=f"op {row.kind}"))
    name = row.name if row.times == 1 else f"{row.name} x{row.times}"
    shown = _fitting(name, _NAME_CHARS - 7 * bool(said))
    text = drawsvg.Text(shown, _FONT, x + 7, y + 14, class_=f"name {row.kind}")
    text.append_title(name)
    picture.append(text)
    if said:
        picture.append(drawsvg.Text(said, _SMALL, x + width - 7, y + 14, text_anchor="end", class_=f"where {row.kind}"))


def _fitting(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
