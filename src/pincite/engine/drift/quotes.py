"""Quotes and headings of papers and documents that are not where, or not what, a citation says: the edit that is due.

A page is offered only where the words show it: every quote of the citation stands there, and nothing else is wrong with
it then. Words are offered only to a reader: a changed number, name or negation is just what has to be seen.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ... import checks, history
from ...checks.lines import lines_moved
from ...checks.wording import NewPlace, shorten_lines
from ...core.limits import LIMITS
from ...core.model import Citation, Edit, Finding, Lines, Pages, Place, Quote, Span
from ...dialects import get_capabilities, get_dialect
from ...history.line_matching import find_occurrences
from ...history.model import CitedPassage, TraceResult
from ...papers.evidence import PaperEvidence
from ...text.evidence import Evidence
from ...text.lines import shorten
from ...text.markdown import ends_block_quote

if TYPE_CHECKING:
    from ...checks import PaperFacts
    from ...text.document import Document

CHECKS = frozenset(("quote-elsewhere", "quote-altered", "heading-altered", "section-mismatch", "section-unknown"))
"""Of which findings `repair_quote` knows more."""
_ADJACENT = 2
"""How many pages may be offered where one is cited: a sentence may quote the end of one and the top of the next."""
_LIKE = 0.75
_NAME_LIKE, _MARGIN = 0.85, 0.1
_MOST_SECTIONS = 500
MOST_LINES = 1000


def repair_quote(document: Document, citation: Citation, evidence: Evidence, finding: Finding) -> Finding:
    """A finding about quoted words, a heading or a section, with the edit that puts it right where there is one."""
    if finding.edit is not None:
        return finding
    if finding.check == "heading-altered":
        return _add_retitle_edit(document, citation, evidence, finding)
    if not isinstance(evidence, PaperEvidence):
        return finding
    if finding.check == "quote-elsewhere":
        return _on_its_page(document, citation, evidence, finding)
    if finding.check == "quote-altered":
        return _in_its_words(document, citation, evidence, finding)
    if finding.check in ("section-mismatch", "section-unknown"):
        return _in_its_section(document, citation, evidence, finding)
    return finding


def _add_retitle_edit(document: Document, citation: Citation, evidence: Evidence, finding: Finding) -> Finding:
    """The heading as it stands."""
    retitle = getattr(get_dialect(citation.dialect), "retitle", None)
    title = checks.find_heading(evidence, citation.section).altered or None
    edit: Edit | None = None if title is None or retitle is None else retitle(document, citation, title)
    if edit is None or title is None:
        return finding
    now = (shorten(title, LIMITS.shown_chars),)
    return replace(finding, edit=edit, then=(citation.section,), now=now, place=Place(evidence.source.key, None))


def _on_its_page(document: Document, citation: Citation, evidence: PaperEvidence, finding: Finding) -> Finding:
    """The one page, or the two that follow each other, on which all of the quoted words stand."""
    pages = _find_quote_pages(citation, evidence)
    if pages is None or pages == citation.pages:
        return finding
    was = checks.assess(citation, evidence)
    answer = checks.assess(replace(citation, pages=pages), evidence)
    if was is None or answer is None or not answer.quote_verified or answer.page_valid is False:
        return finding
    if answer.section_consistent is False and was.section_consistent is not False:
        # The page is right and the section then is not: which of them was meant is not ours to say.
        return finding
    place = Place(citation.source.key, None, pages)
    edit = get_dialect(citation.dialect).repoint(document, citation, place)
    return (
        replace(finding, edit=edit, then=shorten_lines(_words(citation)), place=place) if edit is not None else finding
    )


def follow_block(document: Document, citation: Citation, evidence: Evidence) -> Finding | None:
    """Where a link ends a block quote of lines of a file and they stand elsewhere in it: that they moved, and the edit.

    The quoted lines are the witness, so no history is needed. What is quoted otherwise than it stands is left alone.
    """
    lines = citation.lines
    if lines is None or not get_capabilities(citation.dialect).ends_block_quotes:
        return None
    text = _block_above(document, citation)
    if not text:
        return None
    now = [line.rstrip() for line in evidence.lines]
    if find_occurrences([*text], now[max(0, lines.first - 1) : max(lines.last, lines.first - 1 + len(text))]):
        # All that is cited, or a part of it.
        return None
    answer = history.find_passage(CitedPassage(Lines(lines.first, lines.first + len(text) - 1), text), now)
    found = answer.lines
    if answer.became is not TraceResult.MOVED or found is None or tuple(now[found.first - 1 : found.last]) != text:
        return None
    to = Lines(found.first, found.first) if lines.first == lines.last else found
    place = Place(citation.source.key, to)
    edit = get_dialect(citation.dialect).repoint(document, citation, place)
    return lines_moved.make_quoted_finding(text, NewPlace(place, edit))


def _block_above(document: Document, citation: Citation) -> tuple[str, ...]:
    """The lines of the block quote that a link ends on a line of its own; none where it ends no such block."""
    if not ends_block_quote(document.text, citation.span.start):
        return ()
    starts = document.starts
    row = document.position(citation.span.start)[0] - 1
    text: list[str] = []
    for at in range(row - 1, max(-1, row - MOST_LINES), -1):
        line = document.text[starts[at] : starts[at + 1]].rstrip()
        if not line.startswith(">"):
            break
        text.append(line[2:] if line[1:2] == " " else line[1:])
    else:
        # It goes on above what is looked at, unless it begins with the document.
        if row >= MOST_LINES:
            return ()
    while text and not text[-1]:
        text.pop()
    while text and not text[0]:
        text.pop(0)
    return tuple(text[::-1])


def _words(citation: Citation) -> tuple[str, ...]:
    """What is surely quoted."""
    quote = citation.quote
    return tuple(one for one in (quote.exact, *quote.others) if one not in quote.doubtful) if quote is not None else ()


def _find_quote_pages(citation: Citation, evidence: PaperEvidence) -> Pages | None:
    """The pages that hold all the quotes of a citation, where there is just one answer."""
    cited = citation.pages
    if cited is None:
        return None
    options: list[tuple[str, ...]] = []
    for words in _words(citation):
        answer = checks.assess(replace(citation, quote=Quote(words)), evidence)
        if answer is None or answer.quote_kind not in ("verbatim", "elsewhere"):
            return None
        there = answer.right_pages
        if answer.quote_kind == "verbatim":
            anywhere = checks.assess(replace(citation, quote=Quote(words), pages=None), evidence)
            there = (anywhere.right_pages if anywhere is not None else ()) or (cited.text,)
        options.append(there)
    common = set(options[0]).intersection(*options[1:]) if options else set()
    if len(common) == 1:
        page = common.pop()
        # A label of a PDF may look like a range: `3-12` is page 12 of chapter 3 there.
        return _pages(page) if evidence.reader.pdf(evidence.paper) is None else Pages(page, page)
    if common or any(len(there) != 1 for there in options):
        return None
    return _span_pages([there[0] for there in options], cited)


def _pages(text: str) -> Pages:
    first, dash, last = text.partition("-")
    return Pages(first, last if dash and last else first)


def _span_pages(found: list[str], cited: Pages) -> Pages | None:
    """The range from the first to the last of some pages, if it is no longer than what is cited, or two pages."""
    from ...papers.ranges import parse_range

    ranges = [one for one in map(parse_range, found) if one is not None]
    if not found or len(ranges) != len(found) or len({one.series for one in ranges}) != 1:
        return None
    first = min(ranges, key=lambda one: one.first)
    last = max(ranges, key=lambda one: one.last)
    was = parse_range(cited.text)
    if last.last - first.first >= max(_ADJACENT, was.size if was is not None else 1):
        return None
    return Pages(first.name(first.first), last.name(last.last))


def _in_its_words(document: Document, citation: Citation, evidence: PaperEvidence, finding: Finding) -> Finding:
    """The paper's own words in place of quoted ones that differ from them."""
    requote = getattr(get_dialect(citation.dialect), "requote", None)
    edits: list[Edit] = []
    then: list[str] = []
    now: list[str] = []
    for words in _words(citation) if requote is not None else ():
        was = checks.assess(replace(citation, quote=Quote(words)), evidence)
        if was is None or was.quote_kind != "altered":
            continue
        there = _paper_words(was, evidence)
        made: tuple[Edit, str] | None = requote(document, citation, words, there) if requote and there else None
        answer = checks.assess(replace(citation, quote=Quote(made[1])), evidence) if made is not None else None
        if made is None or answer is None or not answer.quote_verified:
            # Where one of several stays as it is, nothing is put right.
            return finding
        edits.append(made[0])
        then.append(words)
        now.append(made[1])
    edit = _join_edits(document, edits)
    if edit is None:
        return finding
    place = Place(citation.source.key, None, citation.pages)
    return replace(finding, edit=edit, then=shorten_lines(then), now=shorten_lines(now), place=place)


