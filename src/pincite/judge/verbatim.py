"""The claim as a run of the quote's own words, and whether English rules apply to them at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .lexicon import FUNCTION, make_word_set
from .retractions import is_retraction, is_untrue_introduction

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .numbers import JudgeToken
    from .tokens import WordSentence

_ENDS = frozenset(".!?。！？…")
_ENGLISH = FUNCTION - make_word_set("a an in on at as so me he do was am will not no per via over under i most")
_FOREIGN = make_word_set(
    "der die das und nicht ist ein eine den dem auf von le la les des et est une un du pas que el los las del por con "
    "y en il di che non sono os da uma com het een van niet och att det som ja ei bir bu og ikke nie jest"
)
_REMARKING = make_word_set("which who whose whom where")
_QUOTES = frozenset('"“”«»„‟')
_SCARE = frozenset("\"“«„‟‘'")
_OPENING = 7
"""Words within which a sentence denies the one before."""
_SHORT = 7
_ENDINGS = ("ing", "ed", "tion", "ly")


def find_verbatim_run(said: list[WordSentence], quote: list[WordSentence]) -> list[JudgeToken]:
    """The words of the quote that are the claim's, from where a sentence begins to where one ends; none without."""
    tokens = [token for part in said for token in part.tokens]
    claim = [token.low for token in tokens]
    flat = [token for sentence in quote for token in sentence.tokens]
    starts: dict[int, int] = {}
    asked = set()
    ends: dict[int, int] = {}
    at = 0
    for following, sentence in enumerate(quote, 1):
        starts[at] = following - 1
        at += len(sentence.tokens)
        ends[at] = following
        if sentence.asks:
            asked.add(at)
    words = [token.low for token in flat]
    size = len(claim)
    for first in range(len(words) - size + 1):
        if words[first] != claim[0] or words[first : first + size] != claim:
            continue
        last = first + size
        if (first not in starts and not _can_begin_sentence(flat[first])) or (
            last not in ends and not _can_begin_sentence(flat[last])
        ):
            continue
        if is_quoted_speech(flat[first:last], tokens[0]):
            continue
        run = flat[first:last]
        if any(first < end <= last for end in asked) or has_scare_quotes(run, tokens) or has_comma_change(run, tokens):
            continue
        if (last in ends and is_doubtful(quote, ends[last] - 1)) or (
            first in starts and is_doubtful(quote, starts[first])
        ):
            continue
        return flat[first:last]
    return []


def _can_begin_sentence(token: JudgeToken) -> bool:
    """Whether a sentence may begin here although the full stop before could be that of an abbreviation."""
    lead = token.lead.rstrip()
    return bool(lead) and lead[-1] in _ENDS and not token.text[:1].islower()


def is_quoted_speech(words: Sequence[JudgeToken], claim: JudgeToken) -> bool:
    """Whether a sentence begins inside quotation marks that the claim does not have, around more than a name."""
    if not _QUOTES & set(words[0].lead) or _QUOTES & set(claim.lead):
        return False
    return not any(_QUOTES & set(token.lead) for token in words[1:_OPENING])


def is_doubtful(quote: Sequence[WordSentence], index: int) -> bool:
    """Whether the sentences beside this one take it back: then it is not stated without reserve."""
    return (index + 1 < len(quote) and is_retraction(quote[index + 1])) or (
        index > 0 and is_untrue_introduction(quote[index - 1])
    )


def has_scare_quotes(words: Sequence[JudgeToken], claim: Sequence[JudgeToken]) -> bool:
    """Whether the quote puts a word in quotation marks as not its own, and the claim does not."""
    marked = [token for token in words[1:] if token.lead[-1:] in _SCARE and token.text[:1].islower()]
    if not marked:
        return False
    own = {token.low for token in claim if _SCARE & set(token.lead)}
    return any(token.low not in own for token in marked)


def has_comma_change(words: Sequence[JudgeToken | None], claim: Sequence[JudgeToken]) -> bool:
    """Whether a comma is said or left out where it changes who is meant.

    `Employees, who are parents,` are all employees; `Jo Rob and Tony` are two. `words` are the quote's for the claim's.
    """
    for at, (seen, said) in enumerate(zip(words, claim, strict=True)):
        if seen is None or not at:
            continue
        mine, theirs = "," in said.lead, "," in seen.lead
        if mine and not theirs and said.low in _REMARKING:
            return True
        before = words[at - 1]
        if mine == theirs or before is None or before.end + len(seen.lead) != seen.start:
            continue
        if not all(t.kind == "w" and t.text[:1].isupper() and t.low not in FUNCTION for t in (before, seen)):
            continue
        listed = at + 1 < len(claim) and (claim[at + 1].low in ("and", "or") or "," in claim[at + 1].lead)
        if at > 1 or listed:
            return True
    return False


def is_english(tokens: Sequence[JudgeToken]) -> bool:
    """Whether the words look like English: some of its grammar, or at least none of another's."""
    if any(token.low in _ENGLISH for token in tokens):
        return True
    if sum(not token.text.isascii() for token in tokens) * 4 > len(tokens):
        return False
    if any(token.low in _FOREIGN for token in tokens):
        return False
    return len(tokens) <= _SHORT or any(token.low in FUNCTION or token.low.endswith(_ENDINGS) for token in tokens)
