"""The graph of documents and the sources that they cite, and that of memories, as pages show them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from msgspec import Struct

from ...domains.memory.graph import build_graph
from ...domains.memory.load import folder_key, load_all
from .links import has_dot_segments
from .rendering import OUTCOMES

if TYPE_CHECKING:
    from .checked_documents import CheckedDocuments
    from .links import Links
    from .site import Site

_MOST_OF_A_KIND = 40
"""Documents, and sources, that are drawn."""
_MOST_MEMORIES = 80
_GRAVITY = {label: at for at, label in enumerate(OUTCOMES)}


class CitationNode(Struct, frozen=True, gc=False):
    """A document, a source or a memory."""

    id: str
    label: str
    kind: str
    """`document`, `source`, `memory`, or `missing` for a memory that links name and that there is none of."""
    links: int
    """How many others it is linked with."""
    outcome: str
    """The gravest outcome of its citations; empty where it has none."""
    note: str = ""
    """More about it: the subject of a memory, by what it is superseded."""
    path: str = ""
    """The file of a memory."""


class CitationLink(Struct, frozen=True, gc=False):
    """A link from one node to another."""

    source: str
    target: str
    kind: str
    """`cites`, or the type of a link between memories."""
    count: int
    outcome: str
    """The gravest outcome of the citations behind it; empty where it is a link between memories."""


class WholeGraph(Struct, frozen=True):
    """All nodes and links; the nodes by id."""

    nodes: dict[str, CitationNode]
    links: tuple[CitationLink, ...]
    cycles: tuple[tuple[str, ...], ...] = ()
    """Circles among memories, one example of each."""
    defects: tuple[str, ...] = ()
    """Memories that cannot be read, or told apart."""


def link_documents(documents: CheckedDocuments) -> WholeGraph:
    """Which document cites which source."""
    found: dict[tuple[str, str], list[str]] = {}
    labels: dict[str, str] = {}
    for row in documents.all_rows():
        if row.source:
            target = f"{row.scheme}:{row.source}"
            labels[target] = row.source
            found.setdefault((f"document:{row.document}", target), []).append(row.outcome)
    links = tuple(
        CitationLink(source, target, "cites", len(outcomes), _worst(outcomes))
        for (source, target), outcomes in sorted(found.items())
    )
    degrees, outcomes_of = Counter[str](), dict[str, list[str]]()
    for link in links:
        for end in (link.source, link.target):
            degrees[end] += 1
            outcomes_of.setdefault(end, []).append(link.outcome)
    nodes = {
        id: CitationNode(
            id,
            labels.get(id) or id.partition(":")[2],
            "source" if id in labels else "document",
            degree,
            _worst(outcomes_of[id]),
        )
        for id, degree in sorted(degrees.items())
    }
    return WholeGraph(nodes, links)


def link_memories(site: Site, start: str) -> WholeGraph:
    """Which memory links to which: all, or what can be reached from one; raises UsageError for an unknown start."""
    with site.open() as project:
        memories = load_all(project.root, folder_key(project.root, project.config.memories, required=False))
    graph = build_graph(memories, start or None)
    links = tuple(CitationLink(edge.source, edge.target, edge.kind, 1, "") for edge in graph.edges)
    degrees = Counter(end for link in links for end in {link.source, link.target})
    worst = {row.document: row.worst for row in site.documents.documents}
    nodes = {}
    for node in graph.nodes:
        note = node.subject
        if node.superseded_by:
            note = f"{note} (superseded by {', '.join(node.superseded_by)})".strip()
        kind = "missing" if node.missing else "memory"
        path = node.path or ""
        nodes[node.id] = CitationNode(node.id, node.id, kind, degrees[node.id], worst.get(path, ""), note, path)
    defects = [f"{memory.key}: {memory.error}" for memory in memories.unparsable]
    defects += [clash.message for clash in memories.clashes]
    return WholeGraph(nodes, links, graph.cycles, tuple(defects))


def choose_nodes(graph: WholeGraph) -> list[str]:
    """The nodes that are drawn: the most connected ones where there are many."""
    by_links = sorted(graph.nodes.values(), key=lambda node: (-node.links, node.id))
    documents = {node.id for node in by_links if node.kind == "document"}
    if not documents:
        return [node.id for node in by_links[:_MOST_MEMORIES]]
    first = [node.id for node in by_links if node.id in documents][:_MOST_OF_A_KIND]
    drawn = set(first)
    # A source that none of the drawn documents cites would stand alone.
    cited = Counter(link.target for link in graph.links if link.source in drawn)
    sources = sorted(cited, key=lambda id: (-cited[id], -graph.nodes[id].links, id))
    return [*first, *sources[:_MOST_OF_A_KIND]]


def find_address(node: CitationNode, documents: CheckedDocuments, links: Links, cited: frozenset[str]) -> str:
    """The page of a node; empty where it has none. `cited` are the files with a page of their own."""
    if node.kind == "document":
        return links.page("document", document=node.label)
    if node.kind == "source":
        if node.label in cited and not has_dot_segments(node.label):
            return links.page("source", path=node.label)
        scheme = node.id.partition(":")[0]
        return "" if links.is_static else links.page("overview", list="citations", scheme=scheme, source=node.label)
    if node.path and documents.report(node.path) is not None:
        return links.page("document", document=node.path)
    return "" if links.is_static else links.page("graph", of="memories", start=node.id)


def _worst(outcomes: list[str]) -> str:
    return min(outcomes, key=lambda label: _GRAVITY.get(label, 0))
