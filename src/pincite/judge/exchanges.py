"""The same words put together otherwise: one in the place of another, another preposition, two clauses made one.

Two words that stand in the same slot of the same sentence exclude each other, unless they are known to say the same:
most words have more things they do not mean than things they do.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections import Counter
from itertools import pairwise, product, zip_longest
from typing import TYPE_CHECKING

from ..text.stems import are_stems_related, base
from .comparison import Finding, doubt
from .containment import key
from .lexicon import AUXILIARIES, DETERMINERS, FUNCTION, PRONOUNS, TEMPORAL, make_word_set
from .numbers import covers
from .polarity import opposed_forms
from .scope import has_mark_before
from .synonyms import KIND_OF, OPPOSED, SYNONYMS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .comparison import AlignmentSlot, Comparison
    from .numbers import JudgeToken

_EXCLUDING = frozenset(
    frozenset(pair.split())
    for pair in (
        "for against|from to|from till|from into|within after|within before|till after|before after|during after|"
        "during before|with without|with against|over under|above below|above under|below over|near in|near on|near at|"
        "inside outside|in outside|toward from|towards from|towards away|up down|since till|since before|on under|on "
        "off|on below|on behind|by to|by for|by against|onto off|beyond within|am pm|behind front|behind before|after "
        "till|in behind|into through|under beside|between outside|across along|against to|from for"
    ).split("|")
)
"""Prepositions of which one is said instead of the other."""
_LONGEST = 3
_TURNING = make_word_set("but while whereas although though yet")
_ANAPHORS = make_word_set("one ones then it they that this these those he she him her them did does do so such both")
_RELATIVES = make_word_set("who which that")
_LINKS = make_word_set("is was are were as of")
_SAME_KIND = re.compile(r"(?:ic|ical|ally|ly|ed|ing|s|es|'s)$")
_FEWEST = 2
_ALIGNED = (1.0, 0.5, 0.7)
"""The part of the claim's content that must stand in the sentence, in order, by how many of its words do not."""
_MOST_SEEN = 2
"""Words with a content of their own that stand in the slot of one; more say something else, or the same at length."""
_MOST_OTHER = 2
"""Words in which a claim may differ that has one exchanged; with more, it is said in other words altogether."""
_MOST_WEIGHED = 12
"""Words that the sentence does not have; with more, the claim is another sentence."""
_FEWEST_KNOWN = 3
"""Words with a content of their own that a claim must have to be known again in another order."""


def find_exchanged_preposition(pair: Comparison) -> Finding | None:
    """`against the newspaper` for `for the newspaper`, `6 am` for `6 pm`."""
    for slot in pair.slots:
        if min(len(slot.said), len(slot.seen)) != 1 or max(len(slot.said), len(slot.seen)) > _LONGEST:
            continue
        for said, seen in product(slot.said, slot.seen):
            if frozenset((said.low, seen.low)) in _EXCLUDING:
                text = f"the claim says “{said.text}” where the quote says “{seen.text}”"
                return doubt("preposition-exchanged", text, seen)
    return None


def find_lookalike(pair: Comparison) -> Finding | None:
    """`The police changed` for `The policy changed`: one word that shares no more than its beginning."""
    if any(slot.said for slot in pair.slots):
        return None
    there: dict[str, list[JudgeToken]] = {}
    for token, word in zip(pair.sentence, pair.sentence_keys, strict=True):
        there.setdefault(word, []).append(token)
    other = [
        (token, there[key(token)][0])
        for token in pair.ours
        if token.kind == "w" and key(token) in there and not any(_is_form(token, seen) for seen in there[key(token)])
    ]
    if len(other) != 1:
        return None
    said, seen = other[0]
    return doubt("word-exchanged", f"the claim says “{said.text}” where the quote says “{seen.text}”", seen)


def _is_form(one: JudgeToken, two: JudgeToken) -> bool:
    """Whether two words are forms or spellings of one, or differ only as `historic` and `historically` do."""
    if base(one.low) == base(two.low) or one.low in (two.low, two.alt) or (one.alt and one.alt in (two.low, two.alt)):
        return True
    if one.text[:1].isupper() and two.text[:1].isupper() and one.low[:4] == two.low[:4]:
        # `Iran` and `Iranian`
        return min(len(one.low), len(two.low)) + 4 >= max(len(one.low), len(two.low))
    return _SAME_KIND.sub("", base(one.low)) == _SAME_KIND.sub("", base(two.low))


