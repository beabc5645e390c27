"""What a quote says itself about where it departs from its source: `…` for words left out, `[…]` for words put in."""

from __future__ import annotations

import re
from itertools import product
from typing import TYPE_CHECKING

from msgspec import Struct

from ..text.lines import replace_spans
from ..text.unspaced_scripts import LETTERS, count_letters, count_words, split_words
from .exact_match import Phrase, PhraseMatch, find_needed_foldings, match_phrase_at, matches, phrase
from .weighty_words import NEGATION, figures, is_referring_word, replaces

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .searchable_text import Layer

_DOTS = r"(?:[…⋯]{1,2}|\. ?\. ?\.)"
# In `0-89791-890-8/97/0005...$3.50` the dots are the publisher's.
_OMISSION = re.compile(rf"\s*(?:[\[(（［〔]\s*{_DOTS}\s*[\])）］〕]|{_DOTS}(?![$€£]\d)\.?)\s*")
# Numbers in brackets are references, and the source's own. A word that brackets stand in goes with them; letters of a
# script without spaces are no word.
_PART = f"(?:(?![{LETTERS}])\\w)*"
_INSERTION = re.compile(rf"{_PART}[\[［〔](?=[^\[\]［］〔〕]*[^\W\d_])[^\[\]［］〔〕]{{1,120}}[\]］〕]{_PART}")
_BRACKETS = re.compile(r"[\[［〔]")
_CASE = re.compile(r"\[(\w)\](?=\w)")
_MOST_PIECES = 12
_MOST_PUT_IN = 8
_OWN_WORDS = 3
_NEAR_WORDS = 50
_FEW_WORDS = 5
_ANCHORS = 60
_STOP = re.compile(r"\A[.,;:!?]+(?=\s|\Z)")
_SENTENCE_END = re.compile(r"[.!?][\"'”’)\]]{0,2}\d{0,3}\s|[。！？][」』”’）]{0,2}")
_STOPS = re.compile(r"[.!?](?=\s|\Z|[\"'”’)\]])|[。！？]")
_BESIDE = 240
"""Characters beside a quote in which the words are looked for that brackets at its ends stand for."""
# A word that says more about the next one, and cannot end what a name stands for.
_MODIFIER = re.compile(
    r"\W*(?:\w+(?:ive|al|ous|ic|ful|less|able|ible|ed|ing|ary|ory|ant|ent|est|ish|y)|large|small"
    r"|high|low|new|old|good|bad|first|last|many|few|more|less|all|some|most|best|worst|same|other|long|short|early|late"
    r"|before|after|above|below|over|under|open|true|false|major|minor|upper|lower|maximum|minimum)\W*",
    re.IGNORECASE,
)
# Words in brackets that would turn a whole sentence round.
_DENIES = re.compile(
    r"\b(?:false|wrong|untrue|incorrect|den(?:y|ies|ied)|doubt\w*|myth|lies?|hoax|refut\w+|disprov\w+|if|unless|nobody)\b",
    re.IGNORECASE,
)
# What an editor says about the quote, not within it.
_REMARK = re.compile(r"\b(?:sic|emphasis|italics|original|translat\w+)\b", re.IGNORECASE)
# What may stand between a negation and the word that it negates.
_BETWEEN = re.compile(r"\w+ly|be|been|a|an|any|the|to|so|very|more|yet|always|necessarily", re.IGNORECASE)

OMISSION = "declared omission"
INSERTION = "declared insertion"


class PhraseGap(Struct, frozen=True):
    """What may lie between two phrases of one quote."""

    kind: str
    said: str = ""
    """The words in brackets; of an omission those behind it."""
    ahead: str = ""
    """The words in brackets in front of an omission."""


class PhraseChain(Struct, frozen=True):
    """A quote split at what it declares; one joint fewer than phrases."""

    phrases: tuple[Phrase, ...]
    joints: tuple[PhraseGap, ...]
    kinds: tuple[str, ...]
    """What it declares, also at its ends."""
    text: str
    """Its own words alone."""
    pieces: tuple[Phrase, ...]
    """Its own words between omissions."""
    opens: bool = False
    """Whether it begins with words in brackets."""
    closes: bool = False
    """Whether it ends with them."""
    lead: str = ""
    """The words in brackets in front of its own first word."""
    trail: str = ""
    """Those behind its own last word."""


def chains(quote: str) -> list[PhraseChain]:
    """The ways to read a quote that declares something; none where it declares nothing or keeps too little."""
    plain = "…" not in quote and "..." not in quote and ". ." not in quote and "[" not in quote
    if plain and (quote.isascii() or not any(sign in quote for sign in "⋯［〔")):
        return []
    found: list[PhraseChain] = []
    for variant, declared in _cases(quote):
        chain = _chain(variant, declared)
        if chain is not None:
            found.append(chain)
    return found


