"""Lines of files: source code, sections of documents, definitions, rules of targets, files of a commit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from ....core.model import Lines, Obstacle, SourceRef
from ....engine.cited_lines import find_cited_lines
from ....engine.seen_lines import find_seen_lines
from ....safe.escape import escape_text
from .excerpts import MOST_LINES, compare_lines, describe_lines, make_excerpt
from .view import EvidenceExcerpt, EvidenceFact, EvidenceView, LinesThen

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ....core.model import Citation, Place
    from ....text.evidence import Evidence
    from .lookup import EvidenceLookup
    from .view import ChangeLine

_SHORT = 12


def show_lines(lookup: EvidenceLookup, citation: Citation, evidence: Evidence) -> EvidenceView:
    """The cited lines of a file with their neighbours, and what their author saw."""
    path = evidence.source.key
    name = citation.source.key.rpartition(":")[2] if evidence.source.scheme == "permalink" else path
    lines = find_cited_lines(citation, evidence)
    facts = tuple(_list_facts(citation, evidence))
    below = path if evidence.source.scheme == "file" and lookup.project.root.is_file(path) else ""
    view = EvidenceView("code", lookup.row.id, escape_text(name), path=below, facts=facts)
    if lines is None:
        return replace(view, statement=_state(citation, evidence))
    total = len(evidence.lines)
    title = describe_lines(name, lines, total)
    if lines.first > total:
        return replace(
            view,
            title=title,
            statement="The file ends before the cited lines.",
            then=_find_then(lookup, citation, evidence),
        )
    view = replace(view, title=title, excerpt=make_excerpt(evidence.lines, lines, title, name))
    return replace(view, then=_find_then(lookup, citation, evidence), moved=_show_new_place(lookup))


def show_missing_lines(
    lookup: EvidenceLookup, citation: Citation, obstacle: Obstacle
) -> tuple[LinesThen | None, EvidenceExcerpt | None]:
    """What the author saw of a file that is gone, and where the same text stands now."""
    return _find_then(lookup, citation, obstacle), _show_new_place(lookup)


def _state(citation: Citation, evidence: Evidence) -> str:
    """What holds where no lines can be shown."""
    key = escape_text(evidence.source.key)
    if citation.section:
        return f"{key}: no heading of it can be shown as §{escape_text(citation.section, 200)}"
    if citation.source.scheme == "target":
        return f"{key} defines it; the lines cannot be told"
    if evidence.source.scheme == "path":
        return f"{key}: the folder exists"
    if citation.quote is not None and evidence.lines:
        return f"{key}: the file exists; words are cited, and no lines"
    return f"{key}: the file exists; no lines are cited"


def _list_facts(citation: Citation, evidence: Evidence) -> Iterator[EvidenceFact]:
    scheme = citation.source.scheme
    if evidence.source.scheme == "permalink":
        revision = citation.source.key.partition("@")[2].partition(":")[0]
        yield EvidenceFact("commit", escape_text(revision, 100))
    if scheme == "symbol":
        yield EvidenceFact("definition", escape_text(getattr(evidence, "name", ""), 200))
    if scheme == "target":
        yield EvidenceFact("command", escape_text(citation.source.key, 200))
    if scheme == "section":
        yield EvidenceFact("section", escape_text(citation.section, 200))
    if citation.quote is not None:
        yield EvidenceFact("quoted", escape_text(citation.quote.exact, 400))
    if evidence.data:
        yield EvidenceFact("sha256", evidence.digest[:_SHORT])


def _find_then(lookup: EvidenceLookup, citation: Citation, evidence: Evidence | Obstacle) -> LinesThen | None:
    """What the author saw, where it is not what stands there now."""
    if citation.lines is None:
        return None
    seen = find_seen_lines(lookup.project, lookup.document, citation, evidence) if lookup.is_current else None
    known = next((one.then for one in lookup.findings if one.then), ())
    then: Sequence[str] = seen.lines if seen is not None else known
    now, first_now = _find_lines_now(lookup, citation, evidence)
    if not then or (seen is not None and not known and list(then) == list(now)):
        return None
    first = seen.first if seen is not None else citation.lines.first
    path = seen.path if seen is not None else citation.source.key
    since = seen.commit[:7] if seen is not None else ""
    title = f"{escape_text(path)}, line{'s' * (len(then) > 1)} {Lines(first, first + len(then) - 1).text}"
    excerpt = make_excerpt(then, Lines(first, first + len(then) - 1), title, path, 0, first)
    changes: list[ChangeLine] = []
    if now and list(then[:MOST_LINES]) != list(now[:MOST_LINES]):
        changes = compare_lines(then[:MOST_LINES], first, now[:MOST_LINES], first_now)
    left_out = max(0, len(then) - MOST_LINES) + max(0, len(now) - MOST_LINES) if changes else 0
    shown = tuple(changes[:MOST_LINES])
    return LinesThen(since, excerpt, shown, left_out + len(changes) - len(shown))


def _find_lines_now(
    lookup: EvidenceLookup, citation: Citation, evidence: Evidence | Obstacle
) -> tuple[Sequence[str], int]:
    """The lines to compare with what the author saw: where these went, else what stands at the cited place."""
    place = lookup.place
    if place is not None and place.lines is not None:
        there = _read_place(lookup, place)
        if not isinstance(there, Obstacle):
            return there.block(place.lines), place.lines.first
    if isinstance(evidence, Obstacle) or citation.lines is None:
        return (), 0
    return evidence.block(citation.lines), max(citation.lines.first, 1)


def _show_new_place(lookup: EvidenceLookup) -> EvidenceExcerpt | None:
    """The lines where a finding says that the cited text stands now."""
    place: Place | None = lookup.place
    if place is None or place.lines is None:
        return None
    there = _read_place(lookup, place)
    if isinstance(there, Obstacle) or place.lines.first > len(there.lines):
        return None
    title = describe_lines(place.path, place.lines, len(there.lines))
    return make_excerpt(there.lines, place.lines, title, place.path)


def _read_place(lookup: EvidenceLookup, place: Place) -> Evidence | Obstacle:
    """The file of a place: one below the root, or of the other repository that is cited."""
    world, citation = lookup.engine.world, lookup.verdict.citation
    if citation.source.scheme != "mirror":
        return world.file(place.path)
    found = world.find(replace(citation, source=SourceRef("mirror", place.path), lines=place.lines))
    return found if found is not None else Obstacle("file-not-found", place.path)
