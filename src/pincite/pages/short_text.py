"""Short texts that pages say of themselves, made fit to be shown and compared."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from turbohtml import Node

LONGEST = 400
_UNSEEN = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\ufffe\uffff]")
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,200}>")
_SIGNS = re.compile(r"[\W_]+")


def tidy(text: object) -> str:
    """One line without tags, references and unseen characters; empty for what is no text."""
    if not isinstance(text, str):
        return ""
    text = text[: LONGEST * 4]
    if "&" in text:
        from html import unescape

        text = unescape(text)
    if "<" in text:
        text = _TAG.sub("", text)
    if not text.isascii():
        # Half of a surrogate pair cannot be written anywhere.
        text = text.encode("utf-8", "replace").decode()
    return " ".join(_UNSEEN.sub("", text).split())[:LONGEST].rstrip()


def bare(text: str) -> str:
    """Letters and digits of a text in one case, to compare what differs in signs alone."""
    return _SIGNS.sub("", text).casefold()


def line_of(tag: Node, limit: int) -> str:
    """The text of a small piece of a page on one line, its parts separated; longer than `limit` where there is more."""
    parts: list[str] = []
    size = 0
    for part in tag.strings:
        parts.append(part[: limit + 1])
        size += len(parts[-1])
        if size > limit:
            break
    return " ".join(" ".join(parts).split())
