"""What a person types to what FTS5 is asked: any text is a query, and none of it is syntax that could be wrong.

Words are looked for each for itself, and the more of them a passage has the better; words that are in every text count
only where there are no others. `"a phrase"`, in the quotation marks of any of several languages, has to be there as it
stands, unless the caller reads it loosely; `pre*` stands for every word that begins so.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from unicodedata import normalize

from msgspec import Struct

from .terms import make_searchable, parts

if TYPE_CHECKING:
    from collections.abc import Collection

MOST_WORDS = 64
_LONGEST = 20_000
_LONGEST_WORD = 100
_SHORTEST_PREFIX = 2
_QUESTION = 5
"""So many different words, without common ones and phrases, make a question; fewer are a look-up."""
# A phrase in one of the pairs of quotation marks, or what stands between two spaces. Marks that only open end the word
# before them, because scripts without spaces put none there.
_PIECE = re.compile(
    r"""
      ["“”„] ([^"“”„]*) ["“”„]    # "as it stands", “as it stands”, „wie es steht“
    | « ([^«»]*) »                # « tel quel »
    | » ([^«»]*) «                # »wie es steht«
    | 「 ([^「」]*) 」 | 『 ([^『』]*) 』
    | [(\[{]++ (?=["”»])           # what opens before a mark: ("as it stands")
    | [^\s“„«「『]+ | \S
    """,
    re.VERBOSE,
)
_MARKS = '"“”„«»「」『』'
_WORD = re.compile(r"\w+")
# `don't`, what follows the apostrophe of `Spain's` and `we've`, and `e.g.`: as common as the words in COMMON.
_CONTRACTED = re.compile(
    r"\b[^\W\d_]{1,9}n['’]t\b|(?<=[^\W\d_])['’](?:s|m|d|ll|re|ve)\b|\b(?:e\.g|i\.e)\b", re.IGNORECASE
)
COMMON = frozenset(
    "a about above across after again against all along also although am among an and any are around as at be because "
    "been before being below between both but by can could despite did do does doing down during each either else few "
    "for from further had has have having he her here hers him his how however i if in into is it its itself just may "
    "me might more most must my neither never no nor not now of off on once only or other ought our out over own per "
    "perhaps same shall she should since so some such than that the their them then there these they this those "
    "though through thus till to too toward towards under unless until up upon us very via was we were what when "
    "where whether which while who whom why will with within without would yet you your".split()
)
"""Words that are in every text and tell nothing about it."""


class Query(Struct, frozen=True):
    """A parsed query."""

    words: tuple[str, ...] = ()
    """What passages are ranked by, as often as it was typed."""
    names: tuple[str, ...] = ()
    """Names among them, as the words they are made of: these count once more where they stand together."""
    phrases: tuple[str, ...] = ()
    """What has to be there."""
    prefixes: tuple[str, ...] = ()

    @property
    def is_question(self) -> bool:
        """Whether there are words enough to tell what it is about."""
        return len({word.lower() for word in self.words}) >= _QUESTION

    @property
    def match(self) -> str:
        """The same as an FTS5 expression; empty where nothing is left to look for."""
        required = " AND ".join(map(_quote_phrase, self.phrases))
        wanted = [*map(_quote_phrase, self.words), *map(_quote_phrase, self.names)]
        wanted += (f"{_quote_phrase(prefix)} *" for prefix in self.prefixes)
        optional = " OR ".join(wanted)
        if not required or not optional:
            return required or optional
        # The first part decides what is found; the second only lets the other words count.
        return f"({required}) OR (({required}) AND ({optional}))"


def parse(text: str, loose: Collection[str] = ()) -> Query:
    """Any text as a query; a phrase among the loose ones is not required, but counts where it stands."""
    words: list[str] = []
    names: list[str] = []
    phrases: list[str] = []
    prefixes: list[str] = []
    quoted = 0
    # An accent that is a character of its own would end the word.
    text = normalize("NFC", text[:_LONGEST].replace("\0", " "))
    for match in _PIECE.finditer(text):
        piece = match[0]
        if match.lastindex:
            phrase = match[match.lastindex]
            found = _WORD.findall(make_searchable(phrase))
            together = " ".join(found)
            quoted += 1
            if found and quoted <= MOST_WORDS and together not in loose:
                phrases.append(together)
                continue
            if len(found) > 1:
                names.append(together)
            stem = piece = ""
        else:
            stem = piece.rstrip("*")
            found = _WORD.findall(make_searchable(_CONTRACTED.sub(" ", stem.strip(_MARKS))))
        if stem != piece and found and stem.endswith(found[-1]) and len(found[-1]) >= _SHORTEST_PREFIX:
            prefixes.append(found.pop()[:_LONGEST_WORD])
        for word in found:
            _add(word[:_LONGEST_WORD], words, names)
    telling = [word for word in words if word.lower() not in COMMON]
    if not telling and not prefixes and not phrases:
        telling = words or _WORD.findall(text)
    return Query(*(tuple(found[:MOST_WORDS]) for found in (telling, names, phrases, prefixes)))


def _add(word: str, words: list[str], names: list[str]) -> None:
    """Note a word, and where it is a name, what it is made of."""
    pieces = [piece for piece in parts(word) if piece]
    if "_" not in word:
        words.append(word)
    if len(pieces) > 1:
        # Two letters or digits say too little for themselves: `utf8` is not looked for as `8`.
        words += (piece for piece in pieces if len(piece) > 1 and not piece.isdecimal())
        names.append(" ".join(pieces))
    elif "_" in word:
        words += pieces


def _quote_phrase(words: str) -> str:
    return f'"{words}"'
