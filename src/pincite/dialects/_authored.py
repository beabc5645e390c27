"""Authors and years: `(Smith et al., 2023)` and `Smith (2023)`; no date, version, product or title of a work."""

import re
from collections.abc import Iterator

from ..text.prose import ProseSpans
from ._names import NAMES, OPENING, are_names, find_surname, is_organisation, is_several

_YEAR = r"(?:1[89]|20)[0-9]{2}[a-z]?(?![\w])"
_YEARS = rf"{_YEAR}(?:/[0-9]{{2,4}})?(?:,\s?(?:{_YEAR}|[a-z]\b)){{0,8}}"
_PART = (
    r",?\s?(?:(?i:pp?|pgs?|pages?|chap|chapters?|ch|secs?|sections?|figs?|figures?|tables?|vol|para|lines?|appendix)\b\.?|§)"
    r"\s?[\w.–-]{1,12}(?:\s?[-–,]\s?[0-9]{1,5}){0,3}(?:\sff?\.?)?"
)
_RANGE = r"(?:,\s|:\s?)[0-9]{1,5}[-–][0-9]{1,5}|:\s?[0-9]{1,5}"
_LEAD = (
    r"(?:(?i:for\s(?:a\s)?\w{3,12},?\s)?(?i:see|e\.g\.|eg|i\.e\.|cf\.?|compare|following|after|adapted\sfrom|reviewed\sin"
    r"|as\sin|per|viz\.|but\ssee|from|based\son|according\sto|by|also|quoted\sin|cited\sin|originally|in)(?:\salso)?,?\s){0,3}"
)
_SEGMENT = re.compile(
    # Example: `Smith et al., 2023, p. 15`.
    rf"""
    {_LEAD}(?:(?P<names>{NAMES})|(?P<body>[A-Z][\w ]{{1,70}}?))(?P<comma>,)?\s{_YEARS}
    (?:(?:{_PART}){{1,2}}|{_RANGE}|,\s[0-9]{{1,4}})?(?P<rest>,\s[a-z][\w\s,'’-]{{2,60}})?
    """,
    re.VERBOSE,
)
_AFTER = re.compile(rf"\({_YEARS}(?:{_PART}|{_RANGE})?\)")
_BEFORE = re.compile(rf"(?<![\w./@#'’*_\\-])(?:{NAMES})(?:['’]s?)?\Z")
_REACH = 160
"""How far before a year its authors are looked for."""
_FIRST_WORD = re.compile(r"(\w+),?\s+")
_LAST_WORDS = re.compile(r"(\w[,:]?\s+)?(?:([\w'’-]{1,40}+)\s+)?([\w'’.-]{1,40}+)(,?)\s+\Z")
_MARGIN = re.compile(
    r"[ \t>]*+(?:\.\.[ \t]+)?(?:(?:[-*+•]+|[0-9]{1,9}[.)]|\[[^\[\]\n]{1,40}\]|[^|\n]{0,100}+\|)[ \t*_]*+){0,9}+"
)
# The sentence of the line above goes on.
_FOLDED = re.compile(r"[a-z,\0]`?[ \t]*\r?\n\Z")
_VERB = re.compile(r"['’]?s?,?\s+[a-z]")
_TITLE = re.compile(r"[.,:]?\s+[^\Wa-z]|[.,:]?\s*[\"“”`*_‘'–—:\0\[|-]|[.,:]?[ \t]*(?:\n|\Z)")
_ARTICLES = frozenset(("the", "a", "an"))
_JOINING = frozenset("of in and for on is with at or vs the".split())


def parentheses(prose: str, matches: Iterator[re.Match[str]], running: ProseSpans) -> Iterator[tuple[int, int]]:
    """Which of the parentheses hold names and a year."""
    for match in matches:
        start, end = match.span()
        # Glued to a word it is a call, glued to a bracket the address of a link.
        if start and (prose[start - 1].isalnum() or prose[start - 1] in "])_"):
            continue
        parts = " ".join(match[1].split()).split("; ")
        if any(map(_is_author_year, parts)) and running.holds(start, end):
            yield start, end


def _is_author_year(part: str) -> bool:
    """Whether one part of a parenthesis is names and a year."""
    match = _SEGMENT.fullmatch(part)
    if match is None:
        return False
    if match["body"]:
        return bool(match["comma"]) and is_organisation(match["body"])
    names = match["names"]
    if is_several(names):
        return are_names(names)
    return not match["rest"] and find_surname(names) == 0 and are_names(names)


def narratives(prose: str, matches: Iterator[re.Match[str]], running: ProseSpans) -> Iterator[tuple[int, int]]:
    """Where a year in parentheses follows names, from the first name on."""
    for match in matches:
        years = _AFTER.match(prose, match.start())
        end = match.start() - 1
        before = _BEFORE.search(prose, max(0, end - _REACH), end) if years else None
        if (
            before is not None
            and (word := _FIRST_WORD.match(prose, before.start(), end))
            and word[1].lower() in OPENING
        ):
            # `However, Smith and Jones (2020)`: the first word only begins the sentence.
            before = _BEFORE.match(prose, word.end(), end)
        if years is None or before is None:
            continue
        start, alone = before.start(), not is_several(before[0])
        if alone:
            at = find_surname(before[0])
            if at is None:
                continue
            start += at
        end = years.end()
        if not are_names(prose[start : before.end()]) or (alone and not _is_author(prose, start, end)):
            continue
        if not _is_entry(prose, start, end, alone) and running.holds(start, end):
            yield start, end


def _is_author(prose: str, start: int, end: int) -> bool:
    """Whether one name before a year is an author, and not the last word of a title."""
    if start and prose[start - 1] in '"“(':
        return _VERB.match(prose, end) is not None
    before = _LAST_WORDS.search(prose, max(0, start - 60), start)
    if before is None:
        return True
    lead, above, word, comma = before.groups()
    if word[0].isupper():
        return word.lower() in OPENING or word[-1] == "." or (bool(comma) and _VERB.match(prose, end) is not None)
    if word in _ARTICLES:
        return False
    # `The Rise of Worse is Better (1991)`: small words join a title's; a sentence may begin with a capital.
    return not (word in _JOINING and above and above[0].isupper() and (lead is not None or word == "of"))


def _is_entry(prose: str, start: int, end: int, alone: bool) -> bool:
    """Whether a name and year at the start of a line, item or cell begin an entry of a list, and no sentence."""
    first = prose.rfind("\n", max(0, start - _REACH), start) + 1
    margin = _MARGIN.fullmatch(prose, first, start) if first or start <= _REACH else None
    if margin is None or (not margin[0].strip() and _FOLDED.search(prose, max(0, first - 20), first)):
        return False
    # One name could be anything: it takes a verb to make it an author.
    return _VERB.match(prose, end) is None if alone else _TITLE.match(prose, end) is not None
