"""Source code: every definition with the comment and the decorators above it, nested as it is indented."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from ...text.markdown import is_escaped, unify_line_ends
from .cut import DEEPEST, cut, shown_title
from .languages import LANGUAGES, OTHERS, find_definitions
from .model import DocumentReading, Heading

if TYPE_CHECKING:
    from .cut import Block, Section

    Definition = tuple[int, int, int, str]
    """Where it starts, where its first line ends, how far it is indented, and its name."""

NAME = "code"
ENDINGS = (*LANGUAGES, *OTHERS)

# All that stands before a string of three quotes, in one go: text, comments and strings of one line.
_TRIPLE = re.compile(
    r"(?:[^#\"'\\]++|#[^\n]*+|\\.|\"(?!\"\")(?:[^\"\\\n]++|\\.)*+(?:\"|(?=\n)|\Z)|'(?!'')(?:[^'\\\n]++|\\.)*+(?:'|(?=\n)|\Z))*+"
    r"(\"\"\"|''')",
    re.DOTALL,
)
_REMARK = re.compile(r"\n[ \t]*+/\*")
_ABOVE = re.compile(r"[ \t]*+(?:#|//|/\*|\*|--|@|\[[A-Za-z])")
_FARTHEST = 40
"""Lines that are looked through for the first one of a decorator."""
_DEEP_INDENT = 60
_ends: dict[int, re.Pattern[str]] = {}


def outline(text: str, path: str = "") -> list[Heading]:
    """The definitions, in order; a level deeper for each that they stand in."""
    whole = unify_line_ends(text)
    found: list[Heading] = []
    above: list[int] = []
    for start, _, indent, name in _definitions(whole, path)[0]:
        while above and above[-1] >= indent:
            above.pop()
        above.append(indent)
        found.append(Heading(start, min(len(above), DEEPEST), name))
    return found


def read(text: str, path: str = "") -> DocumentReading:
    """The passages of a source file: a definition is one, where it fits."""
    whole = unify_line_ends(text)
    parts = _sections(whole, *_definitions(whole, path))
    return DocumentReading(text, tuple(cut(whole, parts, len(text), code=True)))


def _definitions(text: str, path: str) -> tuple[list[Definition], list[Block]]:
    """The definitions of a text, and the long strings and comments in which there are none."""
    language = LANGUAGES.get(path[path.rfind(".") :].lower(), "") if "." in path else ""
    pattern = find_definitions(language)
    if pattern is None:
        return [], []
    hidden = _strings(text) if language == "python" else _remarks(text)
    found: list[Definition] = []
    turn, blocks = 0, len(hidden)
    # Searched is a text with one more line end before it, so that the offset of that line end is the line's start.
    for match in pattern.finditer("\n" + text):
        start, end = match.span()
        while turn < blocks and hidden[turn][1] <= start:
            turn += 1
        if turn < blocks and hidden[turn][0] < start:
            continue
        name = match[match.lastindex or 0]
        if " " in name or "\t" in name:
            name = shown_title(name)
        margin = match.end(1)
        found.append((start, end - 1, margin - start - 1 if margin > 0 else 0, name))
    return found, hidden


def _strings(text: str) -> list[Block]:
    """Strings of three quotes, ascending; one without an end reaches to the end of the text."""
    found: list[Block] = []
    if '"""' not in text and "'''" not in text:
        return found
    at = 0
    while match := _TRIPLE.match(text, at):
        quotes = match[1]
        end = text.find(quotes, match.end())
        while end > 0 and text[end - 1] == "\\" and is_escaped(text, end, match.end()):
            end = text.find(quotes, end + 1)
        at = end + 3 if end >= 0 else len(text)
        found.append((match.end() - 3, at))
    return found


def _remarks(text: str) -> list[Block]:
    """Comments that begin a line and may have more of them, ascending."""
    found: list[Block] = []
    at = 0
    lines = "\n" + text
    while match := _REMARK.search(lines, at):
        at = lines.find("*/", match.end()) + 1
        if at < 1:
            break
        found.append((match.start() - 1, at))
    return found


def _sections(text: str, definitions: list[Definition], hidden: list[Block]) -> list[Section]:
    """What each definition reaches over, and what lies between them."""
    found: list[Section] = [(0, 0, ())]
    open_: list[tuple[int, tuple[str, ...]]] = []
    """The definitions that one stands in: how far each is indented, and its path."""
    at = 0
    for start, end, indent, name in definitions:
        # A blank line above is what most definitions have.
        begin = start if text[start - 2 : start] == "\n\n" else _begin(text, start, at)
        if open_ and at < begin:
            _close(text, at, begin, open_, found, hidden)
        while open_ and open_[-1][0] >= indent:
            open_.pop()
        path = open_[-1][1] if open_ else ()
        path = (*path[: DEEPEST - 1], name)
        open_.append((indent, path))
        line = text.find("\n", end) + 1 or len(text)
        found.append((begin, line, path))
        at = line
    _close(text, at, len(text), open_, found, hidden)
    return found


def _begin(text: str, start: int, floor: int) -> int:
    """Where the comment and the decorators begin that stand right above a line; not before `floor`."""
    at = start
    while at > floor:
        above = text.rfind("\n", floor, at - 1) + 1 or floor
        if _ABOVE.match(text, above, at) is None:
            if text[above:at].strip() not in (")", "]", ")]", "})", "}"):
                break
            above = _decorator(text, above, floor)
            if above < 0:
                break
        at = above
    return at


def _decorator(text: str, at: int, floor: int) -> int:
    """The first line of a decorator whose last line is given; -1 where it is none."""
    indent = len(text[at : at + _DEEP_INDENT]) - len(text[at : at + _DEEP_INDENT].lstrip())
    for _ in range(_FARTHEST):
        if at <= floor:
            break
        at = text.rfind("\n", floor, at - 1) + 1 or floor
        first = text[at + indent : at + indent + 1]
        if first in ("@", "#", "[") and not text[at : at + indent].strip():
            return at
        if first not in (" ", "\t"):
            break
    return -1


def _close(
    text: str, at: int, stop: int, open_: list[tuple[int, tuple[str, ...]]], found: list[Section], hidden: list[Block]
) -> None:
    """End the definitions whose bodies end before `stop`: at the first line that is indented no deeper than they."""
    while open_ and at < stop:
        indent = open_[-1][0]
        if indent > _DEEP_INDENT:
            return
        pattern = _ends.get(indent)
        if pattern is None:
            pattern = _ends[indent] = re.compile(
                rf"\n([ \t]{{0,{indent}}}+)(?![ \t\n#)\]}}{{*>;,|&.?:=+]|/[/*]|--|\Z"
                r"|(?:end|public|private|protected|where|then|do|begin|case|default|else|elif|elseif|except|finally|ensure|rescue|fi|done|esac|EOF)\b)"
            )
        match = pattern.search(text, max(at - 1, 0), stop)
        if match is None:
            return
        place = match.start() + 1
        turn = bisect_right(hidden, (place, 0)) - 1
        if turn >= 0 and place < hidden[turn][1]:
            at = hidden[turn][1]
            continue
        width = len(match[1])
        while open_ and open_[-1][0] >= width:
            open_.pop()
        place = _begin(text, place, at)
        found.append((place, place, open_[-1][1] if open_ else ()))
        at = match.end()
