"""What stands around a passage on its page: a sentence can take back the one beside it."""

from __future__ import annotations

import re

from ...text.sentences import split_sentences

REACH = 600
"""How many characters of a page are kept on either side of a quote."""
_READ = 4 * REACH
"""How many are folded for that: layout takes up space."""
_BLANK_LINE = re.compile(r"[^\S\n]*\n[^\S\n]*\n\s*")
_LINE = re.compile(r"[^\S\n]*\n\s*")
_UNSEEN = re.compile("\u00ad(?:[^\\S\n]*\n[^\\S\n]*)?|[\u200b\u2060\ufeff]")
_SPACE = re.compile(r"[^\S\n]+")


def surround(text: str, start: int, end: int, lines: bool = False) -> tuple[str, str]:
    """What stands before and behind a passage, white space folded; a break between blocks is kept as one line end.

    What stands before ends where the passage begins, and what stands behind begins where it ends. With `lines`, every
    line end parts blocks, as on a page of HTML; else an empty line does.
    """
    before = _fold(text[max(0, start - _READ) : start], lines)
    after = _fold(text[end : end + _READ], lines)
    if not text[: max(0, start - _READ)].strip():
        before = before.lstrip()
    if not text[end + _READ :].strip():
        after = after.rstrip()
    return _last(before), _first(after)


def _fold(text: str, lines: bool) -> str:
    text = _UNSEEN.sub("", text)
    if lines:
        return _SPACE.sub(" ", _LINE.sub("\n", text))
    parts = _BLANK_LINE.split(text)
    return "\n".join(_SPACE.sub(" ", part.replace("\n", " ")) for part in parts)


def _last(text: str) -> str:
    """The end of a text that is too long, from the beginning of a sentence or else of a word."""
    if len(text) <= REACH:
        return text
    near = text[-REACH:]
    cut = next((start for start, _ in split_sentences(near) if start and _begins(near, start)), 0)
    if not cut:
        cut = near.find(" ") + 1
    return near[cut:]


def _begins(text: str, start: int) -> bool:
    return text[:start].rstrip(" \"'”’»)]")[-1:] in (*".!?…。！？", "\n")


def _first(text: str) -> str:
    """The beginning of a text that is too long, up to the end of a sentence or else of a word."""
    if len(text) <= REACH:
        return text
    near = text[:REACH]
    ends = [end for _, end in split_sentences(near) if end < len(near)]
    cut = ends[-1] if ends else near.rfind(" ")
    return near[:cut] if cut > 0 else near
