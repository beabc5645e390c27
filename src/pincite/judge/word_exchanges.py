"""One word in the place of another: `reduces` where the quote says `increases`, `kWh` for `MWh`, `mice` for `humans`.

Two words that stand in the same slot of the same sentence exclude each other, unless they are known to say the same:
most words have more things they do not mean than things they do.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from typing import TYPE_CHECKING

from ..text.stems import are_stems_related
from .align import covers
from .comparison import Finding, doubt
from .containment import key
from .lexicon import FUNCTION
from .polarity import opposed_forms
from .synonyms import KIND_OF, OPPOSED, SYNONYMS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .comparison import Comparison, Slot
    from .numbers import JudgeToken

_ALIGNED = (1.0, 0.5, 0.7)
"""The part of the claim's content that must stand in the sentence, in order, by how many of its words do not."""
_MOST_SEEN = 2
"""Words with a content of their own that stand in the slot of one; more say something else, or the same at length."""
_MOST_OTHER = 2
"""Words in which a claim may differ that has one exchanged; with more, it is said in other words altogether."""


_MOST_WEIGHED = 12
"""Words that the sentence does not have; with more, the claim is another sentence."""
_FEWEST = 3
"""Words with a content of their own that a claim must have to be known again in another order."""


def says_same(said: JudgeToken, seen: JudgeToken) -> bool:
    """Whether the quote's word is known to say what the claim's word says."""
    if said.kind != "w" or seen.kind != "w":
        same = said.kind == seen.kind == "n" and bool(said.unit) and (said.value, said.unit) == (seen.value, seen.unit)
        return same or said.low == seen.low or (seen.kind == "d" and covers(said, seen))
    mine, theirs = key(said), key(seen)
    if mine == theirs or theirs in SYNONYMS.get(mine, ()) or mine in KIND_OF.get(theirs, ()):
        return True
    return are_stems_related(mine, theirs) or _plain(said.low) == _plain(seen.low)


def _plain(word: str) -> str:
    """A word without its accents."""
    return "".join(char for char in unicodedata.normalize("NFD", word) if not unicodedata.combining(char))


def _content(tokens: Sequence[JudgeToken]) -> list[JudgeToken]:
    return [token for token in tokens if token.low not in FUNCTION]


def _get_facing_words(slot: Slot) -> list[JudgeToken]:
    """What of the sentence stands in the slot: at its end, the first phrase up to the next mark or preposition."""
    if not slot.last:
        return _content(slot.seen)
    found: list[JudgeToken] = []
    for token in slot.seen[: slot.whole]:
        if token.low not in FUNCTION:
            found.append(token)
        elif found:
            break
    return found


def find_exchanged_word(pair: Comparison) -> Finding | None:
    """A word of the claim that stands where the sentence has another one."""
    # What only moved to another place was not exchanged; what stands there twice and here once was.
    ours = Counter(key(token) for slot in pair.slots for token in slot.said)
    theirs = Counter(key(token) for slot in pair.slots for token in slot.seen)
    other = [
        (token, slot) for slot in pair.slots for token in _content(slot.said) if ours[key(token)] > theirs[key(token)]
    ]
    if len(other) > _MOST_WEIGHED:
        return None
    lost = [token for token, slot in other if not _is_said_otherwise(token, slot, pair.sentence)]
    if not 0 < len(lost) < len(_ALIGNED):
        return None
    share = pair.aligned / pair.size if pair.size else 0.0
    if share < _ALIGNED[len(lost)] or sum(len(slot.said) for slot in pair.slots) > _MOST_OTHER:
        return _find_turned_sentence(pair, lost)
    for slot in pair.slots:
        said = [token for token in slot.said if any(token is other for other in lost)]
        seen = [token for token in _get_facing_words(slot) if theirs[key(token)] > ours[key(token)]]
        if said and 0 < len(seen) <= _MOST_SEEN:
            mine, theirs_there = (" ".join(token.text for token in side) for side in (said, seen))
            return doubt("word-exchanged", f"the claim says “{mine}” where the quote says “{theirs_there}”", *seen)
    return None


def _find_turned_sentence(pair: Comparison, lost: list[JudgeToken]) -> Finding | None:
    """`The rebels were executed by the king` for `The king pardoned the rebels`: all but one word, turned round."""
    if len(lost) != 1 or pair.size < _FEWEST:
        return None
    # In any other order, one word that differs is as often another way to say it.
    if ("by" in pair.said) == any(token.low == "by" for token in pair.sentence):
        return None
    kept = pair.content - {key(lost[0])}
    places = [at for at, word in enumerate(pair.sentence_keys) if word in kept]
    if {pair.sentence_keys[at] for at in places} != kept or any(says_same(lost[0], one) for one in pair.sentence):
        return None
    inside = pair.sentence[min(places) : max(places) + 1]
    rivals = [token for token in _content(inside) if key(token) not in pair.keys and token.kind == "w"]
    if len(rivals) != 1:
        return None
    text = f"the claim says “{lost[0].text}”, the quote “{rivals[0].text}”, of the same"
    return doubt("word-exchanged", text, rivals[0])


def _is_said_otherwise(said: JudgeToken, slot: Slot, sentence: Sequence[JudgeToken]) -> bool:
    """Whether the sentence says it in another word: in its place, or elsewhere where it has no rival there."""
    if any(says_same(said, other) for other in slot.seen) or _short_for(said, slot.seen):
        return True
    # Opposites were weighed before: here they stand only where a `not` turns one of them round.
    opposites = OPPOSED.get(said.low, frozenset()) | frozenset(opposed_forms(said.low))
    if any(other.low in opposites for other in slot.seen):
        return True
    return not _get_facing_words(slot) and any(says_same(said, other) for other in sentence)


def _short_for(said: JudgeToken, seen: Sequence[JudgeToken]) -> bool:
    """Whether a word is made of the first letters of names: `US` for `United States`."""
    letters = "".join(token.text[0] for token in seen if token.text[:1].isupper()).lower()
    return len(letters) > 1 and said.low.replace(".", "") == letters
