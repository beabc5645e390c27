"""Whether a text means what it names: what it says to create, calls removed, or gives as an example need not exist."""

from __future__ import annotations

import re
from bisect import bisect_right
from enum import IntEnum
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..text.document import Document


class MentionDoubt(IntEnum):
    """How far a text puts in doubt that what it names is there."""

    NONE = 0
    POSSIBLE = 1
    """It may not be there yet, or is only an example: it counts where it is there, or was."""
    GONE = 2
    """The text says itself that it is gone: nothing can be missing."""


_REACH = 160
"""Characters before and behind that may qualify a name."""
_INTRODUCTION = 1500
"""How far above an item the line that introduces its list may stand."""
_SENTENCE = re.compile(r"[.!?;](?<!e\.g\.)(?<!i\.e\.)(?=\s)|\n[ \t]*\n|\n[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]|\n\||\n#")
_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d{1,3}[.)])[ \t]")
# Words in the same sentence that speak of the past, or deny.
_GONE = re.compile(
    r"""\b(?:
    no|not|never|don['’]t|doesn['’]t|isn['’]t|cannot|neither|nor|instead\sof|rather\sthan|unlike
    |remove|removes|removed|removal|delete|deletes|deleted|drop|drops|dropped|deprecated|obsolete|legacy|old|older|former
    |formerly|previous|previously|was|were|had|used\sto|originally|historical|historically|replaces|replaced|retired|gone
    |rename|renames|renamed|move|moves|moved|migrated|superseded|no\slonger|missing|absent|dead|stale
    )(?!\w)|→|->|=>""",
    re.IGNORECASE | re.VERBOSE,
)
_GONE_BEHIND = re.compile(
    r"""\b(?:
    not|never|doesn['’]t|isn['’]t|removed|deleted|dropped|deprecated|obsolete|legacy|formerly|previously|was|were|had
    |has\sbeen|have\sbeen|tried|retired|gone|renamed|moved|migrated|superseded|replaced|no\slonger|missing|absent
    |if\s(?:it|present|they|available|any|exists)|when\spresent
    )(?!\w)|→|->|=>""",
    re.IGNORECASE | re.VERBOSE,
)
# Words before a name, in the same sentence, after which it need not be there.
_BEFORE = re.compile(
    r"""\b(?:
    without|avoid|create|creates|created|creating|add|adds|adding|new|make\sa|write|writes|writing|written
    |generate|generates|generated|generating|produce|produces|produced|output|outputs|save|saves|saved|store|stores
    |stored|scaffold|touch|copy|copies|put|place|placed|extract|extracts|emits?|dumps?|populates?
    |e\.?g\.?|for\sexample|for\sinstance|such\sas|example|examples|like|imagine|suppose|hypothetical|sample|placeholder
    |would|could|might|may|will|future|planned|proposed|todo|tbd|eventually|upcoming|optional|optionally
    |if|unless|whether|when\spresent|ignored?|gitignored?|untracked|uncommitted|cache[ds]?|temporary|temp|expects?
    |your|you['’]re|user['’]s|users|downstream|upstream|another|other|third-party|external|their|its\sarchive|archive
    |either|should\s(?:live|go|sit|reside|stay|be)|belongs?|goes|artifacts?|common|conventional|typical(?:ly)?
    |usual(?:ly)?
    )\b""",
    re.IGNORECASE | re.VERBOSE,
)
# Words behind it that say the same.
_BEHIND = re.compile(
    r"""\b(?:
    gitignored?|ignored|untracked|generated|created|auto-?generated|at\sbuild\stime
    |if\syou|create|creates|can\sbe
    |in\s(?:that|the\sother|another)\srepo(?:sitory)?|instead|optional|optionally|planned|future|todo
    |tbd|would|will\sbe|could|placeholder|example|e\.?g\.?|etc
    )(?!\w)""",
    re.IGNORECASE | re.VERBOSE,
)
_HEADING = re.compile(r"^[ \t]{0,3}#{1,6}[ \t]+([^\n]{1,200})", re.MULTILINE)
_ASIDE = re.compile(
    r"\b(?:changelog|history|roadmap|planned|future|todo|migrat\w*|deprecat\w*|removed|legacy|example|examples|"
    r"template|templates|anti-?patterns?|troubleshooting|proposal|proposed|ideas?|backlog|release\snotes|lessons?|"
    r"what\snot|out\sof\sscope|usage\sin|in\syour)\b",
    re.IGNORECASE,
)


def judge_doubt(document: Document, start: int, end: int) -> MentionDoubt:
    """What the words around a name, the line that introduces its list, and the heading above say of it."""
    before, behind = _around(document.prose, start, end)
    if _GONE.search(before) or _GONE_BEHIND.search(behind):
        return MentionDoubt.GONE
    if _BEFORE.search(before) or _BEHIND.search(behind) or is_aside(document, start):
        return MentionDoubt.POSSIBLE
    return MentionDoubt.NONE


def is_aside(document: Document, at: int) -> bool:
    """Whether the section around a place is about what is gone, is to come, or is only an example."""
    starts, asides = _headings(document.text)
    number = bisect_right(starts, at) - 1
    return number >= 0 and asides[number]


def _around(text: str, start: int, end: int) -> tuple[str, str]:
    """What the prose of a sentence says before a code span and behind it; before an item, what introduces the list."""
    low = max(0, start - _REACH)
    before = text[low:start]
    cut = 0
    for match in _SENTENCE.finditer(before):
        cut = match.end()
    behind = text[end : end + _REACH]
    stop = _SENTENCE.search(behind)
    line = text.rfind("\n", 0, start) + 1
    introduction = _find_introduction(text, line) if _ITEM.match(text, line) else ""
    return f"{introduction} {before[cut:]}", behind[: stop.start() if stop else None]


def _find_introduction(text: str, line: int) -> str:
    """The line above a list, where it ends in a colon."""
    above = text[max(0, line - _INTRODUCTION) : line].rstrip("\n").split("\n")
    for one in reversed(above):
        if one.strip() and not _ITEM.match(one) and one[:1] not in (" ", "\t"):
            return one[-_REACH:] if one.rstrip().endswith(":") else ""
    return ""


@lru_cache(maxsize=4)
def _headings(text: str) -> tuple[list[int], list[bool]]:
    """Where headings stand, and which of them begin a section that is an aside."""
    found = list(_HEADING.finditer(text))
    return [match.start() for match in found], [_ASIDE.search(match[1]) is not None for match in found]
