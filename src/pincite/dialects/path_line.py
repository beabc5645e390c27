"""Line references in prose: `path:12`, `path:12-34`, `path:12:5`, `path:12,34-56`, `path#L12`, `path#L12-L34`.

`path:12..34` and `path:L12-L34` are read like these. A range that ends before it starts, or has three numbers, is
malformed.

Prose is full of things that look like this, so a reference counts only where the path is a file of the repository,
now or in its history; it is read from the root first and from the document's folder second. A code span counts when it
holds nothing but the reference, as in `` `src/app.py:42` ``; fenced blocks never do. Each entry of a list of lines is a
citation of its own. In reStructuredText the same holds of inline literals (``src/app.py:42``) and of literal blocks.
In other documents nothing marks code. Outside markdown `path:12:` at the head of a message is taken for the output of
a tool.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

from ..core.model import Citation, Edit, Lines, Malformed, Place, Safety, SourceRef, Span
from ..text.document import Document
from ..text.lines import join
from ._relative import rewrite_path

NAME = "path-line"
RANK = 90
OPENERS = (b":", b"#L")
EXAMPLE = "The retry loop starts at src/net/client.py:42-58."

# After a lone number of one or two digits it is a ratio or the time of day.
_TO = r"(?:[-–—‑]|\.{2,3})L?"
_COLON = re.compile(rf":(?<![\s(]\d:)(?<![\s(]\d\d:)L?(\d++)(?:{_TO}(\d++))?(?::\d{{1,5}}(?!\d))?(?![\w†%]|[./:]\w)")
_HASH = re.compile(rf"#L(\d++)(?:C\d{{1,5}})?(?:{_TO}(\d++)(?:C\d{{1,5}})?)?(?!\w)")
_TAIL = re.compile(r"[\w./@+\-]+\Z")
# A last component with a letter in it: `3.5:1` and `12:30` are numbers.
_NAMED = re.compile(r"(?:.*/)?[^/]*[^\W\d][^/]*\Z")
_WRITTEN = re.compile(rf"([^:#]*)(:L?|#L)\d+(C\d+)?(?:({_TO})\d+(C\d+)?)?(:\d+)?")
# What makes three numbers of a range. A date behind a file's name is no range at all.
_LEFT_OVER = re.compile(rf"{_TO}\d++(?!\w)")
_DATE = re.compile(r":\d{4}[-–‑]\d\d[-–‑]\d\d\Z")
# The rest of a list of lines. In prose a space ends it: of `app.py:12, 30 of them` only the 12 is a line.
_LIST = re.compile(r"(?:,\d{1,7}(?:[-–]\d{1,7})?)+(?![\w:†%]|[.,/–\-]\w)")
_LIST_IN_CODE = re.compile(r"(?:, ?\d{1,7}(?:[-–]\d{1,7})?)*(?:\+|, ?(?:\.\.\.|…))?\Z")
_MEMBER = re.compile(r"(\d{1,7})(?:([-–])(\d{1,7}))?")
_GOES_ON_AS_RANGE = re.compile(rf"{_TO}\d")
_GOES_ON = re.compile(r", ?\d")
_WITH_LINES = re.compile(r"([^:#]+)(?::\d+(?:[-–]\d+)?(?::\d+)?|#L\d+(?:C\d+)?(?:[-–]L?\d+(?:C\d+)?)?)")
_LONGEST = 240
_LAST_LINE = 999_999_999
"""No file has more lines; a larger number is read as this one, which no file has either."""


def extract(document: Document) -> Iterator[Citation | Malformed]:
    """Every reference whose words could be a path; whether the path exists is decided later."""
    text = document.text
    found: list[Citation | Malformed] = []
    marks: Iterator[re.Match[str]] = _COLON.finditer(text)
    if "#L" in text:
        from heapq import merge

        # Those of both kinds by place. A path holds neither mark, so references begin in the order of their marks.
        marks = merge(marks, _HASH.finditer(text), key=re.Match.start)
    end = 0
    for match in marks:
        _consider(document, match, found)
        for item in found:
            # Not what begins inside the one before, as in `a.py:3-4.b.py:5`.
            if item.span.start >= end:
                yield item
                end = item.span.end
        found.clear()


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
    if text[end : end + 1] == ":" and not document.is_markdown:
        return
    listed = _find_line_list(document, start, end)
    if listed is None:
        return
    if path.startswith("/"):
        return
    cited, alternate = _find_source(document.folder, path)
    first = _number(match[1])
    last = first if match[2] is None else _number(match[2])
    over = _LEFT_OVER.match(text, end) if match[2] else None
    if over is not None or last < first:
        end = over.end() if over is not None else end
        raw = text[start:end]
        if not _DATE.search(raw):
            wrong = f"{raw[len(path) + 1 :]} is no range of lines"
            reason = wrong if over is not None else f"the range ends before it starts (L{first}-L{last})"
            found.append(Malformed(NAME, Span(start, end), raw, reason, False, cited, alternate))
        return
    found.append(Citation(NAME, Span(start, end), text[start:end], cited, Lines(first, last), None, alternate, True))
    if end != match.end(2 if match[2] else 1):
        # Behind a column a number is anything.
        return
    for member in _MEMBER.finditer(text, *listed):
        first, last = int(member[1]), int(member[3] or member[1])
        span = Span(member.start(), member.end())
        if last < first:
            reason = f"the range ends before it starts (L{first}-L{last})"
            found.append(Malformed(NAME, span, member[0], reason, False, cited, alternate))
        else:
            found.append(Citation(NAME, span, member[0], cited, Lines(first, last), None, alternate, True))


def _number(digits: str) -> int:
    return int(digits) if len(digits) < 10 else _LAST_LINE


@lru_cache(maxsize=1024)
def _find_source(folder: str, path: str) -> tuple[SourceRef, str]:
    """What a path in a document of that folder means, and what else it may mean; many citations share both."""
    from_folder, from_root = join(folder, path), join("", path)
    key, alternate = (from_folder, from_root) if path.startswith(("./", "../")) else (from_root, from_folder)
    return SourceRef("file", key), "" if alternate == key else alternate


def _find_line_list(document: Document, start: int, end: int) -> tuple[int, int] | None:
    """Where more lines of the same file are listed behind a reference; None where it is part of code."""
    text = document.text
    code = document.code_at(start) if document.prose[start] == "\0" else None
    if code is None:
        match = _LIST.match(text, end)
        return match.span() if match else (end, end)
    inner = code.inner
    if code.fenced or inner.end - inner.start > _LONGEST * 2 or text[inner.start : start].strip():
        return None
    stop = inner.start + len(text[inner.start : inner.end].rstrip())
    return (end, stop) if _LIST_IN_CODE.match(text[end:stop]) else None


def render(citation: Citation) -> str:
    """The reference as `path:first-last`."""
    lines = citation.lines or Lines(1, 1)
    last = "" if lines.last == lines.first else f"-{lines.last}"
    return f"{citation.source.key}:{lines.first}{last}"


def repoint(document: Document, citation: Citation, place: Place) -> Edit | None:
    """The same form of reference (colon or #L, root or folder) at another place; as many lines keep their columns."""
    lines = place.lines
    if lines is None or not _TAIL.fullmatch(place.path):
        return None
    from ._reread import make_verified_edit

    elsewhere = place.path != citation.source.key
    member = _MEMBER.fullmatch(citation.raw)
    if elsewhere and (member or _GOES_ON.match(document.text, citation.span.end)):
        # The path before a list of lines belongs to all of them.
        return None
    if member:
        last = "" if lines.last == lines.first else f"{member[2] or '-'}{lines.last}"
        return make_verified_edit(document, citation, place, f"{lines.first}{last}")
    written = _WRITTEN.fullmatch(citation.raw)
    # Of `app.py:12-3x` only `app.py:12` is read; before `-3x`, another number would read differently.
    if written is None or _GOES_ON_AS_RANGE.match(document.text, citation.span.end):
        return None
    path, mark, begin, dash, end, column = written.groups(default="")
    if elsewhere:
        path = rewrite_path(document.folder, path, citation.source.key, place.path)
    if citation.lines is None or citation.lines.last - citation.lines.first != lines.last - lines.first:
        # A column belongs to a line; which one it would be now is not known.
        begin = end = column = ""
    default = "-L" if "L" in mark else "-"
    last = "" if lines.last == lines.first else f"{dash or default}{lines.last}{end}"
    return make_verified_edit(document, citation, place, f"{path}{mark}{lines.first}{begin}{last}{column}")


def cite_name(citation: Citation, name: str, kind: str) -> Edit | None:
    """The definition by its name: `src/app.py::main`."""
    match = _WITH_LINES.fullmatch(citation.raw)
    return Edit(citation.span, f"{match[1]}::{name}", Safety.SAFE) if match else None
