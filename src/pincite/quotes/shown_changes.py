"""Which part of a long quote and of its passage is shown: where they begin to differ, and what is hard to see there."""

from __future__ import annotations

from unicodedata import category, name

from ..text.lines import shorten

_BEFORE = 24
"""Characters that are shown in front of the first change."""
_FITS = 60
"""Characters in front of a change that are shown with it, where it stands no further on."""
_MOST_NAMED = 3


def show_first_change(quoted: str, there: str, limit: int) -> tuple[str, str]:
    """Two texts, each at most `limit` characters, from a little in front of where they begin to differ."""
    at = next((at for at, (one, other) in enumerate(zip(quoted, there, strict=False)) if one != other), None)
    at = min(len(quoted), len(there)) if at is None else at
    words = quoted[:at].split()
    return shorten(_cut(quoted, words), limit), shorten(_cut(there, words), limit)


def show_marked_change(quoted: str, there: str, limit: int) -> tuple[str, str]:
    """A quote and its passage with marks around what changed, each from a little in front of the first mark."""
    places = [(line, at) for line, mark in ((quoted, "{+"), (there, "[-")) if (at := line.find(mark)) >= 0]
    if not places:
        return shorten(quoted, limit), shorten(there, limit)
    # Up to the first change both have the same words, whatever their signs.
    words = min((line[:at].split() for line, at in places), key=len)
    return shorten(_cut(quoted, words), limit), shorten(_cut(there, words), limit)


def _cut(line: str, before: list[str]) -> str:
    """A line from some words in front of its change on; `before` has all words in front of it."""
    size = sum(map(len, before)) + len(before)
    if size <= _FITS:
        return line
    kept = len(before)
    size = 0
    while kept and size + len(before[kept - 1]) < _BEFORE:
        kept -= 1
        size += len(before[kept]) + 1
    rest = line.split(" ", kept)
    return f"…{rest[kept]}" if len(rest) > kept else line


def name_hidden(quoted: str, there: str) -> str:
    """What distinguishes two texts that look the same, by name; empty where a reader sees it."""
    ours, theirs = set(quoted) - set(there), set(there) - set(quoted)
    if ours and theirs and len(quoted) == len(there):
        pairs = dict.fromkeys((one, other) for one, other in zip(quoted, there, strict=True) if one != other)
        if all(_is_twin(one, other) for one, other in pairs):
            named = [f"{_name(one)} for {_name(other)}" for one, other in list(pairs)[:_MOST_NAMED]]
            return ", ".join(named)
    hidden = sorted(sign for sign in ours | theirs if _is_hidden(sign))
    if not hidden or "".join(filter(_is_seen, quoted)) != "".join(filter(_is_seen, there)):
        return ""
    sides = [f"{_name(sign)} {'in the quote' if sign in ours else 'there'}" for sign in hidden[:_MOST_NAMED]]
    return ", ".join(sides)


def _is_hidden(sign: str) -> bool:
    return category(sign) in ("Cf", "Cc", "Mn", "Zs", "Zl", "Zp") and sign != " "


def _is_seen(sign: str) -> bool:
    return not _is_hidden(sign) and sign != " "


def _is_twin(one: str, other: str) -> bool:
    """Whether two letters are of different alphabets, so that they may look alike."""
    if not (one.isalpha() and other.isalpha()):
        return False
    return name(one, "").partition(" ")[0] != name(other, "").partition(" ")[0]


def _name(sign: str) -> str:
    return f"U+{ord(sign):04X} {name(sign, 'without a name')}"
