"""The judge that is always there: words compared with words, no model, no knowledge of the world."""

from __future__ import annotations

from collections import Counter
from math import exp
from typing import TYPE_CHECKING

from msgspec import structs

from .comparison import Comparison
from .containment import cover, find_unheld_part, key
from .coreference import context, find_unknown_subject, substitute_pronouns
from .enumerations import can_continue_enumeration, count
from .explain import explain_alignment, explain_missing, explain_rejection, explain_verbatim
from .gate import Gate, hopeless
from .lexicon import FUNCTION, make_word_set
from .model import CONTRADICTED, IMPLIED, NOT_SHOWN, STATED, Assessment, QuotedEvidence, Reason
from .number_bounds import replace_bounded_numbers
from .page_context import explain_omission, find_denial_after, find_denial_before, read_around
from .rephrase import rephrase
from .retractions import is_retraction, is_untrue_introduction
from .scope import classify_scope_change
from .tokens import WordSentence, scan, sentences
from .verbatim import find_verbatim_run, is_doubtful, is_english, is_quoted_speech
from .vetoes import speaks_against

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .comparison import Alignment
    from .containment import ClaimCoverage
    from .numbers import JudgeToken
    from .page_context import QuoteContext

MOST_CLAIM, MOST_QUOTE = 300, 4_000
"""Words beyond which nothing is judged."""
_LONGEST_WORD = 12
# The share of a claim that its quote must hold, and what a name or the last word costs where it lacks. Read off twelve
# public sets of claims and five others: balanced accuracy is flat from 0.50 to 0.60 (500 pairs of each).
_ENOUGH, _NAME, _LAST = 0.55, 0.04, 0.08
_MOST_NAMES = 3
_STEEP = 8.0
_MOST_UNKNOWN = 4
"""Words that the sentence does not have; with more, the claim is no other turn of it."""
_BY_A_WORD = make_word_set("number-conflict unit-conflict opposite name-conflict rank-conflict relation-conflict")
"""Rules that speak of one word of the claim, which the sentence has otherwise."""
_NOT_MEANT = make_word_set("satire parody fiction fanfiction fictional hoax")
"""In a title, these say that the page does not mean what it says."""


class Offline:
    """Judges a claim by the words of its quote alone: `high` only where they state it in one sentence."""

    name = "offline"

    def assess(self, claim: str, evidence: QuotedEvidence | str) -> Assessment:
        """One judgement; the same input gives the same answer."""
        quoted = QuotedEvidence(evidence) if isinstance(evidence, str) else evidence
        refused = _find_unfit_reason(claim, quoted.text)
        if refused is not None:
            return _make_low_assessment(NOT_SHOWN, 0.0, refused)
        around = read_around(quoted)
        said, quote = sentences(claim), sentences(around.text)
        refused = _find_skip_reason(said, quote)
        if refused is not None:
            return _make_low_assessment(NOT_SHOWN, 0.0, refused)
        before = around.before[0] if around.before else None
        found = _judge_stated(said, quote, before, quoted.title)
        if found is not None and found.level == "high":
            taken = _find_retraction(around, quoted.title)
            found = found if taken is None else _make_low_assessment(NOT_SHOWN, 0.2, taken)
        elif found is None:
            found = _judge_implied(said, quote, context(before, quoted.title))
        if found.level == "medium":
            taken = _find_retraction(around, quoted.title) or _find_omission(around, len(quoted.text), said)
            if taken is not None:
                found = _make_low_assessment(NOT_SHOWN, min(found.score, 0.2), taken, *found.reasons)
        return _shift_spans(found, around.shift, len(quoted.text)) if len(around.text) > len(quoted.text) else found

    def assess_all(self, pairs: Sequence[tuple[str, QuotedEvidence]]) -> list[Assessment]:
        """Many judgements, in order."""
        return [self.assess(claim, evidence) for claim, evidence in pairs]


def _find_retraction(around: QuoteContext, title: str) -> Reason | None:
    """What beside the quote says that it is not so, or only a story."""
    beside = find_denial_before(around) or find_denial_after(around)
    if beside is not None:
        words = " ".join(token.text for token in beside.tokens)[:200]
        return Reason("taken-back", f"beside the quote the page says “{words}”")
    if title and any(token.low in _NOT_MEANT for token in scan(title[:300])[0]):
        return Reason("taken-back", f"the page calls itself “{title[:200]}”")
    return None


def _find_omission(around: QuoteContext, length: int, said: list[WordSentence]) -> Reason | None:
    """What the quote leaves out of its sentence."""
    own = scan(around.text[around.shift : around.shift + length])[0]
    more = Counter(token.low for part in said for token in part.tokens) - Counter(token.low for token in own)
    why = explain_omission(around, length, frozenset(more))
    return None if why is None else Reason("taken-back", why)


