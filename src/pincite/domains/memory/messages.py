"""Results as people and programs read them. Everything that came from a file is escaped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from ...safe.escape import escape_text, json_safe
from ...text.lines import format_count

if TYPE_CHECKING:
    from .graph import Graph
    from .model import Memories, MemoryResult
    from .verify import Health


def result_text(result: MemoryResult) -> str:
    """One memory's block, ending in a line end."""
    total, name = len(result.holds), escape_text(result.memory_id)
    sign, state = ("FAIL", "STALE") if result.stale else ("PASS", "VALID") if total else ("NONE", "UNCITED")
    counts = f"  Citations: {result.valid_count}/{total} valid\n  Confidence: {result.confidence:.2f}\n"
    rows = (
        f"  [STALE] {escape_text(stale.target)}\n    Reason: {escape_text(stale.mismatch_reason)}\n"
        for stale in result.stale
    )
    return f"[{sign}] {name}: {state}\n{counts}{''.join(rows)}"


def result_data(result: MemoryResult) -> dict[str, Any]:
    """One memory as the documented JSON object."""
    return {
        "memory_id": result.memory_id,
        "valid": result.valid,
        "total_citations": result.total,
        "valid_count": result.valid_count,
        "confidence": round(result.confidence, 2),
        "stale_citations": [to_builtins(stale) for stale in result.stale],
    }


def as_json(data: object) -> str:
    """JSON that is safe on a terminal, ending in a line end."""
    import json

    return json_safe(json.dumps(data, indent=2, ensure_ascii=False)) + "\n"


def summary(memories: Memories, results: list[MemoryResult]) -> str:
    """The run in one line; where nothing was checked it says so and nothing else."""
    stale = sum(not result.valid for result in results)
    counts = {"uncited": len(memories.uncited), "unparsable": len(memories.unparsable)}
    rest = "".join(f", {number} {word}" for word, number in counts.items() if number)
    if not results:
        return f"Nothing was checked: no citations in {format_count(len(memories.all), 'memory', 'memories')}{rest}."
    total = sum(result.total for result in results)
    return (
        f"{format_count(total, 'citation')} checked in {format_count(len(results), 'memory', 'memories')}: "
        f"{len(results) - stale} valid, {stale} stale{rest}."
    )


def health_text(health: Health) -> str:
    """The state of all memories, problems first in their own words."""
    memories = health.memories
    if health.citations:
        head = f"{health.holding} of {format_count(health.citations, 'citation')} hold"
    else:
        head = "Nothing was checked: no memory has a citation"
    rows = [
        f"Memories: {len(memories.all)}  ({head})",
        f"  valid       {len(health.results) - len(health.stale)}",
        f"  stale       {len(health.stale)}",
        f"  uncited     {len(memories.uncited)}",
        f"  unparsable  {len(memories.unparsable)}",
        f"  obsolete    {len(health.obsolete)}",
    ]
    for result in health.stale:
        rows.append(f"[STALE] {escape_text(result.memory_id)}: {result.valid_count}/{result.total} citations hold")
    rows.extend(f"[UNPARSABLE] {escape_text(one.key)}: {escape_text(one.error)}" for one in memories.unparsable)
    rows.extend(f"[DUPLICATE] {escape_text(clash.message)}" for clash in memories.clashes)
    rows.extend(f"[BROKEN LINK] {escape_text(link.message)}" for link in health.broken_links)
    rows.extend(f"[CYCLE] {' -> '.join(map(escape_text, cycle))}" for cycle in health.cycles)
    for name, by in health.obsolete.items():
        rows.append(f"[OBSOLETE] {escape_text(name)}: superseded by {', '.join(map(escape_text, by))}")
    return "\n".join(rows) + "\n"


def health_data(health: Health) -> dict[str, Any]:
    """The state of all memories as JSON."""
    memories = health.memories
    return {
        "schema": "pincite.memory-health/1",
        "memories": len(memories.all),
        "citations": {"total": health.citations, "valid": health.holding},
        "nothing_checked": health.citations == 0,
        "valid": [result.memory_id for result in health.results if result.valid],
        "stale": [result_data(result) for result in health.stale],
        "uncited": [memory.id for memory in memories.uncited],
        "unparsable": [{"path": memory.key, "reason": memory.error} for memory in memories.unparsable],
        "duplicates": [{"id": clash.id, "paths": list(clash.keys)} for clash in memories.clashes],
        "broken_links": [
            {"memory": link.edge.source, "type": link.edge.kind, "target": link.edge.target, "reason": link.reason}
            for link in health.broken_links
        ],
        "obsolete": [{"id": name, "superseded_by": list(by)} for name, by in health.obsolete.items()],
        "cycles": [list(cycle) for cycle in health.cycles],
    }


def draw_graph(graph: Graph, format_: str) -> str:
    """The graph as text, JSON, DOT or Mermaid, ending in a line end; ids and subjects are escaped for each."""
    if format_ == "json":
        return as_json(to_builtins(graph))
    return {"text": _draw_text, "dot": _draw_dot, "mermaid": _draw_mermaid}[format_](graph)


def _draw_text(graph: Graph) -> str:
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


def _draw_dot(graph: Graph) -> str:
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


def _draw_mermaid(graph: Graph) -> str:
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
