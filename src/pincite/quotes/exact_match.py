"""Does a quote stand here, word for word? Strict at both ends too: no part of a longer word, number or compound.

In a script without spaces a quote may begin between any two letters but for those that it would split: numbers, what a
negation negates, words in katakana.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from unicodedata import combining

from msgspec import Struct

from ..text.unspaced_scripts import NUMERALS, count_letters, count_words, is_mark, is_unspaced
from .fold import LOOSE, SOFT, are_forms_equal, foldings, form_of, key_of, normalize_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .searchable_text import Layer

# Begins of numbers that a quote must not leave behind: a minus, the point of a decimal, the sign of an ordinal.
_BEFORE_NUMERAL = re.compile(r"(?:负|負|マイナス|第|[0-9一二三四五六七八九十百千万零〇][点點])\Z")
_NEGATED_LETTER = re.compile(r"(?:[不没沒無无未非勿莫毋弗]|ไม่|ไร้|ບໍ່|មិន|မ)\Z")
# Endings of a verb that turn it round, where the quote stops before them.
_NEGATING_ENDING = re.compile(r"な(?:い|かった?|く|ければ?|し)|ず|ぬ|ませ(?:ん|ぬ)?|まい|ねば")
_NUMERAL_SCALE = re.compile(r"[点點][0-9〇零一二三四五六七八九]|[成割倍折]|分之|パーセント|ポイント|个百分点|個百分點")
# Hours and points of decimals, which what follows goes on with.
_HOUR = re.compile(f"[0-9{NUMERALS}][点點时時]\\Z")
_KATAKANA = re.compile("[\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff]")
_SMALL = frozenset("ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮヵヶー々ゝゞヽヾ")
_AROUND = 24
_SHORT_KEY = 10
_ATTEMPTS = 400
# Signs that change what follows them: of a number, and of anything.
_BEFORE_NUMBER = frozenset("-+±∓~≈∼<>≤≥=≠$€£¥#.,/×*^:")
_NEGATING = frozenset("¬!~∼≠∉⊄")
_AFTER_NUMBER = frozenset("%‰‱°′″'\"^×*/±+-:")
# Those that belong to a number even across a space; a hyphen there may be a dash or a bullet.
_SPACED = tuple("−±∓≈≤≥≠<>")
# Behind a stop they are references.
_RAISED = frozenset("⁰¹²³⁴⁵⁶⁷⁸⁹")
_FINAL = ".,;。、"
# Words and signs behind a number, across a space, that change its value: 3.5 million is not 3.5, 5 % not 5.
_SCALE = re.compile(
    r"\s(?:%|‰|‱|per ?cent\b|hundred\b|thousand\b|million\b|billion\b|trillion\b|lakh\b|crore\b|[mbt]n\b)",
    re.IGNORECASE,
)
_CLOSING = frozenset(".,;:!?…)]}»”，。、；：！？）】」』》")
_GROUPED = re.compile(r"(?<![\w.,])[0-9]{1,3}(?:[ '’\u00a0\u2009\u202f][0-9]{3})*[ '’\u00a0\u2009\u202f]\Z")
_GROUP = re.compile(r"[0-9]{3}(?![0-9])")
# Korean puts endings on words: in an answer a stretch may begin or end between any two letters.
_HANGUL = re.compile("[\uac00-\ud7af]")
_PARTED_NAME = re.compile(rf"(?<!\w)([^\W\d_]{{1,40}}){SOFT}([^\W\d_]{{1,40}})(?!\w)")
_NEGATED = re.compile(r"\s{1,3}(?:not|never|no longer|nothing|nobody|none)\b", re.IGNORECASE)
_NOTE_SIGN = re.compile(r"\d{1,3}(?:\s|\Z)")


def parts_before(before: str, begins: str) -> bool:
    """Whether a quote that begins so may begin behind this, where a letter of such a script is on either side."""
    before = before.replace(LOOSE, "")
    last, first = before[-1:], begins[:1]
    if first.isnumeric() and (last.isnumeric() or _BEFORE_NUMERAL.search(before)):
        return False
    return not (_NEGATED_LETTER.search(before) or _tears(last, first))


def parts_after(ends: str, after: str) -> bool:
    """Whether a quote that ends so may end in front of this."""
    after = after.replace(LOOSE, "")
    last, following = ends[-1:], after[:1]
    if last.isnumeric() and (following.isnumeric() or _NUMERAL_SCALE.match(after)):
        return False
    if _HOUR.search(ends[-2:]) and (following.isnumeric() or following == "半"):
        return False
    return not (_NEGATING_ENDING.match(after) or _tears(last, following))


def find_negation(before: str, after: str) -> str:
    """What turns round a quote between these and was left out at its edge; empty where nothing does."""
    found = _NEGATED_LETTER.search("".join(before.split())) or _NEGATING_ENDING.match("".join(after.split()))
    return found[0] if found is not None else ""


def _tears(one: str, other: str) -> bool:
    """Whether two letters belong to one word: a sign that repeats or lengthens, or katakana on both sides."""
    return other in _SMALL or (_KATAKANA.match(one) is not None and _KATAKANA.match(other) is not None)


class Phrase(Struct, frozen=True):
    """A stretch of a quote without omissions, ready to be looked up."""

    text: str
    key: bytes
    lead: str
    """The form of what stands in front of its first letter or digit."""
    core: str
    trail: str
    """The form of what stands behind its last one."""

    @property
    def words(self) -> int:
        """How many words it has; two letters of a script without spaces count as one."""
        if count_letters(self.text):
            return count_words(self.text)
        return sum(1 for word in self.text.split() if key_of(word))


class PhraseMatch(Struct, frozen=True):
    """A stretch of a layer's text that a phrase matches."""

    start: int
    end: int


