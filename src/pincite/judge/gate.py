"""The gate to `high`: the claim stands, word for word and in order, in one sentence that says it without reserve."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ..text.number_words import WEEKDAYS
from .asides import REALITY, leads, notes, only_names, remarks, takes_back
from .comparison import Alignment, align
from .lexicon import (
    ARTICLES,
    CUTTING,
    DETERMINERS,
    DISCOURSE,
    DOWNWARD,
    EMBEDDING,
    FREE,
    FUNCTION,
    HEDGES,
    NEGATIONS,
    PREPOSITIONS,
    SPEECH,
    TEMPORAL,
    make_word_set,
)
from .numbers import covers
from .retractions import UNTRUE
from .scope import has_mark_before, is_superlative, mark_unsafe_scope
from .verbatim import has_comma_change, has_scare_quotes

if TYPE_CHECKING:
    from .numbers import JudgeToken
    from .tokens import WordSentence

_QUOTE = re.compile(r"[\"“”«»„‟]")
_ADJECTIVE = re.compile(r"(?:al|ic|ous|ive|ful|less|able|ible|ary|ish|ent|ant|ern|ian|ese|ed|ly|y)$")
# A modifier that takes away, or makes unsure, what it stands before.
_PRIVATIVE = HEDGES | make_word_set(
    "proposed planned attempted alleged failed cancelled canceled expected potential possible probable former ex "
    "future fake false artificial so called would suspected supposed apparent presumed imaginary fictional "
    "hypothetical virtual toy near half partial non anti counterfeit mock pseudo semi unsuccessful unfinished "
    "prospective aspiring vice deputy assistant acting honorary step mother father brother sister no not some "
    "most many few other enough sufficient insufficient main top prime chief estimated unlikely unable impossible "
    "lesser sub over under up down mini micro pre post draft interim provisional tentative "
    "preliminary obsolete deprecated defunct abandoned repealed revoked withdrawn retracted disabled untreated "
    "experimental unofficial so-called self"
)
_COMPASS = make_word_set(
    "north south east west northern southern eastern western new grand great central upper lower saint"
)
"""Where case is lost, these may belong to a name."""
_PLENTY = make_word_set("various different numerous multiple several certain countless")
"""Droppable after a preposition, where the plural that is left says no more."""
_SOFT = make_word_set("very quite really still now already then today just too also currently recently")
"""Adverbs that may be dropped after any word."""
_BRACKET_CUTS = make_word_set(
    "except excluding unless if only not never but false wrong disputed though although without claims claimed said "
    "says according allegedly reportedly supposedly unconfirmed probably possibly perhaps maybe citation dubious "
    "until till retracted withdrawn repealed untrue planned"
)
_RESTRICTING = make_word_set("in under for when while during among within per")
"""In brackets, these begin no aside but say where or when it holds."""
_APPROXIMATE = make_word_set(
    "up to about around nearly almost over under least most some than circa close near more less fewer maximum minimum"
)
"""Before a number, these change it."""
_RELATIVE = make_word_set("which who whose where a an including such")
_BRACKET_CUTS |= UNTRUE | REALITY
_RESERVED = CUTTING | DOWNWARD | SPEECH | EMBEDDING
_COUNTED = make_word_set("few little most lot least only")
"""Before these, an article changes what is meant."""
_ITEM = 5
"""Words of an item in a list; what stands so before `and` is one."""
_TRAILING = make_word_set("which who whose where including such whereas because")
"""After a comma, these begin a remark on what was said."""
_PENDING = make_word_set("pending barring depending failing lasting running being using")
"""After a comma, these begin a condition."""
_ADDING = make_word_set("which who whose where including")
"""After a comma, these add something about what was said and leave it as it is."""
_VOICES = make_word_set("i we you he she they it so")
"""An aside that begins with one of these is a sentence of its own: `, we hope,`."""
_DEFINITE = make_word_set("the these those")
_ISSUED = make_word_set(
    "rule law bill act policy version release edition standard treaty plan proposal regulation directive guideline "
    "specification protocol agreement contract report order decree"
)
"""Of these there are older and newer ones, and what holds for one does not for the next."""
_STAGES = make_word_set("previous prior earlier later next last")
_SUCH = make_word_set("example instance short")
_SHORT_ADJECTIVES = make_word_set(
    "big small large old young long short high low red black white blue green good bad rich poor hot cold warm deep "
    "wide thin thick dark light fast slow strong weak early late full open free real common rare wild soft hard"
)


class Gate:
    """What may be dropped from, and added to, one sentence of a quote."""

    def __init__(self, sentence: WordSentence, claim: WordSentence) -> None:
        self.tokens = sentence.tokens
        self.claim = claim.tokens
        self.tail = sentence.tail
        self.marks = [has_mark_before(token) for token in self.tokens]
        self.shadow = mark_unsafe_scope(self.tokens, self.marks)
        self.lower = not any(token.text[:1].isupper() for token in self.tokens[1:])
        self.depths = self._depths()

    def _depths(self) -> list[int]:
        """In which pair of brackets each word stands; 0 for none."""
        out, depth, group = [], 0, 0
        for token in self.tokens:
            for char in token.lead:
                if char in "([":
                    depth += 1
                    group += depth == 1
                elif char in ")]":
                    depth = max(0, depth - 1)
            out.append(group if depth else 0)
        return out

    def find(self) -> Alignment | None:
        """The alignment of the claim with this sentence, where every difference is allowed."""
        if all(token.low in FUNCTION for token in self.claim):
            return None
        found = align(self.claim, self.tokens, self.may_start, self.may_skip, self.may_end, self.may_add)
        seen = [None if place < 0 else self.tokens[place] for place in found.places] if found is not None else []
        if has_scare_quotes([token for token in seen if token is not None], self.claim):
            return None
        return None if seen and has_comma_change(seen, self.claim) else found

    def may_add(self, number: int, last: int) -> bool:
        """Whether the claim may say this word although the sentence, after its word `last`, does not."""
        word = self.claim[number].low
        following = self.claim[number + 1].low if number + 1 < len(self.claim) else ""
        if word in ARTICLES:
            return following not in _COUNTED and following not in ("", "of")
        if word == "that":
            return last >= 0 and self.tokens[last].low in SPEECH
        if word == "and":
            if last < 0:
                return number == 0
            return last + 1 < len(self.tokens) and self.marks[last + 1] and not self.shadow[last + 1]
        return True

    def _free(self, index: int) -> bool:
        """Whether a word can go unnoticed where it stands."""
        token = self.tokens[index]
        low = token.low
        if low in ARTICLES:
            after = self.tokens[index + 1].low if index + 1 < len(self.tokens) else ""
            return after not in _COUNTED
        if low == "that":
            # `said that`, `told reporters that`
            return any(token.low in SPEECH for token in self.tokens[max(0, index - 2) : index])
        if low == "of":
            return 0 < index < len(self.tokens) - 1 and self.tokens[index - 1].low in ("all", "both")
        if low in WEEKDAYS:
            return index + 1 < len(self.tokens) and self.tokens[index + 1].kind == "d"
        if low == "and":
            return index == 0 or self.marks[index] or (index + 1 < len(self.tokens) and self.marks[index + 1])
        if low == "too":
            return index + 1 == len(self.tokens) or self.marks[index + 1]
        return low in DISCOURSE

    def may_skip(self, first: int, end: int) -> bool:
        """Whether the words from `first` up to `end`, between two aligned ones, may be dropped."""
        if self._is_bracketed_remark(first, end) or self._aside(first, end):
            return True
        while first < end and self._free(first):
            first += 1
        while first < end and self._free(end - 1) and not (end - 1 > first and self.tokens[end - 1].low in ARTICLES):
            end -= 1
        if first == end:
            return True
        return self._is_bracketed_remark(first, end) or self._aside(first, end) or self._modifiers(first, end)

    def _is_bracketed_remark(self, first: int, end: int) -> bool:
        """A remark in brackets, whole."""
        group = self.depths[first]
        if not group or any(depth != group for depth in self.depths[first:end]):
            return False
        if self.depths[first - 1] == group or (end < len(self.tokens) and self.depths[end] == group):
            return False
        words = self.tokens[first:end]
        if end < len(self.tokens) and self.tokens[end].kind != "w" and any(t.low in _APPROXIMATE for t in words):
            return False
        if words[0].low in _RESTRICTING and not any(t.kind in ("n", "d") or t.low in _SUCH for t in words[:3]):
            return False
        return not any(token.low in _BRACKET_CUTS for token in words)

    def _aside(self, first: int, end: int) -> bool:
        """A remark between commas or dashes, whole."""
        if not self.marks[first] or (end < len(self.tokens) and not self.marks[end]):
            return False
        words = self.tokens
        if any(self.depths[first:end]):
            return False
        if words[first].low in _ADDING:
            return not takes_back(words[first:end])
        if not any(self.marks[first + 1 : end]) and leads(words[first:end]):
            return True
        if words[first].low in PREPOSITIONS or words[first].low in _VOICES or words[first].low in HEDGES:
            # `, in rats,`, `, on paper,`, `, we hope,`: where, when or for whom it is so.
            return False
        if any(t.low in CUTTING or t.low in NEGATIONS for t in words[first:end]) or not only_names(words[first:end]):
            return False
        if end < len(words) and words[end].kind != "w" and any(t.low in _APPROXIMATE for t in words[first:end]):
            return False
        after = words[end].low if end < len(words) else ""
        if after in ("and", "&") and end - first <= _ITEM:
            return False
        named = after in PREPOSITIONS and all(token.text[:1].isupper() for token in words[first:end])
        if words[first].low not in _RELATIVE and not named and (self.shadow[first] or self._names_speaker(first, end)):
            return False
        around = words[max(0, first - 7) : first] + words[end : end + 7]
        return not any(token.low in ("or", "nor", "either", "between") for token in around)

    def _names_speaker(self, first: int, end: int) -> bool:
        """Whether an aside says who says it: `, he claims,` and not `, also known as Bob,`."""
        words = self.tokens[first:end]
        voice = next((at for at, token in enumerate(words) if token.low in SPEECH), None)
        return voice is not None and not any(token.low == "as" for token in words[voice + 1 : voice + 3])

    def _modifiers(self, first: int, end: int) -> bool:
        """One or two modifiers before the word they belong to."""
        if self.shadow[first] or end - first > 2 or end >= len(self.tokens):
            return False
        words = self.tokens
        before, after, gap = words[first - 1], words[end], words[first:end]
        if any(token.kind != "w" or token.low in _PRIVATIVE or token.low in DOWNWARD for token in gap):
            return False
        if any(token.low in _PLENTY for token in gap) and before.low not in PREPOSITIONS:
            return False
        if self.lower and any(token.low in _COMPASS for token in gap):
            return False
        if any(self.marks[index] for index in range(first, end + 1)) or any("-" in w.lead for w in (gap[0], after)):
            return False
        if all(token.low in _SOFT or (token.low.endswith("ly") and len(token.low) > 4) for token in gap):
            return True
        if any(token.low in FUNCTION for token in gap) or after.low in FUNCTION or after.kind in ("n", "o", "d"):
            return False
        if self._picks(before, gap, after):
            return False
        if any(token.text[:1].isupper() for token in gap) and after.text[:1].isupper():
            return False
        opens = before.low in DETERMINERS or before.low in PREPOSITIONS or before.kind == "n"
        return opens and before.low != "to" and (len(gap) == 1 or all(map(adjective, gap)))

    def _picks(self, before: JudgeToken, gap: list[JudgeToken], after: JudgeToken) -> bool:
        """Whether the modifier says which of several is meant: `the treated patients`."""
        if any(is_superlative(token) for token in gap):
            return True
        if before.low not in _DEFINITE:
            return before.kind == "n" and any(token.low.endswith("ed") for token in gap)
        many = after.low.endswith("s") and not after.low.endswith(("ss", "us", "is"))
        kind = not adjective(gap[-1]) or any(token.low in _STAGES for token in gap)
        return many or kind or after.low in _ISSUED or any(token.text[:1].isupper() for token in gap)

    def may_start(self, place: int) -> bool:
        """Whether what stands before the match says nothing about it."""
        words = self.tokens
        first = place
        while first > 0 and (self._free(first - 1) or words[first - 1].low in ("and", "but", "so", "yet")):
            first -= 1
        if first == 0 or self._opener(place):
            return True
        if self.depths[place]:
            return False
        joint = "".join(token.lead for token in words[first : place + 1])
        reserved = (token.low in EMBEDDING or token.low in SPEECH or token.low in DOWNWARD for token in words[:first])
        if any(reserved) or _QUOTE.search(joint):
            return False
        if ";" in joint:
            return True
        # A time may go, but not where it bounds what is denied, ranked or said of all.
        if "," not in joint or first > 8 or first < place or any(self.marks[1:first]):
            return False
        if any(token.low in DOWNWARD or is_superlative(token) for token in words[place:]):
            return False
        # `In winter`, `at night` and `in May` come again: they say when it is so, not when it was.
        if words[0].low in ("this", "last"):
            return words[first - 1].low in TEMPORAL
        dated = any(t.date[0] or (t.date[1] and t.date[2]) or t.low == "century" or t.is_year for t in words[:first])
        return dated and words[0].low in ("in", "on", "since", "by", "during", "at", "as", "after")

    def _opener(self, place: int) -> bool:
        """Whether the words before `place` only lead over to the sentence, or remark on it, and a comma ends them."""
        words = self.tokens[:place]
        if any(self.marks[1:place]) or _QUOTE.search(self.tokens[place].lead):
            return False
        return remarks(words) or ("," in self.tokens[place].lead and (leads(words) or notes(words)))

    def may_end(self, place: int) -> bool:
        """Whether what stands after the match takes nothing back."""
        words = self.tokens
        first = place + 1
        if all(self._free(index) or words[index].low in ("well", "as") for index in range(first, len(words))):
            return True
        if self.depths[first] and not self.depths[place] and self._is_bracketed_remark(first, len(words)):
            return True
        if not self.marks[first] or _QUOTE.search(words[first].lead):
            return False
        if self.depths[place] and self.depths[place] == self.depths[first]:
            return False
        opener = words[first].low
        if opener in _ADDING and "," in words[first].lead:
            return not takes_back(words[first:])
        if self.shadow[first]:
            return False
        # The rest of a list is not beside the point: `only carbon, hydrogen, and oxygen`.
        if ";" not in words[first].lead and opener not in _TRAILING and not opener.endswith("ing"):
            return False
        if takes_back(words[first:]) or opener in _PENDING:
            return False
        return not any(token.low in _RESERVED for token in words[first:])


def adjective(token: JudgeToken) -> bool:
    """Whether a word looks like one that describes rather than names."""
    return token.low in _SHORT_ADJECTIVES or _ADJECTIVE.search(token.low) is not None


def hopeless(claim: WordSentence, words: frozenset[str] | set[str], dates: list[JudgeToken]) -> bool:
    """Whether some word of the claim is not in the quote, so that there is nothing to align."""
    lost = (t for t in claim.tokens if t.low not in words and t.low not in FREE and t.alt not in words)
    return any(token.kind not in ("n", "d") or not any(covers(token, date) for date in dates) for token in lost)