def _paper_words(answer: PaperFacts | None, evidence: PaperEvidence) -> str:
    """The passage that a quote comes close to; empty where it is not one, not close, not known in full, or damaged."""
    from ...quotes.pdf_damage import lacks_ligatures, shows_damage

    look = answer.look if answer is not None and answer.quote_kind == "altered" else None
    if look is None or len(look.passages) != 1 or look.similarity < _LIKE:
        return ""
    text = look.passages[0].text
    source = evidence.reader.words(evidence.paper)
    quoted = answer.quoted if answer is not None else ""
    if source is None or shows_damage(text, source.lost) or lacks_ligatures(quoted, text):
        return ""
    return text if len(text) < LIMITS.shown_chars else ""


def _join_edits(document: Document, edits: list[Edit]) -> Edit | None:
    """Several edits as one, what stands between them kept."""
    edits = sorted(edits, key=lambda edit: edit.span.start)
    if not edits or any(one.span.end > other.span.start for one, other in pairwise(edits)):
        return None
    start = at = edits[0].span.start
    pieces: list[str] = []
    for edit in edits:
        pieces += document.text[at : edit.span.start], edit.replacement
        at = edit.span.end
    return Edit(Span(start, at), "".join(pieces), edits[0].safety)


def _in_its_section(document: Document, citation: Citation, evidence: PaperEvidence, finding: Finding) -> Finding:
    """The section that holds the quoted words, or the one whose name the cited one nearly is."""
    retitle = getattr(get_dialect(citation.dialect), "retitle", None)
    answer = checks.assess(citation, evidence)
    if retitle is None or answer is None or not citation.section:
        return finding
    if finding.check == "section-unknown":
        title = _find_near_section(citation, evidence)
    else:
        # Page or section is wrong. Where the words stand on the page, it is the section.
        title = answer.sections_there[0] if answer.quote_verified and len(answer.sections_there) == 1 else ""
    if not title:
        return finding
    after = checks.assess(replace(citation, section=title), evidence)
    if after is None or not after.section_known or not after.section_consistent:
        return finding
    edit: Edit | None = retitle(document, citation, title)
    if edit is None:
        return finding
    place = Place(citation.source.key, None, citation.pages)
    return replace(finding, edit=edit, then=(citation.section,), now=(title,), place=place)


def _find_near_section(citation: Citation, evidence: PaperEvidence) -> str:
    """The one section whose name is nearly the cited one, its numbers the same; empty where there is no such."""
    from difflib import SequenceMatcher

    names = [section.name for section in evidence.paper.sections]
    if not names:
        pdf = evidence.reader.pdf(evidence.paper)
        names = [" ".join(heading.title.split()) for heading in pdf.outline] if pdf is not None else []
    cited = shorten(citation.section, LIMITS.shown_chars // 10)
    matcher = SequenceMatcher(b=cited.casefold())
    scored: list[tuple[float, str]] = []
    for name in dict.fromkeys(names[:_MOST_SECTIONS]):
        matcher.set_seq1(shorten(name, LIMITS.shown_chars // 10).casefold())
        scored.append((matcher.ratio(), name))
    scored.sort(reverse=True)
    if not scored or scored[0][0] < _NAME_LIKE or (len(scored) > 1 and scored[1][0] > scored[0][0] - _MARGIN):
        return ""
    digits = ["".join(filter(str.isdigit, name)) for name in (cited, scored[0][1])]
    return scored[0][1] if digits[0] == digits[1] else ""
