"""Memories written exactly as the schema shows them, read without building a tree.

Most memories are made by tools and look alike: known keys in the documented order, one value per line, no comments. For
these one expression per citation is enough, and reading them costs little more than looking at them. Anything else is
None here and is read by way of the tree, which must come to the same result.
"""

from __future__ import annotations

import re

from ..head import LINK_KINDS, read_moment
from ..limits import LIMITS
from ..model import Citation, Lines, Malformed, Quote, SourceRef, Span
from ..yaml12 import FORBIDDEN

_IN = r"[^\x00-\x1f\x7f:#]"
# What could be null, a boolean or a number is not certain to be text.
_NO_WORD = r"(?!(?:[nN]ull|NULL|[tT]rue|TRUE|[fF]alse|FALSE)\b|\.[0-9iInN])"
_PLAIN = rf"{_NO_WORD}[A-Za-z_./$(]{_IN}*+(?::[^\x00-\x20\x7f:#\xa0]{_IN}*+)*"
_DOUBLE = r'"[^\x00-\x1f\x7f"\\]*+(?:\\["\\/][^\x00-\x1f\x7f"\\]*+)*"'
_SINGLE = r"'[^\x00-\x1f\x7f']*+(?:''[^\x00-\x1f\x7f']*+)*'"
_VALUE = rf"((?:{_PLAIN}|{_DOUBLE}|{_SINGLE})(?<! ))"
_TEXT = rf"{_NO_WORD}[A-Za-z_]{_IN}*+(?<! )"
_TAG = rf"{_NO_WORD}[A-Za-z_][A-Za-z0-9_./-]*+"
_TIME = r"([0-9TZ:+.-]{8,40}+)"
_KIND = "(?:" + "|".join(LINK_KINDS) + ")"
_HEAD = re.compile(rf"---\n(?:id: {_TEXT}\n)?(?:subject: (?:{_TEXT}|{_DOUBLE}|{_SINGLE})\n)?citations:\n")
_ITEM = re.compile(
    rf"( *+)- path: {_VALUE}\n"
    r"(?:\1  line: (0|[1-9][0-9]{0,8})\n)?"
    rf"(?:\1  snippet: {_VALUE}\n)?"
    rf"(?:\1  verified: {_TIME}\n)?"
)
_TAIL = re.compile(
    rf"(?:links:\n( *+)- {_KIND}: {_TEXT}\n(?:\1- {_KIND}: {_TEXT}\n)*)?"
    rf"(?:tags:(?: \[(?:{_TAG}(?:, {_TAG})*)?\]\n|\n( *+)- {_TEXT}\n(?:\2- {_TEXT}\n)*))?"
    r"(?:confidence: (?:0|1|0\.[0-9]{1,17}|1\.0{1,9})\n)?"
    rf"(?:last_verified: {_TIME}\n)?"
    r"---(?:\n|\Z)"
)
_ESCAPE = re.compile(r"\\(.)")


def read(dialect: str, text: str) -> list[Citation | Malformed] | None:
    """The citations of a memory in the documented form; None for any other text."""
    head = _HEAD.match(text)
    if head is None:
        return None
    found: list[Citation | Malformed] = []
    at = head.end()
    depth = time = None
    match = _ITEM.match
    while (item := match(text, at)) is not None:
        indent, path, line, snippet, verified = item.groups()
        if depth != indent:
            if depth is not None:
                return None
            depth = indent
        if path[0] in "\"'":
            path = _unquoted(path)
        if verified != time and verified is not None:
            time = verified
            if read_moment(time) is None:
                return None
        if snippet and snippet[0] in "\"'":
            snippet = _unquoted(snippet)
        start = at + len(indent) + 2
        at = item.end()
        if not path:
            return None
        if line is not None:
            number = int(line)
            lines = Lines(number, number)
        else:
            lines = None
        quote = Quote(snippet) if snippet else None
        place = Span(start, at - 1)
        found.append(Citation(dialect, place, text[start : at - 1], SourceRef("file", path), lines, quote))
    tail = _TAIL.match(text, at)
    if tail is None or not found or tail.end() * 4 > LIMITS.frontmatter_bytes:
        return None
    if tail[3] is not None and read_moment(tail[3]) is None:
        return None
    # ASCII controls are kept out by the expressions; what else is refused is looked for where it can be.
    return found if text.isascii() or FORBIDDEN.search(text, 0, tail.end()) is None else None


def _unquoted(written: str) -> str:
    """What a quoted scalar says."""
    inner = written[1:-1]
    if written[0] == "'":
        return inner.replace("''", "'")
    return _ESCAPE.sub(r"\1", inner) if "\\" in inner else inner
