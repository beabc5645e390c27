"""Comments that silence findings.

In text `<!-- pincite: ignore CHECK reason -->`, in frontmatter `# pincite: ignore CHECK reason`. In source code, LaTeX,
AsciiDoc and org the same words stand in a comment of the language: `// pincite: ignore CHECK reason`.
A comment beside text speaks for its own line, a comment alone on its line for the next line that is not blank.
Several checks are separated by commas; `all` means every check.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .markdown import is_escaped
from .shown_code import ASCIIDOC, ORG, TEX

if TYPE_CHECKING:
    from .document import Document

OPENER = b"pincite:"
# A comment ends before the next begins: otherwise each of many unclosed ones would be read to the end of its line.
_HTML = re.compile(r"<!--[ \t]*pincite:[ \t]*ignore[ \t]+([a-z][a-z0-9,\-]*)(?:(?!<!--)[^\r\n])*?-->")
_YAML = re.compile(r"(?<![^\s])#[ \t]*pincite:[ \t]*ignore[ \t]+([a-z][a-z0-9,\-]*)[^\r\n]*")
_COMMENT = re.compile(
    r"(?:\#|//|%|--|;|/\*|\*|!|\{-|\(\*|\"\"\")[ \t]{0,9}pincite:[ \t]*ignore[ \t]+([a-z][a-z0-9,\-]*)[^\r\n]*"
)
_MARKED = (*TEX, *ASCIIDOC, *ORG)
# What a quoted text begins in that is shown or kept as it is: the title of a link or of a definition, an attribute.
_OPENING = re.compile(r"\][(:]|<[A-Za-z]")
_TITLE = re.compile(r"\](?:\(\s*+|:\s*+)(?:<[^<>\r\n]*+>|[^\s<>\"']++)\s++(?:(\")[^\"]*+|(')[^']*+|(\()[^()]*+)\Z")
_ATTRIBUTE = re.compile(
    r"""<[A-Za-z][\w:.\-]*+(?:[^<>"']++|"[^"]*+"|'[^']*+')*+(?:(?<==)|(?<==[ \t]))(?:(")[^"]*+|(')[^']*+)\Z"""
)
_BLANK_LINE = re.compile(r"(?:\r\n?|\n)[ \t]*(?:\r\n?|\n)")
_REACH = 1000
"""Characters on each side of a comment that are looked at for quotation marks around it."""
_MOST_OPENINGS = 8
_REST = re.compile(r"[ \t]*+(?=[\r\n]|\Z)")


def ignores(document: Document) -> dict[int, frozenset[str]]:
    """Line number to the checks that are silenced there."""
    found: dict[int, frozenset[str]] = {}
    named: dict[str, frozenset[str]] = {}
    front = document.frontmatter
    size = len(document.text)
    marked = size if document.is_source or document.path.lower().endswith(_MARKED) else 0
    for pattern, start, end in ((_HTML, 0, size), (_YAML, 0, front.end if front else 0), (_COMMENT, 0, marked)):
        for match in pattern.finditer(document.text, start, end):
            code = document.code_at(match.start()) if pattern is not _COMMENT or document.is_source else None
            if code is not None or (pattern is _HTML and not _is_comment(document, match.start(), match.end())):
                continue
            line = document.position(match.start())[0]
            if _stands_alone(document.text, match.start(), match.end()):
                line = _next_line(document, line)
            checks = named.get(match[1])
            if checks is None:
                checks = named[match[1]] = frozenset(filter(None, match[1].split(",")))
            known = found.get(line)
            found[line] = checks if known is None or known <= checks else known | checks
    return found


def _is_comment(document: Document, start: int, end: int) -> bool:
    """Whether what looks like a comment is one: not escaped, and not quoted in a link's title or an attribute."""
    text = document.text
    if document.is_markdown and is_escaped(text, start, max(0, start - _REACH)):
        return False
    floor = max(0, start - _REACH)
    for gap in _BLANK_LINE.finditer(text, floor, start):
        floor = gap.end()
    openings = [match.start() for match in _OPENING.finditer(text, floor, start)]
    for at in openings[-_MOST_OPENINGS:]:
        form = _ATTRIBUTE if text[at] == "<" else _TITLE
        quoted = form.match(text, at, start) if form is _ATTRIBUTE or document.is_markdown else None
        if quoted is not None and _closes(text, end, quoted[quoted.lastindex or 0]):
            return False
    return True


def _closes(text: str, end: int, mark: str) -> bool:
    """Whether the quotation that a mark opened before a comment ends behind it, in the same paragraph."""
    at = text.find(")" if mark == "(" else mark, end, end + _REACH)
    return at >= 0 and _BLANK_LINE.search(text, end, at) is None


def _stands_alone(text: str, start: int, end: int) -> bool:
    """Whether there is nothing else on the line of a comment."""
    while start and text[start - 1] in " \t":
        start -= 1
    return (not start or text[start - 1] in "\r\n") and _REST.match(text, end) is not None


def _next_line(document: Document, line: int) -> int:
    """The number of the first line after `line` that is not blank."""
    starts = document.starts
    for number in range(line, len(starts)):
        if document.line_of(starts[number]).strip():
            return number + 1
    return line


def is_silenced(found: dict[int, frozenset[str]], line: int, check: str) -> bool:
    """Whether a check is silenced on a line."""
    checks = found.get(line)
    return checks is not None and (check in checks or "all" in checks)
