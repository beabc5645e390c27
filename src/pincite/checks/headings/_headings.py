"""Which headings a file has, and which of them a citation means."""

import re

from msgspec import Struct

from ...core.errors import Unreadable
from ...search import passages
from ...search.passages.model import Heading
from ...text.citation_styles import fold, unescape_markdown
from ...text.evidence import Evidence
from ...text.lines import decode

_MARKS = (re.compile(r"\*+"), re.compile(r"(?<![^\W_])_+|_+(?![^\W_])"), re.compile("~~"))
"""Emphasis and strike-out, which come in pairs; an underscore inside a word is part of it."""
_LINK = re.compile(r"!?\[([^\[\]]*+)\](?:\([^()<>]*+\)|\[[^\[\]]*+\])")
_TAG = re.compile(r"</?(?:a|b|br|code|em|i|img|kbd|small|span|strong|sub|sup)(?:\s[^<>]*+)?/?>", re.IGNORECASE)
_ANCHOR = re.compile(r"\{#[^{}]*+\}\Z")
# The number that a heading begins with, and a citation that consists of one.
_NUMBERED = re.compile(
    r"(?:§+ ?|(?:section|chapter|part|appendix) )?((?:\d{1,9}|[A-Z](?=\.\d))(?:\.\d{1,9}){0,9})[.):]?(?=[\s:—–-]|\Z)",
    re.IGNORECASE,
)
_MARKED = re.compile(r"[*_~`\[<{&\\]")
_LONGEST_PATH = 1000
_MOST_COMPARED = 2_000
_LONGEST_COMPARED = 200
_MOST_ADVISED = 50
"""For so many missing headings of one file the nearest is looked for."""
_CLOSE = 0.75


class HeadingFacts(Struct, frozen=True, gc=False):
    """What is true of one cited heading; all empty where the file has nothing like it."""

    there: bool = False
    altered: str = ""
    """The one heading that differs from it in case or punctuation alone."""
    near: str = ""
    """A heading that resembles it."""
    unknown: str = ""
    """Why it is unknown."""


class _Headings:
    """The headings of one file, by their words as they are, without markup, and without case and punctuation."""

    def __init__(self, evidence: Evidence) -> None:
        key = evidence.source.key
        self.unknown = ""
        self.titles: tuple[str, ...] = ()
        self.answers: dict[str, HeadingFacts] = {}
        self.advised = 0
        kind = passages.find_kind(key)
        if kind is None or kind in passages.WITHOUT_HEADINGS:
            self.unknown = "nothing marks headings in this kind of file"
            return
        try:
            found = passages.outline(kind, decode(evidence.data), key)
        except Unreadable as error:
            self.unknown = str(error)
            return
        self.titles = tuple(dict.fromkeys(fold(heading.title) for heading in found))
        self._bare = _name if kind == "code" else _bare
        self.words = {*self.titles, *(_paths(found) if kind == "code" else map(_bare, self.titles))}
        self.numbers = {number[1] for title in self.titles if (number := _NUMBERED.match(title))}
        self.loose: dict[str, set[str]] = {}
        for title in self.titles:
            self.loose.setdefault(_loose(title), set()).add(title)

    def answer(self, title: str) -> HeadingFacts:
        """What is true of a cited heading."""
        if self.unknown:
            return HeadingFacts(unknown=self.unknown)
        known = self._facts_of(title)
        if known is None and ", §" in title:
            # Several headings, one after the other.
            each = [self._facts_of(part) for part in title.split(", §")]
            known = None if None in each else next((one for one in each if one and one.unknown), each[0])
        if known is not None:
            return known
        loose = _loose(title)
        alike = self.loose.get(loose, set()) if loose else set()
        if len(alike) == 1:
            return HeadingFacts(altered=next(iter(alike)))
        return HeadingFacts(near=self._near(title))

    def _facts_of(self, title: str) -> HeadingFacts | None:
        """What is true of a heading by its words or its number; None where the file does not have it so."""
        if title in self.words or ((bare := self._bare(title)) and bare in self.words):
            return HeadingFacts(there=True)
        number = None if self._bare is _name else _NUMBERED.fullmatch(title)
        if number is None or (self.numbers and number[1] not in self.numbers):
            return None
        # Where no heading has its number written, a number may still be counted.
        return (
            HeadingFacts(there=True) if self.numbers else HeadingFacts(unknown="no heading of the file bears a number")
        )

    def _near(self, title: str) -> str:
        """The heading most like the cited one, where one is close; a bounded number of comparisons."""
        self.advised += 1
        if self.advised > _MOST_ADVISED or len(title) > _LONGEST_COMPARED:
            return ""
        from difflib import get_close_matches

        known = {known.casefold(): known for known in self.titles[:_MOST_COMPARED] if len(known) <= _LONGEST_COMPARED}
        close = get_close_matches(title.casefold(), known, 1, _CLOSE)
        return known[close[0]] if close else ""


def look(evidence: Evidence, title: str) -> HeadingFacts:
    """What is true of a heading of a file; each file's headings are found once."""
    headings = evidence.headings
    if headings is None:
        headings = evidence.headings = _Headings(evidence)
    answer: HeadingFacts | None = headings.answers.get(title)
    if answer is None:
        answer = headings.answers[title] = headings.answer(title)
    return answer


def _bare(title: str) -> str:
    """A heading as a reader sees it: without emphasis, addresses of links, and anchors; code is kept as it is."""
    if not _MARKED.search(title):
        return title
    pieces = re.sub("`+", "`", title).split("`")
    if len(pieces) % 2 == 0:
        # A backtick without its partner.
        pieces = ["".join(pieces)]
    words = _TAG.sub("", _LINK.sub(r"\1", _ANCHOR.sub("", "\0".join(pieces[::2]))))
    for mark in _MARKS:
        if len(mark.findall(words)) % 2 == 0:
            words = mark.sub("", words)
    if "&" in words:
        from html import unescape

        words = unescape(words)
    seen = unescape_markdown(words).split("\0")
    # A link's address may have held code: then there is less to put back.
    return fold("".join(piece for pair in zip(seen, (*pieces[1::2], ""), strict=False) for piece in pair))


def _name(title: str) -> str:
    """A definition in code as prose has it: in backticks, called, with the scope before it."""
    return title.strip("`").removesuffix("()").replace("::", ".").replace("#", ".")


def _paths(found: list[Heading]) -> list[str]:
    """Definitions with what they are defined in before them."""
    paths: list[str] = []
    above: list[tuple[int, str]] = []
    for heading in found:
        while above and above[-1][0] >= heading.level:
            above.pop()
        path = f"{above[-1][1]}.{heading.title}"[:_LONGEST_PATH] if above else heading.title
        above.append((heading.level, path))
        paths.append(path)
    return paths


def _loose(title: str) -> str:
    return "".join(filter(str.isalnum, title.casefold()))
