"""Which headings a file has, and which of them a citation means."""

from __future__ import annotations

import re

from msgspec import Struct

from ..errors import Unreadable
from ..styles import fold
from ..text import decode

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ..evidence import Evidence

# Emphasis, code and strike-out; an underscore inside a word is part of it.
_MARKUP = re.compile(r"[*`]|~~|(?<![^\W_])_+|_+(?![^\W_])")
_MOST_COMPARED = 2_000
_LONGEST_COMPARED = 200
_MOST_ADVISED = 50
"""For so many missing headings of one file the nearest is looked for."""
_CLOSE = 0.75


class Answer(Struct, frozen=True, gc=False):
    """What is true of one cited heading; all empty where the file has nothing like it."""

    there: bool = False
    altered: str = ""
    """The one heading that differs from it in case or punctuation alone."""
    near: str = ""
    """A heading that resembles it."""
    unknown: str = ""
    """Why it cannot be told."""


class _Headings:
    """The headings of one file, by their words as they are, without markup, and without case and punctuation."""

    def __init__(self, evidence: Evidence) -> None:
        from .. import passages

        key = evidence.source.key
        self.unknown = ""
        self.titles: tuple[str, ...] = ()
        self.answers: dict[str, Answer] = {}
        self.advised = 0
        kind = passages.find_kind(key)
        if kind in (None, "pdf", "text"):
            self.unknown = "nothing marks headings in this kind of file"
            return
        try:
            found = passages.outline(kind, decode(evidence.data), key)
        except Unreadable as error:
            self.unknown = str(error)
            return
        self.titles = tuple(dict.fromkeys(fold(heading.title) for heading in found))
        self.words = {*self.titles, *map(_bare, self.titles)}
        self.loose: dict[str, set[str]] = {}
        for title in self.titles:
            self.loose.setdefault(_loose(title), set()).add(title)

    def answer(self, title: str) -> Answer:
        """What is true of a cited heading."""
        if self.unknown:
            return Answer(unknown=self.unknown)
        if title in self.words or _bare(title) in self.words:
            return Answer(there=True)
        loose = _loose(title)
        alike = self.loose.get(loose, set()) if loose else set()
        if len(alike) == 1:
            return Answer(altered=next(iter(alike)))
        return Answer(near=self._near(title))

    def _near(self, title: str) -> str:
        """The heading most like the cited one, where one is close; a bounded number of comparisons."""
        self.advised += 1
        if self.advised > _MOST_ADVISED or len(title) > _LONGEST_COMPARED:
            return ""
        from difflib import get_close_matches

        known = {known.casefold(): known for known in self.titles[:_MOST_COMPARED] if len(known) <= _LONGEST_COMPARED}
        close = get_close_matches(title.casefold(), known, 1, _CLOSE)
        return known[close[0]] if close else ""


def look(evidence: Evidence, title: str) -> Answer:
    """What is true of a heading of a file; each file's headings are found once."""
    headings = evidence.headings
    if headings is None:
        headings = evidence.headings = _Headings(evidence)
    answer: Answer | None = headings.answers.get(title)
    if answer is None:
        answer = headings.answers[title] = headings.answer(title)
    return answer


def _bare(title: str) -> str:
    return fold(_MARKUP.sub("", title))


def _loose(title: str) -> str:
    return "".join(filter(str.isalnum, title.casefold()))
