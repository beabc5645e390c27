"""Frontmatter to a tree with places: plain shapes at once, everything else by the strict loader.

Nearly every memory is written in one shape: `key: value`, and lists of values or of small maps, one per line. Those are
read by one bounded expression per line. Whatever it is not certain about goes to the strict loader, and both must give
the same tree.
"""

from __future__ import annotations

import re

from ..core.limits import LIMITS, Limits
from .yaml import FrontmatterError, Mapping, Node, Scalar, Sequence, check_characters, load

__all__ = ["FrontmatterError", "Mapping", "Node", "Scalar", "Sequence", "parse", "plain_shape"]

# Single classes are repeated possessively: a line is read once, forwards, and failing costs nothing.
_IN = r"[^\x00-\x1f\x7f:#]"
_WORD = r"[A-Za-z0-9_./][A-Za-z0-9_./+-]*+(?: [A-Za-z0-9_][A-Za-z0-9_./+-]*+)*"
_END = r"(?:\n|\r\n?)"
_IDLE = rf"(?: *+(?:#[^\x00-\x1f\x7f]*+)?{_END})*"
_LINE = re.compile(
    r"( *+)(- )?"
    r"(?:([A-Za-z_][A-Za-z0-9_-]{0,63}+):(?=[ \r\n]|\Z) *+)?"
    rf"(?:((?:-(?=[0-9]))?[A-Za-z0-9_./$(~+\\;=<\xa1-\U0010ffff]{_IN}*+(?::[^\x00-\x20\x7f:#\xa0]{_IN}*+)*)"
    r'|"([^\x00-\x1f\x7f"\\]*+(?:\\["\\/][^\x00-\x1f\x7f"\\]*+)*)"'
    r"|'([^\x00-\x1f\x7f']*+(?:''[^\x00-\x1f\x7f']*+)*)'"
    rf"|\[( *+(?:{_WORD}(?: *+, *+{_WORD})*)? *+)\])?"
    rf" *+(?:(?<= )#[^\x00-\x1f\x7f]*+)?(?:{_END}{_IDLE}|\Z)"
)
_SKIP = re.compile(_IDLE)
_FLOW_WORD = re.compile(_WORD)
_ESCAPE = re.compile(r"\\(.)")


def parse(text: str, base: int = 0, line: int = 1, limits: Limits = LIMITS) -> Node:
    """The tree of frontmatter that stands at offset `base`, its first line numbered `line`; raises FrontmatterError."""
    check_characters(text, base, line, limits)
    tree = plain_shape(text, base)
    return load(text, base, line, limits) if tree is None else tree


def plain_shape(text: str, base: int = 0) -> Mapping | None:
    """The tree where the text is certainly of the plain shape; None leaves it to the strict loader."""
    at = _SKIP.match(text).end()  # type: ignore[union-attr]
    end = len(text)
    if at == end:
        return Mapping({}, base, base)
    top: dict[str, Node] = {}
    tree = Mapping(top, base + at, base)
    match = _LINE.match
    parent: str | None = None
    """The top-level key without a value of its own, which the next line may give a list."""
    sequence: Sequence | None = None
    item: Mapping | None = None
    depth = inner = -1
    while at < end:
        found = match(text, at)
        if found is None:
            return None
        at = found.end()
        indent, dash, key = found.group(1, 2, 3)
        node = _value(text, found, base)
        if node is None:
            return None
        stop = node.end
        if dash is None:
            if key is None:
                return None
            if not indent:
                if key in top:
                    return None
                top[key] = node
                sequence = item = None
                parent = key if found.lastindex == 3 else None
            elif item is not None and len(indent) == inner:
                if key in item.values:
                    return None
                item.values[key] = node
                item.end = stop
            else:
                return None
        else:
            if sequence is None:
                if parent is None:
                    return None
                depth = len(indent)
                inner = depth + 2
                start = base + found.start(2)
                sequence = top[parent] = Sequence([], start, start)
            elif depth != len(indent):
                return None
            if key is not None:
                item = Mapping({key: node}, base + found.start(3), stop)
                sequence.items.append(item)
            elif found.lastindex == 7:
                return None
            else:
                item = None
                sequence.items.append(node)
        if sequence is not None:
            sequence.end = stop
        tree.end = stop
    return tree


def _value(text: str, found: re.Match[str], base: int) -> Node | None:
    """What a line gives its key or list: a scalar, a bracketed list, or nothing yet; None where no key is either."""
    plain, kind = found[4], found.lastindex
    if plain is not None:
        plain = plain.rstrip(" ")
        start = base + found.start(4)
        return Scalar(plain, start, start + len(plain))
    if kind is not None and kind > 4:
        return _flow(text, found, base) if kind == 7 else _read_quoted_scalar(found, kind, base)
    if found[3] is None:
        return None
    end = base + found.end(3) + 1
    return Scalar("", end, end)


def _read_quoted_scalar(found: re.Match[str], kind: int, base: int) -> Scalar:
    """A scalar in double (5) or single (6) quotes; its place takes in the quotes."""
    text = found[kind]
    start, end = base + found.start(kind) - 1, base + found.end(kind) + 1
    if kind == 5:
        return Scalar(_ESCAPE.sub(r"\1", text) if "\\" in text else text, start, end, '"')
    return Scalar(text.replace("''", "'"), start, end, "'")


def _flow(text: str, found: re.Match[str], base: int) -> Sequence:
    """A bracketed list of plain words."""
    start, end = found.span(7)
    words: list[Node] = [
        Scalar(word[0], base + word.start(), base + word.end()) for word in _FLOW_WORD.finditer(text, start, end)
    ]
    return Sequence(words, base + start - 1, base + end + 1, True)
