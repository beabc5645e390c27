"""Documents and the sources that they cite, or memories and their links, as a drawing and as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from msgspec import Struct

from ....safe.escape import escape_text
from ..citation_graph import (
    CitationLink,
    CitationNode,
    WholeGraph,
    choose_nodes,
    find_address,
    link_documents,
    link_memories,
)
from ..graph_layout import BOX_HEIGHT, BOX_WIDTH, draw_columns, find_columns
from ..records import Paging, cut_page
from ..routes import PageRoute, Refusal

if TYPE_CHECKING:
    from ..graph_layout import GraphDrawing
    from ..routes import PageContext

ZOOMS = (50, 100, 200, 400)
"""Sizes in percent, for browsers without script."""
_LONGEST_LABEL = 32
_KEY = "graph"


class GraphQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which graph."""

    of: Literal["documents", "memories"] = "documents"
    start: str = ""
    """The id of a memory: only what can be reached from it is shown."""
    zoom: int = 100
    page: int = 1
    """Which part of the table."""


class GraphBox(NamedTuple):
    """A node as it is drawn."""

    x: int
    y: int
    width: int
    height: int
    node: CitationNode
    label: str
    address: str


class GraphTableRow(Struct, frozen=True):
    """A link with both its ends."""

    link: CitationLink
    source: CitationNode
    target: CitationNode
    source_address: str
    """Empty where there is no page of it."""
    target_address: str


class GraphRecord(Struct, frozen=True):
    """The part of a graph that is drawn, and a part of the table of all its links."""

    of: str
    start: str
    zoom: int
    nodes: tuple[CitationNode, ...]
    """Those that are drawn, the most connected first."""
    addresses: dict[str, str]
    """Their pages, by id."""
    links: tuple[CitationLink, ...]
    """Those between them."""
    left_out: int
    """Nodes that are not drawn."""
    total: int
    """All nodes."""
    rows: tuple[GraphTableRow, ...]
    paging: Paging
    cycles: tuple[tuple[str, ...], ...]
    """Circles among memories, one example of each."""
    defects: tuple[str, ...]
    """Memories that cannot be read, or told apart."""

    @property
    def drawing(self) -> GraphDrawing:
        """Where everything stands."""
        edges = [(link.source, link.target) for link in self.links]
        if self.of == "documents":
            kinds = ("document", "source")
            columns = [[node.id for node in self.nodes if node.kind == kind] for kind in kinds]
        else:
            columns = find_columns([node.id for node in self.nodes], edges)
        return draw_columns(columns, edges)

    @property
    def zooms(self) -> tuple[int, ...]:
        """The sizes to choose from."""
        return ZOOMS

    def boxes(self, drawing: GraphDrawing) -> list[GraphBox]:
        """The nodes in their places."""
        nodes = {node.id: node for node in self.nodes}
        return [
            GraphBox(
                box.x,
                box.y,
                BOX_WIDTH,
                BOX_HEIGHT,
                nodes[box.id],
                _shorten(nodes[box.id]),
                self.addresses.get(box.id, ""),
            )
            for box in drawing.boxes
        ]


def load_graph(context: PageContext, query: GraphQuery) -> GraphRecord:
    """The graph of a site."""
    if query.zoom not in ZOOMS:
        raise Refusal(422, f"zoom is one of {', '.join(map(str, ZOOMS))} - at `$.zoom`")
    if query.start and query.of != "memories":
        raise Refusal(422, "start is the id of a memory: it needs of=memories - at `$.start`")
    graph = _load(context, query)
    documents, links = context.site.documents, context.links
    cited = frozenset(documents.citing.paths()) if query.of == "documents" else frozenset()
    drawn = choose_nodes(graph)
    known = set(drawn)
    listed, paging = cut_page(graph.links, query.page)
    named = known.union(*((link.source, link.target) for link in listed))
    addresses = {id: find_address(graph.nodes[id], documents, links, cited) for id in named}
    return GraphRecord(
        of=query.of,
        start=query.start,
        zoom=query.zoom,
        nodes=tuple(graph.nodes[id] for id in drawn),
        addresses={id: addresses[id] for id in drawn if addresses[id]},
        links=tuple(link for link in graph.links if link.source in known and link.target in known),
        left_out=len(graph.nodes) - len(drawn),
        total=len(graph.nodes),
        rows=tuple(
            GraphTableRow(
                link,
                graph.nodes[link.source],
                graph.nodes[link.target],
                addresses[link.source],
                addresses[link.target],
            )
            for link in listed
        ),
        paging=paging,
        cycles=graph.cycles,
        defects=graph.defects,
    )


def _load(context: PageContext, query: GraphQuery) -> WholeGraph:
    """The graph; that of documents is kept for as long as no verdict changes."""
    site = context.site
    if query.of == "memories":
        return link_memories(site, query.start)
    documents = site.documents
    kept: tuple[int, WholeGraph] = site.kept.get(_KEY) or (-1, WholeGraph({}, ()))
    if kept[0] != documents.version:
        site.kept[_KEY] = kept = documents.version, link_documents(documents)
    return kept[1]


def _shorten(node: CitationNode) -> str:
    """A label that fits its box: of a path the end says the most."""
    label = escape_text(node.label)
    if len(label) <= _LONGEST_LABEL:
        return label
    if node.kind in ("document", "source"):
        return f"…{label[1 - _LONGEST_LABEL :]}"
    return f"{label[: _LONGEST_LABEL - 1]}…"


PAGES = (
    PageRoute(
        "graph",
        "/graph",
        "Documents and their sources, or memories and their links, as a graph",
        GraphQuery,
        GraphRecord,
        load_graph,
        "graph.html",
        title="Graph",
    ),
)
