"""Lines named in words: `src/app.py, line 12`, `src/app.py (lines 3-9)`, `line 12 of src/app.py`, `src/app.py L12`.

The path is read like that of `path:12`: from the root, from the document's folder, or as the end of a path; a phrase
counts only where it is a file of the repository, now or in its history. The path may stand in a code span of its own,
the words may not stand in code. `lines 3, 7 and 9-12 of src/app.py` are three citations. What a program prints when it
fails (`File "app.py", line 12, in main`) is no citation.
"""

import re
from collections.abc import Iterator

from ..core.model import Citation, Edit, Lines, Malformed, Place, Safety, Span
from ..text.document import Document
from ._relative import rewrite_path
from ._written_paths import find_source

NAME = "line-phrase"
FIRST_LINE_MEANS_FILE = True
LOOKS_LIKE_PROSE = True
RANK = 91
_WORDS = (b"line ", b"lines ", b"Line ", b"Lines ", b" L", b"(L")
OPENERS = tuple(b"%b%d" % (word, digit) for word in _WORDS for digit in range(10))
EXAMPLE = "The retry loop starts at src/net/client.py, line 42."
IN_SOURCE = (rb"ines? \d", rb" \(?L\d")

_PATH = r"[\w./@+\-]{0,240}(?:[\w/]\.[A-Za-z][A-Za-z0-9_+\-]{0,9}|(?:Make|Docker|Just|just|Rake|Gem)file)"
_RANGE = r"\s?(?:[-–—‑]|to|through)\s?L?"
# Where the lines are named: `line 12`, `lines 12-14`, `L12`.
_LINES = re.compile(
    rf"""
    (?<![\w./#-])                             # not `#L12`, not the end of a longer word
    (?:[Ll]ines?[ ]|L(?=\d))                  # line 12 · Lines 3-9 · L12
    (\d{{1,7}}) (?:{_RANGE.replace(" ", "[ ]")} (\d{{1,7}}))?
    (?![\w%]|[.,:–-]\d)
    """,
    re.VERBOSE,
)
# What may stand between a path and its lines: `a.py, line 12` · `a.py` (lines 3-9) · "a.py" at L12
_BETWEEN = re.compile(rf"({_PATH})([`\"'*_]{{0,3}}(?:,? ?\(|[,:]? |,? (?:at|on) |, (?:at|on|in) ))\Z")
# The path behind the lines: line 12 of `a.py`
_BEHIND = re.compile(rf" (?:of|in) ([`\"'*_]{{0,3}})({_PATH})(?![\w/:#]|[.-]\w)")
_MORE = re.compile(r"(?:,\s?(?:and\s)?|\s(?:and|&)\s)(\d{1,7})(?:([-–])(\d{1,7}))?(?![\w%]|[.:–-]\d)")
_WRITTEN = re.compile(rf"([Ll]ine|[Ll]ines|L)( ?)\d+(?:({_RANGE})\d+)?")
_MEMBER = re.compile(r"(\d+)(?:([-–])(\d+))?")
_TRACEBACK = re.compile(r"File [\"']?\Z")
_LONGEST = 300


def extract(document: Document) -> Iterator[Citation | Malformed]:
    """Every phrase whose words could be a path; whether the path exists is decided later."""
    text = document.text
    end = 0
    for match in _LINES.finditer(text):
        if match.start() < end:
            continue
        for item in _read(document, match, end):
            yield item
            end = item.span.end


def _read(document: Document, match: re.Match[str], floor: int) -> list[Citation | Malformed]:
    """The citations that are made of the lines at a match, and of the path before or behind them."""
    text = document.text
    begin = max(floor, match.start() - _LONGEST)
    before = _BETWEEN.search(text, begin, match.start()) if text[match.start() - 1 : match.start()] in " (" else None
    more = list(_list_members(text, match))
    stop = more[-1].end() if more else match.end()
    behind = None if before is not None else _BEHIND.match(text, stop)
    if before is not None:
        path, marks = before[1], before[2].partition(" ")[0].partition(",")[0].partition("(")[0].rstrip(":")
        start = before.start(1) - len(marks) * text.endswith(marks[::-1], 0, before.start(1))
        if _TRACEBACK.search(text, max(0, start - 8), before.start(1)):
            return []
        stop_first = match.end() + (not more and before[2].endswith("(") and text[match.end() : match.end() + 1] == ")")
    elif behind is not None:
        path, start, marks = behind[2], match.start(), behind[1][::-1]
        after = behind.end(2) + len(marks) * text.startswith(marks, behind.end(2))
        stop_first = after if not more else match.end()
    else:
        return []
    path_start = before.start(1) if before is not None else behind.start(2) if behind is not None else start
    if path.lstrip("@-+") != path or path.startswith("/") or text[path_start - 1 : path_start] in ("/", "\\", ":"):
        return []
    if not _is_prose(document, match, path_start, path_start + len(path)):
        return []
    source, alternate = find_source(document.folder, path)
    found: list[Citation | Malformed] = []
    for number, (first, last, span) in enumerate(
        [(match[1], match[2], Span(start, stop_first)), *((one[1], one[3], Span(*one.span(0))) for one in more)]
    ):
        if number:
            span = Span(span.end - len(text[span.start : span.end].lstrip(", and&\n\r\t")), span.end)
        raw = text[span.start : span.end]
        lines = Lines(int(first), int(last or first))
        if lines.last < lines.first:
            reason = f"the range ends before it starts (L{lines.first}-L{lines.last})"
            found.append(Malformed(NAME, span, raw, reason, False, source, alternate))
        else:
            found.append(Citation(NAME, span, raw, source, lines, None, alternate, True))
    return found


