"""Citations written from habit: `(Smith et al., 2023)`, `[1]`, `Smith (2023)`. They name no paper of the corpus.

Nothing says which paper such a citation means, so it cannot be checked; where a corpus is in force it is reported,
with the form it has: *author-year-parenthesis*, *numeric* or *author-year-narrative*. Code, links, footnotes, task
lists, headings, frontmatter and comments are left alone, and so is what only looks alike: dates, versions, products,
standards, intervals, lists of numbers, array indexes.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..model import Citation, Edit, Malformed, Place, SourceRef, Span
from ._names import ET_AL, SEVERAL, SURNAME, are_names, is_organisation
from ._running import Running

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..document import Document

NAME = "habit"
RANK = 90
NEEDS = "corpus"
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

_YEAR = r"(?:1[89]|20)\d\d[a-z]?"
_YEARS = rf"{_YEAR}(?:[-–/]\d{{2,4}})?(?:,\s?(?:{_YEAR}|[a-z]\b))*"
_AT = (
    r"(?:(?:,?\s?(?:pp?|pg|pgs|pages?|chap|chapters?|ch|sec|sections?|figs?|tables?|vol|para|line|appendix)\b\.?|,?\s?§)"
    r"\s?[\w.–-]{1,12}(?:\s?[-–,]\s?\d{1,5}){0,3}(?:\sff?\.?)?|(?:,\s|:\s?)\d{1,5}[-–]\d{1,5}|:\s?\d{1,5})"
)
_LEAD = (
    r"(?:(?:for\s(?:a\s)?\w+,?\s)?(?:see|e\.g\.|eg|i\.e\.|cf\.?|compare|following|after|adapted\sfrom|reviewed\sin"
    r"|as\sin|per|viz\.|but\ssee|from|based\son|according\sto|by|also|quoted\sin|cited\sin)(?:\salso)?,?\s(?:e\.g\.,?\s)?){0,2}"
)
_PARENTHESES = re.compile(rf"(?<![\w\])])\((?=[^()\0]{{0,300}}?{_YEAR}\b)([^()\0]{{6,300}})\)", re.IGNORECASE)
_SEGMENT = re.compile(
    rf"{_LEAD}(?P<authors>(?P<several>{SEVERAL})|(?P<one>{SURNAME})|(?P<body>[A-Z][\w ]{{1,70}}?))"
    rf"(?P<comma>,)?\s(?P<years>{_YEARS})(?P<at>{_AT})?(?P<rest>,\s[a-z][\w\s,'’-]{{2,60}})?"
)
_LED = re.compile(r"(?:see|e\.g\.|cf\.?|compare)\b", re.IGNORECASE)
_NARRATED = re.compile(rf"(?<=[\w.'’])[ \n\xa0]\((?:{_YEARS})(?:{_AT})?\)")
_BEFORE = re.compile(rf"(?<![\w./@#'’\"“*_-])(?:(?P<several>{SEVERAL})|(?P<one>{SURNAME}))(?:['’]s?)?\Z")
_NUMBERS = re.compile(r"\[([1-9]\d{0,2}(?:\s?[,;–-]\s?[1-9]\d{0,2}){0,12})\](?![\w(:{`'\"*/=<>$|@\\]|[ \t]*[=:])")


_REACH = 160
"""How far before a year its authors are looked for."""
_LAST_WORDS = re.compile(r"(?:(\w[,:]?\s+))?(?:([\w'’-]+)\s+)?([\w'’.-]+),?\s+\Z")
_MARGIN = re.compile(r"[ \t>]*+(?:\.\.[ \t]+)?(?:(?:[-*+•]+|\d{1,9}[.)]|\[[^\[\]\n]{1,40}\]|[^|\n]{0,100}\|)[ \t]*)*+")
# The sentence of the line above goes on.
_FOLDED = re.compile(r"[a-z,\0]`?[ \t]*\n\Z")
_LOWER = re.compile(r"['’]?s?,?\s+[a-z]")
_TITLE = re.compile(r"[.,:]?\s+[^\Wa-z]|[.,:]?\s*[\"“”`*_‘'–—:\0\[-]|[.,:]?[ \t]*(?:\n|\Z)")
_OPENING = frozenset(
    "in as see by from following per while although both like unlike when since also however and but whereas for after "
    "to of on with because if though".split()
)
_ARTICLES = frozenset(("the", "a", "an"))
_JOINING = frozenset("of in and for on is with at or vs the".split())


def extract(document: Document) -> list[Citation | Malformed]:
    """Every citation of the three forms in running text."""
    prose = document.prose
    running = Running(document)
    found = [*_parentheses(prose, running), *_narratives(prose, running), *_numbers(prose, running)]
    found.sort()
    result: list[Citation | Malformed] = []
    until = 0
    for start, end, form in found:
        if start >= until:
            result.append(Citation(NAME, Span(start, end), document.text[start:end], SourceRef("habit", form)))
            until = end
    return result


def render(citation: Citation) -> str:
    """A sentence with a citation of the same form: which paper was meant is not known."""
    return _PLAINEST.get(citation.source.key, EXAMPLE)


def repoint(document: Document, citation: Citation, place: Place) -> Edit | None:
    """None: it points nowhere."""
    return None


def _parentheses(prose: str, running: Running) -> Iterator[tuple[int, int, str]]:
    for match in _PARENTHESES.finditer(prose):
        parts = " ".join(match[1].split()).split("; ")
        if any(map(_is_author_year, parts)) and running.holds(*match.span()):
            yield *match.span(), PARENTHESIS


def _is_author_year(part: str) -> bool:
    """Whether one part of a parenthesis is names and a year."""
    match = _SEGMENT.fullmatch(part.strip())
    if match is None:
        return False
    if match["several"]:
        return are_names(match["several"])
    if match["body"]:
        return bool(match["comma"]) and is_organisation(match["body"])
    return not match["rest"] and are_names(match["one"])


def _narratives(prose: str, running: Running) -> Iterator[tuple[int, int, str]]:
    for match in _NARRATED.finditer(prose):
        floor = max(0, match.start() - _REACH)
        before = _BEFORE.search(prose[floor : match.start()])
        if before is None or not are_names(before[0]):
            continue
        start, end = floor + before.start(), match.end()
        if before["one"] and not _is_author(prose, start):
            continue
        if not _is_entry(prose, start, end, bool(before["one"])) and running.holds(start, end):
            yield start, end, NARRATIVE


def _is_author(prose: str, start: int) -> bool:
    """Whether one name before a year is an author, and not the last word of a title."""
    before = _LAST_WORDS.search(prose[max(0, start - 60) : start])
    if before is None:
        return True
    lead, above, word = before.groups()
    if word[0].isupper():
        return word.lower() in _OPENING or word[-1] == "."
    if word in _ARTICLES:
        return False
    # `The Rise of Worse is Better (1991)`: small words join a title's; a sentence may begin with a capital.
    return not (word in _JOINING and above and above[0].isupper() and lead is not None)


def _is_entry(prose: str, start: int, end: int, alone: bool) -> bool:
    """Whether a name and year at the start of a line, item or cell begin an entry of a list, and no sentence."""
    first = prose.rfind("\n", 0, start) + 1
    margin = _MARGIN.fullmatch(prose, first, start) if start - first <= _REACH else None
    if margin is None or (not margin[0].strip() and _FOLDED.search(prose, max(0, first - 20), first)):
        return False
    # One name could be anything: it takes a verb to make it an author.
    return _LOWER.match(prose, end) is None if alone else _TITLE.match(prose, end) is not None


# A bracket of numbers may follow the word it supports, a line end between, or the mark that ends the sentence.
_CLAIM = re.compile(
    r"(?P<word>[^\W\d_][\w'’-]*|\d+%?|%)?(?P<mark>[)\]\"”'’*_]{0,3}[.,;]?)(?P<gap>[ \xa0]?(?P<fold>\n[ \t>]*)?)\Z"
)
# Behind it, the sentence goes on or ends.
_GOES_ON = re.compile(r"(?=[.,;)!?”\"\0—–]|\Z|\[[1-9])|[ \t]*(?:\n|\Z)|\s+(?!https?:)[^\W\d_\[]|\s+[(\[`\0*_“\"–—&\d<]")
_BARE_ENTRY = re.compile(r"\s+(?:https?:|[A-Z`\"“*_<])|[ \t]*\Z")
_DATA = frozenset(
    "in range ranges interval intervals between within from over index indexes indices list lists array arrays tuple "
    "tuples vector vectors sequence sequences set sets value values axis axes shape shapes size sizes dims dimension "
    "dimensions row rows column columns element elements item items entry entries key keys slice bits bit byte bytes by "
    "return returns returned returning yield yields yielding give gives giving produce produces print prints printed "
    "output outputs outputting equal equals is are was be become becomes to into press type hit enter select choose "
    "option options button default defaults step line lines level levels version versions column id ids number numbers "
    "integer integers input inputs argument arguments parameter parameters data bounds limits limit union like "
    "contains contain containing has have assign assigns append appends match matches digit digits character class chapter "
    "chapters section sections figure table equation page pages weights kernel stride window bins scale".split()
)
_PASSIVE = re.compile(
    r"(?:\w{2,}(?:ed|wn|en|und|ne|ade|ught)|[Ss]ee|work|results?|approach|method|given|also|and|as|e\.g\.|authors|those)\s(?:also\s)?(?:in|by|to|from|of)\Z"
)


def _numbers(prose: str, running: Running) -> Iterator[tuple[int, int, str]]:
    taken = -1
    for match in _NUMBERS.finditer(prose):
        start, end = match.span()
        if start != taken and not _follows_claim(prose, start, end, match[1]):
            continue
        if _GOES_ON.match(prose, end) and not _labels_link(prose, end) and running.holds(start, end):
            taken = end
            if not running.is_defined(match[1]):
                yield start, end, NUMERIC


def _follows_claim(prose: str, start: int, end: int, numbers: str) -> bool:
    """Whether what stands before a bracket of numbers is a sentence, and no list, array or interval is spoken of."""
    window = prose[max(0, start - 60) : start]
    before = _CLAIM.search(window)
    if before is None or not before["word"]:
        return False
    gap, mark, word = before["gap"], before["mark"], before["word"]
    if not gap:
        # Glued to a word it is an index; after the mark that ends a sentence it supports what was said.
        return mark[-1:] in (".", ",", "”", '"') and len(word) > 2 and prose[end : end + 1] in ("", " ", "\n", "[")
    if before["fold"] and (mark[-1:] in (".", ";", ")", "]") or _BARE_ENTRY.match(prose, end)):
        # At the start of a line it is an entry of the list of references.
        return False
    if mark or word.lower() not in _DATA:
        return word[0].isalpha() or not mark.startswith((",", "]", ")"))
    many = not numbers.isdigit()
    return _PASSIVE.search(window[: before.end("word")]) is not None if many or word.lower() != "in" else True


_LABEL = re.compile(r"\[(?![1-9]\d{0,2}\])")


def _labels_link(prose: str, end: int) -> bool:
    """Whether another bracket follows that is no number: `[1][label]` is a link."""
    return _LABEL.match(prose, end) is not None