def phrase(text: str) -> Phrase | None:
    """A quote or a piece of it as a phrase; None where it has neither letter nor digit."""
    text = normalize_text(text).strip()
    key = key_of(text)
    if not key:
        return None
    first, last = _solid(text)
    lead = _form_before(text, first)
    return Phrase(text, key, lead.lstrip(" "), form_of(text[first : last + 1]), _form_after(text, last).rstrip(" "))


def _solid(text: str) -> tuple[int, int]:
    """The first and the last letter or digit of a text that has one."""
    first = next(at for at, sign in enumerate(text) if sign.isalnum())
    return first, next(at for at in range(len(text) - 1, -1, -1) if text[at].isalnum())


def _form_before(text: str, at: int) -> str:
    """The form of what stands in front of a letter or digit, which it is folded with."""
    start = max(0, at - _AROUND)
    folded = form_of(text[start : at + 1])
    return folded[: len(folded) - len(form_of(text[at]))]


def _form_after(text: str, at: int) -> str:
    """The form of what follows a letter or digit, which it is folded with."""
    folded = form_of(text[at : at + 1 + _AROUND])
    return folded[len(form_of(text[at])) :]


def matches(layer: Layer, sought: Phrase, start: int = 0, stop: int | None = None) -> Iterator[PhraseMatch]:
    """Every place between two places of the key where the phrase stands, in order; a bounded number is tried."""
    tried = 0
    # Each attempt costs as much as the phrase is long.
    limit = min(_ATTEMPTS, 20 + 100_000 // len(sought.key))
    for place in layer.places(sought.key, start, stop, limit):
        tried += 1
        hit = match_phrase_at(layer, sought, *layer.span(place, len(sought.key)))
        if hit is not None:
            yield hit
    if tried == limit and len(sought.key) < _SHORT_KEY and start == 0:
        yield from _whole_words(layer, sought)


def _whole_words(layer: Layer, sought: Phrase) -> Iterator[PhraseMatch]:
    """A short phrase, looked up as words: its letters alone stand inside too many others."""
    words = r"[\W_]+".join(map(re.escape, re.findall(r"[^\W_]+", sought.text)))
    found = re.finditer(rf"(?<![^\W_]){words}(?![^\W_])", layer.text)
    for count, match in enumerate(found):
        hit = match_phrase_at(layer, sought, match.start(), match.end())
        if hit is not None:
            yield hit
        if count == 4000:
            break


def match_phrase_at(layer: Layer, sought: Phrase, start: int, end: int) -> PhraseMatch | None:
    """The phrase at these characters of the text, if all of it is there and it does not cut into anything."""
    text = layer.text
    form = form_of(text[start:end])
    if not are_forms_equal(form, sought.core) and not (
        SOFT in form and are_forms_equal(_named_whole(form, text), sought.core)
    ):
        return None
    if sought.core[0].isnumeric() and not sought.lead and text[max(0, start - 3) : start].rstrip()[-1:] in _SPACED:
        return None
    before, after = _form_before(text, start), _form_after(text, end - 1)
    if sought.lead:
        rest = _without_end(before, sought.lead)
        if rest is None or not _clean_start(rest, sought.lead):
            return None
    elif not _clean_start(before, sought.core):
        return None
    return PhraseMatch(start, end) if _ends_well(sought, after) else None


def _named_whole(form: str, text: str) -> str:
    """A form without the hyphens of a line's end inside names that the text has in one word elsewhere: BitTorrent."""
    return _PARTED_NAME.sub(lambda found: found[1] + found[2] if found[1] + found[2] in text else found[0], form)


def _without_end(text: str, end: str) -> str | None:
    """A form without what it ends in; None where it does not."""
    longest = min(len(text), len(end) * 2 + 4)
    for size in (*range(len(end), longest + 1), *range(1, min(len(end), longest + 1))):
        if are_forms_equal(text[len(text) - size :], end):
            return text[: len(text) - size]
    return None


def _ends_well(sought: Phrase, after: str) -> bool:
    """Whether what follows the last word is what the quote has; a final stop or comma may be the quoter's own."""
    trails = [sought.trail]
    bare = sought.trail.rstrip(" '")
    if bare.endswith(tuple(_FINAL)):
        trails.append(bare[:-1].rstrip())
    for own, trail in enumerate(trails):
        for size in range(min(len(after), len(trail) * 2 + 4) + 1):
            # A stop of one's own in front of `not` would say the opposite.
            if own and _NEGATED.match(after[size:]):
                continue
            if are_forms_equal(after[:size], trail) and _clean_end(sought.core + trail, after[size:]):
                return True
    return False


def _clean_start(before: str, begins: str) -> bool:
    """Whether a phrase that begins so may begin behind this."""
    if before.endswith(LOOSE):
        bare = before.rstrip(LOOSE)
        # Behind a dash, or at the end of a line where nothing parts letters.
        before = bare if bare.endswith("-") or is_unspaced(bare[-1:]) else before
    last, first = before[-1:], begins[:1]
    if not last or last.isspace():
        return not (first.isnumeric() and before.rstrip()[-5:].lower() == "minus")
    if last == SOFT or first == SOFT:
        return False
    if not (first.isalnum() or first == "_"):
        # A lead such as a bracket: only a sign that would belong to what stands before it matters.
        return not (first in "-.,'/" and (last.isalnum() or last == "-"))
    if is_unspaced(last) or is_unspaced(first):
        return parts_before(before, begins)
    if last.isalnum() or last == "_" or combining(last) or last in _NEGATING:
        return False
    if last == "-":
        # A long dash parts; a hyphen joins, and in front of a number it is a sign.
        return before.endswith(LOOSE + "-") or (before[-2:-1].isspace() and not first.isdecimal())
    if last == "'" and before[-2:-1].isalnum():
        return False
    return not (first.isnumeric() and last in _BEFORE_NUMBER)


def _clean_end(ends: str, after: str) -> bool:
    """Whether a phrase that ends so may end in front of this."""
    if after.startswith(LOOSE) and is_unspaced(after.lstrip(LOOSE)[:1]):
        after = after.lstrip(LOOSE)
    last, following = ends[-1:], after[:1]
    if last.isnumeric() and _SCALE.match(after):
        return False
    if not following or following.isspace() or following == LOOSE:
        return True
    if following == SOFT:
        return False
    if combining(following) or following in "⁺⁻" or is_mark(following):
        return False
    if (is_unspaced(last) or is_unspaced(following)) and (last.isalnum() or is_mark(last)) and following.isalnum():
        return parts_after(ends, after)
    if following.isalnum() or following == "_":
        if last in ".,;:'" and ends[-2:-1].isalpha() and _NOTE_SIGN.match(after):
            return True
        return not (last.isalnum() or last in "_-.,'/")
    if not (last.isalnum() or last == "_"):
        return True
    beyond = after[1:2]
    if following == "-":
        return not (beyond.isalnum() or beyond in ("_", SOFT))
    if following == "'" and beyond.isalnum():
        return False
    if last.isnumeric():
        if following in ".,:/" and beyond.isnumeric() and beyond not in _RAISED:
            return False
        return following in ".,:/'\"" or following not in _AFTER_NUMBER
    return True


def is_cut(text: str, start: int, end: int) -> bool:
    """Whether a stretch of a text begins or ends inside a word or a number: “5 million” of “3.5 million”."""
    while start < end and (
        text[start].isspace() or (text[start] in _CLOSING and not text[start + 1 : start + 2].isalnum())
    ):
        # The end of what stands before: it begins behind it.
        start += 1
    while start < end and text[end - 1].isspace():
        end -= 1
    if start == end:
        return False
    if _GROUPED.search(text, max(0, start - _AROUND), start) and _GROUP.match(text, start):
        return True
    before, after = _form_before(text, start), _form_after(text, end - 1)
    begins, ends = form_of(text[start : min(end, start + _AROUND)]), form_of(text[max(start, end - _AROUND) : end])
    return not (
        (_is_hangul(text, start) or _clean_start(before, begins)) and (_is_hangul(text, end) or _clean_end(ends, after))
    )


def widen_cut(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch that cuts words or numbers, with what it cut off on both sides; a bounded part of it."""
    first, last = start, end
    while first > max(0, start - _AROUND) and not text[first - 1].isspace():
        first -= 1
    while last < min(len(text), end + _AROUND) and not text[last].isspace():
        last += 1
    scale = _SCALE.match(text, last)
    group = _GROUPED.search(text, max(0, first - _AROUND), first)
    return group.start() if group else first, scale.end() if scale else last


def _is_hangul(text: str, at: int) -> bool:
    """Whether two Korean letters meet here."""
    return len(_HANGUL.findall(text[max(0, at - 1) : at + 1])) == 2


def find_needed_foldings(layer: Layer, sought: Phrase, hit: PhraseMatch) -> tuple[str, ...]:
    """Which foldings made the phrase match."""
    first, last = _solid(sought.text)
    return foldings(layer.text[hit.start : hit.end], sought.text[first : last + 1])


def extend_to_signs(layer: Layer, sought: Phrase, hit: PhraseMatch) -> tuple[int, int]:
    """Where a phrase begins and ends with the signs around its first and last word, as far as they stand there."""
    text, start, end = layer.text, hit.start, hit.end
    for size in range(min(start, 2 * len(sought.lead) + 4), 0, -1) if sought.lead else ():
        if not text[start - size].isspace() and are_forms_equal(_form_before(text, start)[-size:], sought.lead):
            start -= size
            break
    for trail in (sought.trail, sought.trail.rstrip(" '")[:-1].rstrip()):
        sizes = (
            size for size in range(1, 2 * len(trail) + 5) if are_forms_equal(form_of(text[end : end + size]), trail)
        )
        if trail and (size := next(sizes, 0)):
            return start, end + size
    return start, end
