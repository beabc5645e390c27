"""Line references in prose: `path:12`, `path:12-34`, `path:12:5`, `path:12,34-56`, `path#L12`, `path#L12-L34`.

`path:12..34`, `path:L12-L34` and `path#12` are read like these. A range that ends before it starts, or has three
numbers, is malformed.

Prose is full of things that look like this, so a reference counts only where the path is a file of the repository, now
or in its history. It is read from the root first, from the document's folder second, and last as the end of a path:
`harness/core.py:12` is the one tracked file whose path ends so, `core.py:12` the one of that name. Several such files
are ambiguous, unless only one of them has the cited lines. A code span counts when it holds nothing but the reference,
as in `` `src/app.py:42` ``; fenced blocks never do. Each entry of a list of lines is a citation of its own, and so is
`:58` behind a reference: `` `src/app.py:42`, `:58` ``. In reStructuredText the same holds of inline literals
(``src/app.py:42``) and of literal blocks. Outside markdown `path:12:` at the head of a message is taken for the output
of a tool.
"""

import re
from collections.abc import Iterator
from itertools import chain

from ..core.model import Citation, Edit, Lines, Malformed, Place, Safety, Span
from ..text.document import Document
from ..text.file_names import KNOWN_ENDINGS
from ._relative import rewrite_path
from ._written_paths import find_source

NAME = "path-line"
FIRST_LINE_MEANS_FILE = True
LOOKS_LIKE_PROSE = True
RANK = 90
OPENERS = tuple(b"%b%d" % (mark, digit) for mark in (b":", b":L", b"#", b"#L") for digit in range(10))
EXAMPLE = "The retry loop starts at src/net/client.py:42-58."
IN_SOURCE = (rb"\.[A-Za-z]\w{0,11}[:#]L?\d",)

# After a lone number of one or two digits it is a ratio or the time of day.
_TO = r"(?:[-–—‑]|\.{2,3})L?"
_COLON = re.compile(rf":(?<![\s(]\d:)(?<![\s(]\d\d:)L?(\d++)(?:{_TO}(\d++))?(?::\d{{1,5}}(?!\d))?(?![\w†%]|[./:]\w)")
_HASH = re.compile(rf"#L?(?<!##)(\d++)(?:C\d{{1,5}})?(?:{_TO}(\d++)(?:C\d{{1,5}})?)?(?!\w|-(?!L\d)[^\W\d])")
_TAIL = re.compile(r"[\w./@+\-]+\Z")
# A last component with a letter in it: `3.5:1` and `12:30` are numbers.
_NAMED = re.compile(r"(?:.*/)?[^/]*[^\W\d][^/]*\Z")
_WRITTEN = re.compile(rf"([^:#]*)(:L?|#L?)\d+(C\d+)?(?:({_TO})\d+(C\d+)?)?(:\d+)?")
# What makes three numbers of a range. A date behind a file's name is no range at all.
_LEFT_OVER = re.compile(rf"{_TO}\d++(?!\w)")
_DATE = re.compile(r":\d{4}[-–‑]\d\d[-–‑]\d\d\Z")
# The rest of a list of lines. In prose a space ends it: of `app.py:12, 30 of them` only the 12 is a line.
_LIST = re.compile(r"(?:,\d{1,7}(?:[-–]\d{1,7})?)+(?![\w:†%]|[.,/–\-]\w)")
_LIST_IN_CODE = re.compile(r"(?:, ?\d{1,7}(?:[-–]\d{1,7})?)*(?:\+|, ?(?:\.\.\.|…))?\Z")
_MEMBER = re.compile(r"(\d{1,7})(?:([-–])(\d{1,7}))?")
_CONTINUED = re.compile(rf"(:L?)\d+(?:({_TO})\d+)?")
_NAMES = re.compile(r"[\w-]\.\w{1,8}")
_GOES_ON_AS_RANGE = re.compile(rf"{_TO}\d")
_GOES_ON = re.compile(r", ?\d")
_WITH_LINES = re.compile(r"([^:#]+)(?::\d+(?:[-–]\d+)?(?::\d+)?|#L?\d+(?:C\d+)?(?:[-–]L?\d+(?:C\d+)?)?)")
# What stands between a reference and the next line of the same file: `a.py:12`, `:30` and `:44`.
_NEXT = re.compile(
    r"[`*_)\]]{0,4}\s{0,3}(?:[,;/&+]|(?:, ?)?(?:and|or)\b)?\s{0,3}(?:(?:#|//|\*)\s{0,3})?[`*_(\[]{0,4}\Z"
)
# A code span of its own behind a comma or the like, or behind `at`: elsewhere `:80` is a port or a time.
_ALONE = re.compile(r"(?:[,;/&+(]|\band|\bor|\bat)\s{0,3}(?:(?:#|//|\*)\s{0,3})?(`{1,2})\Z")
_PORT = re.compile(r"\bports?\b|localhost|://|\blisten|\bserv(?:e|es|ed|er|ing)\b|\|", re.IGNORECASE)
# A blank line, or the end of a sentence: what follows may be about another file.
_BREAK = re.compile(r"\n[ \t]*(?:#+|//+|\*)?[ \t]*\r?\n|[.!?][\"'*_`)\]]{0,4}\s+[*_`(\"']{0,4}[A-Z]")
_LONGEST_GAP = 600
_LONGEST = 240
_LAST_LINE = 999_999_999
"""No file has more lines; a larger number is read as this one, which no file has either."""


