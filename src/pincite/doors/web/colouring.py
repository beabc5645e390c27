"""Source code in colours: the lines of a file as pieces, each with the class of its token.

The texts of a line's pieces are always the line itself. What a lexer does otherwise, and what is too large or takes too
long, comes back as it is.
"""

from __future__ import annotations

import re
from functools import cache
from time import thread_time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pygments.lexer import Lexer

    Pieces = list[tuple[str, str]]

MOST_CHARACTERS = 192 * 1024
"""More than this is left without colours."""
LONGEST_LINE = 2000
"""The time that patterns take grows fastest in one line: a text with a longer one is left without colours."""
_MOST_SECONDS = 0.5
"""Of this thread's processor time; the lines that are not reached then are left without colours."""
_BLOCK = 3000
"""Characters that are read at once: the time that some patterns take grows with the square of the length, and nothing
interrupts them in a thread."""
_GAP = re.compile(r"\s{200}")
"""White space that some lexers take seconds for."""

# Lexers are chosen from this list alone: some of the hundreds that there are take exponential time on hostile text.
_LEXERS = {
    "bash": ".sh .bash .zsh",
    "c": ".c .h",
    "cpp": ".cc .cpp .cxx .hpp .hh",
    "csharp": ".cs",
    "css": ".css",
    "go": ".go",
    "html": ".html .htm .xhtml",
    "ini": ".ini .cfg",
    "java": ".java",
    "javascript": ".js .mjs .cjs .jsx",
    "json": ".json",
    "kotlin": ".kt .kts",
    "lua": ".lua",
    "make": "Makefile makefile GNUmakefile .mk",
    "markdown": ".md .markdown",
    "php": ".php",
    "python": ".py .pyi",
    "ruby": ".rb",
    "rust": ".rs",
    "scala": ".scala",
    "sql": ".sql",
    "swift": ".swift",
    "toml": ".toml",
    "typescript": ".ts .mts .tsx",
    "xml": ".xml .svg",
    "yaml": ".yaml .yml",
}
_CLASSES = {
    "Keyword": "keyword",
    "Comment": "comment",
    "String": "string",
    "Number": "number",
    "Function": "name",
    "Class": "name",
    "Decorator": "name",
    "Tag": "name",
    "Attribute": "name",
    "Heading": "keyword",
    "Subheading": "keyword",
}
"""What parts of a token's type are called in a style sheet; what has none of them has no colour."""


def colour_lines(name: str, lines: Sequence[str]) -> list[Pieces]:
    """The pieces of each line of a file with that name: the class of a token, empty for plain text, and its text."""
    plain: list[Pieces] = [[("", line)] if line else [] for line in lines]
    lexer_name = _find_lexer_name(name)
    if not lexer_name or _is_too_large(lines):
        return plain
    lexer, end = _load_lexer(lexer_name), thread_time() + _MOST_SECONDS
    for first, block in _cut_blocks(lines):
        for number, pieces in enumerate(_read_tokens(lexer, "\n".join(block), end)[: len(block)], first):
            if "".join(text for _, text in pieces) == lines[number]:
                plain[number] = pieces
    return plain


def _is_too_large(lines: Sequence[str]) -> bool:
    return sum(map(len, lines)) > MOST_CHARACTERS or any(len(line) > LONGEST_LINE for line in lines)


def _cut_blocks(lines: Sequence[str]) -> Iterator[tuple[int, Sequence[str]]]:
    """The lines in blocks that are read at once, each with the number of its first line."""
    first = size = 0
    for number, line in enumerate(lines):
        if number > first and size + len(line) > _BLOCK:
            yield first, lines[first:number]
            first, size = number, 0
        size += len(line) + 1
    if lines:
        yield first, lines[first:]


def _read_tokens(lexer: Lexer, text: str, end: float) -> list[Pieces]:
    """The pieces of the lines that were reached in time."""
    found: list[Pieces] = [[]]
    if _GAP.search(text) is not None:
        return []
    try:
        for _, kind, value in lexer.get_tokens_unprocessed(text):
            if thread_time() > end:
                break
            known = _find_class(kind)
            for at, part in enumerate(value.split("\n")):
                if at:
                    found.append([])
                _add_piece(found[-1], known, part)
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError):
        # A lexer that stumbles over a text has coloured what came before.
        pass
    return found


def _add_piece(pieces: Pieces, known: str, text: str) -> None:
    if pieces and pieces[-1][0] == known:
        pieces[-1] = known, pieces[-1][1] + text
    elif text:
        pieces.append((known, text))


@cache
def _find_class(kind: tuple[str, ...]) -> str:
    return next((_CLASSES[part] for part in kind if part in _CLASSES), "")


def _find_lexer_name(name: str) -> str:
    """The lexer of a file name; empty where there is none for it."""
    last = name.rpartition("/")[2]
    return _lexers_by_ending().get(last) or _lexers_by_ending().get("." + last.rpartition(".")[2].lower(), "")


@cache
def _lexers_by_ending() -> dict[str, str]:
    return {ending: lexer for lexer, endings in _LEXERS.items() for ending in endings.split()}


@cache
def _load_lexer(name: str) -> Lexer:
    from pygments.lexers import get_lexer_by_name

    return get_lexer_by_name(name)