def _cases(quote: str) -> Iterator[tuple[str, bool]]:
    """The quote with each `[T]he` as `The` and as `the`, and whether there was any; at most three are tried."""
    places = list(_CASE.finditer(quote))[:3]
    for choice in product((str.lower, str.upper), repeat=len(places)):
        changes = [(*match.span(), form(match[1])) for match, form in zip(places, choice, strict=True)]
        yield replace_spans(quote, changes), bool(places)


def _chain(quote: str, declared: bool) -> PhraseChain | None:
    phrases: list[Phrase] = []
    joints: list[PhraseGap] = []
    kinds = [INSERTION] if declared else []
    joint: PhraseGap | None = None
    own = 0
    opens = False
    lead = ""
    for at, part in enumerate(_OMISSION.split(quote)):
        if at:
            kinds.append(OMISSION)
            joint = PhraseGap(OMISSION, ahead=joint.said if joint is not None else "")
        start = 0
        if _INSERTION.search(part) and count_words(_INSERTION.sub(" ", part)) < _OWN_WORDS:
            return None
        for match in [*_INSERTION.finditer(part), None]:
            text = part[start : match.start() if match else len(part)]
            if start:
                # The stop behind a bracket stands behind the word before it.
                text = _STOP.sub("", text)
            found = phrase(text)
            if found is not None:
                if phrases:
                    joints.append(joint or PhraseGap(INSERTION))
                phrases.append(found)
                own += found.words
                joint = None
            if match:
                kinds.append(INSERTION)
                start = match.end()
                opens = opens or (not phrases and not at)
                lead = f"{lead} {match[0]}" if not phrases else lead
                if not phrases and not _is_negation_kept(match[0], ""):
                    return None
                said = f"{joint.said} {match[0]}" if joint else match[0]
                joint = PhraseGap(joint.kind, said, joint.ahead) if joint else PhraseGap(INSERTION, said)
    if not kinds or not phrases or len(phrases) > _MOST_PIECES or own < _OWN_WORDS:
        return None
    if joint is not None and not _is_negation_kept(joint.said, ""):
        # Behind the last word, as in front of the first, nothing in the source could say the same.
        return None
    own_words = [_INSERTION.sub(" ", part) for part in _OMISSION.split(quote)]
    pieces = tuple(found for part in own_words if (found := phrase(part)) is not None)
    closes = joint is not None and joint.kind == INSERTION
    return PhraseChain(
        *(tuple(phrases), tuple(joints), tuple(dict.fromkeys(kinds)), " ".join(own_words), pieces, opens, closes),
        lead,
        f"{joint.ahead} {joint.said}".strip() if joint is not None else "",
    )


def find_chain_matches(
    layer: Layer, chain: PhraseChain, accepts: Callable[[PhraseMatch], bool] | None = None
) -> Iterator[tuple[PhraseMatch, tuple[str, ...]]]:
    """Where all phrases of a chain stand in order, each joint within its bounds, and what had to be folded.

    Each place of a phrase must be accepted, where a test is given.
    """
    anchor = max(range(len(chain.phrases)), key=lambda at: len(chain.phrases[at].key))
    for count, hit in enumerate(matches(layer, chain.phrases[anchor])):
        if count == _ANCHORS:
            return
        hits = [hit]
        for at in range(anchor + 1, len(chain.phrases)):
            step = _next(layer, chain, at, hits[-1], True)
            if step is None:
                break
            hits.append(step)
        else:
            for at in range(anchor - 1, -1, -1):
                step = _next(layer, chain, at, hits[0], False)
                if step is None:
                    break
                hits.insert(0, step)
            else:
                if accepts is not None and not all(map(accepts, hits)):
                    continue
                if _meets_brackets(layer, chain, hits[0].start, hits[-1].end):
                    continue
                if not _ends_fit(layer.text, chain, hits[0].start, hits[-1].end):
                    continue
                pairs = zip(chain.phrases, hits, strict=True)
                folded = [name for sought, found in pairs for name in find_needed_foldings(layer, sought, found)]
                yield PhraseMatch(hits[0].start, hits[-1].end), tuple(dict.fromkeys([*folded, *chain.kinds]))


def _meets_brackets(layer: Layer, chain: PhraseChain, start: int, end: int) -> bool:
    """Whether brackets that the quote begins or ends with stand in the source too: then they are no insertion."""
    ahead, behind = layer.text[max(0, start - 4) : start].rstrip(), layer.text[end : end + 4].lstrip(" \n.,;:")
    return (chain.opens and ahead[-1:] in ("]", "］", "〕")) or (chain.closes and behind[:1] in ("[", "［", "〔"))


