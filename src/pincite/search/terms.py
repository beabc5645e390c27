"""What is searched for in a text: its words as they are spelt, the parts of names, characters of dense scripts."""

from __future__ import annotations

import re
from unicodedata import normalize

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

_known: dict[bytes, str] = {}


def parts(name: str) -> list[str]:
    """The words that a name is made of: `readText`, `read_text` and `ReadText2` begin with `read` and `text`."""
    return _PART.findall(name)


def name_parts(data: bytes) -> str:
    """The parts of all names in a text that are joined by capitals, once each; `read_text` is split anyway."""
    shape = data.translate(_SHAPE)
    found: dict[str, None] = {}
    for joint in (b"aA", b"AAa", b"0Aa"):
        at = shape.find(joint)
        while at >= 0:
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
                    found[known] = None
            at = shape.find(joint, end)
    return " ".join(found)


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
