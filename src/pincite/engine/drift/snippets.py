"""Cited words found on another line of the same file, or in the file as it is called now."""

from msgspec.structs import replace

from ... import checks, history
from ...checks.lines import snippet_mismatch, snippet_moved
from ...core.model import Citation, Finding, Lines, Obstacle, Place, SourceRef
from ...dialects import get_dialect
from ...history.model import CitedPassage
from ...sources import World
from ...text.document import Document
from ...text.evidence import Evidence
from ...text.snippets import has_snippet
from .lines import Sighting, add_requote_edit, find_new_place


def follow_snippet(document: Document, citation: Citation, evidence: Evidence, finding: Finding) -> Finding:
    """A snippet that left its line: found on one other line, on several, or reading differently."""
    if citation.quote is None:
        return finding
    words = citation.quote.exact
    found = history.find_quote(words, evidence.lines)
    if found.certain is not None:
        to = find_new_place(document, citation, Place(citation.source.key, found.certain))
        return snippet_moved.make_finding(citation, words, to, finding)
    if found.places:
        return snippet_mismatch.add_places(finding, found.places)
    at = citation.lines or Lines(1, 1)
    answer = history.find_passage(CitedPassage(at, (words,)), evidence.lines)
    if answer.lines is None or answer.lines.first != answer.lines.last:
        return finding
    there = evidence.lines[answer.lines.first - 1].strip()
    return add_requote_edit(document, citation, finding, Place(citation.source.key, answer.lines), there)


def find_line_of_snippet(document: Document, citation: Citation, evidence: Evidence, finding: Finding) -> Finding:
    """The missing line of a snippet that stands on exactly one."""
    found = (
        history.find_quote(citation.quote.exact, evidence.lines) if citation.quote is not None else history.FoundLines()
    )
    if found.certain is None:
        return finding
    return _add_repoint_edit(document, citation, finding, found.certain)


def find_line_by_id(document: Document, citation: Citation, evidence: Evidence, finding: Finding) -> Finding:
    """The line of a passage that its id was found by."""
    line = checks.passage_line(citation, evidence)
    if line is None:
        return finding
    return _add_repoint_edit(document, citation, finding, Lines(line, line))


def _add_repoint_edit(document: Document, citation: Citation, finding: Finding, lines: Lines) -> Finding:
    place = Place(citation.source.key, lines)
    return replace(finding, edit=get_dialect(citation.dialect).repoint(document, citation, place), place=place)


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
        return (
            Place(path, None)
            if isinstance(file, Evidence) and checks.find_heading(file, citation.section).there
            else None
        )
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


def follow_quote(document: Document, citation: Citation, finding: Finding, seen: Sighting) -> Finding:
    """A snippet that is not on its line, by where history says that it went."""
    standing = seen.standing
    if standing is None or citation.quote is None or finding.check != "snippet-mismatch":
        return finding
    line = standing.lines.first
    place = Place(standing.path, Lines(line, line))
    if has_snippet(citation.quote.exact, standing.text[0]):
        to = find_new_place(document, citation, place)
        return snippet_moved.make_finding(citation, citation.quote.exact, to, finding)
    if standing.columns is None or standing.lines.first != standing.lines.last:
        return finding
    return add_requote_edit(document, citation, finding, place, standing.text[0][slice(*standing.columns)])
