"""Which sentences state a fact that lines of a file could falsify."""

from __future__ import annotations

import re

# Nothing can be pinned to what is not there.
_ABSENT = re.compile(
    r"\b(?:do(?:es)? not exist|doesn't exist|absent|missing|not yet|no longer|never|removed|deleted|lacks?|without"
    r"|not implemented|unimplemented|nowhere|no (?:caller|test|such))\b",
    re.IGNORECASE,
)
# Something was left out: a word that wants another behind it ends the sentence, or a pair of brackets holds nothing.
_HOLE = re.compile(
    r"\b(?:at|in|on|from|by|via|per|of|and|with|to|see|through|against)(?:[ \t]*[,;.:)|]|[ \t]{2,}\S|\s*\Z)"
    r"|\([\s,;]*\)|`[,;\s]*`",
    re.IGNORECASE,
)
# Tests are cited only where they are named, so a sentence about tests that names none rests on nothing we would cite.
_TESTED = re.compile(r"\b(?:tests?|tested|testing|specs?|pytest|assert(?:s|ions?)?)\b", re.IGNORECASE)
_NAMED_TEST = re.compile(
    r"[\w./-]*(?:tests?|spec)[\w./-]*/[\w./-]+|[\w./-]*(?:tests?|spec)[\w-]*\.[a-z]{1,4}\b", re.IGNORECASE
)
_ASKED = re.compile(r"\?[\"'”’)\]*_ ]{0,6}\Z|\A\W{0,6}(?:todo|fixme|tbd)\b", re.IGNORECASE)


def states_fact(said: str) -> bool:
    """Whether a sentence says how something is, whole and not as a question; what says that something is not there
    has no lines that would falsify it."""
    if _ASKED.search(said) or _HOLE.search(said) or _ABSENT.search(said):
        return False
    return _TESTED.search(said) is None or _NAMED_TEST.search(said) is not None
