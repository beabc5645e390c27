"""Jupyter notebooks: the markdown cells of a `.ipynb` file, each code point where the file has it.

What is no text of a markdown cell is blank, and so are the escapes of JSON: an offset means the same place in the text
and in the file, so that positions and edits need no translation. An escape that stands for a letter or a sign becomes
something that no path holds: what cannot be mapped is not read.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from msgspec import Struct

from ..core.model import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

NOTEBOOK = (".ipynb",)
_JSON = re.compile(r'"(?:[^"\\]++|\\(?s:.))*+(?:"|\Z)|[\[\]{},:]|[^\s"\[\]{},:]++')
_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{4}|.)", re.DOTALL)
_NOT_LINE_ENDS = re.compile(r"[^\r\n]")
_DEEPEST = 64
_LINE = ("\\n", "\\r")
_UNREAD = "X://XX"
"""What stands for any other sign: no path holds it."""
_PLAIN = {'\\"': ' "', "\\\\": " \\", "\\t": "  ", "\\/": "//", **dict.fromkeys(_LINE, "  ")}


class Cell(Struct, frozen=True):
    """A markdown cell: where the strings of its source stand, without their quotation marks."""

    strings: list[Span]


def read_as_text(path: str, text: str) -> str:
    """What a file says: a notebook without what is not in its markdown cells, every other file as it is."""
    return blank_out(text, find_markdown_cells(text)) if path.lower().endswith(NOTEBOOK) else text


def find_markdown_cells(text: str) -> list[Cell]:
    """The markdown cells of a notebook; what is no notebook has none."""
    return [Cell(strings) for kind, strings in _walk(text) if kind == "markdown"]


def _walk(text: str) -> Iterator[tuple[str, list[Span]]]:
    """Each cell's kind and the strings of its source: those at `cells`, any entry, `source`, alone or in a list."""
    stack: list[str] = []
    """What is open: `{` or `[`, from the outside."""
    keys: list[str] = []
    """The key of each open object that a value is being read for."""
    kind, strings = "", list[Span]()
    for match in _JSON.finditer(text):
        piece = match[0]
        if piece in ("{", "["):
            if len(stack) >= _DEEPEST:
                return
            stack.append(piece)
            keys.append("")
            if stack == ["{", "[", "{"]:
                kind, strings = "", []
        elif piece in ("}", "]"):
            if stack == ["{", "[", "{"] and keys[0] == "cells":
                yield kind, strings
            if stack:
                stack.pop()
                keys.pop()
        elif piece == ",":
            if keys and stack[-1] == "{":
                keys[-1] = ""
        elif piece[0] == '"' and stack:
            if stack[-1] == "{" and not keys[-1]:
                keys[-1] = piece[1:-1] or " "
            elif len(stack) in (3, 4) and keys[0] == "cells" and stack[2] == "{":
                if keys[2] == "cell_type" and len(stack) == 3:
                    kind = piece[1:-1]
                elif keys[2] == "source" and (len(stack) == 3 or stack[3] == "["):
                    strings.append(Span(match.start() + 1, match.end() - 1))


def blank_out(text: str, cells: list[Cell]) -> str:
    """The notebook with nothing but the text of its markdown cells; lines and lengths stay."""
    pieces: list[str] = []
    at = 0
    for cell in cells:
        for span in cell.strings:
            pieces += _blank(text[at : span.start]), _unescape_in_place(text[span.start : span.end])
            at = max(at, span.end)
    return "".join((*pieces, _blank(text[at:])))


def _blank(text: str) -> str:
    """As many spaces, line ends kept. Pictures are lines of a million letters: one by one they would take seconds."""
    if "\r" in text:
        return _NOT_LINE_ENDS.sub(" ", text)
    return "\n".join([" " * len(line) for line in text.split("\n")])


def _unescape_in_place(text: str) -> str:
    return _ESCAPE.sub(lambda match: _PLAIN.get(match[0], _UNREAD[: len(match[0])]), text) if "\\" in text else text


def join_cell(text: str, cell: Cell) -> tuple[str, list[int]]:
    """A cell's markdown, and for each of its code points the place in the notebook where it begins."""
    pieces: list[str] = []
    places: list[int] = []
    for span in cell.strings:
        at = span.start
        for match in _ESCAPE.finditer(text, span.start, span.end):
            pieces += text[at : match.start()], "\n" if match[0] in _LINE else _PLAIN.get(match[0], "X").strip() or " "
            places += (*range(at, match.start()), match.start())
            at = match.end()
        pieces.append(text[at : span.end])
        places += range(at, span.end)
    return "".join(pieces), places
