"""Numbers in square brackets that stand for papers: `[1]`, `[1, 2]`, `[3-5]`; no index, interval or list."""

import re
from collections.abc import Iterator

from ..text.prose import ProseSpans

_NUMBERS = re.compile(
    # Examples: `[3]`, `[1, 4–6]`.
    r"""
    \[([1-9][0-9]{0,2}(?:\s?[,;–-]\s?[1-9][0-9]{0,2}){0,20})\]
    (?![\w(:{`'*/=<>$|@\\\]]|[ \t]*[=:]|\[(?![1-9][0-9]{0,2}\]))
    """,
    re.VERBOSE,
)
# What a bracket of numbers may follow: a word, or the mark that ends a sentence; a line end may lie between.
_CLAIM = re.compile(
    # Examples: `as measured.`, `by 12%`.
    r"""
    (?P<word>[^\W\d_][\w'’-]{0,40}|[0-9]{1,20}%?)(?P<mark>[)\]"”'’*_]{0,3}[.,;]?)
    (?P<gap>[ \xa0]?(?P<fold>\n[ \t>]{0,40})?)\Z
    """,
    re.VERBOSE,
)
# Behind it, the sentence ends or goes on.
_GOES_ON = re.compile(r"[.,;)!?”\"\0—–\[]|\s*\Z|[ \t]*\n|\s+(?!https?:)[^\W_]|\s+[(\[`\0*_“\"–—&<$]")
# At the start of a line, what an entry of the list of references goes on with.
_ENTRY = re.compile(r"\s+(?:https?:|[A-Z0-9`\"“*_<\[])|[ \t]*\Z|[ \t]*\n|,")
_DATA = frozenset(
    "in range ranges interval intervals between within from over index indexes indices list lists array arrays "
    "tuple tuples vector vectors sequence sequences set sets value values axis axes shape shapes size sizes dims "
    "dimension dimensions row rows column columns element elements item items entry entries key keys slice bits bit "
    "byte bytes by at return returns returned returning yield yields yielding give gives giving produce produces "
    "print prints printed output outputs outputting equal equals is are was be become becomes to into press type "
    "hit enter select choose option options button default defaults step line lines level levels version versions "
    "id ids number numbers integer integers input inputs argument arguments parameter parameters data bounds limits "
    "limit union like contains contain containing has have assign assigns append appends match matches digit digits "
    "character class chapter chapters section sections figure table equation page pages weights kernel stride "
    "window bins scale position footnote note let mut with of char uchar int float double".split()
)
# `shown in [1, 2]`, `the work of [3, 4]`: a place where something was said, whatever the number of numbers.
_SAID = re.compile(
    # Examples: `described in`, `results of`.
    r"""
    (?:\w{2,20}(?:ed|wn|en|und|ne|ade|ught)|[Ss]ee|work|results?|approach|method|also|and|as|e\.g\.|authors|those)\s
    (?:also\s)?(?:in|by|to|from|of)\Z
    """,
    re.VERBOSE,
)
_COUNTED = frozenset("reindexed indexed returned bounded limited contained given divided mapped sampled drawn".split())


def numbers(prose: str, running: ProseSpans) -> Iterator[tuple[int, int]]:
    """Where the brackets stand, in order."""
    until = -1
    for match in _NUMBERS.finditer(prose):
        start, end = match.span()
        if start != until and not _follows_claim(prose, start, end, match[1].isdigit()):
            continue
        if _GOES_ON.match(prose, end) and not running.is_defined(match[1]) and running.holds(start, end):
            yield start, end
            until = end


def _follows_claim(prose: str, start: int, end: int, single: bool) -> bool:
    """Whether what stands before a bracket of numbers is a sentence, and no list, array or interval is spoken of."""
    before = _CLAIM.search(prose, max(0, start - 60), start)
    if before is None:
        return False
    word, mark = before["word"], before["mark"]
    if not before["gap"]:
        # Glued to a word it is an index; after the mark that ends a sentence it supports what was said.
        return (
            mark[-1:] in (".", ",", "”")
            and len(word) > 2
            and word.isalpha()
            and prose[end : end + 1] in ("", " ", "\n", "[")
        )
    if before["fold"] and (mark[-1:] in (".", ";", ")", "]") or _ENTRY.match(prose, end)):
        return False
    if mark:
        # Behind a number, or a name of one letter or two, it goes on with a list or a call.
        return (word[0].isalpha() and len(word) > 2) or mark[0] not in ",])"
    if word.lower() not in _DATA:
        return True
    said = _SAID.search(prose, max(0, start - 60), before.end("word"))
    return (single and word.lower() == "in") or (said is not None and said[0].split()[0].lower() not in _COUNTED)
