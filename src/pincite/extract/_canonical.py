"""Memories written exactly as the schema shows them, read without building a tree.

Most memories are made by tools and look alike: known keys in the documented order, one value per line, no comments. For
these one expression per citation is enough, and reading them costs little more than looking at them. Anything else is
None here and is read by way of the tree, which must come to the same result.
"""

from __future__ import annotations

import re

from ..head import LINK_KINDS, read_moment
from ..limits import LIMITS
from ..model import Citation, Lines, Quote, SourceRef, Span
from ..yaml12 import FORBIDDEN, plain_value

_IN = r"[^\x00-\x1f\x7f:#]"
_PLAIN = rf"[A-Za-z_./$(]{_IN}*+(?::[^\x00-\x20\x7f:#\xa0]{_IN}*+)*"
_DOUBLE = r'"[^\x00-\x1f\x7f"\\]*+(?:\\["\\/][^\x00-\x1f\x7f"\\]*+)*"'
_SINGLE = r"'[^\x00-\x1f\x7f']*+(?:''[^\x00-\x1f\x7f']*+)*'"
_VALUE = rf"((?:{_PLAIN}|{_DOUBLE}|{_SINGLE})(?<! ))"
_NO_WORD = r"(?!(?:[nN]ull|NULL|[tT]rue|TRUE|[fF]alse|FALSE)\b)"
_TEXT = rf"{_NO_WORD}[A-Za-z_]{_IN}*+(?<! )"
_TAG = rf"{_NO_WORD}[A-Za-z_][A-Za-z0-9_./-]*+"
_TIME = r"([0-9TZ:+.-]{8,40}+)"
_KIND = "(?:" + "|".join(LINK_KINDS) + ")"
_HEAD = re.compile(rf"(?:id: {_TEXT}\n)?(?:subject: (?:{_TEXT}|{_DOUBLE}|{_SINGLE})\n)?citations:\n")
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
)
_ESCAPE = re.compile(r"\\(.)")


def read(dialect: str, text: str, span: Span) -> list[Citation] | None:
    """The citations of frontmatter in the documented form; None for any other."""
    start, end = span.start, span.end
    if (end - start) * 4 > LIMITS.frontmatter_bytes:
        return None
    head = _HEAD.match(text, start, end)
    if head is None:
        return None
    found: list[Citation] = []
    at = first = head.end()
    depth = -1
    while at < end:
        item = _ITEM.match(text, at, end)
        if item is None:
            break
        indent, path, line, snippet, verified = item.groups()
        if depth < 0:
            depth = len(indent)
        path = _text(path)
        if len(indent) != depth or not path or (verified is not None and read_moment(verified) is None):
            return None
        at = item.end()
        quote = None
        if snippet is not None:
            snippet = _text(snippet)
            if snippet is None:
                return None
            quote = Quote(snippet) if snippet else None
        begin = item.start() + depth + 2
        number = None if line is None else int(line)
        lines = None if number is None else Lines(number, number)
        raw = text[begin : at - 1]
        found.append(Citation(dialect, Span(begin, at - 1), raw, SourceRef("file", path), lines, quote))
    tail = _TAIL.match(text, at, end)
    if at == first or tail is None or tail.end() != end:
        return None
    if (tail[3] is not None and read_moment(tail[3]) is None) or not _is_clean(text, start, end):
        return None
    return found


def _text(written: str) -> str | None:
    """What a scalar says; None where it might be no text."""
    mark = written[0]
    if mark == '"':
        return _ESCAPE.sub(r"\1", written[1:-1]) if "\\" in written else written[1:-1]
    if mark == "'":
        return written[1:-1].replace("''", "'")
    value = plain_value(written)
    return value if isinstance(value, str) else None


def _is_clean(text: str, start: int, end: int) -> bool:
    """Whether no character is refused; ASCII controls are already kept out by the expressions."""
    return text.isascii() or FORBIDDEN.search(text, start, end) is None
