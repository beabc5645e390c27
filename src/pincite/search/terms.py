"""What is searched for in a text: its words as they are spelt, the parts of names, characters of dense scripts."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING
from unicodedata import normalize

if TYPE_CHECKING:
    from collections.abc import Callable

_SHAPE = bytes(
    65 if 65 <= byte <= 90 else 97 if 97 <= byte <= 122 else 48 if 48 <= byte <= 57 else 97 if byte > 127 else 32
    for byte in range(256)
)
"""Every byte by its kind: `A`, `a`, `0`, or a space for what separates words."""
# What is no capital of ASCII counts as small: `Müller` is one word, not three.
_PART = re.compile(r"[A-Z]+(?![^\W\dA-Z_])|[A-Z]?[^\W\dA-Z_]+|\d+")
# Hyphens at the end of a line, as the text of a PDF has them, and ligatures.
_TYPESET = re.compile("\u00ad(?:[^\\S\n]*\n\\s*)?|[\ufb00-\ufb06]")
_LONGEST = 80
"""A longer word is no name."""
_MOST_KNOWN = 50_000
# Scripts that put no spaces between words; FTS5 would take a whole sentence for one.
_DENSE = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")

_JOINTS = (b"aA", b"AAa", b"0Aa")
"""Where a capital joins two parts of a name, by the kinds of its letters."""

_known: dict[bytes, str] = {}
_known_titles: dict[str, tuple[str, ...]] = {}


def parts(name: str) -> list[str]:
    """The words that a name is made of: `readText`, `read_text` and `ReadText2` begin with `read` and `text`."""
    return _PART.findall(name)


def name_parts(data: bytes) -> str:
    """The parts of all names in a text that are joined by capitals, once each; `read_text` is split anyway."""
    return " ".join(dict.fromkeys([known for _, _, known in find_names(data)]))


def find_names(data: bytes) -> list[tuple[int, int, str]]:
    """Every name that capitals join, in order: where it starts and ends, and its parts."""
    shape = data.translate(_SHAPE)
    found: list[tuple[int, int, str]] = []
    end = 0
    for _, at, _ in _find_joints()(shape):
        if at < end:
            continue
        start = shape.rfind(b" ", 0, at) + 1
        end = shape.find(b" ", at)
        if end < 0:
            end = len(shape)
        if end - start <= _LONGEST:
            word = data[start:end]
            known = _known.get(word)
            if known is None:
                known = _learn(word)
            if known:
                found.append((start, end, known))
    return found


@cache
def _find_joints() -> Callable[[bytes], list[tuple[int, int, int]]]:
    """What finds all joints in one pass: three searches of a text take three times as long."""
    from ahocorasick_rs import BytesAhoCorasick, MatchKind

    # Joints that overlap belong to the same name.
    return BytesAhoCorasick(_JOINTS, matchkind=MatchKind.LeftmostFirst).find_matches_as_indexes


class NamesInOrder:
    """The parts of names in the passages of a text, which are asked for in ascending order."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._names = find_names(data)
        self._at = 0

    def between(self, start: int, end: int) -> str:
        """What `name_parts` gives for a stretch of the text."""
        names, at = self._names, self._at
        if at >= len(names) or names[at][0] >= end:
            return ""
        found: dict[str, None] = {}
        while at < len(names) and names[at][0] < end:
            first, last, known = names[at]
            if first >= start and last <= end:
                found[known] = None
            elif last > start:
                # The stretch cuts the name.
                found |= dict.fromkeys(
                    name for _, _, name in find_names(self._data[max(first, start) : min(last, end)])
                )
            if last > end:
                break
            at += 1
        self._at = at
        return " ".join(found)


def title_parts(titles: tuple[str, ...]) -> str:
    """The parts of the names in headings, once each."""
    found: dict[str, None] = {}
    for title in titles:
        # Without a capital there is no name that capitals join, as in most headings of code.
        if not title.islower():
            known = _known_titles.get(title)
            if known is None:
                known = _learn_title(title)
            if known:
                found |= dict.fromkeys(known)
    return " ".join(found) if found else ""


def _learn_title(title: str) -> tuple[str, ...]:
    """The parts of each name in a heading, remembered because all that stands below has it, too."""
    if len(_known_titles) >= _MOST_KNOWN:
        _known_titles.clear()
    known = _known_titles[title] = tuple(parts for _, _, parts in find_names(title.encode("utf-8", "replace")))
    return known


def _learn(word: bytes) -> str:
    """The parts of a word, remembered because names come again and again; empty where it has no more than one."""
    pieces = parts(word.decode("utf-8", "replace"))
    known = " ".join(pieces) if len(pieces) > 1 else ""
    if len(_known) >= _MOST_KNOWN:
        _known.clear()
    _known[word] = known
    return known


def make_searchable(text: str) -> str:
    """The text as it is indexed: words that typesetting parted are whole, characters of dense scripts stand apart."""
    if text.isascii():
        return text
    text = _TYPESET.sub(lambda found: normalize("NFKC", found[0]) if found[0][0] != "\u00ad" else "", text)
    return _DENSE.sub(r" \g<0> ", text) if _DENSE.search(text) else text
