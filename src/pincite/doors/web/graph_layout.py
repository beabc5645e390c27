"""A graph as boxes in columns with lines between them: the same graph is always drawn the same way."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    Edge = tuple[str, str]

BOX_WIDTH = 230
BOX_HEIGHT = 24
_COLUMN = 380
_ROW = 32
_MARGIN = 12
_ROUNDS = 4
"""How often neighbours pull a box to their height; more changes little."""
_BULGE = 60
"""How far a line between two boxes of one column leaves it."""


class PlacedBox(NamedTuple):
    """Where a node stands: the upper left corner of its box."""

    id: str
    x: int
    y: int


class DrawnLine(NamedTuple):
    """A link, as the path of a curve."""

    source: str
    target: str
    path: str


class GraphDrawing(NamedTuple):
    """A whole drawing, in its own units."""

    width: int
    height: int
    boxes: tuple[PlacedBox, ...]
    lines: tuple[DrawnLine, ...]


def draw_columns(columns: Sequence[Sequence[str]], edges: Sequence[Edge]) -> GraphDrawing:
    """Nodes in the given columns, each column in the order in which the lines cross least."""
    ordered = _order(columns, _list_neighbours(edges))
    tallest = max(map(len, ordered), default=0)
    places: dict[str, PlacedBox] = {}
    for number, column in enumerate(ordered):
        # A short column is spread over the height of a tall one.
        room = tallest * _ROW // max(1, len(column))
        for at, name in enumerate(column):
            y = _MARGIN + at * room + (room - _ROW) // 2
            places[name] = PlacedBox(name, _MARGIN + number * _COLUMN, y)
    lines = tuple(
        DrawnLine(source, target, _curve(places[source], places[target]))
        for source, target in edges
        if source in places and target in places
    )
    # Lines of the last column bulge beyond it.
    width = 2 * _MARGIN + max(0, len(ordered) - 1) * _COLUMN + BOX_WIDTH + _BULGE
    return GraphDrawing(width, 2 * _MARGIN + max(1, tallest) * _ROW, tuple(places.values()), lines)


def find_columns(names: Iterable[str], edges: Sequence[Edge]) -> list[list[str]]:
    """Columns by the distance from the most connected node of each connected part; the largest parts come first."""
    names = sorted(names)
    near = _list_neighbours(edges)
    columns: list[list[str]] = []
    seen: set[str] = set()
    parts = []
    for name in sorted(names, key=lambda one: (-len(near.get(one, ())), one)):
        if name not in seen:
            parts.append(_measure(name, near, seen))
    for part in sorted(parts, key=lambda one: (-len(one), min(one))):
        for name, distance in part.items():
            while len(columns) <= distance:
                columns.append([])
            columns[distance].append(name)
    return columns


def _measure(start: str, near: Mapping[str, Sequence[str]], seen: set[str]) -> dict[str, int]:
    """How far each node is that can be reached, whichever way links point."""
    seen.add(start)
    found = {start: 0}
    todo = deque([start])
    while todo:
        name = todo.popleft()
        for other in near.get(name, ()):
            if other not in seen:
                seen.add(other)
                found[other] = found[name] + 1
                todo.append(other)
    return found


def _list_neighbours(edges: Iterable[Edge]) -> dict[str, list[str]]:
    near: dict[str, dict[str, None]] = {}
    for source, target in edges:
        if source != target:
            near.setdefault(source, {})[target] = None
            near.setdefault(target, {})[source] = None
    return {name: sorted(others) for name, others in near.items()}


def _order(columns: Sequence[Sequence[str]], near: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Each column by the mean height of its neighbours in the others; a node without any stays where it is."""
    ordered = [list(column) for column in columns]
    heights = {name: at / max(1, len(column)) for column in ordered for at, name in enumerate(column)}
    for turn in range(_ROUNDS):
        for column in ordered if turn % 2 else reversed(ordered):
            here = set(column)
            wanted = {}
            for name in column:
                others = [heights[other] for other in near.get(name, ()) if other in heights and other not in here]
                wanted[name] = sum(others) / len(others) if others else heights[name]
            column.sort(key=lambda name: (wanted[name], name))
            heights.update((name, at / len(column)) for at, name in enumerate(column))
    return ordered


def _curve(source: PlacedBox, target: PlacedBox) -> str:
    middle = BOX_HEIGHT // 2
    y, end = source.y + middle, target.y + middle
    if source.x == target.x:
        right = source.x + BOX_WIDTH
        return f"M{right} {y}C{right + _BULGE} {y} {right + _BULGE} {end} {right} {end}"
    if source.x < target.x:
        x, goal, pull = source.x + BOX_WIDTH, target.x, (target.x - source.x - BOX_WIDTH) // 2
    else:
        x, goal, pull = source.x, target.x + BOX_WIDTH, -((source.x - target.x - BOX_WIDTH) // 2)
    return f"M{x} {y}C{x + pull} {y} {goal - pull} {end} {goal} {end}"
