"""Sections: which one holds a page, and whether two names mean the same one.

Names are the same when their words are, case, punctuation and numbering aside: `Methods`, `METHODS` and `3. Methods`.
Numbers decide where one side has nothing else: `Section 3`, `§3` and `3 Methods` are the same. Where both sides have
numbers, or both have words, these must agree; so must `Chapter`, `Appendix` and `Part` where both sides say one.
`Materials and Methods` is not `Methods`, and `3.2` is not `3`.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from .model import Section
from .printed_pages import pdf_indexes, printed_page
from .ranges import LOWER_ROMAN, UPPER_ROMAN, parse_page, parse_ranges

if TYPE_CHECKING:
    from .model import Paper, PdfText

    Run = tuple[str, int, int]

_LONGEST = 300
_KINDS = {"ch": "chapter", "ap": "appendix", "pa": "part"}
_KEYWORD = re.compile(
    r"(?:the\s+)?(?:(sections?|sect?\.?|chapters?|ch\.|chap\.|appendix|part)(?![a-z])|§{1,2})\s*", re.I
)
_DIGITS = re.compile(r"([0-9]{1,4}(?:\.[0-9]{1,4}){0,5})(?![0-9])[.:)]?(?:\s+|$)")
_LETTERS = re.compile(r"([A-Za-z](?:\.[0-9]{1,4}){0,5}|[IVXivx]{1,6})[.:)](?:\s+|$)")
_BARE = re.compile(r"([A-Za-z](?:\.[0-9]{1,4}){0,5}|[IVXivx]{1,6})[.:)]?(?:\s+|$)")
_JOINT = re.compile(r"[\W_]+")


def same_section(cited: str, name: str) -> bool:
    """Whether two names mean one section; see the head of this module for the rule."""
    one, other = _parts(cited), _parts(name)
    if any(mine and theirs and mine != theirs for mine, theirs in zip(one, other, strict=True)):
        return False
    return bool(one[1] and other[1]) or bool(one[2] and other[2])


def sections_at(paper: Paper, pdf: PdfText | None, page: str) -> tuple[str, ...]:
    """The sections that hold a page (or a part of a range), the innermost first; empty where that is not known.

    Sections with declared pages come before the PDF's outline. Two that meet on a page both hold it.
    """
    asked = parse_ranges(page)
    found: list[tuple[int, int, str]] = []
    for order, section in enumerate(paper.sections):
        pages = parse_ranges(section.pages) if section.pages else ()
        if any(part.meets(one) for part in asked for one in pages):
            found.append((sum(part.size for part in pages), order, section.name))
    if not found and pdf is not None:
        places = pdf_indexes(paper, pdf, page)
        for order, (name, first, last) in enumerate(_runs(pdf) if places else ()):
            if any(first <= place <= last for place in places):
                found.append((last - first, -order, name))
    return tuple(dict.fromkeys(name for _, _, name in sorted(found)))


def find_section(paper: Paper, pdf: PdfText | None, cited: str) -> Section | None:
    """The one section that a name or number means; None where there is none, or more than one."""
    found = [section for section in paper.sections if same_section(cited, section.name)]
    if not found and pdf is not None:
        runs = [run for run in _runs(pdf) if same_section(cited, run[0])]
        found = [Section(name, _between(paper, pdf, first, last)) for name, first, last in runs]
    return found[0] if len(found) == 1 else None


def _between(paper: Paper, pdf: PdfText, first: int, last: int) -> str:
    """Two physical pages as a printed range; empty where they have no names, or not of one series."""
    begin, end = printed_page(paper, pdf, first), printed_page(paper, pdf, last)
    if first == last:
        return begin
    return f"{begin}-{end}" if begin and end and parse_ranges(f"{begin}-{end}") else ""


@lru_cache(maxsize=16)
def _runs(pdf: PdfText) -> tuple[Run, ...]:
    """Each heading of the outline with its first and last page: it ends where one of its level or above begins."""
    total = len(pdf.pages)
    runs: list[Run] = []
    open_: list[tuple[int, int]] = []
    for heading in pdf.outline:
        if not 0 <= heading.page < total or not heading.title.strip():
            continue
        while open_ and open_[-1][0] >= heading.level:
            _close(runs, open_.pop()[1], heading.page)
        open_.append((heading.level, len(runs)))
        runs.append((" ".join(heading.title.split()), heading.page, heading.page))
    for _, at in open_:
        _close(runs, at, total - 1)
    return tuple(runs)


def _close(runs: list[Run], at: int, last: int) -> None:
    name, first, _ = runs[at]
    runs[at] = (name, first, max(first, last))


@lru_cache(maxsize=1024)
def _parts(name: str) -> tuple[str, str, str]:
    """What a section is (where it is no plain section), its number and its words, each possibly empty."""
    text = unicodedata.normalize("NFKC", name[:_LONGEST]).strip()
    keyword = _KEYWORD.match(text)
    rest = text[keyword.end() :] if keyword else text
    if not _JOINT.sub("", rest):
        keyword, rest = None, text
    found = _DIGITS.match(rest) or (_BARE if keyword else _LETTERS).match(rest)
    number = _number(found[1]) if found else ""
    words = rest[found.end() :] if found else rest
    folded = _JOINT.sub(" ", words.casefold().replace("&", " and ")).strip().removeprefix("the ")
    kind = _KINDS.get(keyword[1][:2].lower(), "") if keyword and keyword[1] else ""
    return kind, number, folded.removesuffix(" section")


def _number(text: str) -> str:
    """A section's number: `III` is 3, `03` is 3, `A.1` stays."""
    if len(text) > 1 or text in "IVXivx":
        page = parse_page(text)
        if page is not None and page.style in (LOWER_ROMAN, UPPER_ROMAN):
            return str(page.first)
    return ".".join(part.lstrip("0") or "0" if part.isdigit() else part.lower() for part in text.split("."))