def extract(document: Document) -> Iterator[Citation | Malformed]:
    """Every reference whose words could be a path; whether the path exists is decided later."""
    text = document.text
    found: list[Citation | Malformed] = []
    marks: Iterator[re.Match[str]] = _COLON.finditer(text)
    hashes = _HASH.finditer(text)
    if (first := next(hashes, None)) is not None:
        from heapq import merge

        # Those of both kinds by place. A path holds neither mark, so references begin in the order of their marks.
        marks = merge(marks, chain((first,), hashes), key=re.Match.start)
    end = 0
    last: Citation | None = None
    for match in marks:
        if last is not None and _goes_on_with(document, last, match):
            found.append(_make_continuation(document, last, match))
        else:
            _consider(document, match, found)
        for item in found:
            # Not what begins inside the one before, as in `a.py:3-4.b.py:5`.
            if item.span.start >= end:
                yield item
                end = item.span.end
                if isinstance(item, Citation):
                    last = item
        found.clear()


def _goes_on_with(document: Document, last: Citation, match: re.Match[str]) -> bool:
    """Whether a lone `:58` is about the file that was cited last: right behind it, or a code span in its sentence."""
    text, at = document.text, match.start()
    if text[at] != ":" or text[at - 1 : at] not in (" ", "`", "(", "/", "\n") or at - last.span.end > _LONGEST_GAP:
        return False
    if document.is_source and document.prose[at] == "\0":
        # Behind the comment, code goes on.
        return False
    gap = text[last.span.end : at]
    if match[2] and _number(match[2]) < _number(match[1]):
        return False
    if _NEXT.match(gap):
        return "`" not in gap[-2:] or text[match.end() : match.end() + 1] == "`"
    alone = _ALONE.search(gap)
    if alone is None or not text.startswith(alone[1], match.end()) or _BREAK.search(gap) or _PORT.search(gap):
        return False
    # Another file that is named in between may be meant.
    return all(name.rpartition(".")[1] + name.rpartition(".")[2] not in KNOWN_ENDINGS for name in _NAMES.findall(gap))


def _make_continuation(document: Document, last: Citation, match: re.Match[str]) -> Citation:
    first = _number(match[1])
    lines = Lines(first, first if match[2] is None else _number(match[2]))
    return Citation(NAME, Span(*match.span()), match[0], last.source, lines, None, last.alternate, True)


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
    if listed is None or path.startswith("/"):
        return
    if match[0][:2] != "#L" and match[0][0] == "#" and path[path.rfind(".") :].lower() not in KNOWN_ENDINGS:
        # `owner/name#12` is an issue.
        return
    cited, alternate = find_source(document.folder, path)
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
    if citation.raw[0] == ":":
        # The file is the one that was cited before it.
        return None if elsewhere else _repoint_continuation(document, citation, place, lines)
    listed = _GOES_ON.match(document.text, citation.span.end) and not place.renamed
    if elsewhere and (member or listed):
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


def _repoint_continuation(document: Document, citation: Citation, place: Place, lines: Lines) -> Edit | None:
    from ._reread import make_verified_edit

    written = _CONTINUED.fullmatch(citation.raw)
    if written is None:
        return None
    last = "" if lines.last == lines.first else f"{written[2] or '-'}{lines.last}"
    return make_verified_edit(document, citation, place, f"{written[1]}{lines.first}{last}")


def cite_name(citation: Citation, name: str, kind: str) -> Edit | None:
    """The definition by its name: `src/app.py::main`."""
    match = _WITH_LINES.fullmatch(citation.raw)
    return Edit(citation.span, f"{match[1]}::{name}", Safety.SAFE) if match else None
