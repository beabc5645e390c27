"""Results as people and programs read them. Everything that came from a file is escaped."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from ...safe.escape import escape_text, json_safe
from ...text.lines import format_count

if TYPE_CHECKING:
    from .health import Health
    from .model import Memories, MemoryResult


def result_text(result: MemoryResult) -> str:
    """One memory's block, ending in a line end."""
    total = len(result.holds)
    if not total:
        verdict = f"[NONE] {escape_text(result.memory_id)}: UNCITED"
    elif not result.stale:
        verdict = f"[PASS] {escape_text(result.memory_id)}: VALID"
    else:
        verdict = f"[FAIL] {escape_text(result.memory_id)}: STALE"
    head = f"{verdict}\n  Citations: {result.valid_count}/{total} valid\n  Confidence: {result.confidence:.2f}\n"
    if not result.stale:
        return head
    rows = (
        f"  [STALE] {escape_text(stale.target)}\n    Reason: {escape_text(stale.mismatch_reason)}\n"
        for stale in result.stale
    )
    return head + "".join(rows)


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
    rest = _format_counts(len(memories.uncited), "uncited", len(memories.unparsable), "unparsable")
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


def _format_counts(*pairs: int | str) -> str:
    """`, 2 uncited, 1 unparsable`: what is not zero."""
    return "".join(f", {number} {word}" for number, word in zip(pairs[::2], pairs[1::2], strict=True) if number)