def _shift_spans(found: Assessment, shift: int, length: int) -> Assessment:
    """The answer with its spans counted from where the quote begins, and none outside it."""
    reasons = tuple(
        structs.replace(
            reason,
            spans=tuple(
                (max(0, start - shift), min(length, end - shift))
                for start, end in reason.spans
                if start - shift < length and end > shift
            ),
        )
        for reason in found.reasons
    )
    return structs.replace(found, reasons=reasons)


def _find_unfit_reason(claim: str, quote: str) -> Reason | None:
    """Why a text is not even parsed."""
    for text, most, what in ((claim, MOST_CLAIM, "claim"), (quote, MOST_QUOTE, "quote")):
        if len(text) > most * _LONGEST_WORD:
            return Reason("too-long", f"the {what} is longer than {most:,} words")
    return None


def _find_skip_reason(said: list[WordSentence], quote: list[WordSentence]) -> Reason | None:
    """Why there is nothing to judge."""
    for parts, most, what in ((said, MOST_CLAIM, "claim"), (quote, MOST_QUOTE, "quote")):
        words = sum(len(part.tokens) for part in parts)
        if not words:
            return Reason("empty", f"the {what} has no words")
        if words > most:
            return Reason("too-long", f"the {what} is longer than {most:,} words")
    if all(part.asks for part in said):
        return Reason("question", "the claim is a question and states nothing")
    return None


def _make_low_assessment(verdict: str, score: float, *reasons: Reason) -> Assessment:
    return Assessment("low", verdict, round(score, 4), reasons, Offline.name)


def _judge_stated(
    said: list[WordSentence], quote: list[WordSentence], before: WordSentence | None, title: str
) -> Assessment | None:
    """High, or a count that is wrong; None where the gate stays shut."""
    if any(part.asks for part in said):
        return None
    run = find_verbatim_run(said, quote)
    if run:
        return Assessment("high", STATED, 1.0, explain_verbatim(run), Offline.name)
    reasons: list[Reason] = []
    cost = 0.0
    words = [_words(quote, at) for at in range(len(quote))]
    for part in said:
        found = _find_stating_sentence(part, quote, words, before, title)
        if found is None:
            return None
        verdict, price, why = found
        if verdict == CONTRADICTED:
            return _make_low_assessment(CONTRADICTED, 0.05, *why)
        reasons += why
        cost += price
    return Assessment("high", STATED, round(max(0.9, 1.0 - 0.01 * cost), 4), tuple(reasons), Offline.name)


def _words(quote: list[WordSentence], at: int) -> frozenset[str]:
    """What a sentence of the quote has to say; nothing where it does not say it without reserve."""
    sentence = quote[at]
    if sentence.asks or not is_english(sentence.tokens) or is_doubtful(quote, at):
        return frozenset()
    return frozenset([token.low for token in sentence.tokens] + [t.alt for t in sentence.tokens if t.alt])


def _find_stating_sentence(
    part: WordSentence, quote: list[WordSentence], said: list[frozenset[str]], before: WordSentence | None, title: str
) -> tuple[str, float, tuple[Reason, ...]] | None:
    """The sentence of the quote that states one sentence of the claim."""
    wrong = None
    for at, (sentence, words) in enumerate(zip(quote, said, strict=True)):
        if words:
            dates = [token for token in sentence.tokens if token.kind == "d"]
            if not is_quoted_speech(sentence.tokens, part.tokens[0]):
                turned = _align_through_gate(part, sentence, words, dates)
                if turned is not None:
                    return STATED, turned[1].cost, explain_alignment(turned[0], sentence, turned[1])
            for replaced, name, source in substitute_pronouns(part, sentence, before, title):
                if not hopeless(replaced, words, dates):
                    found = Gate(sentence, replaced).find()
                    if found is not None:
                        text = f"“{sentence.tokens[0].text}” is taken to be {name}, from {source}"
                        who = Reason("subject-taken", text, ((sentence.tokens[0].start, sentence.tokens[0].end),))
                        return STATED, found.cost + 2, (*explain_alignment(replaced, sentence, found), who)
            counted = count(part, sentence)
            if counted is not None and not can_continue_enumeration(quote, at + 1):
                spans = tuple((item[0].start, item[-1].end) for item in counted.items)
                listed = ", ".join(" ".join(token.text for token in item) for item in counted.items)
                if counted.said.value == len(spans):
                    text = f"the quote names {len(spans)}: {listed}; that these are {counted.noun} is the claim's word"
                    return STATED, 2.0, (Reason("count", text, spans),)
                text = f"the claim says {counted.said.text} {counted.noun}, the quote names {len(spans)}: {listed}"
                wrong = CONTRADICTED, 0.0, (Reason("count-conflict", text, spans),)
        before = sentence
    return wrong


def _align_through_gate(
    part: WordSentence, sentence: WordSentence, words: frozenset[str], dates: list[JudgeToken]
) -> tuple[WordSentence, Alignment] | None:
    """How one sentence of the claim passes the gate, as it stands or in the quote's turn of phrase."""
    if not hopeless(part, words, dates):
        found = Gate(sentence, part).find()
        if found is not None:
            return part, found
    if sum(token.low not in words and token.alt not in words for token in part.tokens) > _MOST_UNKNOWN:
        return None
    other = rephrase(part, sentence)
    if other is None or hopeless(other, words, dates):
        return None
    found = Gate(sentence, other).find()
    return None if found is None else (other, found)


