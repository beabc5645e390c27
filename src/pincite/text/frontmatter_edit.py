"""Small changes to frontmatter that leave every other byte as it is.

A change is `(start, end, new)`: the text between two offsets and what takes its place.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from .lines import replace_spans
from .yaml import Scalar, YamlList, value_of

if TYPE_CHECKING:
    from .yaml import Mapping, Node

    Change = tuple[int, int, str]

_PLAIN = re.compile(
    r"[A-Za-z0-9_./$(+\\;=](?:[^\x00-\x1f\x7f-\xa0:#,\[\]{}&*!|>'\"%@`?]*[^\x00-\x20\x7f-\xa0:#,\[\]{}&*!|>'\"%@`?])?"
)
_SHORT_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_LINE_END = re.compile(r"[^\r\n]*")
_BREAK = re.compile(r"\r\n|\r|\n")


def quote_scalar(text: str, style: str = "") -> str:
    """A YAML scalar that means exactly this text: plain where it can be, in the given quotes where they can hold it."""
    if not style and _PLAIN.fullmatch(text) and text.isprintable() and isinstance(value_of(Scalar(text, 0, 0)), str):
        return text
    if style == "'" and text.isprintable():
        return "'" + text.replace("'", "''") + "'"
    return '"' + "".join(map(_escape_char, text)) + '"'


def replace_value(text: str, old: Scalar, new: str | int) -> Change:
    """The change that gives a scalar another value, in its own quotes where it has some."""
    style = old.style if old.style in ("'", '"') else ""
    return _put(text, old, quote_scalar(new, style) if isinstance(new, str) else str(new))


def replace_scalar(text: str, old: Scalar, written: str) -> Change:
    """The change that puts a number or a time, which needs no quotes, in place of a scalar; quotes stay."""
    style = old.style if old.style in ("'", '"') else ""
    return _put(text, old, style + written + style)


def _put(text: str, old: Scalar, written: str) -> Change:
    # A value left out stands right behind its colon.
    gap = " " if old.start == old.end and text[old.start - 1 : old.start] == ":" else ""
    return old.start, old.end, gap + written


def insert_into(text: str, node: Mapping, after: str, key: str, written: str) -> Change:
    """The change that adds `key: written` to a map, behind the value of the key `after`."""
    at = node.values[after].end
    if node.flow:
        return at, at, f", {key}: {written}"
    at = end_of_line(text, at)
    column = node.start - start_of_line(text, node.start)
    return at, at, f"{line_break(text)}{' ' * column}{key}: {written}"


def append_to(text: str, node: Mapping, key: str, written: str) -> Change:
    """The change that adds `key: written` to a map, as far down as it can stand."""
    names = list(node.values)
    # Blank lines below a block scalar may belong to it, so nothing is put right behind one.
    while names and not node.flow and _ends_in_block(node.values[names[-1]]):
        names.pop()
    if names:
        return insert_into(text, node, names[-1], key, written)
    column = node.start - start_of_line(text, node.start)
    return node.start, node.start, f"{key}: {written}{line_break(text)}{' ' * column}"


def _ends_in_block(node: Node) -> bool:
    """Whether the last scalar of a tree is a block scalar."""
    while not isinstance(node, Scalar):
        children = node.items if isinstance(node, YamlList) else list(node.values.values())
        if not children:
            return False
        node = children[-1]
    return node.style in ("|", ">")


def apply(text: str, changes: list[Change]) -> str:
    """The text with all changes made; they must not overlap."""
    return replace_spans(text, sorted(changes, key=_order))


def _order(change: Change) -> tuple[int, bool]:
    """By place; where a value is filled in and an entry added at one place, the value comes first."""
    return change[0], not change[2].startswith(" ")


def line_break(text: str) -> str:
    """How the first line of a text ends."""
    found = _BREAK.search(text)
    return found[0] if found else "\n"


def end_of_line(text: str, at: int) -> int:
    """Where the line that holds an offset ends."""
    found = _LINE_END.match(text, at)
    return found.end() if found else at


def start_of_line(text: str, at: int) -> int:
    """Where the line that holds an offset begins."""
    return max(text.rfind("\n", 0, at), text.rfind("\r", 0, at)) + 1


def _escape_char(char: str) -> str:
    short = _SHORT_ESCAPES.get(char)
    if short is not None:
        return short
    if char.isprintable():
        return char
    code = ord(char)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
