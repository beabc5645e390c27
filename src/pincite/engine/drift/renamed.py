"""Cited text in a file that has another name now."""

from ... import checks, history
from ...core.model import Citation, Obstacle, Place, SourceRef
from ...sources import World
from ...text.evidence import Evidence
from ...text.snippets import has_snippet


def find_in_renamed(citation: Citation, path: str, world: World, then: list[str] | None) -> Place | None:
    """Where the cited text stands in the renamed file, unchanged."""
    lines = citation.lines
    if lines is None and citation.quote is None:
        if citation.source.scheme == "symbol":
            name = citation.source.key.partition("::")[2]
            there = world.find(Citation(citation.dialect, citation.span, "", SourceRef("symbol", f"{path}::{name}")))
            return Place(path, None) if isinstance(there, Evidence) else None
        if citation.source.scheme != "section":
            return Place(path, None) if world.exists(path) is None else None
        file = world.file(path)
        return Place(path, None) if isinstance(file, Evidence) and checks.has_heading(file, citation.section) else None
    evidence = world.file(path)
    if isinstance(evidence, Obstacle):
        return None
    now = evidence.lines
    if citation.quote is not None:
        if (
            lines is not None
            and 1 <= lines.first <= len(now)
            and has_snippet(citation.quote.exact, now[lines.first - 1])
        ):
            return Place(path, lines)
        certain = history.find_quote(citation.quote.exact, now).certain
        return Place(path, certain) if certain is not None else None
    if then is None or lines is None or lines.first < 1 or lines.last > len(then):
        return None
    if then[lines.first - 1 : lines.last] == now[lines.first - 1 : lines.last]:
        return Place(path, lines)
    certain = history.find_block(then, lines, now).certain
    return Place(path, certain) if certain is not None else None
