"""Pages and sections as citations write them, and back."""

import re

from ..core.model import Citation, Edit, Pages, Place, Quote, Safety, Span
from ..papers.ranges import CITED, expand_last
from ..text.document import Document

GAP = r"(?:[ \t\xa0\u2009\u202f]*+(?:\r?\n[ \t>]*+(?![\r\n]))?+)"
"""White space within a citation; its line may end there."""
_WORD = r"(?<!\w)(?:[Pp]{1,2}\.|(?:[Pp]{1,2}|[Pp]ages?)(?![A-Za-z]))"
PAGE = rf"{_WORD}{GAP}{CITED}(?:{GAP}[-–—]{GAP}{CITED})?(?![\w])"
"""One page or a range, as it is written."""
PLACE = rf"(?:{_WORD}{GAP}{CITED}(?!\w)|§|(?:[Ss]ection|[Ss]ec\.|[Cc]hapter|[Cc]h\.|[Cc]hap\.){GAP}[0-9])"
"""What begins a page or a numbered section beyond doubt, also where no comma parts it from what it belongs to."""
WORDS = r"(?:[^\[\](){};\n\r\0]|\r?\n(?![ \t>]*[\r\n]))"
"""A sign of what may follow an id or a key within brackets."""
_PAGE = re.compile(rf"{_WORD}{GAP}({CITED})(?:{GAP}[-–—]{GAP}({CITED}))?(?![\w])")
_MEANT = re.compile(r"(?:[Pp]{1,2}\.|[Pp]{1,2}(?=[ \t]*[0-9-])|[Pp]ages?\b)[ \t]*")
_NUMBERS = re.compile(rf"([0-9]{{1,9}})(?:{GAP}[-–—]{GAP}([0-9]{{1,9}}))?")
# Further pages: `pp. 3, 7 and 9-11`.
_MORE = re.compile(
    rf"(?:{GAP}(?:[,;&]|and\b){GAP}(?:{_WORD}{GAP})?{_NUMBERS.pattern}(?![\w.])){{1,9}}".replace("([0-9]", "(?:[0-9]")
)
# A range whose end is no page.
_BROKEN = re.compile(r"[ \t]*[-–—][ \t]*\S")
_FOLDED = re.compile(r"\r?\n[ \t>]*")
_EDGES = " \t,:;."
_CITED = re.compile(CITED)
_LETTERS = re.compile(r"[A-Za-z]+")


def locate(words: str) -> tuple[Pages | None, str, str]:
    """Pages, section and fault of what follows a paper's id in a citation; words that are neither count as section."""
    words = " ".join(_FOLDED.sub(" ", words).split())
    found = _PAGE.search(words)
    if found is None:
        meant = _MEANT.match(words)
        if meant is None:
            return None, words.strip(_EDGES), ""
        rest = words[meant.end() :].strip()
        return None, "", f"{rest!r} is no page (expected p.15 or pp.15-17)" if rest else "no page after p."
    end = found.end()
    if _BROKEN.match(words, end):
        return None, "", f"{words[found.start() :]!r} is no page (expected p.15 or pp.15-17)"
    first, last = found[1], expand_last(found[1], found[2] or found[1])
    if first.isdigit() and last.isdigit() and int(last) < int(first):
        return None, "", f"the pages end before they start ({first}-{last})"
    more = _MORE.match(words, end) if first.isdigit() else None
    if more is not None:
        ends = [(a, expand_last(a, b or a)) for a, b in _NUMBERS.findall(words[found.start(1) : more.end()])]
        first = min((one for pair in ends for one in pair), key=int)
        last = max((one for pair in ends for one in pair), key=int)
        end = more.end()
    return Pages(first, last), words[: found.start()].strip(_EDGES) or words[end:].strip(_EDGES), ""


def format_quotes(quote: Quote | None) -> str:
    """What is written before a citation for the words it quotes; nothing without any."""
    if quote is None:
        return ""
    return " and ".join(map(_add_quotation_marks, (*quote.others, quote.exact))) + " "


def _add_quotation_marks(words: str) -> str:
    """Words in quotation marks of a kind that they do not close themselves."""
    from ..text.quotations import read_pair

    written = (f"{first}{words}{last}" for first, last in ("“”", "«»", "「」", "„“"))
    return next((text for text in written if read_pair(text) == words), f"“{words}”")


def format_locator(pages: Pages | None, section: str) -> str:
    """What is written after the id for these."""
    parts = [f", {section}"] if section else []
    if pages is not None:
        parts.append(f", {'p' if pages.first == pages.last else 'pp'}.{pages.text}")
    return "".join(parts)


def repoint(document: Document, citation: Citation, place: Place) -> Edit | None:
    """The edit that changes the page of a citation and nothing else; None where it cites none, or cannot cite that."""
    raw, pages = citation.raw, place.pages
    old = _PAGE.search(raw)
    if pages is None or citation.pages is None or old is None:
        return None
    if _MORE.match(raw, old.end()) or not (_CITED.fullmatch(pages.first) and _CITED.fullmatch(pages.last)):
        # Which of several pages is meant is for a person to say.
        return None
    single = pages.first == pages.last
    start, end = old.start(), old.end(2) if old[2] is not None else old.end(1)
    word, between = raw[start : old.start(1)], "-"
    if single != (old[2] is None):
        # The word before them says whether there is one or more.
        word = _inflect_page_word(word, single)
    elif old[2] is not None:
        between = raw[old.end(1) : old.start(2)]
    new = word + (pages.first if single else pages.first + between + pages.last)
    found = _PAGE.search(raw[:start] + new + raw[end:])
    if found is None or (found[1], expand_last(found[1], found[2] or found[1])) != (pages.first, pages.last):
        return None
    return Edit(Span(citation.span.start + start, citation.span.start + end), new, Safety.SAFE)


def _inflect_page_word(word: str, single: bool) -> str:
    """The word before pages, for one of them or for several: `p. ` and `pp. `, `page ` and `pages `."""
    letters = _LETTERS.match(word)
    short = letters[0] if letters is not None else ""
    if short.lower().startswith("page"):
        new = short.rstrip("s") if single else short.rstrip("s") + "s"
    else:
        new = short[0] if single else short[0] + short[0].lower()
    return new + word[len(short) :]
