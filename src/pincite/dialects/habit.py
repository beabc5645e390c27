"""Citations written from habit: `(Smith et al., 2023)`, `[1]`, `Smith (2023)`. They name no paper of the corpus.

Nothing says which paper such a citation means, so it cannot be checked. Where a corpus is in force it is reported, by
its form: *author-year-parenthesis*, *numeric* or *author-year-narrative*. Code, links, footnotes, task lists, headings,
frontmatter, comments and the entries of a list of references are left alone, and so is what only looks alike: dates,
versions, products, standards, intervals, lists of numbers, array indexes. Inside words that are quoted from a paper
they are the paper's own.
"""

import re

from ..core.model import Citation, Edit, Malformed, Place, SourceRef, Span
from ..text.document import Document

NAME = "habit"
RANK = 90
NEEDS = "whitelist"
OPENERS = (
    *(b"[%d" % digit for digit in range(1, 10)),
    *(mark + century for mark in (b"(", b" ", b"\n", b"\xa0") for century in (b"18", b"19", b"20")),
)
EXAMPLE = "Voice consistency improves quality (Smith et al., 2023)."

PARENTHESIS, NUMERIC, NARRATIVE = "author-year-parenthesis", "numeric", "author-year-narrative"
_PLAINEST = {
    PARENTHESIS: EXAMPLE,
    NUMERIC: "Voice consistency improves quality [1].",
    NARRATIVE: "Smith (2023) shows that voice consistency improves quality.",
}

# A letter first and the first number a year: nearly every other parenthesis is done with at its first characters.
_PARENTHESES = re.compile(r"\((?=[^\W\d_][^()\0\d]{1,200}(?:1[89]|20)[0-9]{2})([^()\0]{6,300})\)")
_NARRATED = re.compile(r"\((?:1[89]|20)(?<=[\w.'’][ \n\xa0]\(..)[0-9]")
_BRACKET = re.compile(r"\[[1-9][0-9]{0,2}[],;\s–-]")


def extract(document: Document) -> list[Citation | Malformed]:
    """Every citation of the three forms in running text."""
    prose = document.prose
    enclosed, narrated = _PARENTHESES.search(prose), _NARRATED.search(prose)
    numbered = _BRACKET.search(prose)
    if enclosed is None and narrated is None and numbered is None:
        return []
    # What names look like takes long to compile, and most documents have nothing to try it on.
    from ..text.prose import ProseSpans

    running = ProseSpans(document)
    found: list[tuple[int, int, str]] = []
    if enclosed is not None or narrated is not None:
        from . import _authored

        matches = _PARENTHESES.finditer(prose)
        found += [(start, end, PARENTHESIS) for start, end in _authored.parentheses(prose, matches, running)]
        matches = _NARRATED.finditer(prose)
        found += [(start, end, NARRATIVE) for start, end in _authored.narratives(prose, matches, running)]
    if numbered is not None:
        from ._numbered import numbers

        found += [(start, end, NUMERIC) for start, end in numbers(prose, running)]
    found.sort()
    if found:
        found = _drop_inside_spans(found, _find_quoted_spans(document))
    result: list[Citation | Malformed] = []
    until = 0
    for start, end, form in found:
        if start >= until:
            result.append(Citation(NAME, Span(start, end), document.text[start:end], SourceRef("habit", form)))
            until = end
    return result


def _find_quoted_spans(document: Document) -> list[tuple[int, int]]:
    """Where the document quotes papers that it cites by id or key: what is cited in there is the paper's own."""
    from ..text.quotations import has_no_quotes
    from . import _bibliography_keys, _ids

    if has_no_quotes(document.text):
        return []
    spans: list[tuple[int, int]] = []
    for reader, mark in ((_ids, "REF-"), (_bibliography_keys, "@")):
        if mark in document.prose:
            # The places are kept as the citations are read.
            for _ in reader.extract(document, spans):
                pass
    return sorted(spans)


def _drop_inside_spans(found: list[tuple[int, int, str]], spans: list[tuple[int, int]]) -> list[tuple[int, int, str]]:
    """Those that stand in none of the spans; both are in order."""
    kept: list[tuple[int, int, str]] = []
    at = last = 0
    for one in found:
        while at < len(spans) and spans[at][0] <= one[0]:
            last = max(last, spans[at][1])
            at += 1
        if one[1] > last:
            kept.append(one)
    return kept


def render(citation: Citation) -> str:
    """A sentence with a citation of the same form: which paper was meant is not known."""
    return _PLAINEST.get(citation.source.key, EXAMPLE)


def repoint(document: Document, citation: Citation, place: Place) -> Edit | None:
    """None: it points nowhere."""
    return None
