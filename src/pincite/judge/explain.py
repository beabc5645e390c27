"""What the judge saw, in words a reader can check against the quote."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .lexicon import FREE, FUNCTION, SPEECH
from .model import Reason

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from .comparison import Alignment
    from .containment import ClaimCoverage
    from .numbers import JudgeToken
    from .tokens import WordSentence

_MOST_WORDS = 12


def _words(tokens: Iterable[JudgeToken]) -> str:
    """A few words in quotation marks."""
    texts = [token.text for token in tokens]
    more = len(texts) - _MOST_WORDS
    return ", ".join(f"“{text}”" for text in texts[:_MOST_WORDS]) + (f" and {more} more" if more > 0 else "")


def _runs(tokens: Sequence[JudgeToken], places: Iterable[int]) -> tuple[tuple[int, int], ...]:
    """Where the words stand; neighbours as one span."""
    out: list[tuple[int, int]] = []
    last = -2
    for place in sorted(set(places)):
        start, end = tokens[place].start, tokens[place].end
        if place == last + 1 and out:
            out[-1] = (out[-1][0], end)
        else:
            out.append((start, end))
        last = place
    return tuple(out)


def _numbers(tokens: Iterable[JudgeToken]) -> tuple[Reason, ...]:
    numbers = [token for token in tokens if token.kind in ("n", "o", "d")]
    if not numbers:
        return ()
    spans = tuple((token.start, token.end) for token in numbers)
    return (Reason("numbers", f"the numbers agree: {_words(numbers)}", spans),)


def explain_verbatim(run: Sequence[JudgeToken]) -> tuple[Reason, ...]:
    """The claim stands in the quote as it is."""
    return (Reason("verbatim", "the quote says it word for word", ((run[0].start, run[-1].end),)), *_numbers(run))


def explain_alignment(claim: WordSentence, sentence: WordSentence, found: Alignment) -> tuple[Reason, ...]:
    """Which words state the claim, and what was dropped or added."""
    tokens = sentence.tokens
    places = [place for place in found.places if place >= 0]
    kept = set(places)
    out = [Reason("aligned", "one sentence of the quote says it in these words", _runs(tokens, places))]
    out += _numbers(tokens[place] for place in places)
    dropped = [index for index in range(len(tokens)) if index not in kept]
    if dropped:
        words = _words(tokens[index] for index in dropped)
        out.append(Reason("dropped", f"the claim leaves out {words}", _runs(tokens, dropped)))
    added = [token for token, place in zip(claim.tokens, found.places, strict=True) if place < 0]
    if added:
        out.append(Reason("added", f"the claim adds {_words(added)}"))
    return tuple(out)


def explain_missing(
    claim: Sequence[JudgeToken], quote: Sequence[WordSentence], seen: ClaimCoverage
) -> tuple[Reason, ...]:
    """Which words of the claim the quote has, and which it has not."""
    tokens = quote[seen.best].tokens
    low = {token.low for token in claim if token.low not in FUNCTION}
    places = [index for index, token in enumerate(tokens) if token.low in low]
    out = []
    if places:
        out.append(Reason("shared", f"the quote has {_words(tokens[p] for p in places)}", _runs(tokens, places)))
    lost = [t for t, held in zip(claim, seen.anywhere, strict=True) if not held and t.low not in FREE]
    taken, lost = lost[: seen.subject], lost[seen.subject :]
    if taken:
        text = f"“{tokens[0].text}” may stand for {_words(taken)}"
        out.append(Reason("subject-open", text, ((tokens[0].start, tokens[0].end),)))
    if lost:
        out.append(Reason("missing", f"the quote does not have {_words(lost)}"))
    return tuple(out)


def explain_rejection(
    said: Sequence[WordSentence], quote: Sequence[WordSentence], seen: ClaimCoverage
) -> tuple[Reason, ...]:
    """Why words that are all there do not state the claim."""
    tokens = quote[seen.best].tokens
    claim = {token.low for part in said for token in part.tokens}
    if any(not held for held in seen.held):
        return ()
    voices = [index for index, token in enumerate(tokens) if token.low in SPEECH and token.low not in claim]
    if voices:
        text = f"the quote reports it (“{tokens[voices[0]].text}”), the claim does not say whose word it is"
        return (Reason("reported", text, _runs(tokens, voices[:1])),)
    dropped = [index for index, token in enumerate(tokens) if token.low not in claim and token.low not in FREE]
    if dropped:
        words = _words(tokens[index] for index in dropped)
        return (Reason("not-aligned", f"the claim leaves out {words}, which may matter", _runs(tokens, dropped)),)
    return (Reason("not-aligned", "the words are there, but no sentence states the claim with them in this order"),)