def _ends_fit(text: str, chain: PhraseChain, start: int, end: int) -> bool:
    """Whether brackets at the ends of a quote stand for what is there, or add to a sentence that is whole."""
    before = text[max(0, start - _BESIDE) : start]
    after = text[end : end + _BESIDE]
    ends = list(_SENTENCE_END.finditer(before))
    ahead = before[ends[-1].end() :] if ends else before
    stop = _STOPS.search(after)
    behind = after[: stop.start()] if stop is not None else after
    return (not chain.lead or _stands_for(chain.lead, split_words(ahead)[::-1], False)) and (
        not chain.trail or _stands_for(chain.trail, split_words(behind), True)
    )


def _stands_for(said: str, there: list[str], forward: bool) -> bool:
    """Whether words in brackets may stand for the nearest of some words, or, where there are none, beside them."""
    if _REMARK.search(said):
        return True
    if not there:
        return not _DENIES.search(said)
    for size in range(1, min(len(there), _MOST_PUT_IN) + 1):
        words = there[:size] if forward else there[:size][::-1]
        # How far the brackets reach nothing says: a name stands for all of `this method`, not for `a negative`.
        known = size == 1 or not is_referring_word(words[0]) or _MODIFIER.fullmatch(words[-1]) is None
        if known and _admits(" ".join(words), said) and replaces(said, " ".join(words)):
            return True
    return False


def _next(layer: Layer, chain: PhraseChain, at: int, from_: PhraseMatch, forward: bool) -> PhraseMatch | None:
    """The nearest place of a phrase beside the one that was found, if the joint allows it."""
    sought = chain.phrases[at]
    joint = chain.joints[at - 1 if forward else at]
    reach = 4000 if joint.kind == INSERTION else 60_000
    best: PhraseMatch | None = None
    if forward:
        start = layer.place(from_.end)
        stop = min(layer.place(min(layer.page_end(from_.end - 1), len(layer.text))), start + reach)
        for hit in matches(layer, sought, start, stop):
            if _is_gap_allowed(layer, chain, at, joint, from_.end, hit.start):
                return hit
        return None
    stop = layer.place(from_.start)
    start = max(0, stop - reach)
    # Backwards the nearest is the last one.
    for _ in range(20):
        place = layer.key.rfind(sought.key, start, stop)
        if place < 0:
            break
        best = match_phrase_at(layer, sought, *layer.span(place, len(sought.key)))
        if best is not None and best.end <= from_.start and layer.page_end(best.start) >= from_.start:
            return best if _is_gap_allowed(layer, chain, at, joint, best.end, from_.start) else None
        stop = place + len(sought.key) - 1
    return None


def _is_gap_allowed(layer: Layer, chain: PhraseChain, at: int, joint: PhraseGap, start: int, end: int) -> bool:
    """Whether what lies between two phrases may be what the quote declares."""
    if end < start:
        return False
    between = layer.text[start : min(end, start + 4000)]
    words = split_words(between)
    size = count_words(between)
    if joint.kind == INSERTION:
        # Brackets that stand there too are no insertion.
        if size > _MOST_PUT_IN or end - start > 1000 or _BRACKETS.search(between):
            return False
        # Brackets stand for a name or a form of a word. What turns the sentence round must be said in them.
        return _admits(between, joint.said) and replaces(joint.said, between)
    if joint.ahead and not (_is_negation_kept(joint.ahead, between) and _stands_for(joint.ahead, words, True)):
        return False
    if joint.said and not (_is_negation_kept(joint.said, between) and _stands_for(joint.said, words[::-1], False)):
        return False
    if min(chain.phrases[at].words, chain.phrases[max(0, at - 1)].words) < _OWN_WORDS and size > _NEAR_WORDS:
        return False
    return bool(NEGATION.search(joint.said)) or not _has_dropped_negation(between, words)


def _has_dropped_negation(between: str, words: list[str]) -> bool:
    """Whether a negation among words left out belongs to the words beside them."""
    ends = list(_SENTENCE_END.finditer(between))
    if not ends and count_words(between) <= _FEW_WORDS:
        return NEGATION.search(between) is not None
    if count_letters(between) * 2 > len(words):
        # What negates stands right in front of a word, or right behind it.
        return any(NEGATION.search("".join(some)) for some in (words[:4], words[-3:]))
    ahead = between[: ends[0].start() if ends else None].split()[:1]
    behind = between[ends[-1].end() if ends else 0 :].split()
    while behind and _BETWEEN.fullmatch(behind[-1]):
        behind.pop()
    return any(NEGATION.search(word) for word in (*ahead, *behind[-1:]))


def _is_negation_kept(said: str, between: str) -> bool:
    """Whether words in brackets negate nothing that is not negated there."""
    return not NEGATION.search(said) or bool(NEGATION.search(between)) or bool(_REMARK.search(said))


def _admits(between: str, said: str) -> bool:
    """Whether words in brackets keep the numbers of what they stand for, and turn it round no more than it was."""
    if NEGATION.search(between) and not NEGATION.search(said):
        return False
    return _is_negation_kept(said, between) and figures(between) <= figures(said)
