"""The claim as a run of the quote's own words, and whether English rules apply to them at all."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .words import FUNCTION

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .numbers import Token
    from .tokens import Sentence

_ENDS = frozenset(".!?。！？…")
_ENGLISH = FUNCTION - frozenset("a an in on at as so me he do was am will not no per via over under i most".split())
_FOREIGN = frozenset(
    "der die das und nicht ist ein eine den dem auf von le la les des et est une un du pas que el los las del por con "
    "y en il di che non sono os da uma com het een van niet och att det som ja ei bir bu og ikke nie jest".split()
)
_POINTING = frozenset(
    "this that it these those but however yet false wrong not actually they both neither none later".split()
)
_DENYING = frozenset("false untrue wrong incorrect misleading inaccurate nonsense fiction lie lies".split())
# What is said of a statement or a rule, seldom of anything else: it takes back what stands beside it.
_REVOKING = frozenset(
    "myth myths hoax debunked disproved disproven refuted misconception misconceptions retracted retraction rescinded "
    "repealed revoked fabricated kidding joke satire citation dubious".split()
)
_FRAMING = frozenset("imagine suppose pretend".split())
_FOLLOWING = frozenset("following below here".split())
_STATEMENTS = frozenset("claim claims statement statements".split())
_BRIEF = 3
"""Words of a sentence that says nothing but `Just kidding.`"""
_QUOTES = frozenset('"“”«»„‟')
_SCARE = frozenset("\"“«„‟‘'")
_OPENING = 7
"""Words within which a sentence denies the one before."""
_SHORT = 7
_ENDINGS = ("ing", "ed", "tion", "ly")


def repeated(said: list[Sentence], quote: list[Sentence]) -> list[Token]:
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
        if (first not in starts and not _begins(flat[first])) or (last not in ends and not _begins(flat[last])):
            continue
        if spoken(flat[first:last], tokens[0]):
            continue
        if any(first < end <= last for end in asked) or scare(flat[first:last], tokens):
            continue
        if (last in ends and doubtful(quote, ends[last] - 1)) or (first in starts and framed(quote, starts[first])):
            continue
        return flat[first:last]
    return []


def _begins(token: Token) -> bool:
    """Whether a sentence may begin here although the full stop before could be that of an abbreviation."""
    lead = token.lead.rstrip()
    return bool(lead) and lead[-1] in _ENDS and not token.text[:1].islower()


def spoken(words: Sequence[Token], claim: Token) -> bool:
    """Whether a sentence begins inside quotation marks that the claim does not have, around more than a name."""
    if not _QUOTES & set(words[0].lead) or _QUOTES & set(claim.lead):
        return False
    return not any(_QUOTES & set(token.lead) for token in words[1:_OPENING])


def denied(quote: Sequence[Sentence], index: int) -> bool:
    """Whether this sentence of the quote takes back the one before: `This is false.`"""
    if index >= len(quote):
        return False
    whole = [token.low for token in quote[index].tokens]
    words = whole[:_OPENING]
    if not _REVOKING.isdisjoint(words) and (words[0] in _POINTING or len(whole) <= _BRIEF):
        return True
    if words[0] not in _POINTING:
        # `At least, that is what they told us; it was wrong.`
        tail = [at for at, word in enumerate(whole) if word in _DENYING]
        return any(whole[at - 2] in ("it", "this", "that", "they") for at in tail if at > 1)
    return not _DENYING.isdisjoint(words) or ("not" in words and ("true" in words or "so" in words or "case" in words))


def doubtful(quote: Sequence[Sentence], index: int) -> bool:
    """Whether the sentences beside this one may take it back: then it is not stated without reserve."""
    if denied(quote, index + 1) or framed(quote, index):
        return True
    return index + 1 < len(quote) and any(token.low in _REVOKING for token in quote[index + 1].tokens)


def framed(quote: Sequence[Sentence], index: int) -> bool:
    """Whether the sentence before this one says that what follows is not so: `Wrong!`, `The following is false.`"""
    if index <= 0:
        return False
    words = [token.low for token in quote[index - 1].tokens]
    if words[0] in _FRAMING:
        return True
    untrue = not (_DENYING | _REVOKING).isdisjoint(words)
    if len(words) < _BRIEF:
        return untrue
    if "following" in words and not _STATEMENTS.isdisjoint(words):
        return True
    return untrue and not _FOLLOWING.isdisjoint(words)


def scare(words: Sequence[Token], claim: Sequence[Token]) -> bool:
    """Whether the quote puts a word in quotation marks as not its own, and the claim does not."""
    marked = [token for token in words[1:] if token.lead[-1:] in _SCARE and token.text[:1].islower()]
    if not marked:
        return False
    own = {token.low for token in claim if _SCARE & set(token.lead)}
    return any(token.low not in own for token in marked)


def english(tokens: Sequence[Token]) -> bool:
    """Whether the words look like English: some of its grammar, or at least none of another's."""
    if any(token.low in _ENGLISH for token in tokens):
        return True
    if sum(not token.text.isascii() for token in tokens) * 4 > len(tokens):
        return False
    if any(token.low in _FOREIGN for token in tokens):
        return False
    return len(tokens) <= _SHORT or any(token.low in FUNCTION or token.low.endswith(_ENDINGS) for token in tokens)
