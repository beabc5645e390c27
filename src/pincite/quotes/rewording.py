"""A quote made to say what its source says: changed words are put right, all else stays as it is written."""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING

from ..text.frontmatter_edit import quote_scalar as scalar_of
from ..text.unspaced_scripts import is_unspaced
from .word_changes import align, differ, tokens

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..text.frontmatter_edit import Change
    from ..text.yaml import Scalar
    from .word_changes import QuoteToken

_LONGEST = 20_000
_MARK = re.compile(r"((?:\A|[\r\n])[ \t]*)(>[ \t>]*)")
_STOPS = (".", "!", "?", "…", ";", ":")
_GAP = re.compile(r"(?:[^\S\r\n]*+(?:\r\n|\r|\n)[ \t]*+(?:>[ \t>]*+)?+)++[^\S\r\n]*+|\s++")
"""White space between two words of a quote; lines of a block quote may end there."""
_BODY = re.compile(r"[|>][^\r\n]*(?:\r\n|\r|\n)(?:[ \t]*(?:\r\n|\r|\n))*([ \t]*)")
# What cannot stand in a text for people: it would not be shown, or would show something else.
_UNSHOWN = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]")


def is_shown(words: str) -> bool:
    """Whether all of some words can be put into a text for people: no controls, nothing that turns its direction."""
    return bool(words.strip()) and _UNSHOWN.search(words) is None


def find_written(text: str, words: str, start: int, end: int) -> tuple[int, int] | None:
    """Where words stand between two places of a text, white space and marks of block quotes aside, if at one place."""
    sought = " ".join(words.split())
    if not sought or len(sought) > _LONGEST:
        return None
    pieces: list[str] = []
    places: list[tuple[int, int]] = [(0, start)]
    """Where a stretch without gaps begins in the text with single spaces, and where in the given one."""
    at, size = start, 0
    for gap in _GAP.finditer(text, start, end):
        joint = "" if "\n" in gap[0] and _is_joined(text, gap.start(), gap.end()) else " "
        pieces += text[at : gap.start()], joint
        size += gap.start() - at + len(joint)
        at = gap.end()
        places.append((size, at))
    plain = "".join((*pieces, text[at:end]))
    found = plain.find(sought)
    if found < 0 or plain.find(sought, found + 1) >= 0:
        return None
    first, last = (places[bisect_right(places, (offset, len(text))) - 1] for offset in (found, found + len(sought) - 1))
    return first[1] + found - first[0], last[1] + found + len(sought) - last[0]


def _is_joined(text: str, before: int, after: int) -> bool:
    """Whether letters of scripts without spaces stand on both sides of a gap."""
    return before > 0 and after < len(text) and is_unspaced(text[before - 1]) and is_unspaced(text[after])


def reword_text(written: str, there: str) -> str | None:
    """What is written with the words of the source, line ends and marks kept; None where it is too long to compare."""
    if len(written) > _LONGEST or len(there) > _LONGEST:
        return None
    # The marks of a block quote are no words.
    bare = _MARK.sub(lambda match: match[1] + " " * len(match[2]), written)
    pairs = align(tokens(bare), tokens(there))
    pieces: list[str] = []
    at = 0
    for number, (one, other) in enumerate(pairs):
        first, last = number == 0, number == len(pairs) - 1
        if one is None:
            new = other.text if other is not None else ""
            space = "" if is_unspaced(new[:1] or " ") else " "
            pieces.append(space + new if at else new + space)
        elif other is None:
            # The white space before a word goes with it, a line end stays.
            pieces.append(written[at : one.start].rstrip(" \t"))
            at = one.end
        else:
            kept = one.text if not differ(one, other, first, last) else other.text
            pieces += written[at : one.start], kept
            at = one.end
    whole = "".join((*pieces, written[at:]))
    return whole if written[:1].isspace() else whole.lstrip(" \t")


def is_whole(quote: str, there: str) -> bool:
    """Whether a passage begins and ends where a quote does, or with a sentence: else its extent is a guess."""
    pairs = [(one, other) for one, other in align(tokens(quote), tokens(there)) if other is not None]
    if not pairs:
        return False
    (first, begin), (last, end) = pairs[0], pairs[-1]
    begins = (first is not None and _alike(first, begin)) or begin.text.lstrip("\"'(“‘«")[:1].isupper()
    return begins and ((last is not None and _alike(last, end)) or end.text.rstrip("\"')”’»")[-1:] in _STOPS)


def _alike(one: QuoteToken, other: QuoteToken) -> bool:
    return one.id == other.id or (one.numeric and other.numeric) or one.id[:4] == other.id[:4]


def wordings(written: str, there: str) -> Iterator[str]:
    """Ways to write the words of the source in place of some that are written, the closest to these first."""
    if not is_whole(_MARK.sub(r"\1", written), there):
        return
    close = reword_text(written, there)
    if close is not None and close != written:
        yield close
    if there not in (close, written):
        yield there


def scalar_wordings(text: str, old: Scalar, there: str, json: bool = False) -> Iterator[Change]:
    """Changes that may give a scalar the words of the source, the closest to how it is written first.

    The caller reads the result again: what is put in may mean something else there.
    """
    written = text[old.start : old.end]
    if old.style in ("|", ">"):
        body = _BODY.match(written)
        if body is not None:
            for words in wordings(written[body.end() :], there):
                yield old.start + body.end(), old.end, words
        return
    if not is_whole(old.text, there):
        return
    edge = 1 if old.style in ("'", '"') else 0
    if "\\" not in written or old.style != '"':
        for words in wordings(written[edge : len(written) - edge], there):
            yield old.start + edge, old.end - edge, words
    yield old.start, old.end, json_string(there) if json else scalar_of(there, old.style)


def json_string(words: str) -> str:
    """Words as a string of JSON."""
    from json import dumps

    return dumps(words, ensure_ascii=False)