def _judge_implied(said: list[WordSentence], quote: list[WordSentence], named: frozenset[str]) -> Assessment:
    """Medium, or low and why."""
    claim = replace_bounded_numbers(
        [token for part in said for token in part.tokens], [sentence.tokens for sentence in quote]
    )
    seen = cover(claim, quote, named)
    best = quote[seen.best]
    details = explain_missing(claim, quote, seen)
    if not is_english(best.tokens):
        return _make_low_assessment(
            NOT_SHOWN, 0.2, Reason("not-english", "the quote is not English: only verbatim claims are judged")
        )
    score = _score(claim, seen)
    change, at = classify_scope_change(claim, best.tokens) if len(said) == 1 else ("", [])
    if change == "narrower":
        words = " ".join(claim[index].text for index in at)
        text = f"what the quote says in general holds for the narrower “{words}” of the claim"
        return Assessment("medium", IMPLIED, max(score, 0.75), (Reason("narrower", text), *details), Offline.name)
    pair = Comparison(claim, best.tokens, quote, seen.anywhere)
    against = _find_withdrawal(said, quote, seen.best) or speaks_against(pair)
    if against is not None:
        verdict, why = against
        # All that the claim says stands in the sentence in the same order, but for the word that differs.
        if pair.size < 2 or pair.aligned + (why.rule in _BY_A_WORD) < pair.size:
            verdict = NOT_SHOWN
        return _make_low_assessment(verdict, min(score, 0.2), why, *details)
    if change == "wider":
        spans = tuple((best.tokens[index].start, best.tokens[index].end) for index in at)
        words = " ".join(best.tokens[index].text for index in at)
        text = f"the quote says it of “{words}” only, the claim in general"
        return _make_low_assessment(NOT_SHOWN, min(score, 0.3), Reason("wider", text, spans), *details)
    if score < 0.5:
        text = f"the quote holds {seen.share:.0%} of what the claim says: too little to imply it"
        return _make_low_assessment(NOT_SHOWN, score, Reason("not-contained", text), *details)
    lacking = (
        find_unknown_subject(claim, quote, seen, named)
        or find_unheld_part(claim, seen)
        or _added_name(claim, seen, named)
    )
    if lacking is not None:
        kept = [reason for reason in details if reason.rule != "subject-open"]
        return _make_low_assessment(NOT_SHOWN, min(score, 0.4), lacking, *kept)
    text = f"the quote holds {seen.share:.0%} of what the claim says, and nothing speaks against it"
    reasons = (Reason("contained", text), *details, *explain_rejection(said, quote, seen))
    return Assessment("medium", IMPLIED, score, reasons, Offline.name)


def _added_name(claim: list[JudgeToken], seen: ClaimCoverage, named: frozenset[str]) -> Reason | None:
    """A name of the claim that the quote does not have."""
    for at, (token, held) in enumerate(zip(claim, seen.anywhere, strict=True)):
        name = at and token.kind == "w" and token.text[:1].isupper() and token.low not in FUNCTION
        if name and not held and at >= seen.subject and key(token) not in named:
            return Reason("name-missing", f"the quote does not name {token.text}")
    return None


def _find_withdrawal(said: list[WordSentence], quote: list[WordSentence], best: int) -> tuple[str, Reason] | None:
    """Whether the quote only asks what the claim says, or denies it in its next breath."""
    tokens = quote[best].tokens
    spans = ((tokens[0].start, tokens[-1].end),)
    if quote[best].asks:
        return NOT_SHOWN, Reason("asked", "the quote asks it and does not say it", spans)
    if len(said) == 1 and best + 1 < len(quote) and is_retraction(quote[best + 1]):
        words = quote[best + 1].tokens
        return CONTRADICTED, Reason("denied", "the quote's next sentence denies it", ((words[0].start, words[-1].end),))
    if len(said) == 1 and best and is_untrue_introduction(quote[best - 1]):
        words = quote[best - 1].tokens
        text = "the sentence before says that it is not so, or only imagined"
        return NOT_SHOWN, Reason("framed", text, ((words[0].start, words[-1].end),))
    return None


def _score(claim: list[JudgeToken], seen: ClaimCoverage) -> float:
    """How far the quote holds the claim, as a score: 0.5 where it holds just enough to imply it."""
    content = [pair for pair in zip(claim, seen.anywhere, strict=True) if pair[0].low not in FUNCTION]
    lost = [token for token, held in content[seen.subject :] if not held and token.text[:1].isupper()]
    held = seen.share - _NAME * min(len(lost), _MOST_NAMES)
    if content and not content[-1][1]:
        held -= _LAST
    return round(1 / (1 + exp(_STEEP * (_ENOUGH - held))), 4)
