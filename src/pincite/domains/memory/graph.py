"""The graph that links draw between memories: what leads where or nowhere, what is superseded, what runs in circles."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

from msgspec import Struct

from ...core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from .model import Memories

    Following = dict[str, list[str]]
    """The names that each name leads to."""


class GraphNode(Struct, frozen=True):
    """A memory, or an id that links name and no memory has."""

    id: str
    subject: str = ""
    path: str | None = None
    missing: bool = False
    superseded_by: tuple[str, ...] = ()


class GraphEdge(Struct, frozen=True, rename={"kind": "type"}):
    """One link."""

    source: str
    kind: str
    target: str


class BrokenLink(Struct, frozen=True):
    """A link that leads nowhere."""

    edge: GraphEdge
    reason: str

    @property
    def message(self) -> str:
        """What a reader has to hear."""
        return f"{self.edge.source}: {self.edge.kind} {self.edge.target}: {self.reason}"


class Graph(Struct):
    """Nodes in the order of their ids, edges in the order written, and one example of every circle."""

    nodes: tuple[GraphNode, ...]
    edges: tuple[GraphEdge, ...]
    cycles: tuple[tuple[str, ...], ...]
    """Each circle begins and ends with the same id. `related` works both ways and makes none."""


def find_broken_links(memories: Memories) -> list[BrokenLink]:
    """The links that lead nowhere, or back to where they stand."""
    known = {memory.id for memory in memories.all}
    broken = []
    for edge in _edges(memories):
        if edge.target == edge.source:
            broken.append(BrokenLink(edge, "links to itself"))
        elif edge.target not in known:
            broken.append(BrokenLink(edge, "no memory has this id"))
    return broken


def find_obsolete(memories: Memories) -> dict[str, tuple[str, ...]]:
    """Each memory that is superseded, with those that supersede it."""
    known = {memory.id for memory in memories.all}
    found: dict[str, dict[str, None]] = {}
    for edge in _edges(memories):
        if edge.kind == "supersedes" and edge.target in known and edge.target != edge.source:
            found.setdefault(edge.target, {})[edge.source] = None
    return {name: tuple(by) for name, by in sorted(found.items())}


def build_graph(memories: Memories, start: str | None = None) -> Graph:
    """The graph of all memories, or of what can be reached from one; raises UsageError for an unknown start."""
    obsolete = find_obsolete(memories)
    edges = tuple(dict.fromkeys(_edges(memories)))
    nodes: dict[str, GraphNode] = {}
    for memory in memories.all:
        node = GraphNode(memory.id, memory.subject, memory.key, False, obsolete.get(memory.id, ()))
        nodes.setdefault(memory.id, node)
    for edge in edges:
        nodes.setdefault(edge.target, GraphNode(edge.target, missing=True))
    kept: Collection[str] = nodes
    if start is not None:
        if start not in nodes:
            raise UsageError(f"{start}: no memory with this id")
        kept = _walk(start, _follow(edges), set())
        edges = tuple(edge for edge in edges if edge.source in kept)
    return Graph(tuple(nodes[name] for name in sorted(kept)), edges, find_cycles(edges))


def find_cycles(edges: Iterable[GraphEdge]) -> tuple[tuple[str, ...], ...]:
    """One shortest circle for every knot of links that point at each other."""
    following = _follow(edge for edge in edges if edge.kind != "related")
    cycles = []
    for knot in _knots(following):
        first = min(knot)
        if len(knot) > 1 or first in following.get(first, ()):
            cycles.append(_circle(following, first, knot))
    return tuple(sorted(cycles))


def _edges(memories: Memories) -> Iterator[GraphEdge]:
    return (GraphEdge(memory.id, link.kind, link.target) for memory in memories.all for link in memory.links)


def _follow(edges: Iterable[GraphEdge]) -> Following:
    following: Following = {}
    for edge in edges:
        following.setdefault(edge.source, []).append(edge.target)
    return following


def _knots(following: Following) -> Iterator[list[str]]:
    """Strongly connected components: what is reached backwards, from the name that was left last (Kosaraju)."""
    left: list[str] = []
    seen: set[str] = set()
    for start in following:
        left += _walk(start, following, seen)
    preceding: Following = {}
    for source, targets in following.items():
        for target in targets:
            preceding.setdefault(target, []).append(source)
    seen = set()
    for start in reversed(left):
        if start not in seen:
            yield _walk(start, preceding, seen)


def _walk(start: str, following: Following, seen: set[str]) -> list[str]:
    """What is reached from a name and was not seen, in the order in which it is left again.

    Without recursion: a chain of links may be long.
    """
    left: list[str] = []
    path = [] if start in seen else [(start, iter(following.get(start, ())))]
    seen.add(start)
    while path:
        name, targets = path[-1]
        step = next((target for target in targets if target not in seen), None)
        if step is None:
            left.append(name)
            path.pop()
        else:
            seen.add(step)
            path.append((step, iter(following.get(step, ()))))
    return left


def _circle(following: Following, first: str, knot: Collection[str]) -> tuple[str, ...]:
    """The shortest way from a name back to itself inside its knot."""
    inside = frozenset(knot)
    came: dict[str, str] = {}
    todo = deque([first])
    while first not in came:
        name = todo.popleft()
        for target in following.get(name, ()):
            if target in inside and target not in came:
                came[target] = name
                todo.append(target)
    way = [first, came[first]]
    while way[-1] != first:
        way.append(came[way[-1]])
    return tuple(reversed(way))
