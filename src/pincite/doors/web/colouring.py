"""Colours for lines of code: their words by kind, for templates. Records have the plain lines."""

from __future__ import annotations

import re
from functools import lru_cache
from time import monotonic
from typing import TYPE_CHECKING

from pygments.lexers import get_lexer_by_name
from pygments.token import Token
from pygments.util import ClassNotFound

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pygments.token import _TokenType

    Words = tuple[tuple[str, str], ...]
    """Class and text of the words of a line."""

_MOST_CHARS = 16_000
"""What is longer stays plain."""
_BLOCK = 3000
"""Characters that are read at once: the time that some patterns take grows with the square of the length, and nothing
interrupts them in a thread."""
_PATIENCE = 0.1
"""Seconds after which the rest of a block stays plain."""
_KEPT = 64
_GAP = re.compile(r"\s{200}")
"""White space that some languages take seconds for."""
_ENDINGS = {
    **dict.fromkeys(("py", "pyi"), "python"),
    **dict.fromkeys(("js", "mjs", "cjs", "jsx"), "javascript"),
    **dict.fromkeys(("ts", "tsx", "mts"), "typescript"),
    **dict.fromkeys(("c", "h"), "c"),
    **dict.fromkeys(("cc", "cpp", "cxx", "hpp", "hh"), "cpp"),
    **dict.fromkeys(("sh", "bash", "zsh"), "bash"),
    **dict.fromkeys(("yaml", "yml"), "yaml"),
    **dict.fromkeys(("ini", "cfg", "conf"), "ini"),
    **dict.fromkeys(("mk",), "make"),
    **{name: name for name in ("java", "go", "swift", "scala", "lua", "sql", "json", "toml", "css", "php")},
    "rs": "rust",
    "rb": "ruby",
    "cs": "csharp",
    "kt": "kotlin",
}
"""Languages by the ending of a file. Only these: each was tried with text that is made to take long."""
_NAMES = {"makefile": "make", "gnumakefile": "make", "dockerfile": "docker"}
_CLASSES: tuple[tuple[_TokenType, str], ...] = (
    (Token.Comment, "tc"),
    (Token.Keyword, "tk"),
    (Token.Literal.String, "ts"),
    (Token.Literal.Number, "tn"),
    (Token.Name.Function, "tf"),
    (Token.Name.Class, "tf"),
    (Token.Name.Decorator, "tf"),
    (Token.Name.Tag, "tf"),
    (Token.Name.Builtin, "tb"),
    (Token.Name.Constant, "tb"),
    (Token.Operator.Word, "tk"),
)


def colour_lines(lines: Sequence[str], name: str) -> tuple[Words, ...]:
    """The words of each line with the class of their kind; empty for what has none. `name` is that of the file."""
    language = _find_language(name)
    text = "\n".join(lines)
    if not language or len(text) > _MOST_CHARS:
        return tuple((("", line),) for line in lines)
    found: list[Words] = []
    for block in _cut_blocks(lines):
        found += _colour(block, language)
    return tuple(found)


def _cut_blocks(lines: Sequence[str]) -> Iterator[str]:
    """The lines in pieces that are read at once."""
    block: list[str] = []
    size = 0
    for line in lines:
        if block and size + len(line) > _BLOCK:
            yield "\n".join(block)
            block, size = [], 0
        block.append(line)
        size += len(line) + 1
    if block:
        yield "\n".join(block)


def _find_language(name: str) -> str:
    last = name.rpartition("/")[2].lower()
    stem, _, ending = last.rpartition(".")
    return _NAMES.get(last) or (_ENDINGS.get(ending, "") if stem else "")


@lru_cache(_KEPT)
def _colour(text: str, language: str) -> tuple[Words, ...]:
    plain = tuple((("", line),) for line in text.split("\n"))
    if len(text) > 2 * _BLOCK or _GAP.search(text):
        return plain
    try:
        # An excerpt of PHP rarely has the sign that opens it.
        lexer = get_lexer_by_name(language, **({"startinline": True} if language == "php" else {}))
    except ClassNotFound:
        return plain
    end = monotonic() + _PATIENCE
    rows: list[list[tuple[str, str]]] = [[]]
    for _, kind, value in lexer.get_tokens_unprocessed(text):
        if monotonic() > end:
            return plain
        first, *rest = value.split("\n")
        mark = _find_class(kind)
        rows[-1].append((mark, first))
        rows += ([(mark, part)] for part in rest)
    found = tuple(tuple(word for word in row if word[1]) for row in rows)
    # A language that loses or adds anything is not believed.
    same = ["".join(word for _, word in row) for row in found] == text.split("\n")
    return found if same else plain


def _find_class(kind: _TokenType) -> str:
    return next((name for wanted, name in _CLASSES if kind[: len(wanted)] == wanted), "")
