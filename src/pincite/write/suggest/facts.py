"""Which sentences state a fact that lines of a file could falsify."""

from __future__ import annotations

import re

# Nothing can be pinned to what is not there.
_ABSENT = re.compile(
    r"\b(?:do(?:es)? not exist|doesn't exist|absent|missing|not yet|no longer|never|removed|deleted|lacks?|without"
    r"|not implemented|unimplemented|nowhere|no (?:caller|test|such))\b",
    re.IGNORECASE,
)
_CODE = re.compile(r"(`{1,4})(?!`)([^`]{1,300})\1")
# Something was left out: a word that wants another behind it ends the sentence, or brackets by themselves hold nothing.
_HOLE = re.compile(
    r"\b(?:at|in|on|from|by|via|per|of|and|with|to|see|through|against)(?:[ \t]*[,;.:)|]|[ \t]{2,}\S|\s*\Z)"
    r"|(?<![\w>\]])\([\s,;]*\)|[,;]\s*\)|\s's\b",
    re.IGNORECASE,
)
# Tests are cited only where they are named, so a sentence about tests that names none rests on nothing to cite.
_TESTED = re.compile(r"\b(?:tests?|tested|testing|specs?|pytest|assert(?:s|ions?)?)\b", re.IGNORECASE)
_NAMED_TEST = re.compile(r"(?:tests?|spec)[\w.-]{0,80}(?:/\w|\.[a-z]{1,4}\b)", re.IGNORECASE)
_DOING = (
    r"(?:add|apply|bump|call|change|check|confirm|consider|convert|copy|create|delete|document|ensure|execute|expose"
    r"|extend|extract|fix|implement|introduce|make|mirror|modify|move|read|refactor|remove|rename|replace|restore|rerun"
    r"|run|see|set|update|use|verify|wire|write)"
)
# What is still to do is no fact yet.
_DEMAND = re.compile(
    rf"\A\W{{0,6}}(?:(?:step|task)\s+\d+\W{{0,6}})?{_DOING}\b|[,:;—|]\s+\**{_DOING}\s|\b(?:should|shall)\b",
    re.IGNORECASE,
)
_ASKED = re.compile(r"\?[\"'”’)\]*_ ]{0,6}\Z|\A\W{0,6}(?:todo|fixme|tbd)\b", re.IGNORECASE)


def states_fact(said: str, about: str = "") -> bool:
    """Whether a sentence says how something is: whole, and no question or demand.

    What says that something is missing has no lines that would falsify it. `about` is what it stands under.
    """
    bare = _CODE.sub(lambda code: "code" if any(map(str.isalnum, code[2])) else " ()", said)
    if _ASKED.search(said) or _DEMAND.search(said) or _ABSENT.search(said) or _HOLE.search(bare.strip()):
        return False
    tested = _TESTED.search(said) or _TESTED.search(about.replace("_", " ").replace("-", " "))
    return tested is None or _NAMED_TEST.search(said) is not None
