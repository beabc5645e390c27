"""What a PDF tells about the paper it holds, and how sure that is."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...papers.fields import normal_doi
from ...papers.head.reading import read_head
from ...papers.legibility import AFTER_OCR, REMEDY, describe_faults
from ...papers.model import Paper, Section
from ...papers.printed_pages import describe, find_numbering, printed_page
from ...papers.ranges import parse_ranges

if TYPE_CHECKING:
    from ...papers.head.reading import PaperHead
    from ...papers.model import PdfText

_MOST_SECTIONS = 100
_LONGEST_TITLE = 300
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ud800-\udfff]")
_FURNITURE = re.compile(
    r"arxiv:|doi|https?:|www\.|©|\(c\)|copyright|preprint|proceedings|journal|vol(?:ume|\.)|issn|isbn|received|accepted"
    r"|published|conference|workshop|transactions|letters?\b|page \d|under review|research article|open access",
    re.IGNORECASE,
)
_AFTER_TITLE = re.compile(
    # Examples: `Jo Doe∗`, `Abstract`, `University of`.
    r"""
    @|\b[Aa](?:bstract|BSTRACT)\b|[Uu]niversit|[Ii]nstitut|[Dd]epartment|[Ss]chool\ of|[Ll]aborator|^[Bb]y\s
    |[∗*†‡¹²]
    |,\ [A-Z][\w.-]+\ [A-Z]|\d$|\bet\ al\b|\band\ [A-Z]\w+\ [A-Z]
    """,
    re.VERBOSE,
)
_NAMES = re.compile(
    r"(?:[A-Z][\w'’-]*\.? ){1,3}[A-Z][\w'’-]+(?:(?:, | and | & |, and )(?:[A-Z][\w'’-]*\.? ){1,3}[A-Z][\w'’-]+)*"
)
# Text that has begun already: a heading of its own, or the end of a sentence.
_PROSE = re.compile(
    r"^(?:abstract|summary|introduction|contents|table of contents|\d+(?:\.\d+)*\.? )|[.!?] (?-i:[A-Z])", re.I
)
_ABOUT = {
    "title": "the title ",
    "authors": "the authors ",
    "year": "the year ",
    "doi": "the DOI ",
    "page_range": "page_range ",
}
"""How remarks about a field begin."""
_ASKED = {"title": "--title", "authors": "--author", "year": "--year"}
"""What to say to settle a field."""
_DOI = re.compile(r"(?:doi:?\s*|doi\.org/)(10\.[0-9]{4,9}/[^\s\"<>]{1,200})", re.IGNORECASE)


def from_pdf(pdf: PdfText, stem: str, recognised: bool = False) -> tuple[Paper, tuple[str, ...]]:
    """A paper without an id from a PDF, and a remark for everything that a person should look at.

    `recognised` says that its text was recognised as far as that is possible.
    """
    head = read_head(pdf, stem)
    given_title = tidy(head.title)
    title, described = (given_title, "") if given_title else _other_title(pdf, stem)
    remarks = [described] if described else []
    unsure = head.unsure if given_title else ("title", *(name for name in head.unsure if name != "title"))
    remarks += _asking(head, unsure if not described else unsure[1:])
    pages = _page_range(pdf)
    if pages:
        how = "labels" if find_numbering("", pdf).how == "labels" else "numbers printed on the pages"
        remarks.append(f"page_range {pages} is from the {how}")
    doi = _doi(pdf)
    if doi:
        remarks.append("the DOI stands on its first page; see that it is the paper's own")
    paper = Paper(
        id="",
        title=title,
        authors=tuple(map(tidy, head.authors)),
        year=head.year,
        doi=doi,
        total_pages=len(pdf.pages) or None,
        page_range=pages,
        unsure=unsure,
    )
    if unreadable := describe_faults(pdf.pages, AFTER_OCR if recognised else REMEDY):
        remarks.append(unreadable)
    return replace(paper, sections=_sections(paper, pdf)), tuple(remarks)


def still_open(remarks: tuple[str, ...], said: Paper) -> tuple[str, ...]:
    """The remarks without those about fields whose value the user gave: that counts before the PDF's."""
    settled = tuple(start for field, start in _ABOUT.items() if getattr(said, field))
    return tuple(one for one in remarks if not one.startswith(settled))


