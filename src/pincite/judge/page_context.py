"""What stands around a quote on its page, and whether it takes back what the quote says.

A quote that is not a whole sentence is read in its sentence: `Firefox leaks memory` says nothing in `We found no
evidence that Firefox leaks memory`. A sentence is read with its neighbours: `None of this is true.`, `The following
claims are false:`, `In the game …`.
"""

from __future__ import annotations

import re

from msgspec import Struct

from .lexicon import CUTTING
from .model import QuotedEvidence
from .retractions import (
    MADE_UP,
    OPENING,
    PRESENTED,
    RESERVED,
    UNTRUE,
    is_later_retraction,
    is_retraction,
    is_untrue_introduction,
)
from .tokens import WordSentence, sentences

_FARTHEST = 1_000
"""Characters around a quote that are looked at."""
_LABEL = 5
"""Words of a sentence that is no more than a label."""
_AFTER = 3
"""Sentences after a quote that are looked at."""
_LEAD_IN = re.compile(r":[\s\"“”«»„‟‘’']*$")
_ENDED = re.compile(r"[.!?:;\"”»)\]]$")
_BREAK = re.compile(r"[ \t]*\n\s*")


class QuoteContext(Struct, frozen=True):
    """A quote with the rest of its first and last sentence, and the sentences before and after those."""

    text: str
    """The quote with the rest of its sentences."""
    shift: int
    """How many characters of `text` stand before the quote."""
    before: tuple[WordSentence, ...] = ()
    """The sentence before `text`, if any; and behind it the one before that, where either is no more than a label."""
    after: tuple[WordSentence, ...] = ()
    """The sentences after `text`, as far as they are looked at."""


def read_around(quoted: QuotedEvidence) -> QuoteContext:
    """The quote in its sentence, with the neighbours of that."""
    if not quoted.before and not quoted.after:
        return QuoteContext(quoted.text, 0)
    # Blocks are parted as sentences are.
    before, after = (_BREAK.sub("\n\n", text) for text in (quoted.before[-_FARTHEST:], quoted.after[:_FARTHEST]))
    if before and not before[-1].isspace() and _ENDED.search(before) and not quoted.text[:1].isdigit():
        before += " "
    lead_in: list[WordSentence] = []
    if _LEAD_IN.search(before):
        # What a colon leads into is a sentence of its own.
        lead_in, before = sentences(before), ""
    first, last = len(before), len(before) + len(quoted.text)
    whole = before + quoted.text + after
    found = sentences(whole)
    inside = [at for at, one in enumerate(found) if one.tokens[-1].end > first and one.tokens[0].start < last]
    if not inside:
        return QuoteContext(quoted.text, 0)
    start = min(first, found[inside[0]].tokens[0].start)
    closing = found[inside[-1]]
    end = max(last, closing.tokens[-1].end + len(closing.tail.rstrip()))
    # The sentence before, and the one before that where one of both is too short to end what it began.
    near = tuple((found[: inside[0]] or lead_in)[-2:][::-1])
    return QuoteContext(
        whole[start:end],
        first - start,
        near if any(len(one.tokens) <= _LABEL for one in near) else near[:1],
        tuple(found[inside[-1] + 1 : inside[-1] + 1 + _AFTER]),
    )


def find_denial_before(around: QuoteContext) -> WordSentence | None:
    """The sentence before a quote that says that what follows is not so."""
    return next((one for one in around.before if is_untrue_introduction(one)), None)


def find_denial_after(around: QuoteContext) -> WordSentence | None:
    """The sentence after a quote that takes it back; the second one where it says that it turns: `however`."""
    for at, sentence in enumerate(around.after):
        turning = any(token.low in ("however", "but", "yet") for token in sentence.tokens[:OPENING])
        if ((not at or turning) and is_retraction(sentence)) or (at and is_later_retraction(sentence)):
            return sentence
    return None


def explain_retraction(before: str, text: str, after: str) -> str | None:
    """Why words of a page do not say what they seem to, taken out of it; None where nothing around them does that."""
    around = read_around(QuotedEvidence(text, before=before, after=after))
    for where, find in (("before", find_denial_before), ("after", find_denial_after)):
        if (found := find(around)) is not None:
            words = " ".join(token.text for token in found.tokens)[:160] + found.tail.strip()[:1]
            return f"the words {where} it take it back: “{words}”"
    return explain_omission(around, len(text))


def explain_omission(around: QuoteContext, length: int, said: frozenset[str] = frozenset()) -> str | None:
    """What of its sentence the quote leaves out that takes it back; what the claim says too (`said`) does not."""
    if len(around.text) == length:
        return None
    end = around.shift + length
    found = [token for one in sentences(around.text) for token in one.tokens]
    lead = frozenset(token.low for token in found if token.end <= around.shift)
    rest = frozenset(token.low for token in found if token.start >= end)
    presented = ":" in around.text[: around.shift] and lead & PRESENTED
    if presented or lead & (RESERVED | MADE_UP) - said or around.text.startswith("Had "):
        return f"its sentence begins with “{' '.join(around.text[: around.shift].split())}”, which the quote leaves out"
    if rest & (CUTTING | UNTRUE) - said:
        return f"its sentence goes on with “{' '.join(around.text[end:].split())}”, which the quote leaves out"
    return None
