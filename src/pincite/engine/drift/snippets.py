"""Snippets that left their line: the words of a citation found on another line of the same file."""

from msgspec.structs import replace

from ... import checks, history
from ...checks.lines import snippet_mismatch, snippet_moved
from ...core.model import Citation, Finding, Lines, Place
from ...dialects import get_dialect
from ...history.model import CitedPassage
from ...text.document import Document
from ...text.evidence import Evidence
from .lines import add_requote_edit, find_new_place


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
