"""Line references in prose: `path:12`, `path:12-34`, `path:12:5`, `path#L12`, `path#L12-L34`.

Prose is full of things that look like this, so a reference counts only where the path is a file of the repository,
now or in its history; it is read from the root first and from the document's folder second. A code span counts when it
holds nothing but the reference, as in `` `src/app.py:42` ``; fenced blocks never do.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..model import Citation, Edit, Lines, Malformed, Place, Safety, SourceRef, Span
from ..text import join

if TYPE_CHECKING:
    from ..document import Document

NAME = "path-line"
RANK = 90
OPENERS = (b":", b"#L")
EXAMPLE = "The retry loop starts at src/net/client.py:42-58."

_COLON = re.compile(r":(\d{1,7})(?:[-–](\d{1,7}))?(?::\d{1,5}(?!\d))?(?![\w†%]|[./:]\w)")
# Any digit after a colon that is no time of day and no ratio.
_LIKELY = re.compile(r":\d(?<![\s(]\d:\d)(?<![\s(]\d\d:\d)")
_HASH = re.compile(r"#L(\d{1,7})(?:C\d{1,5})?(?:[-–]L?(\d{1,7})(?:C\d{1,5})?)?(?!\w)")
_TAIL = re.compile(r"[\w./@+\-]+\Z")
# A last component with a letter in it: `3.5:1` and `12:30` are numbers.
_NAMED = re.compile(r"(?:.*/)?[^/]*[^\W\d][^/]*\Z")
_WRITTEN = re.compile(r"([^:#]*)(:|#L)\d+(?:C\d+)?(?:([-–]L?)\d+(?:C\d+)?)?(?::\d+)?")
_LEFT_OVER = re.compile(r"[-–]L?\d")
_LONGEST = 240


def extract(document: Document) -> list[Citation | Malformed]:
    """Every reference whose words could be a path; whether the path exists is decided later."""
    text = document.text
    found: list[Citation | Malformed] = []
    for match in _COLON.finditer(text):
        _consider(document, match, found)
    if "#L" in text:
        for match in _HASH.finditer(text):
            _consider(document, match, found)
        found.sort(key=lambda item: item.span.start)
    return _disjoint(found)


def glance(document: Document) -> list[tuple[str, int, int]] | None:
    """Nothing, where nothing looks like a reference."""
    return None if _LIKELY.search(document.text) or _HASH.search(document.text) else []


def _disjoint(found: list[Citation | Malformed]) -> list[Citation | Malformed]:
    """The references without those that begin inside the one before, as in `a.py:3-4.b.py:5`."""
    kept: list[Citation | Malformed] = []
    end = 0
    for item in found:
        if item.span.start >= end:
            kept.append(item)
            end = item.span.end
    return kept


def _consider(document: Document, match: re.Match[str], found: list[Citation | Malformed]) -> None:
    text, at = document.text, match.start()
    before = text[max(0, at - _LONGEST) : at]
    word = before.rsplit(None, 1)
    # Nothing before it, or a space: `Note :12`.
    if not word or before[-1:].isspace() or "://" in word[-1]:
        return
    tail = _TAIL.search(word[-1])
    if tail is None:
        return
    path = tail[0].lstrip("@-+")
    if path.startswith("//") or not _NAMED.match(path) or path.endswith(("/", ".")):
        return
    start, end = at - len(path), match.end()
    if text[start - 1 : start] == "\\":
        # The end of a Windows path.
        return
    front = document.frontmatter
    if front is not None and start < front.end:
        return
    if not _stands_alone(document, start, end):
        return
    first = int(match[1])
    last = first if match[2] is None else int(match[2])
    if last < first:
        # `app.py:12-3` is more often "line 12, dash, 3" than a range.
        last, end = first, match.end(1)
    if path.startswith("/"):
        return
    from_folder = join(document.folder, path)
    from_root = join("", path)
    key, alternate = (from_folder, from_root) if path.startswith(("./", "../")) else (from_root, from_folder)
    if alternate == key:
        alternate = ""
    found.append(
        Citation(
            NAME, Span(start, end), text[start:end], SourceRef("file", key), Lines(first, last), None, alternate, True
        )
    )


def _stands_alone(document: Document, start: int, end: int) -> bool:
    """Whether a reference is outside code, or is all there is in its code span."""
    code = document.code_at(start)
    if code is None:
        return True
    inner = code.inner
    if code.fenced or inner.end - inner.start > _LONGEST * 2:
        return False
    return document.text[inner.start : inner.end].strip() == document.text[start:end]


def render(citation: Citation) -> str:
    """The reference as `path:first-last`."""
    lines = citation.lines or Lines(1, 1)
    last = "" if lines.last == lines.first else f"-{lines.last}"
    return f"{citation.source.key}:{lines.first}{last}"


def repoint(document: Document, citation: Citation, place: Place) -> Edit | None:
    """The same form of reference (colon or #L, root or folder) at another place."""
    lines = place.lines
    if lines is None or not _TAIL.fullmatch(place.path):
        return None
    written = _WRITTEN.fullmatch(citation.raw)
    # Of `app.py:12-3` only `app.py:12` is read; before `-3`, a smaller number would become a range.
    if written is None or _LEFT_OVER.match(document.text, citation.span.end):
        return None
    path, mark, dash = written[1], written[2], written[3]
    if place.path != citation.source.key:
        path = place.path
    default = "-L" if mark == "#L" else "-"
    last = "" if lines.last == lines.first else f"{dash or default}{lines.last}"
    return Edit(citation.span, f"{path}{mark}{lines.first}{last}", Safety.SAFE)