def tidy(text: str) -> str:
    """A value on one line with nothing invisible in it."""
    return " ".join(_CONTROL.sub(" ", text).split())


def _asking(head: PaperHead, unsure: tuple[str, ...]) -> list[str]:
    """What a person has to settle: fields that rest on one weak witness, and those that nothing tells."""
    values = {"title": head.title, "authors": "; ".join(head.authors), "year": head.year}
    asked = []
    for field, option in _ASKED.items():
        be, were = ("are", "were") if field == "authors" else ("is", "was")
        if field in unsure:
            asked.append(f"the {field} {be} unsure ({values[field]}); see that it is right, or give {option}")
        elif not values[field] and field != "title":
            asked.append(f"the {field} {were} not found; give {option}")
    return asked


def _other_title(pdf: PdfText, stem: str) -> tuple[str, str]:
    """A title where the type of the page does not tell it, and where it is from."""
    guessed = _first_lines(pdf.pages[0] if pdf.pages else "")
    if guessed:
        return guessed, "the title is the first line of its first page; see that it is right, or give --title"
    name = tidy(stem.replace("_", " ").replace("-", " ")) or "untitled"
    return name, "the title is the file's name; correct it, or give --title"


def _first_lines(page: str) -> str:
    """The first lines of a page as far as they look like a title; empty where they do not."""
    rows = [tidy(row) for row in page[:4000].split("\n")]
    rows = [row for row in rows if row]
    while rows and (_FURNITURE.search(rows[0]) or sum(map(str.isalpha, rows[0])) < 4):
        rows.pop(0)
    taken: list[str] = []
    for row in rows[:4]:
        if row.endswith(".") or len(row) > 150:
            break
        if taken and (_AFTER_TITLE.search(row) or _NAMES.fullmatch(row) or sum(map(len, taken)) > 160):
            break
        taken.append(row)
    title = " ".join(taken[:3])
    fits = 8 <= len(title) <= _LONGEST_TITLE and " " in title
    return title if fits and not _PROSE.search(title) else ""


def _doi(pdf: PdfText) -> str:
    """The one DOI on the first page; with several it is not clear whose they are."""
    found = {normal_doi(match) for match in _DOI.findall(pdf.pages[0][:20_000])} if pdf.pages else set()
    found.discard("")
    return found.pop() if len(found) == 1 else ""


def _page_range(pdf: PdfText) -> str:
    """The pages as printed, where they are named all through and do not simply run from 1."""
    names = find_numbering("", pdf)
    if names.how not in ("labels", "printed") or not all(names.names):
        return ""
    described = describe(names.names)
    ranges = parse_ranges(described)
    if not ranges or described == f"1-{len(pdf.pages)}" or sum(part.size for part in ranges) != len(pdf.pages):
        return ""
    return described if find_numbering(described, pdf).names == names.names else ""


def _sections(paper: Paper, pdf: PdfText) -> tuple[Section, ...]:
    """The outline as sections with printed pages; a section ends where one of its level or above begins."""
    headings = [one for one in pdf.outline if tidy(one.title)]
    top = min((one.level for one in headings), default=0)
    tops = [one for one in headings if one.level == top]
    deepest = 2 if len(headings) <= _MOST_SECTIONS else top
    if len(tops) == 1 and len(headings) > 1:
        # The title of the whole, with the sections below it.
        headings = [one for one in headings if one is not tops[0]]
    found: list[Section] = []
    for at, heading in enumerate(headings):
        if heading.level > deepest or len(found) == _MOST_SECTIONS:
            continue
        following = (one.page for one in headings[at + 1 :] if one.level <= heading.level)
        last = max(next(following, len(pdf.pages) - 1), heading.page)
        begin, end = printed_page(paper, pdf, heading.page), printed_page(paper, pdf, last)
        pages = begin if begin == end else f"{begin}-{end}" if begin and end else ""
        found.append(Section(tidy(heading.title)[:200], pages if parse_ranges(pages) else ""))
    return tuple(found)
