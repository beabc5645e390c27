"""Links, the graph they draw, and how it is drawn."""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pincite.core.errors import UsageError
from pincite.domains.memory.graph import (
    Graph,
    GraphEdge,
    GraphNode,
    build_graph,
    find_broken_links,
    find_cycles,
    find_obsolete,
)
from pincite.domains.memory.load import load_all
from pincite.domains.memory.messages import draw_graph
from pincite.domains.memory.model import Memories
from pincite.safe.files import Root

from .conftest import Write


@pytest.fixture
def memories(repo: Path, write: Write) -> Memories:
    write(
        "new.md", "---\nsubject: The new way\nlinks:\n  - supersedes: old\n  - related: note\n  - blocks: gone\n---\n"
    )
    write("old.md", "---\nlinks:\n  - extends: base\n---\n")
    write("base.md", "---\nlinks:\n  - implements: new\n---\n")
    write("note.md", "plain")
    write("self.md", "---\nlinks:\n  - extends: self\n---\n")
    with Root(str(repo)) as root:
        return load_all(root, ".serena/memories")


def test_broken_links_and_obsolete_memories(memories: Memories) -> None:
    assert [link.message for link in find_broken_links(memories)] == [
        "new: blocks gone: no memory has this id",
        "self: extends self: links to itself",
    ]
    assert find_obsolete(memories) == {"old": ("new",)}


def test_the_whole_graph(memories: Memories) -> None:
    graph = build_graph(memories)
    assert [node.id for node in graph.nodes] == ["base", "gone", "new", "note", "old", "self"]
    assert [node.id for node in graph.nodes if node.missing] == ["gone"]
    assert graph.cycles == (("base", "new", "old", "base"), ("self", "self"))


def test_the_graph_from_one_memory(memories: Memories) -> None:
    graph = build_graph(memories, "note")
    assert [node.id for node in graph.nodes] == ["note"]
    assert graph.edges == ()
    assert {node.id for node in build_graph(memories, "old").nodes} == {"old", "base", "new", "note", "gone"}
    with pytest.raises(UsageError, match="nobody: no memory"):
        build_graph(memories, "nobody")


def test_related_makes_no_circle() -> None:
    assert find_cycles([GraphEdge("a", "related", "b"), GraphEdge("b", "related", "a")]) == ()


def test_a_long_chain_needs_no_recursion() -> None:
    edges = [GraphEdge(str(number), "extends", str(number + 1)) for number in range(20000)]
    assert find_cycles(edges) == ()
    (cycle,) = find_cycles([*edges, GraphEdge("20000", "extends", "0")])
    assert len(cycle) == 20002


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=14))
def test_a_circle_is_reported_exactly_where_there_is_one(pairs: list[tuple[int, int]]) -> None:
    edges = [GraphEdge(str(source), "extends", str(target)) for source, target in pairs]
    steps = {(edge.source, edge.target) for edge in edges}
    cycles = find_cycles(edges)
    for cycle in cycles:
        assert cycle[0] == cycle[-1]
        assert all(step in steps for step in pairwise(cycle))
    left = set(steps)
    while any(target not in {source for source, _ in left} for _, target in left):
        left = {step for step in left if step[1] in {source for source, _ in left}}
    assert bool(cycles) == bool(left)


def test_text_names_what_matters(memories: Memories) -> None:
    text = draw_graph(build_graph(memories), "text")
    assert "new  The new way\n  supersedes -> old\n  related -> note\n  blocks -> gone  (missing)\n" in text
    assert "old  (obsolete: superseded by new)\n" in text
    assert "cycle: base -> new -> old -> base\n" in text
    assert text.endswith("5 memories, 6 links, 1 missing targets, 2 cycles\n")


def test_json_has_nodes_edges_and_cycles(memories: Memories) -> None:
    data = json.loads(draw_graph(build_graph(memories), "json"))
    assert data["edges"][0] == {"source": "base", "type": "implements", "target": "new"}
    assert data["cycles"][1] == ["self", "self"]
    assert {node["id"]: node["superseded_by"] for node in data["nodes"]}["old"] == ["new"]


HOSTILE = ['"]; end', "a\nb", "\x1b[31m", "a\\", "<b>", "`x`", "-->", "\u202eevil", "%% x", "#quot;", "\udc80"]


@pytest.mark.parametrize("format_", ["text", "json", "dot", "mermaid"])
def test_hostile_names_stay_inside_their_quotes(format_: str) -> None:
    nodes = tuple(GraphNode(name, name) for name in HOSTILE)
    edges = tuple(GraphEdge(name, "related", HOSTILE[0]) for name in HOSTILE)
    plain = Graph(
        tuple(GraphNode(str(n), "s") for n in range(len(nodes))),
        tuple(GraphEdge(str(n), "related", "0") for n in range(len(nodes))),
        (),
    )
    text = draw_graph(Graph(nodes, edges, ()), format_)
    assert not any(char in text for char in "\x1b\u202e\udc80\r")
    assert text.count("\n") == draw_graph(plain, format_).count("\n")
    if format_ == "dot":
        import re

        for row in text.splitlines()[2:-1]:
            bare = re.sub(r'"(?:[^"\\]|\\.)*"', "S", row)
            assert '"' not in bare and ";" in bare
    if format_ == "mermaid":
        labels = [row.partition('["')[2] for row in text.splitlines() if '["' in row]
        assert len(labels) == len(HOSTILE)
        assert all(label.count('"') == 1 and label.endswith('"]') and "<" not in label for label in labels)
