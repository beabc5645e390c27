"""A graph of memories as text, JSON, DOT or Mermaid. Ids and subjects are untrusted and escaped for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import to_builtins

from ...safe.escape import escape_text
from .messages import as_json

if TYPE_CHECKING:
    from .graph import Graph


def draw(graph: Graph, format_: str) -> str:
    """The graph in one of the formats, ending in a line end."""
    return {"text": _text, "json": _json, "dot": _dot, "mermaid": _mermaid}[format_](graph)


def _text(graph: Graph) -> str:
    rows: list[str] = []
    by_source: dict[str, list[str]] = {}
    missing = {node.id for node in graph.nodes if node.missing}
    for edge in graph.edges:
        note = "  (missing)" if edge.target in missing else ""
        by_source.setdefault(edge.source, []).append(f"  {edge.kind} -> {escape_text(edge.target)}{note}")
    for node in graph.nodes:
        if node.missing:
            continue
        subject = f"  {escape_text(node.subject)}" if node.subject else ""
        by = ", ".join(map(escape_text, node.superseded_by))
        rows.append(escape_text(node.id) + subject + (f"  (obsolete: superseded by {by})" if by else ""))
        rows.extend(by_source.get(node.id, ()))
    rows.extend(f"cycle: {' -> '.join(map(escape_text, cycle))}" for cycle in graph.cycles)
    rows.append(
        f"{len(graph.nodes) - len(missing)} memories, {len(graph.edges)} links, "
        f"{len(missing)} missing targets, {len(graph.cycles)} cycles"
    )
    return "\n".join(rows) + "\n"


def _json(graph: Graph) -> str:
    return as_json(to_builtins(graph))


def _dot(graph: Graph) -> str:
    rows = ["digraph memories {", "  node [shape=box];"]
    for node in graph.nodes:
        style = (
            ", style=dashed" if node.missing else ", style=filled, fillcolor=lightgrey" if node.superseded_by else ""
        )
        rows.append(f"  {_dot_text(node.id)} [label={_dot_text(node.id)}{style}];")
    for edge in graph.edges:
        rows.append(f"  {_dot_text(edge.source)} -> {_dot_text(edge.target)} [label={_dot_text(edge.kind)}];")
    rows.extend(f"  // cycle: {' -> '.join(map(escape_text, cycle))}" for cycle in graph.cycles)
    return "\n".join((*rows, "}", ""))


def _dot_text(text: str) -> str:
    return '"' + escape_text(text).replace("\\", "\\\\").replace('"', '\\"') + '"'


def _mermaid(graph: Graph) -> str:
    rows = ["flowchart LR"]
    names = {node.id: f"n{number}" for number, node in enumerate(graph.nodes)}
    for node in graph.nodes:
        rows.append(f'  {names[node.id]}["{_mermaid_text(node.id)}"]')
    for edge in graph.edges:
        rows.append(f"  {names[edge.source]} -- {edge.kind} --> {names[edge.target]}")
    for style, chosen in (
        ("stroke-dasharray: 4", [node for node in graph.nodes if node.missing]),
        ("fill:#ddd,color:#666", [node for node in graph.nodes if node.superseded_by]),
    ):
        rows.extend(f"  style {names[node.id]} {style}" for node in chosen)
    rows.extend(f"  %% cycle: {' -> '.join(names[name] for name in cycle)}" for cycle in graph.cycles)
    return "\n".join((*rows, ""))


def _mermaid_text(text: str) -> str:
    """Entity codes for everything but plain words: Mermaid reads markdown, HTML and brackets in labels."""
    return "".join(char if char.isalnum() or char in " -_./" else f"#{ord(char)};" for char in escape_text(text))