def _cuts(sentence: Sequence[JudgeToken]) -> list[int]:
    """Where another clause begins: at `but` and its like, at a semicolon, at `and` before a subject of its own."""
    out = []
    for at, (token, following) in enumerate(zip_longest(sentence[1:], sentence[2:]), 1):
        own = token.low == "and" and has_mark_before(token) and following is not None and _opens(following)
        if ";" in token.lead or token.low in _TURNING or own:
            out.append(at)
    return out


def _opens(token: JudgeToken) -> bool:
    """Whether a subject may begin here."""
    return token.low in DETERMINERS or token.low in PRONOUNS or token.text[:1].isupper()


def find_mixed_clauses(pair: Comparison) -> Finding | None:
    """`Smith was convicted of fraud` for `acquitted of fraud but convicted of perjury`."""
    sentence, places = pair.sentence, pair.places
    cuts = _cuts(sentence)
    if not cuts or not _TURNING.isdisjoint(pair.said):
        return None
    subject = next((at for at, token in enumerate(sentence) if token.low in AUXILIARIES), 0)
    parts = [
        bisect_right(cuts, place)
        for place in places
        if place >= cuts[0] or (place >= subject and not _says_where(sentence, place))
    ]
    if len(parts) < _FEWEST or len(set(parts)) == 1:
        return None
    last = max(parts)
    start, end = [*cuts, len(sentence)][last - 1 : last + 1]
    if _elliptic(sentence[start:end]):
        return None
    if sentence[start].low == "and" and sum(part != last for part in parts) == 1:
        # `and the Ganges through Varanasi`: one verb serves both.
        return None
    falls = any(one > two for one, two in pairwise(parts))
    if not falls and not _of_another(sentence, start, end, places):
        return None
    return doubt("clauses-mixed", "the claim puts together what the quote says in two clauses", sentence[start])


def _says_where(sentence: Sequence[JudgeToken], at: int) -> bool:
    """Whether a word of the first clause may hold for the next as well: a time or a place."""
    token, before = sentence[at], sentence[at - 1].low if at else ""
    named = before in ("in", "at", "on") and (token.text[:1].isupper() or token.kind in ("n", "d"))
    return named or token.kind == "d" or token.low in TEMPORAL or token.low in ("last", "next")


def _elliptic(clause: Sequence[JudgeToken]) -> bool:
    """Whether a clause takes a word from the one before: `the video shows a grey one`, `since then 20`."""
    if sum(token.low not in FUNCTION for token in clause) < _FEWEST:
        return True
    for at, token in enumerate(clause):
        after = clause[at + 1] if at + 1 < len(clause) else None
        if token.low in _ANAPHORS and at:
            return True
        if token.kind == "n" and not token.unit and token.value < 1000 and (after is None or after.low in FUNCTION):
            return True
    return False


def _of_another(sentence: Sequence[JudgeToken], start: int, end: int, places: list[int]) -> bool:
    """Whether a clause has a subject of its own that the claim leaves out, while it takes what is said of it."""
    first = start + 1 if sentence[start].low in _TURNING or sentence[start].low == "and" else start
    if first >= end or not _opens(sentence[first]):
        return False
    content = [at for at in range(first, end) if sentence[at].low not in FUNCTION]
    return len(content) > _FEWEST and not any(at in places for at in content[:_FEWEST])


def find_relative_subject(pair: Comparison) -> Finding | None:
    """`Marie Dubois won gold` for `Marie Dubois trained the swimmer who won gold`."""
    sentence, places = pair.sentence, pair.places
    if not places or not _RELATIVES.isdisjoint(pair.said):
        return None
    for at in range(2, len(sentence) - 1):
        named = sentence[at - 1]
        if sentence[at].low not in ("who", "which") or pair.sentence_keys[at - 1] in pair.content:
            continue
        inner = [place for place in places if place > at]
        verb = next((place for place in range(at + 1, len(sentence)) if sentence[place].low not in FUNCTION), -1)
        # What stands before and is the claim's subject, and not what the clause speaks of.
        if places[0] >= at - 1 or verb not in inner or named.low in FUNCTION:
            continue
        if any(t.low in _LINKS or has_mark_before(t) for t in sentence[places[0] + 1 : at]):
            continue
        if all(place > at or place < at - 1 for place in places) and len(inner) + 1 >= len(places) - 1:
            return doubt("clauses-mixed", f"the quote says it of “{named.text}”", named)
    return None


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


def _get_facing_words(slot: AlignmentSlot) -> list[JudgeToken]:
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
    if len(lost) != 1 or pair.size < _FEWEST_KNOWN:
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


def _is_said_otherwise(said: JudgeToken, slot: AlignmentSlot, sentence: Sequence[JudgeToken]) -> bool:
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