def _list_members(text: str, match: re.Match[str]) -> Iterator[re.Match[str]]:
    """The further lines of `lines 3, 7 and 9`."""
    if text[match.start() : match.start() + 5].lower() != "lines":
        return
    at = match.end()
    while (member := _MORE.match(text, at)) is not None:
        yield member
        at = member.end()


def _is_prose(document: Document, match: re.Match[str], start: int, end: int) -> bool:
    """Whether the words are no code, and the path is none or a code span of its own."""
    front = document.frontmatter
    if front is not None and min(start, match.start()) < front.end:
        return False
    prose, text = document.prose, document.text
    alone = None
    if prose[match.start()] == "\0":
        # `src/app.py line 12` as a whole may be a code span.
        alone = document.code_at(match.start())
        if alone is None or alone.fenced:
            return False
        inner = text[alone.inner.start : alone.inner.end]
        return (
            alone.inner.start <= min(start, match.start())
            and len(inner.strip()) <= _LONGEST
            and (
                text[alone.inner.start : min(start, match.start())].strip() == ""
                and text[max(end, match.end()) : alone.inner.end].strip() == ""
            )
        )
    if prose[start] != "\0":
        return True
    code = document.code_at(start)
    return code is not None and not code.fenced and text[code.inner.start : code.inner.end].strip() == text[start:end]


def render(citation: Citation) -> str:
    """The phrase as `path, line 12`."""
    lines = citation.lines or Lines(1, 1)
    return f"{citation.source.key}, line{'' if lines.first == lines.last else 's'} {lines.text}"


def repoint(document: Document, citation: Citation, place: Place) -> Edit | None:
    """The same words with other numbers, and with another path where the file is another."""
    lines = place.lines
    if lines is None or not re.fullmatch(_PATH, place.path):
        return None
    from ._reread import make_verified_edit

    raw = citation.raw
    elsewhere = place.path != citation.source.key
    member = _MEMBER.fullmatch(raw)
    if member:
        last = "" if lines.last == lines.first else f"{member[2] or '-'}{lines.last}"
        return None if elsewhere else make_verified_edit(document, citation, place, f"{lines.first}{last}")
    # The lines stand at one end of the phrase, the path at the other.
    written = _WRITTEN.match(raw) or next((one for one in _WRITTEN.finditer(raw) if one.end() >= len(raw) - 1), None)
    if written is None:
        return None
    if elsewhere and place.renamed and not re.search(_PATH, raw):
        return _rename_behind(document, citation, place)
    word, space, dash = written[1], written[2], written[3] or "-"
    one = lines.last == lines.first
    if word != "L":
        word = word.rstrip("s") + ("" if one else "s")
    numbers = f"{word}{space}{lines.first}" + ("" if one else f"{dash}{lines.last}")
    if lines == citation.lines:
        # `lines 3` may begin a list.
        numbers = written[0]
    parts = [raw[: written.start()], raw[written.end() :]]
    if elsewhere:
        old = citation.source.key
        parts = [
            re.sub(_PATH, lambda match: rewrite_path(document.folder, match[0], old, place.path), part, count=1)
            for part in parts
        ]
    return make_verified_edit(document, citation, place, numbers.join(parts))


def _rename_behind(document: Document, citation: Citation, place: Place) -> Edit | None:
    """The edit of the path behind a list of lines: it stands in none of them and belongs to all."""
    text = document.text
    match = _LINES.match(text, citation.span.start)
    more = list(_list_members(text, match)) if match else []
    behind = _BEHIND.match(text, more[-1].end()) if more else None
    if behind is None:
        return None
    path = rewrite_path(document.folder, behind[2], citation.source.key, place.path)
    return Edit(Span(*behind.span(2)), path, Safety.SAFE)
