"""What a reader of a report sees besides its blocks: captions, titles, attributes, code, frontmatter."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING

from msgspec import Struct

from ...text.document import Document
from ...text.markdown import fences, unify_line_ends
from .kept_edits import SEALED
from .report_blocks import is_frontmatter
from .statements import WORD

if TYPE_CHECKING:
    from collections.abc import Iterator

_PICTURE = re.compile(r"!\[((?:\\.|[^\[\]\\]|\[[^\[\]]{0,200}\]){1,1000}+)\](?=[(\[])")
_TITLE = re.compile(
    r"\]\([ \t]*+(?:<[^<>\n]{0,2000}+>|[^\s()<>]{0,2000}+(?:\([^\s()]{0,500}+\)[^\s()<>]{0,500}+)?)\s+"
    r"(?:\"([^\"]{1,500}+)\"|'([^']{1,500}+)'|\(([^()]{1,500}+)\))[ \t]*\)"
)
_TAG = re.compile(r"<[A-Za-z](?:[^<>\"']|\"[^\"]{0,1000}+\"|'[^']{0,1000}+'){0,1000}+>")
_ATTRIBUTE = re.compile(
    r"\b(?:alt|title|aria-label|aria-description|label|summary|placeholder|content|caption|value|data-caption|srcdoc|abbr"
    r"|standby|tooltip|aria-roledescription|aria-valuetext|aria-placeholder)\s*=\s*"
    r"(?:\"([^\"]{1,1000}+)\"|'([^']{1,1000}+)'|([^\s\"'>]{1,300}+))",
    re.IGNORECASE,
)
_COMMENT = re.compile(r"\x01+")
_KEY = re.compile(r"\s*(?:-\s+)*(?:[\w-]{1,60}:(?:\s+[>|][+-]?)?(?:\s|\Z))?")
_COMMENTED = re.compile(r"\s*(?:#+|//+|--+|;+|\*+|%+|<!--)?\s*")
_INNER_TAG = re.compile(r"</?[A-Za-z][^<>]{0,1000}>")
_SPACED = re.compile(r"[*_`~\\]")


class Aside(Struct, frozen=True):
    """A stretch of text that is no part of a sentence around it."""

    start: int
    end: int
    tail: int
    """Behind the markup that it belongs to."""
    kind: str
    """`label`, `code`, `front`, `comment` or `seal` (of a report of ours)."""
    said: str


def find_asides(text: str, prose: str) -> Iterator[Aside]:
    """Each of them; `prose` has the same places, with code as NULs and comments as U+0001."""
    for pattern, kind in ((_PICTURE, "label"), (_TITLE, "label")):
        for match in pattern.finditer(prose):
            number = match.lastindex or 1
            yield _aside(text, *match.span(number), match.end(), kind)
    for tag in _TAG.finditer(prose):
        for match in _ATTRIBUTE.finditer(prose, *tag.span()):
            yield _aside(text, *match.span(match.lastindex or 1), tag.end(), "label")
    for match in _COMMENT.finditer(prose):
        whole = text[match.start() : match.end()]
        said = whole.removeprefix("<!--").removesuffix("-->")
        if WORD.search(said):
            said = " ".join(said.split())
            kind = "seal" if said.startswith(SEALED) else "comment"
            yield Aside(*match.span(), match.end(), kind, said)
    yield from _unread(text)


def _unread(text: str) -> Iterator[Aside]:
    """The lines of fenced code and of frontmatter."""
    plain = unify_line_ends(text)
    front = Document("-", text).frontmatter
    if front is not None and is_frontmatter(plain, front):
        yield from _lines(plain, front.start, front.end, _KEY, "front")
    for fence in fences(plain, front.end if front else 0):
        first = plain.find("\n", fence.start, fence.end)
        said = plain[fence.start : first if first >= 0 else fence.end].strip("`~ \t>")
        if len(WORD.findall(said)) > 1:
            yield Aside(fence.start, fence.start + 1, fence.start + 1, "code", said)
        if first >= 0:
            yield from _lines(plain, first + 1, fence.end, _COMMENTED, "code")


def _lines(text: str, start: int, end: int, lead: re.Pattern[str], kind: str) -> Iterator[Aside]:
    for line in re.finditer(r"[^\n]+", text[start:end]):
        begin = start + line.start()
        match = lead.match(line[0])
        said = line[0][match.end() if match else 0 :].strip().strip("\"'")
        if WORD.search(said) and not line[0].lstrip().startswith(("```", "~~~")):
            yield Aside(
                begin + len(line[0]) - len(line[0].lstrip()), start + line.end(), start + line.end(), kind, said
            )


def _aside(text: str, start: int, end: int, tail: int, kind: str) -> Aside:
    return Aside(start, end, tail, kind, _get_visible_text(text[start:end]))


def _get_visible_text(text: str) -> str:
    """What a reader sees of an attribute or caption, a document in it included."""
    return " ".join(_INNER_TAG.sub(" ", unescape(_SPACED.sub("", text))).split())
