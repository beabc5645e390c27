"""Words that a PDF shows and its text has lost: ligatures that are gone (`dene` for `define`), spaces that are missing.

A quote that stands there but for such damage is the paper's. Damage is never assumed where the text may simply say
something else: `no table` is not `notable`, and `flat` is not `at`.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from .exact_match import Phrase, PhraseMatch, matches, phrase
from .fold import LOOSE, SOFT, are_forms_equal, expand_ligatures, form_of
from .weighty_words import OPENERS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from .searchable_text import Layer

LOST_LIGATURE = "lost ligature"
LOST_SPACE = "lost space"
DAMAGES = frozenset((LOST_LIGATURE, LOST_SPACE))
"""What `find_damaged` may have to fold."""

# How often the letters follow one another in 10,000 letters of English, German, French and Spanish prose, at least.
_EXPECTED = {"fi": 8.0, "fl": 2.0, "ff": 4.0}
_CERTAIN = 8.0
"""How many of a pair must be expected in a text before their absence says anything."""
_SHARE = 0.05
_LONGEST_FIRST = ("ffi", "ffl", "fi", "fl", "ff")
_PAIRS_IN = {"ffi": ("ff", "fi"), "ffl": ("ff", "fl"), "fi": ("fi",), "fl": ("fl",), "ff": ("ff",)}
_LIGATURES = "\ufb00\ufb01\ufb02\ufb03\ufb04"
_ENOUGH_WORDS = 2
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]+")
_COMMON = OPENERS | {"end", "air", "our", "ash", "own", "use", "be", "is", "was", "are", "ear", "row", "low"}
"""What may be left of a word without its ligature and be a word that was meant: `flat` and `at`, `fiend` and `end`."""
_HALF = 4
"""Letters that each part of a glued word needs: `a synchronous` and `in appropriate` are other words glued."""
_GLUED = 10
_SUFFIXES = frozenset(("less", "free", "able", "like", "wise", "ward", "fold", "most", "ness", "ship"))
_PREFIXES = frozenset("a an in im il ir un non no not dis de mis anti counter".split())
# Function words that no word begins and ends with: several of them on a page say that its spaces got lost.
_RUN_TOGETHER = re.compile(
    r"\b(?:of|in|to|and|for|on|with|by|from|that|is|as)(?:the|this|these|their|our)\b|\b[A-Za-zÀ-ɏ]{28,}\b"
)
_ENOUGH = 3
_AROUND = 3000
"""Characters on each side of a place by which the spaces of a text are judged."""
_PLACES = 8


def lost_ligatures(text: str) -> frozenset[str]:
    """The pairs of letters that a text has lost as ligatures: those that any text of its length would have."""
    # Capitals make no ligatures: those in `Fig` are never lost.
    text = expand_ligatures(text)
    letters = len(_LETTER.findall(text)) / 10_000
    counts = {pair: text.count(pair) for pair in _EXPECTED}
    sure = {
        pair
        for pair, rate in _EXPECTED.items()
        if rate * letters >= _CERTAIN and counts[pair] <= _SHARE * rate * letters
    }
    if not sure & {"fi", "ff"}:
        return frozenset()
    # What loses one of them mostly loses all; a pair that occurs is not lost.
    return frozenset(sure | {pair for pair, count in counts.items() if not count})


def find_damaged(layer: Layer, sought: Phrase, lost: frozenset[str]) -> Iterator[tuple[PhraseMatch, tuple[str, ...]]]:
    """Where a quote stands but for what the text of a PDF has lost, and what that is."""
    least = 1
    if not lost and not any(sign in layer.text for sign in (*_EXPECTED, *_LIGATURES)):
        # Too short to tell by itself. That several words of a quote each lack just that tells it.
        lost, least = frozenset(_EXPECTED), _ENOUGH_WORDS
    for variant in _without_ligatures(sought.text, lost, least):
        for hit in matches(layer, variant):
            yield hit, (LOST_LIGATURE,)
    for place in layer.places(sought.key, limit=_PLACES):
        start, end = layer.span(place, len(sought.key))
        if _lacks_only_spaces(layer.text, start, end, sought):
            yield PhraseMatch(start, end), (LOST_SPACE,)


def shows_damage(text: str, lost: frozenset[str]) -> bool:
    """Whether words taken from a PDF may be damaged: they are nothing to write into a document."""
    return bool(lost) or _RUN_TOGETHER.search(text) is not None or any(sign in text for sign in "\ufffd\ufffe\x02")


def lacks_ligatures(quoted: str, there: str) -> bool:
    """Whether a word or more of a passage is one of the quote without its ligatures: `dene` for `define`."""
    words = {word.lower() for word in _WORD.findall(expand_ligatures(there))}
    pattern = re.compile("|".join(_LONGEST_FIRST))
    for word in _WORD.findall(expand_ligatures(quoted)):
        rest = pattern.sub("", word).lower()
        if rest != word.lower() and rest in words and rest not in _COMMON:
            return True
    return False


def _without_ligatures(text: str, lost: frozenset[str], least: int) -> Iterator[Phrase]:
    """The quote as a text without these ligatures has it: nothing, or a space, where they stood.

    None where fewer than so many words had any.
    """
    gone = [run for run in _LONGEST_FIRST if lost.issuperset(_PAIRS_IN[run])]
    text = expand_ligatures(text)
    if not gone or not any(run in text for run in gone):
        return
    pattern = re.compile("|".join(gone))
    had: set[str] = set()
    for word in _WORD.findall(text):
        rest = pattern.sub("", word)
        if rest != word and rest.lower() in _COMMON:
            return
        had |= {word.lower()} if rest != word else set()
    if len(had) < least:
        return
    for stand_in in ("", " "):
        made = phrase(pattern.sub(stand_in, text))
        if made is not None:
            yield made


def _lacks_only_spaces(text: str, start: int, end: int, sought: Phrase) -> bool:
    """Whether the source differs from the quote in nothing but spaces that it has lost."""
    if (text[start - 1 : start] or " ").isalnum() or text[end : end + 1].isalnum():
        return False
    there = form_of(text[start:end])
    if not are_forms_equal(there.replace(" ", ""), sought.core.replace(" ", "")):
        return False
    glued = list(_glued_words(there, sought.core))
    if not glued or None in glued:
        return False
    around = text[max(0, start - _AROUND) : end + _AROUND]
    if _has_lost_spaces(around):
        return not any(word is not None and _may_be_prefixed(word) for word in glued)
    words = Counter(word.lower() for word in _WORD.findall(text))
    return all(word is not None and _is_glued(word, words) for word in glued)


def _glued_words(there: str, quoted: str) -> Iterator[tuple[str, ...] | None]:
    """The words of the quote that stand there as one, each as its parts; None where the text has a space more."""
    i = j = 0
    begin = 0
    parts: list[str] = []
    while i < len(there) and j < len(quoted):
        one, other = there[i], quoted[j]
        if one == other or one in (SOFT, LOOSE) or other in (SOFT, LOOSE):
            if one == " " and parts:
                yield (*parts, quoted[begin:j])
                parts = []
            if one == " ":
                begin = j + 1
            i += one == other or one in (SOFT, LOOSE)
            j += one == other or (one not in (SOFT, LOOSE) and other in (SOFT, LOOSE))
        elif other == " ":
            parts.append(quoted[begin:j])
            begin = j = j + 1
        else:
            # A space more, or a raised digit: no lost space.
            yield None
            return
    if parts:
        yield (*parts, quoted[begin:])


def _is_glued(parts: Sequence[str], words: Counter[str]) -> bool:
    """Whether words can only be glued: each stands alone elsewhere, and together they stand nowhere else."""
    pure = ["".join(_WORD.findall(part)).lower() for part in parts]
    whole = "".join(pure)
    if len(whole) < _GLUED or words[whole] > 1 or pure[-1] in _SUFFIXES:
        return False
    return all(len(part) >= _HALF and words[part] > 0 for part in pure)


def _may_be_prefixed(parts: Sequence[str]) -> bool:
    """Whether two words written as one may be a single word that says the opposite: `in appropriate`."""
    first, last = parts[0].lower(), parts[-1].lower()
    return len(parts) == 2 and ((first in _PREFIXES and last not in OPENERS) or last in _SUFFIXES)


def _has_lost_spaces(text: str) -> bool:
    """Whether the spaces of a stretch of text cannot be relied on."""
    return sum(1 for _ in _RUN_TOGETHER.finditer(text)) >= _ENOUGH
