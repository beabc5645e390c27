"""Lines of a first page as the readers of its head share them."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from typing import TYPE_CHECKING

from .names import MARK

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from ..model import HeadLine

_LIGATURES = {ord(char): unicodedata.normalize("NFKC", char) for char in "ﬀﬁﬂﬃﬄﬅﬆ"}
_PROSE = re.compile(
    r"\b(?:the|is|are|we|that|this|to|for|by|which|has|have|can|be|was|were|it|as|our|an|from|not|their|these|or)\b"
)
_END = re.compile(
    r"""\W{0,9}(?:[0-9I]{1,2}[.:)]?\s{0,3})?(?:
      a\s?b\s?s\s?t\s?r\s?a\s?c\s?t | summary | i\s?n\s?t\s?r\s?o\s?d\s?u\s?c\s?t\s?i\s?o\s?n | key\s?words
    | index\sterms | categories\sand | ccs\sconcepts | general\sterms | contents | table\sof\scontents | résumé
    | zusammenfassung
    | executive\ssummary | overview | article\sinfo | background | motivation | objectives? | purpose | preface
    | synopsis | problem\sstatement | acm\sreference\sformat | permission\sto )\b""",
    re.IGNORECASE | re.VERBOSE,
)
# Not those of an address that runs over two lines: `{jo.doe,` above `al.roe}@tea.example`.
_WORD = re.compile(r"(?<![\w.@{/])[^\W\d_]{3,40}+(?![.@_/}][^\W\d_]|\w)")
# Small words of languages that write with these letters.
_SMALL = re.compile(
    r"\b(?:the|of|and|to|in|is|for|with|der|die|und|das|von|le|la|les|de|des|et|el|los|en|que|il|di|che|um|uma|het|een|och"
    r"|att|av|og|na)\b",
    re.IGNORECASE,
)
_TEXT = 12_000
_LINE = 400
_FEW = 300
_FAIR = 0.15


def plain(text: str) -> str:
    """A line as text: ligatures split, marks away, on one line."""
    return " ".join(text.translate(_LIGATURES).replace(MARK, " ").split())


def body_size(lines: Sequence[HeadLine]) -> int:
    """The size of type that text has: the smallest in which a fair part of the page is set."""
    sizes: Counter[int] = Counter()
    for line in lines:
        sizes[line.size] += len(line.text)
    return min((size for size, count in sizes.items() if count > _FAIR * sizes.total()), default=0)


def is_prose(text: str) -> bool:
    """Whether a line is running text."""
    return len(text.split()) >= 7 and len(_PROSE.findall(text)) >= 2


def is_end(text: str) -> bool:
    """Whether a line begins what follows the head of a paper: its abstract, its contents, its first section."""
    return _END.match(text) is not None


def words_in(texts: Iterable[str]) -> frozenset[str]:
    """The words of texts that are written in lower case."""
    found: set[str] = set()
    for text in texts:
        for line in text[:_TEXT].split("\n"):
            # Addresses write names in lower case.
            if "@" not in line and "://" not in line and "}" not in line:
                found.update(word for word in _WORD.findall(line[:_LINE]) if word.islower())
    return frozenset(found)


def is_readable(page: str) -> bool:
    """Whether a page has words at all: a font without a table of its letters gives signs that mean nothing."""
    letters = [char for char in page[:_TEXT] if char.isalpha()]
    if len(letters) < _FEW:
        return True
    if sum(char > "\u024f" for char in letters) * 2 > len(letters):
        return True
    return len(_SMALL.findall(page[:_TEXT])) * 200 > len(letters)
