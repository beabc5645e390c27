"""The graph that links draw between memories: what leads where, and where it runs in circles."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.errors import UsageError
from .links import check_links

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .model import Memories


class GraphNode(Struct, frozen=True):
    """A memory, or an id that links name and no memory has."""

    id: str
    subject: str = ""
    key: str = ""
    missing: bool = False
    superseded_by: tuple[str, ...] = ()


class GraphEdge(Struct, frozen=True):
    """One link."""

    source: str
    kind: str
    target: str


class Graph(Struct):
    """Nodes in the order of their ids, edges in the order written, and one example of every circle."""

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    cycles: tuple[tuple[str, ...], ...]
    """Each circle begins and ends with the same id. `related` works both ways and makes none."""


def build_graph(memories: Memories, start: str | None = None) -> Graph:
    """The graph of all memories, or of what can be reached from one; raises UsageError for an unknown start."""
    obsolete = check_links(memories).obsolete
    nodes: dict[str, GraphNode] = {}
    edges: dict[GraphEdge, None] = {}
    for memory in memories.all:
        nodes.setdefault(
            memory.id, GraphNode(memory.id, memory.subject, memory.key, False, obsolete.get(memory.id, ()))
        )
        for link in memory.links:
            edges[GraphEdge(memory.id, link.kind, link.target)] = None
    for edge in edges:
        nodes.setdefault(edge.target, GraphNode(edge.target, missing=True))
    if start is not None:
        if start not in nodes:
            raise UsageError(f"{start}: no memory with this id")
        kept = _reachable(edges, start)
        nodes = {name: node for name, node in nodes.items() if name in kept}
        edges = {edge: None for edge in edges if edge.source in kept}
    return Graph(tuple(nodes[name] for name in sorted(nodes)), tuple(edges), find_cycles(edges))


def find_cycles(edges: Iterable[GraphEdge]) -> tuple[tuple[str, ...], ...]:
    """One shortest circle for every knot of links that point at each other."""
    following: dict[str, list[str]] = {}
    for edge in edges:
        if edge.kind != "related":
            following.setdefault(edge.source, []).append(edge.target)
    cycles = []
    for knot in _knots(following):
        first = min(knot)
        if len(knot) > 1 or first in following.get(first, ()):
            cycles.append(_circle(following, first, knot))
    return tuple(sorted(cycles))


def _reachable(edges: Iterable[GraphEdge], start: str) -> set[str]:
    following: dict[str, list[str]] = {}
    for edge in edges:
        following.setdefault(edge.source, []).append(edge.target)
    seen = {start}
    todo = [start]
    while todo:
        for target in following.get(todo.pop(), ()):
            if target not in seen:
                seen.add(target)
                todo.append(target)
    return seen


def _knots(following: dict[str, list[str]]) -> list[set[str]]:
    """Strongly connected components, without recursion: a chain of links may be long."""
    order: dict[str, int] = {}
    low: dict[str, int] = {}
    open_names: list[str] = []
    waiting: set[str] = set()
    knots: list[set[str]] = []
    for start in following:
        if start in order:
            continue
        walk = [(start, iter(following[start]))]
        order[start] = low[start] = len(order)
        open_names.append(start)
        waiting.add(start)
        while walk:
            name, targets = walk[-1]
            step = next(targets, None)
            if step is None:
                walk.pop()
                if walk:
                    low[walk[-1][0]] = min(low[walk[-1][0]], low[name])
                if low[name] == order[name]:
                    knots.append(_cut(open_names, waiting, name))
            elif step not in order:
                order[step] = low[step] = len(order)
                open_names.append(step)
                waiting.add(step)
                walk.append((step, iter(following.get(step, ()))))
            elif step in waiting:
                low[name] = min(low[name], order[step])
    return knots


def _cut(open_names: list[str], waiting: set[str], until: str) -> set[str]:
    """Take a finished component off the stack."""
    knot: set[str] = set()
    while until not in knot:
        name = open_names.pop()
        waiting.discard(name)
        knot.add(name)
    return knot


def _circle(following: dict[str, list[str]], first: str, knot: set[str]) -> tuple[str, ...]:
    """The shortest way from a name back to itself inside its knot."""
    came: dict[str, str] = {}
    todo = [first]
    while todo:
        ahead = []
        for name in todo:
            for target in following.get(name, ()):
                if target == first:
                    way = [first, name]
                    while way[-1] != first:
                        way.append(came[way[-1]])
                    # A link to itself is its own way back.
                    return tuple(reversed(way)) if name != first else (first, first)
                if target in knot and target not in came:
                    came[target] = name
                    ahead.append(target)
        todo = ahead
    return (first, first)
